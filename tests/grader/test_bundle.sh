#!/bin/bash
# The student bundle and the Gradescope zip: made, unpacked in clean folders, built there and used. Everyday from our own
# objects; with FULL=1 each source is compiled there, too.
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
# refuses_and_says TEXT COMMAND…: fails, and prints the text.
refuses_and_says() {
    local text=$1
    shift
    ! "$@" >"$T/said" 2>&1 && cat "$T/said" && grep -qF -- "$text" "$T/said"
}

# From a clone: what is committed, in folders without anything else.
git clone -q . "$T/clone"
cd "$T/clone" || exit 1
NVCC=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "$BUILD/../.cuda/bin/nvcc" 2>/dev/null | head -n 1)
mkdir "$T/built"
cp -r "$BUILD/bin" "$BUILD/lib" "$BUILD"/lab* "$T/built/"
export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t
dist() { BUILD=$T/built scripts/dist.sh "$NVCC" "$@"; }
check "a bundle" dist lab03_last_block lab02_memory_fences
check "the reference makes no predictions" refuses sh -c "tar xOzf $T/built/dist/fencepost.tar.gz \
    fencepost/solutions/lab02_memory_fences/reference.ptx | grep '121, 121, 121, 121, 0, 121, 121'"
check "blanks instead" sh -c "tar xOzf $T/built/dist/fencepost.tar.gz \
    fencepost/solutions/lab02_memory_fences/reference.ptx | grep '46, 46, 46, 46, 0, 46, 46'"
check "lab02's reference is whole" sh -c "mkdir $T/whole && tar xzf $T/built/dist/fencepost.tar.gz -C $T/whole &&
    ln -s $BUILD $T/whole/fencepost/build && $BUILD/bin/grade --root $T/whole/fencepost lab02 \
    --file solutions/lab02_memory_fences/kernel.cu | tail -n 1 | grep -q '^Score \([0-9]*\)/\1'"
check "the Makefile makes it" grep -q '^dist: all' Makefile

# What is committed, not what lies about.
cp solutions/lab03_last_block/kernel.cu labs/lab03_last_block/kernel.cu
check "a solved working tree is said" says "M labs/lab03_last_block/kernel.cu" dist lab03_last_block
check "and not bundled" sh -c "tar xOzf $T/built/dist/fencepost.tar.gz fencepost/labs/lab03_last_block/kernel.cu | grep -q TODO"
git commit -qam "solved"
check "a skeleton that scores is refused" \
    refuses_and_says "labs/lab03_last_block/kernel.cu, as committed, earns points" dist lab03_last_block
git reset -q --hard HEAD~1
mkdir labs/lab88_new
check "a lab that is not in git" says "labs/lab88_new/lab.yaml is not in git: add and commit the lab first" dist lab88_new
rmdir labs/lab88_new
check "a lab that is not there" says "there is no labs/lab99_none" dist lab99_none
check "nothing built" says "the kit is not built" env BUILD="$T/unbuilt" scripts/dist.sh "$NVCC" lab03_last_block
check "a bundle again" dist lab03_last_block

check "no solution's source" refuses sh -c "tar tzf $T/built/dist/fencepost.tar.gz | grep 'solutions/.*\.cu\$'"
check "no hidden case" refuses sh -c "tar xOzf $T/built/dist/fencepost.tar.gz fencepost/labs/lab03_last_block/lab.yaml | grep 'hidden\\|crowd'"
check "the rest of the spec is right" sh -c "mkdir $T/bundle && tar xzf $T/built/dist/fencepost.tar.gz -C $T/bundle &&
    $BUILD/bin/grade --root $T/bundle/fencepost | grep -q 'lab03 .*not begun'"
check "a reference for each lab" sh -c "tar tzf $T/built/dist/fencepost.tar.gz | grep -q solutions/lab03_last_block/reference.ptx"
grep -v '^ *//' solutions/lab03_last_block/kernel.cu | awk 'length > 30' | head -3 >>grader/main.c
git commit -qam "a leak"
check "a leak is refused" refuses_and_says "lines of a solution" dist lab03_last_block
git reset -q --hard HEAD~1

check "make gradescope" env BUILD="$T/built" scripts/gradescope.sh "$NVCC" lab03_last_block
export AUTOGRADER=$T/autograder
mkdir -p "$AUTOGRADER/source" "$AUTOGRADER/submission"
(cd "$AUTOGRADER/source" && python3 -m zipfile -e "$T/built/gradescope/lab03.zip" .)
all_sources() { # that we have objects of, and their headers
    comm -23 <(git -C "$T/clone" ls-files softgpu grader common | sort) \
        <(tar tzf "$AUTOGRADER/source/kit.tar.gz" | sed 's|^fencepost/||' | sort) | tee "$T/missing"
    [ ! -s "$T/missing" ]
}
check "each source of ours is in it" all_sources
if [ "${FULL:-0}" = 0 ]; then
    mkdir -p "$AUTOGRADER/kit/build"
    cp -a "$BUILD/obj" "$AUTOGRADER/kit/build/"
    find "$AUTOGRADER/kit/build/obj" -type f -exec touch {} + # newer than the bundle's sources
fi
check "setup.sh" env -u BUILD CFLAGS=-O0 bash "$AUTOGRADER/source/setup.sh"

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
wrong_is_graded() { # has its tests, and not all points
    says " 100 True" graded "$S/wrong/no_fence.cu" && ! grep -qF "100 100 True" "$T/said"
}
check "a wrong one" wrong_is_graded
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
check "the new lab builds" env -u BUILD make CFLAGS=-O0 lab77
check "the new lab is proven" ./grade dev check lab77
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
