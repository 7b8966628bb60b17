#!/usr/bin/env bash
# The two Containerfiles: every day what they name is there; with FULL=1 they are built, by podman, docker or buildah where
# one works here, else their steps are done in a clean root, and a lab is judged in what comes out. That takes the network
# and some minutes. CONTAINER=none goes by the steps, ROOTS=DIR keeps what was fetched of the system.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/places/system.sh
. tests/places/containerfile.sh
T=$(mktemp -d "${TMPDIR:-/tmp}/container.XXXXXX")
chmod 755 "$T"
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >"$T/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $message"; tail -n 12 "$T/log"; fi
}
finish() {
    rm -rf "$T"
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
    exit
}

for file in Containerfile .devcontainer/Containerfile; do
    check "$file: a system that make setup knows" grep -qE '^(debian|ubuntu):[a-z0-9.]+$' <(containerfile_from $file)
    check "$file: an instruction that this test does not know" \
        sh -c '! grep -vE "^(FROM|CMD|WORKDIR|USER|ENV|COPY|RUN) "' < <(containerfile_lines $file)
    for name in $(containerfile_lines $file | sed -n 's/^COPY \(.*\) [^ ]*$/\1/p'); do
        check "$file copies $name, which is not in git" git cat-file -e "HEAD:${name#.}"
    done
done
check "the kit's Containerfile builds the kit" grep -q '^RUN make$' Containerfile
check "the dev container is made of its Containerfile, and built by setup and make" python3 - <<'END'
import json
made = json.load(open(".devcontainer/devcontainer.json"))
assert made["build"]["dockerfile"] == "Containerfile" and made["onCreateCommand"].startswith("make setup && make")
END
# What is built or fetched here is no part of an image.
ignored() { { git check-ignore -q "$1" || git check-ignore -q "$1/"; } && grep -qxF "$1" .dockerignore; }
for name in build .venv .cuda .cuda.nvidia .deps .vscode .clangd compile_commands.json clang/bin/clang; do
    check "$name of this folder goes into the image" ignored $name
done
if [ "${FULL:-0}" = 0 ]; then
    echo "not built: FULL=1 does it"
    finish
fi

# A container tool that works here, and a base for it: the registry's, or a root of ours under its name.
tool=
store=(--storage-driver vfs --root "$T/store" --runroot "$T/runroot")
[ "${CONTAINER:-}" = none ] || for candidate in podman docker buildah; do
    command -v $candidate >/dev/null && "$candidate" info >"$T/log" 2>&1 && tool=$candidate && break
done
build() { # FILE CONTEXT NAME
    case $tool in
    buildah) buildah "${store[@]}" bud --isolation chroot --pull-never -f "$1" -t "$3" "$2" ;;
    *) $tool build -f "$1" -t "$3" "$2" ;;
    esac
}
run() { # NAME COMMAND: in the image, or in the root
    case $tool in
    buildah)
        local made
        made=$(buildah "${store[@]}" from --pull-never "$1") && buildah "${store[@]}" run --isolation chroot "$made" -- sh -c "$2"
        ;;
    '') in_system "$T/$1" root sh -c "cd /fencepost && $2" ;;
    *) $tool run --rm "$1" sh -c "$2" ;;
    esac
}
context=$T/context
git clone -q . "$context"
base=$(containerfile_from Containerfile)
if ! reason=$(system_made "${base#*:}" "$T/base"); then
    echo "skipped: the images are not built, $reason"
    finish
fi
if [ "$tool" = buildah ]; then
    tar -C "$T/base" -cf "$T/base.tar" . && mkdir "$T/import" && mv "$T/base.tar" "$T/import/"
    printf 'FROM scratch\nADD base.tar /\n' >"$T/import/Containerfile"
    check "a base for buildah" buildah "${store[@]}" bud --isolation chroot -t "docker.io/library/$base" "$T/import"
fi
echo "by ${tool:-the steps, in a clean root}"
began=$SECONDS
if [ -n "$tool" ]; then
    check "the kit's image" build Containerfile "$context" fencepost
else
    cp -a "$T/base" "$T/fencepost"
    check "the kit's steps" containerfile_run Containerfile "$context" "$T/fencepost"
fi
echo "the kit's image: $((SECONDS - began)) s"
check "a right answer there" grep -q 'Score 100/100' <(run fencepost './grade lab03 --file solutions/lab03_last_block/kernel.cu' 2>&1)
check "a wrong one there" grep -q 'missing-acquire' <(run fencepost './grade lab03 --file solutions/lab03_last_block/wrong/published_guard.cu' 2>&1)

# The dev container: its image, then the folder in it and its command, as the editor does both.
began=$SECONDS
created=$(python3 -c 'import json; print(json.load(open(".devcontainer/devcontainer.json"))["onCreateCommand"])')
rm -rf "$T/fencepost"
if [ -n "$tool" ]; then
    printf 'FROM dev\nWORKDIR /fencepost\nCOPY . .\nRUN %s\n' "$created" >"$T/opened"
    check "the dev container's image" build .devcontainer/Containerfile "$context" dev
    check "its command when it is created" build "$T/opened" "$context" opened
else
    mv "$T/base" "$T/opened"
    check "the dev container's steps" containerfile_run .devcontainer/Containerfile "$context" "$T/opened"
    mv "$context" "$T/opened/fencepost"
    check "its command when it is created" in_system "$T/opened" root sh -c "cd /fencepost && $created"
fi
echo "the dev container: $((SECONDS - began)) s"
check "a verdict there" grep -q 'Score 0/100' <(run opened './grade lab03' 2>&1)
check "its clangd finds no error" sh -c '! grep -E "^E\[[0-9:.]*\] \[[a-z_-]+\] Line"' \
    < <(run opened 'clangd --check=labs/lab03_last_block/kernel.cu --check-lines=1' 2>&1)
finish
