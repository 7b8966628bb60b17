#!/bin/bash
# The bundles for course platforms, each run as its platform runs it: a clean folder, the entry point, the user, the
# time limit; what comes out is judged by the platform's rules (kit/platform_rules.py). The image's kit is the
# bundle's own archive, with what is built here: test_bundle.sh builds such an archive from nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(cd "${BUILD:-build}" && pwd)
RULES=$PWD/tests/grader/kit/platform_rules.py
SOLUTION=$PWD/solutions/lab03_last_block
T=$(mktemp -d "${TMPDIR:-/tmp}/platforms.XXXXXX")
chmod 755 "$T"
trap 'rm -rf "$T"' EXIT
passed=0 failed=0
# check NAME WANT COMMAND…: the command prints WANT.
check() {
    local name=$1 want=$2 said
    shift 2
    said=$("$@" 2>&1)
    if grep -qF -- "$want" <<<"$said"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: expected \"$want\""
        tail -n 12 <<<"$said"
    fi
}
refuses() { "$@" && echo "it does" || echo "it does not"; }

git clone -q . "$T/clone"
mkdir "$T/built"
cp -r "$BUILD/bin" "$BUILD/lib" "$BUILD"/lab03* "$T/built/"
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "$BUILD/../.cuda/bin/nvcc" 2>/dev/null | head -n 1)
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t
bundle() { (cd "$T/clone" && BUILD=$T/built scripts/platform.sh "$1" "$NVCC" lab03_last_block); }
# installed ARCHIVE FOLDER: the kit as an image has it.
installed() {
    mkdir "$2"
    tar -C "$2" --strip-components=1 -xzf "$1"
    mkdir "$2/build"
    cp -rl "$T/built/bin" "$T/built/lib" "$T/built"/lab03* "$2/build/"
    install -d -m 1777 "$2/build/run"
}
echo "no code" >"$T/bad.cu"

# Classroom 50: a checkout, the bundle outside of it, variables.
check "make classroom50" "built/classroom50/lab03" bundle classroom50
made=$T/built/classroom50/lab03
check "packages for the runner" libjansson-dev python3 -c "import json; print(*json.load(open('$made/runtime.json'))['apt'])"
check "Classroom 50 serves the bundle: no hidden case" "it does not" \
    refuses sh -c "tar xOzf $made/kit.tar.gz fencepost/labs/lab03_last_block/lab.yaml | grep 'hidden\\|crowd'"
installed "$made/kit.tar.gz" "$T/visible"
# classroom50 FILE [NAME]: grades a checkout with that file, and says what the platform makes of it.
classroom50() {
    rm -rf "$T/checkout"
    mkdir -p "$T/checkout/labs/lab03_last_block"
    [ -z "$1" ] || cp -P "$1" "$T/checkout/${2:-kernel.cu}"
    (cd "$T/checkout" && env -i PATH="$PATH" FENCEPOST_KIT="$T/visible" CLASSROOM=cs1 ASSIGNMENT=lab03 \
        SUBMISSION_TAG=submit/2026-11-01T00-00-00Z-abc COMMIT_URL=https://g/c RELEASE_URL=https://g/r \
        REVIEW_URL=https://g/d timeout 900 python3 "$made/autograder.py") || echo "status $?"
    [ ! -e "$T/checkout/result.json" ] || python3 "$RULES" classroom50 "$T/checkout/result.json"
}
points=$(grep -o '^points: *[0-9]*' <(tar xOzf "$made/kit.tar.gz" fencepost/labs/lab03_last_block/lab.yaml) | tr -dc 0-9)
check "Classroom 50: a right answer" "$points $points" classroom50 "$SOLUTION/kernel.cu"
check "Classroom 50: nothing but the results is in the checkout" "kernel.cu labs release-body.md result.json" \
    sh -c "cd $T/checkout && echo *"
check "Classroom 50: where the students' bundle has the file" "$points $points" \
    classroom50 "$SOLUTION/kernel.cu" labs/lab03_last_block/kernel.cu
check "Classroom 50: one that does not compile" "0 $points" classroom50 "$T/bad.cu"
check "Classroom 50: nothing handed in" "0 $points" classroom50 ""
check "and it is said" "there is no kernel.cu" cat "$T/checkout/release-body.md"
ln -s "$SOLUTION/kernel.cu" "$T/link.cu"
check "Classroom 50: a link" "0 $points" classroom50 "$T/link.cu"
mv "$T/visible/build/lab03_last_block" "$T/away"
check "Classroom 50: a broken kit is an error, not a zero" "status 1" classroom50 "$SOLUTION/kernel.cu"
check "and leaves no result" "it does not" refuses test -e "$T/checkout/result.json"
mv "$T/away" "$T/visible/build/lab03_last_block"

# PrairieLearn: /grade with student/ and tests/, the image's user (root), the entry point, the time limit.
check "make prairielearn" "built/prairielearn/lab03" bundle prairielearn
made=$T/built/prairielearn/lab03
check "its info.json" "v3 External /grade/tests/grade.sh True" python3 -c "
import json, uuid
q = json.load(open('$made/question/info.json'))
uuid.UUID(q['uuid'])
g = q['externalGradingOptions']
print(q['type'], q['gradingMethod'], g['entrypoint'], g['enabled'] and bool(g['image']) and 0 < g['timeout'] <= 600)"
check "the editor starts with the skeleton" TODO cat "$made/question/kernel.cu"
check "students see nothing of the grader" "grade.sh" ls "$made/question/tests"
installed "$made/image/kit.tar.gz" "$T/fencepost"
prairielearn() {
    rm -rf "$T/grade"
    mkdir -p "$T/grade/student" "$T/grade/data"
    cp -r "$made/question/tests" "$T/grade/tests"
    [ -z "$1" ] || cp -P "$1" "$T/grade/student/kernel.cu"
    (cd / && env -i PATH="$PATH" GRADE_ROOT="$T/grade" FENCEPOST_KIT="$T/fencepost" timeout 600 "$T/grade/tests/grade.sh") ||
        echo "status $?"
    python3 "$RULES" prairielearn "$T/grade/results/results.json"
}
check "PrairieLearn: a right answer" "100 100" prairielearn "$SOLUTION/kernel.cu"
check "PrairieLearn: one that does not compile costs no attempt" "invalid" prairielearn "$T/bad.cu"
check "PrairieLearn: nothing handed in" "invalid" prairielearn ""
mv "$T/fencepost/build/lab03_last_block" "$T/away"
check "PrairieLearn: a broken image costs no attempt" "invalid" prairielearn "$SOLUTION/kernel.cu"
check "and says so" "not your fault" cat "$T/grade/results/results.json"
mv "$T/away" "$T/fencepost/build/lab03_last_block"

# Autolab: an empty folder with the submission, Makefile and autograde.tar; make; not root.
check "make autolab" "built/autolab/lab03" bundle autolab
made=$T/built/autolab/lab03
check "a lab to import" "lab03/lab03.yml" tar tf "$made/lab03.tar"
check "its problems are the parts" "max_score: 10.0" grep -A 2 Properties "$made/lab03/lab03.yml"
as_user=()
[ "$(id -u)" != 0 ] || as_user=(setpriv --reuid 65534 --regid 65534 --clear-groups)
autolab() {
    rm -rf "$T/autograde"
    mkdir "$T/autograde"
    cp "$1" "$T/autograde/kernel.cu"
    cp "$made/lab03/autograde-Makefile" "$T/autograde/Makefile"
    cp "$made/lab03/autograde.tar" "$T/autograde/"
    chmod -R a+rwX "$T/autograde"
    (cd "$T/autograde" && env -i PATH="$PATH" FENCEPOST_KIT="$T/fencepost" "${as_user[@]}" timeout 600 make) \
        >"$T/output" || echo "status $?"
    python3 "$RULES" autolab "$T/output"
}
check "Autolab: a right answer" "100 Part A,Part B,Part C,Properties" autolab "$SOLUTION/kernel.cu"
check "Autolab: one that does not compile" "0 Part A,Part B,Part C,Properties" autolab "$T/bad.cu"
check "Autolab: what is wrong can be read" "does not compile" cat "$T/output"
mv "$T/fencepost/build/lab03_last_block" "$T/away"
check "Autolab: a broken image is no zero" "none" autolab "$SOLUTION/kernel.cu"
mv "$T/away" "$T/fencepost/build/lab03_last_block"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
