#!/usr/bin/env bash
# A harness from outside: exit status and one clear line for each kind of misuse, and a result that
# depends on the seed only.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
lab=$BUILD/lab00_reduction
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LD_LIBRARY_PATH=$PWD/$BUILD/lib
passed=0 failed=0
reference=$work/reference.ptx
. tests/nvcc.sh || exit 1
kept_nvcc -ptx -lineinfo -arch=compute_75 -o "$reference" solutions/lab00_reduction/kernel.cu || exit 1

# STATUS PATTERN ARGUMENTS…: what the harness must exit with and say (three lines at most).
expect() {
    local status=$1 pattern=$2 got
    shift 2
    "$lab/harness" "$@" >"$work/out" 2>"$work/err"
    got=$?
    if [ $got -eq "$status" ] && grep -qe "$pattern" "$work/err" && [ "$(wc -l <"$work/err")" -le 3 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $* : exit $got, not $status, or not '$pattern':"
        cat "$work/err"
    fi
}
same() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAIL: $message"; fi
}
run=(--kernel "$reference" --case c --seed 5 --output "$work/r")
shape=(--param part=1 --param n=100 --param blocks=2 --param threads=32)

expect 4 'usage:' --case c
expect 4 'wants a value' "${run[@]}" --param
expect 4 "unknown option '--colour'" "${run[@]}" --colour red
expect 4 'NAME=VALUE' "${run[@]}" --param n
expect 4 "wants a number" "${run[@]}" --param n=ten
expect 4 "wants a number" "${run[@]}" --param n=0x10
expect 4 "wants a number" --kernel "$reference" --case c --seed -1 --output "$work/r"
expect 4 'out of range' "${run[@]}" --param n=9223372036854775808
expect 4 'must give --param' "${run[@]}" --param part=1
expect 4 "no distribution 'gauss'" "${run[@]}" "${shape[@]}" --distribution gauss
expect 4 'cannot read' --kernel "$work/none.ptx" --case c --seed 1 --output "$work/r" "${shape[@]}"
expect 4 'cannot write' --kernel "$reference" --case c --seed 1 --output "$work/no/r" "${shape[@]}"
expect 3 'harness.c:[0-9]*: cudaErrorInvalid' "${run[@]}" --param part=1 --param n=1 --param blocks=1 --param threads=2000
expect 3 'harness.c:[0-9]*: cudaError' "${run[@]}" --param part=1 --param n=1 --param blocks=0 --param threads=32
printf 'this is not PTX\n' >"$work/bad.ptx"
"$lab/harness" --kernel "$work/bad.ptx" --case c --seed 1 --output "$work/r2" "${shape[@]}" 2>"$work/err"
same 'bad PTX does not exit with 3' [ $? -eq 3 ]
same 'bad PTX left a result' [ ! -e "$work/r2" ]

for name in a b; do
    "$lab/harness" --kernel "$reference" --case "$name" --seed 7 --output "$work/$name" "${shape[@]}"
done
"$lab/harness" --kernel "$reference" --case a --seed 8 --output "$work/other" "${shape[@]}"
same 'one seed, two results' cmp -s "$work/a" "$work/b"
same 'two seeds, one result' bash -c "! cmp -s $work/a $work/other"
same 'the result does not begin as it must' [ "$(head -c 8 "$work/a")" = FPRESULT ]
same 'the result does not end as it must' [ "$(tail -c 4 "$work/a")" = 'END!' ]

# Several runs by one program (common/batch.h): each is what it is by itself; one that fails is not told, and the next begins all the same.
in_batch() { # NUMBER CASE SEED OUTPUT [VARIABLE…]
    printf '%s\0' "$1" "$work" "$lab/harness" --kernel "$reference" --case "$2" --seed "$3" --output "$4" "${shape[@]}" ''
    printf '%s\0' "${@:5}" ''
}
lab=$PWD/$lab
{
    in_batch 0 a 7 "$work/together0" SOFTGPU_COUNTERS="$work/counted"
    in_batch 1 a 7 "$work/no/r"
    in_batch 2 a 8 "$work/together2"
} >"$work/list"
"$lab/harness" --batch "$work/list" --until 0 </dev/zero >"$work/told" 2>"$work/err"
same 'a batch does not end well' [ $? -eq 0 ]
same 'a batch tells other runs than those that ended well' [ "$(cut -d ' ' -f 1 "$work/told" | tr '\n' ' ')" = '0 2 ' ]
same 'a batch prints what its runs do' [ ! -s "$work/err" ]
same 'the first run of a batch has another result' cmp -s "$work/together0" "$work/a"
same 'the last run of a batch has another result' cmp -s "$work/together2" "$work/other"
same 'a run of a batch has not its own environment' grep -q '"launches": 1' "$work/counted"
"$lab/harness" --batch "$work/list" --until 0 <&- >"$work/told"
same 'a batch without its pipe begins a run' [ ! -s "$work/told" ]
: | "$lab/harness" --batch "$work/list" --until 0 >"$work/told"
same 'a batch whose pipe is closed begins a run' [ ! -s "$work/told" ]
head -c 40 "$work/list" >"$work/short"
expect 4 'is no list of runs' --batch "$work/short" --until 1
printf 'x\0' >"$work/short"
expect 4 'has no end' --batch "$work/short" --until 1

# Arguments of a run's folder, where one command line serves several.
mkdir "$work/folder"
printf '%s\0' "$lab/harness" --kernel "$reference" --case a --seed 7 --output "$work/by_folder" "${shape[@]}" >"$work/folder/arguments"
(cd "$work/folder" && "$lab/harness" --arguments-of-folder)
same 'arguments of the folder end otherwise' [ $? -eq 0 ]
same 'arguments of the folder give another result' cmp -s "$work/by_folder" "$work/a"
expect 4 'is no list of runs' --arguments-of-folder

# Guard zones, which only a real GPU needs by default: a kernel that writes behind its array.
cat >"$work/wild.cu" <<'CU'
extern "C" __global__ void grid_sum(const int *, unsigned, int *out)
{
    out[1] = 7;
}
CU
kept_nvcc -ptx -arch=compute_75 -o "$work/wild.ptx" "$work/wild.cu" || exit 1
run[1]=$work/wild.ptx
expect 3 'out-of-bounds: something wrote behind buffer out' "${run[@]}" "${shape[@]}" --guard 256
expect 3 'cudaErrorIllegalAddress' "${run[@]}" "${shape[@]}"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
