#!/bin/bash
# The student bundle and the Gradescope zip: made, unpacked in clean folders, built there and used.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(cd "${BUILD:-build}" && pwd)
T=$(mktemp -d "${TMPDIR:-/tmp}/bundle.XXXXXX")
trap 'rm -rf "$T"' EXIT
passed=0 failed=0
# check NAME COMMAND…: the command must succeed.
check() {
    local name=$1
    shift
    if "$@" >"$T/out" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
        tail -n 15 "$T/out"
    fi
}
# says TEXT COMMAND…: prints the text, whatever its status.
says() {
    local text=$1
    shift
    "$@" >"$T/said" 2>&1
    cat "$T/said"
    grep -qF -- "$text" "$T/said"
}
refuses() { ! "$@"; }

# From a clone: what is committed, in folders without anything else.
git clone -q . "$T/clone"
cd "$T/clone" || exit 1
check "make dist" make dist LABS=lab03_last_block BUILD="$T/built"
check "no solution's source" refuses sh -c "tar tzf $T/built/dist/fencepost.tar.gz | grep 'solutions/.*\.cu\$'"
check "no hidden case" refuses sh -c "tar xOzf $T/built/dist/fencepost.tar.gz fencepost/labs/lab03_last_block/lab.yaml | grep 'hidden\\|crowd'"
check "the rest of the spec is right" sh -c "mkdir $T/bundle && tar xzf $T/built/dist/fencepost.tar.gz -C $T/bundle &&
    $BUILD/bin/grade --root $T/bundle/fencepost | grep -q 'lab03 .*not begun'"
check "a reference for each lab" sh -c "tar tzf $T/built/dist/fencepost.tar.gz | grep -q solutions/lab03_last_block/reference.ptx"
grep -v '^ *//' solutions/lab03_last_block/kernel.cu | awk 'length > 30' | head -3 >>grader/main.c
git add grader/main.c
check "a leak is found" says "lines of a solution" make dist LABS=lab03_last_block BUILD="$T/built2"
check "a leak is refused" refuses make dist BUILD="$T/built2"
git checkout -q HEAD -- grader/main.c

check "make gradescope" make gradescope LAB=lab03 BUILD="$T/built"
export AUTOGRADER=$T/autograder
mkdir -p "$AUTOGRADER/source" "$AUTOGRADER/submission"
(cd "$AUTOGRADER/source" && python3 -m zipfile -e "$T/built/gradescope/lab03.zip" .)
check "setup.sh" env -u BUILD CFLAGS=-O1 bash "$AUTOGRADER/source/setup.sh"

# graded FILE: what results.json says as "score tests-sum status-count".
graded() {
    cp "$1" "$AUTOGRADER/submission/kernel.cu"
    env -u BUILD bash "$AUTOGRADER/source/run_autograder"
    python3 - "$AUTOGRADER/results/results.json" <<'END'
import json, sys
r = json.load(open(sys.argv[1]))
tests = r["tests"]
assert all(t["status"] in ("passed", "failed") and isinstance(t["number"], str) for t in tests)
assert not tests or r["score"] == sum(t["score"] for t in tests)
print(r["score"], sum(t["max_score"] for t in tests), len(tests) > 5, r.get("output", ""))
END
}
S=$T/clone/solutions/lab03_last_block
check "a right answer" says "100 100 True" graded "$S/kernel.cu"
check "a wrong one" refuses says "100 100 True" graded "$S/wrong/no_fence.cu"
check "a wrong one has its tests" says " 100 True" graded "$S/wrong/no_fence.cu"
echo "no code" >"$T/bad.cu"
check "one that does not compile" says "0 100 True" graded "$T/bad.cu"
rm -f "$AUTOGRADER/submission/kernel.cu"
ln -s /etc/passwd "$AUTOGRADER/submission/kernel.cu"
check "a link" says "named kernel.cu" sh -c \
    "bash $AUTOGRADER/source/run_autograder; cat $AUTOGRADER/results/results.json"
rm -f "$AUTOGRADER/submission/kernel.cu"
mv "$AUTOGRADER/kit/build/lab03_last_block" "$AUTOGRADER/kit/build/away"
check "a broken image is not a zero in silence" says "not your fault" graded "$S/kernel.cu"
mv "$AUTOGRADER/kit/build/away" "$AUTOGRADER/kit/build/lab03_last_block"

# The kit in the autograder is the student bundle: it works for a student too.
cd "$AUTOGRADER/kit" || exit 1
check "a student's skeleton" says "next hint" ./grade lab03
check "the course at a glance" says "lab03" ./grade

# A new lab, made there and proven.
check "dev new" ./grade dev new lab77_scan
check "dev new refuses a taken number" says "there is already" ./grade dev new lab77_other
check "the new lab builds" env -u BUILD make CFLAGS=-O1 lab77
check "the new lab is proven" ./grade dev check lab77
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
