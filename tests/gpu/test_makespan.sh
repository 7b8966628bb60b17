#!/usr/bin/env bash
# Virtual time against an H200: each program's makespan is within 15 % of what was recorded there
# (streams_h200.txt, graphs_h200.txt), it is the same in every run, and in checked mode as in fast mode.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
mkdir -p "$BUILD/tests/gpu"
out=$(readlink -f "$BUILD")/tests/gpu
. tests/nvcc.sh || exit 1
export LD_LIBRARY_PATH SOFTGPU_DEVICE=h200
LD_LIBRARY_PATH=$(readlink -f "$BUILD")/lib
failed=0

compare() { # NAME LEAST: at least so many programs of NAME_makespan.cu were recorded in NAME_h200.txt
    local program=$out/$1_makespan
    [ "$program" -nt "tests/gpu/$1_makespan.cu" ] ||
        kept_nvcc -O2 -arch=compute_90 -cudart shared -o "$program" "tests/gpu/$1_makespan.cu" || exit 1
    "$program" 1 >"$program.out" || { echo "FAIL the program ended with $?"; exit 1; }
    awk -v least="$2" '/^#/ || $1 ~ /^(host_function|graph_host_4|plain_.*)$/ { next }
         NR == FNR { gpu[$1] = $2; next }
         !($1 in gpu) { printf "FAIL %s was not recorded\n", $1; bad = 1; next }
         { seen++; ratio = $2 / gpu[$1]
           if (ratio > 1.15 || ratio < 0.85) {
               printf "FAIL %s: %.1f us in the model, %.1f on the device\n", $1, $2, gpu[$1]; bad = 1 } }
         END { if (seen < least) { print "FAIL only " seen + 0 " programs"; bad = 1 }
               exit bad }' "tests/gpu/$1_h200.txt" "$program.out" &&
        echo "ok   makespans of $1 within 15 % of an H200's" || failed=1
}
compare graphs 15
compare streams 40
program=$out/streams_makespan

same() { # NAME ENVIRONMENT…
    local name=$1
    shift
    if [ "$(env "$@" "$program" 1 "$name" 2>&1)" = "$alone" ]; then
        echo "ok   $name, $*"
    else
        echo "FAIL $name is not the same with $*" && failed=1
    fi
}
for name in ping_pong part_through quarter_busy_4 graph_ladder_20 graph_small_10; do
    [[ $name == graph_* ]] && program=$out/graphs_makespan
    alone=$("$program" 1 $name)
    same $name A=1
    same $name SOFTGPU_THREADS=1
    same $name SOFTGPU_CHECK=race SOFTGPU_SCHEDULES=1
    same $name SOFTGPU_CHECK=race SOFTGPU_SCHEDULES=2 SOFTGPU_SEED=7
done
[ $failed -eq 0 ]
