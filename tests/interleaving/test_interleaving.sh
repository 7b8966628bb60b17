#!/usr/bin/env bash
# Each finding between two threads of a launch carries the steps that led to it, in the order of the
# run shown, and the same seed gives the same steps.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/interleaving
mkdir -p "$out"
. tests/nvcc.sh || exit 1
source=tests/interleaving/programs.cu
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/programs" $source || exit 1
${CC:-gcc} -std=gnu11 -O1 -Wall -Wextra -o "$out/check" tests/interleaving/check.c -ljansson || exit 1
passed=0 failed=0

# shows PROGRAM KIND LEVEL
shows() {
    local wrong="" seed
    for seed in 1 2 3; do
        for again in a b; do
            "$BUILD/bin/softgpu" --check all --schedules 8 --seed $seed --json "$out/$again" \
                "$out/programs" "$1" >/dev/null 2>&1
        done
        wrong+=$("$out/check" "$out/a" $source "$2" "$3")
        cmp -s "$out/a" "$out/b" || wrong+=" seed $seed does not replay"
    done
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL program $1: $wrong"
    fi
}

shows 0 missing-acquire error
shows 1 ordering error      # the older value changes the sum
shows 2 ordering warning    # it makes no difference
shows 3 missing-release error
shows 4 ordering error      # what the line's other store wrote is not told of this one
shows 5 data-race error

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
