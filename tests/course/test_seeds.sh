#!/usr/bin/env bash
# lab03 over 5 seeds (20 with FULL=1, or SEEDS=N): the reference and the alternatives are silent, and without one of the
# reference's fences or barriers the right kind is found, at the right two lines, every time.
set -u
cd "$(dirname "$0")/../.." || exit 1
solution=solutions/lab03_last_block
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
SEEDS=${SEEDS:-$((${FULL:-0} ? 20 : 5))}

grade() { # FILE SEED CASE
    ./grade lab03 --file "$1" --seed "$2" --case "$3" --color never >"$work/report" 2>&1
}
result() { # MESSAGE STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $1"
        head -n 20 "$work/report"
    fi
}

# The alternatives get a quarter of the seeds: each run compiles twice.
for file in $solution/kernel.cu $solution/alternatives/*.cu; do
    status=0 count=$(((SEEDS + 3) / 4))
    [ "$file" = $solution/kernel.cu ] && count=$SEEDS
    for seed in $(seq "$count"); do
        grade "$file" "$seed" two_blocks && ! grep -q 'warning\|missing\|race' "$work/report" ||
            { status=1; break; }
    done
    result "$file is not silent" $status
done

# Line numbers, before anything is deleted.
line() { grep -n -- "$1" $solution/kernel.cu | head -n 1 | cut -d: -f1; }
store=$(line 'partial\[blockIdx.x\] = sum;$')
second_store=$(grep -n 'partial\[blockIdx.x\] = sum;$' $solution/kernel.cu | tail -n 1 | cut -d: -f1)
load=$(line 'total += partial')
flag_store=$(line 'last = atomicAdd')
flag_load=$(line 'return last;')
shared_store=$(line 'shared\[warp\] = value;')
shared_load=$(line 'value += shared')

# KIND CASE LINE-TO-DELETE FIRST SECOND: deleting a line moves those behind it up by one.
check_without() {
    local kind=$1 case=$2 delete=$3 a=$4 b=$5 status=0 seed
    [ "$a" -gt "$delete" ] && a=$((a - 1))
    [ "$b" -gt "$delete" ] && b=$((b - 1))
    sed "${delete}d" $solution/kernel.cu >"$work/kernel.cu"
    for seed in $(seq "$SEEDS"); do
        grade "$work/kernel.cu" "$seed" "$case"
        [ $? -eq 1 ] && grep -q "^ *$kind: " "$work/report" &&
            grep -q "kernel.cu:$a " "$work/report" && grep -q "kernel.cu:$b " "$work/report" ||
            { status=1; break; }
    done
    result "without line $delete: not $kind at $a and $b, seed $seed" $status
}
check_without missing-release two_blocks "$(line '__threadfence(); // release')" "$second_store" "$load"
check_without missing-acquire two_blocks "$(line '__threadfence(); // acquire')" "$second_store" "$load"
check_without data-race two_blocks "$(line '__syncthreads(); // and so')" "$flag_store" "$flag_load"
check_without data-race blocks "$(line '^    __syncthreads();$')" "$shared_store" "$shared_load"
[ "$store" -ne "$second_store" ] || result "the markers of the reference moved" 1

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
