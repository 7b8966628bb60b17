#!/usr/bin/env bash
# Makes the zip for Gradescope's autograder: build/gradescope/LAB.zip with setup.sh, run_autograder
# and the kit with this lab's reference as PTX.
#
#   scripts/gradescope.sh NVCC labNN_topic
set -eu
cd "$(dirname "$0")/.."
nvcc=$1 lab=$2
build=${BUILD:-build}
short=${lab%%_*}
out=$build/gradescope/$short

HIDDEN=keep scripts/dist.sh "$nvcc" "$lab" >/dev/null
rm -rf "$out" "$out.zip"
mkdir -p "$out"
cp "$build/dist/fencepost.tar.gz" "$out/kit.tar.gz"

# Gradescope runs this once, as root, when the image is made.
cat >"$out/setup.sh" <<END
#!/usr/bin/env bash
# Made by Fencepost's scripts/gradescope.sh: builds the kit in the autograder's image.
set -eu
root=\${AUTOGRADER:-/autograder}
mkdir -p "\$root/kit"
tar -C "\$root/kit" --strip-components=1 -xzf "\$root/source/kit.tar.gz"
cd "\$root/kit"
bash scripts/setup.sh
make -j2 $short
END

# And this for each submission. results.json is always there and always well-formed: a missing one
# is an error that the student cannot tell from a fault of their own.
cat >"$out/run_autograder" <<END
#!/usr/bin/env bash
# Made by Fencepost's scripts/gradescope.sh: grades one submission.
root=\${AUTOGRADER:-/autograder}
mkdir -p "\$root/results"
result=\$root/results/results.json
rm -f "\$result"
file=\$root/submission/kernel.cu
say() {
    message=\$(printf '%s' "\$1" | tr -d '\\000-\\037"\\\\' | cut -c 1-2000)
    printf '{"score": 0, "output": "%s", "tests": []}\\n' "\$message" >"\$result"
}
if [ ! -f "\$file" ] || [ -L "\$file" ]; then
    say "Hand in one file named kernel.cu."
    exit 0
fi
errors=\$("\$root/kit/grade" $short --file "\$file" --format gradescope --output "\$result" \\
    2>&1 >/dev/null </dev/null)
if [ ! -s "\$result" ]; then
    say "Could not judge, which is not your fault; tell your instructor: \$errors"
fi
exit 0
END
chmod +x "$out/setup.sh" "$out/run_autograder"
(cd "$out" && python3 -m zipfile -c "../$short.zip" setup.sh run_autograder kit.tar.gz)
echo "$out.zip"
