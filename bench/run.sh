#!/usr/bin/env bash
# make bench: softgpu beside PoCL (without checks) and Oclgrind (with), as ratios in one run.
#
#   bench/run.sh [--record]      (REPEATS=N, BUILD=DIR; PART=kernels: only the kernels beside their peers)
#
# The two sides take turns, REPEATS times. Each program launches twice and times the second launch
# with the wait for its end. The table gives medians of wall time and of CPU time (all threads) and the
# ratio of each, other/softgpu: above 1, softgpu is faster. On a machine with other load only CPU time
# means anything; on a quiet one wall time is what people feel. --record writes the table, every single
# measurement, device, date and command to bench/results/DATE.txt.
set -u
BUILD=${BUILD:-build}
REPEATS=${REPEATS:-5}
part=${PART:-all}
here=$(dirname "$0")
out=$BUILD/bench
data=$out/data.txt
record=
[ "${1:-}" = --record ] && record=$here/results/$(date +%Y-%m-%d).txt
export BENCH_KERNELS=$here/kernels.cl

missing=
ldconfig -p | grep -q 'libOpenCL\.so ' && [ -e /usr/include/CL/cl.h ] || missing+=' ocl-icd-opencl-dev'
ls /etc/OpenCL/vendors/pocl*.icd >/dev/null 2>&1 || missing+=' pocl-opencl-icd'
command -v oclgrind >/dev/null || missing+=' oclgrind'
if [ -n "$missing" ]; then
    echo "bench: the programs to compare with are missing: apt-get install$missing" >&2
    exit 1
fi
mkdir -p "$out"
${CC:-gcc} -O2 -std=gnu11 -o "$out/bench_cl" "$here/bench_cl.c" -lOpenCL -lm || exit 1
: >"$data"

softgpu() { LD_LIBRARY_PATH=$BUILD/lib SOFTGPU_SEED=1 "$out/bench_cuda" "$@"; }
# PoCL compiles a kernel before its first launch; softgpu does so with --engine compile, and that is what its second launch is compared with.
soft1() { SOFTGPU_ENGINE=compile SOFTGPU_CHECK=none SOFTGPU_THREADS=1 softgpu "$@"; }
soft2() { SOFTGPU_ENGINE=compile SOFTGPU_CHECK=none SOFTGPU_THREADS=2 softgpu "$@"; }
auto1() { SOFTGPU_ENGINE=auto SOFTGPU_CACHE=off SOFTGPU_CHECK=none SOFTGPU_THREADS=1 softgpu "$@"; }
remembered() { SOFTGPU_CHECK=all SOFTGPU_SCHEDULES=1 LD_LIBRARY_PATH=$BUILD/lib SOFTGPU_SEED=1 "$out/bench_checked" "$@"; }
scheduled() { SOFTGPU_CHECK=all LD_LIBRARY_PATH=$BUILD/lib SOFTGPU_SEED=1 "$out/bench_checked" "$@"; }
checked() { SOFTGPU_CHECK=all softgpu "$@"; }
# What checking costs is asked of the same engine: with auto a program as short as these may end before its kernel is machine code.
once() { SOFTGPU_ENGINE=compile SOFTGPU_CHECK=all SOFTGPU_SCHEDULES=1 SOFTGPU_THREADS=1 softgpu "$@"; }
once_auto() { SOFTGPU_CHECK=all SOFTGPU_SCHEDULES=1 softgpu "$@"; }
pocl() { OCL_ICD_VENDORS=$(ls /etc/OpenCL/vendors/pocl*.icd | head -n 1) "$out/bench_cl" "$@"; }
pocl1() { POCL_MAX_PTHREAD_COUNT=1 pocl "$@"; }
pocl2() { POCL_MAX_PTHREAD_COUNT=2 pocl "$@"; }
races() { timeout 300 oclgrind --data-races "$out/bench_cl" "$@"; }

# The kernels of kernels.cl, with sizes that take milliseconds without checks, and with all of them.
fast=("sum 10000000" "sort 1024" "matmul 256" "transpose 1024" "histogram 1000000" "scan 1048576"
      "mandelbrot 256" "nbody 2048" "spmv 65536" "blackscholes 262144")
slow=("sum 1000000" "sort 64" "matmul 128" "transpose 256" "histogram 50000" "scan 32768"
      "mandelbrot 128" "nbody 512" "spmv 4096" "blackscholes 16384")

# measure SIDE TASK…: one line in the data, 'SIDE | TASK | wall cpu peak_kb device_kb'
measure() {
    local side=$1 line
    shift
    line=$("$side" "$@" 2>"$out/stderr" </dev/null) || {
        [ "$side" = races ] && return # Oclgrind cannot run every kernel
        echo "bench: $side $* failed:" >&2
        cat "$out/stderr" >&2
        exit 1
    }
    awk -v head="$side | $* |" '/^wall/ { print head, $3, $6, $8, $10 }' <<<"$line" >>"$data"
}

# pick SIDE TASK COLUMN HOW: of one column (1 wall, 2 CPU, 3 peak_kb, 4 device_kb), over the repeats
pick() {
    awk -F' [|] ' -v s="$1" -v t="$2" -v c="$3" '$1 == s && $2 == t { split($3, v, " "); print v[c] }' "$data" |
        sort -g | awk -v how="$4" '{ v[NR] = $1 } END { print how == "min" ? v[1] : v[int((NR + 1) / 2)] }'
}
median() { pick "$1" "$2" "$3" median; }
lowest() { pick "$1" "$2" "$3" min; }

compare() { # compare TASK SOFT OTHER
    awk -v task="$1" -v soft="$2" -v other="$3" \
        -v sw="$(median "$2" "$1" 1)" -v ow="$(median "$3" "$1" 1)" \
        -v sm="$(lowest "$2" "$1" 1)" -v om="$(lowest "$3" "$1" 1)" \
        -v sc="$(median "$2" "$1" 2)" -v oc="$(median "$3" "$1" 2)" 'BEGIN {
        if (ow == "") {
            printf "%-20s %-8s %-6s %9.1f  (the other cannot run it)\n", task, soft, other, sw
            exit
        }
        printf "%-20s %-8s %-6s %9.1f %9.1f %7.2f %9.1f %9.1f %7.2f %9.1f %9.1f %7.2f\n",
            task, soft, other, sw, ow, ow / sw, sm, om, om / sm, sc, oc, oc / sc }'
}

means() { # of the ratios of lines of compare(), on standard input
    awk '{ print } NF >= 13 { n++; w += log($7); l += log($10); c += log($13) }
        END { printf "%-36s %27.2f %27.2f %27.2f\n", "geometric mean", exp(w / n), exp(l / n), exp(c / n) }'
}

# Warp and lane instructions of one launch: counting takes time, so in a run of its own.
lane_instructions() {
    SOFTGPU_COUNTERS=$out/counters.json SOFTGPU_CHECK=none softgpu "$@" >/dev/null 2>&1
    sed -n 's/.*"lane_instructions": *\([0-9]*\).*/\1/p' "$out/counters.json" | sort -g | tail -n 1
}

rate() { # rate TASK: millions of lane-instructions a second of CPU time
    local lanes
    lanes=$(lane_instructions $1)
    awk -v task="$1" -v lanes="$lanes" -v ms="$(median soft1 "$1" 2)" 'BEGIN {
        printf "%-20s %8.1f million lane-instructions a launch, %6.0f million a second of one core\n",
            task, lanes / 2e6, lanes / 2 / ms / 1e3 }'
}

for ((i = 0; i < REPEATS; i++)); do
    for task in "${fast[@]}"; do
        for side in soft1 pocl1 soft2 pocl2 auto1; do measure $side $task; done
    done
    for task in "${slow[@]}"; do
        for side in checked once once_auto soft1 races; do measure $side $task; done
    done
done
# Tasks in which the race checker has much to remember, each at growing sizes: SIZE UNITS, for the cost of one.
grows=("histogram 100000" "histogram 1000000" "histogram-wide 100000" "histogram-wide 1000000"
       "histogram-shared 100000" "histogram-shared 1000000" "reduce 300000" "reduce 3000000"
       "matmul 125" "matmul 250" "matmul 500" "matmul 1000"
       "blur 250" "blur 1000" "blur-bytes 250" "blur-bytes 1000" "spin 20" "spin 200" "lock 50" "lock 200" "turns 100" "turns 400"
       "mixed 10000" "mixed 100000" "mixed 1000000" "mixed 10000000" "mixed 100000000")
# The same by the default schedules: atomics are asked in which order they may have come, too.
ordered=("histogram-shared 100000" "histogram-shared 1000000")
if [ "$part" = all ]; then
    for task in "${grows[@]}"; do measure remembered $task; done
    for task in "${ordered[@]}"; do measure scheduled $task; done
    for n in 1000000 100000000; do measure soft1 sum $n; done
    measure checked sum 10000000
    measure checked sum 16777216 1024 1024
    measure soft1 sum 16777216 1024 1024
fi

report() {
    echo "softgpu beside its peers: milliseconds, and ratios other/softgpu (above 1: softgpu is faster)"
    echo "  date     $(date -u +'%Y-%m-%d %H:%M UTC'), load $(cut -d' ' -f1-3 /proc/loadavg)"
    echo "  device   $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "  command  bench/run.sh${record:+ --record}, $REPEATS repeats; commit $(git -C "$here" rev-parse --short HEAD 2>/dev/null)"
    echo "  peers    PoCL $(dpkg-query -W -f '${Version}' pocl-opencl-icd 2>/dev/null), Oclgrind $(dpkg-query -W -f '${Version}' oclgrind 2>/dev/null) --data-races"
    echo "  soft1, soft2: no checks, 1 and 2 threads, compiled before the first launch, as PoCL does; auto1: as is without options,"
    echo "  nothing kept from earlier programs; checked: all checks, default schedules; once: one run of them, compiled as soft1 is; once_auto: one as is without options"
    echo
    printf '%-36s %28s %28s %28s\n' '' 'median wall' 'least wall' 'median CPU'
    for threads in 1 2; do
        for task in "${fast[@]}"; do compare "$task" soft$threads pocl$threads; done | means
    done
    for task in "${fast[@]}"; do compare "$task" auto1 pocl1; done | means
    echo
    for task in "${slow[@]}"; do compare "$task" checked races; done | means
    echo
    echo "what checking costs: an unchecked run beside a checked one; a ratio is how many times as long the checks take"
    for task in "${slow[@]}"; do compare "$task" soft1 once; done | means
    for task in "${slow[@]}"; do compare "$task" soft1 once_auto; done | means
    echo
    for task in "${fast[@]}"; do rate "$task"; done
    [ "$part" = all ] || return 0
    echo
    for task in "${grows[@]}"; do
        awk -v task="$task" -v ms="$(median remembered "$task" 2)" -v peak="$(median remembered "$task" 3)" 'BEGIN {
            split(task, t, " "); n = t[1] == "matmul" ? 2 * t[2] ^ 3 : t[1] ~ /blur/ ? 25 * t[2] ^ 2 : t[2]
            printf "%-24s %10.3f s CPU, %8.0f MB, %8.0f ns for each of %.0f %s\n", task, ms / 1e3, peak / 1024,
                ms * 1e6 / n, n, t[1] == "spin" || t[1] == "lock" ? "blocks" : "accesses" }'
    done
    for task in "${ordered[@]}"; do
        awk -v task="$task" -v ms="$(median scheduled "$task" 2)" -v peak="$(median scheduled "$task" 3)" 'BEGIN {
            printf "%-24s %10.3f s CPU, %8.0f MB, by the default schedules\n", task, ms / 1e3, peak / 1024 }'
    done
    for n in 1000000 10000000 100000000; do
        awk -v n=$n -v ms="$(median soft1 "sum $n" 2)" -v peak="$(median soft1 "sum $n" 3)" \
            -v device="$(median soft1 "sum $n" 4)" 'BEGIN {
            printf "sum %-10d %.3f ms CPU a million; peak memory %.0f MB = device memory, the host'"'"'s copy (%.0f MB each) and %.0f MB\n",
                n, ms / n * 1e6, peak / 1024, device / 1024, (peak - 2 * device) / 1024 }'
    done
    awk -v c="$(median checked "sum 10000000" 3)" -v f="$(median soft1 "sum 10000000" 3)" \
        -v d="$(median soft1 "sum 10000000" 4)" 'BEGIN {
        printf "shadow memory  %.1f bytes a byte touched, everything counted (goal: at most 16)\n", (c - f) / d }'
    awk -v c="$(median checked "sum 16777216 1024 1024" 2)" -v f="$(median soft1 "sum 16777216 1024 1024" 2)" \
        -v m="$(median checked "sum 16777216 1024 1024" 3)" 'BEGIN {
        printf "1,024 blocks of 1,024 threads, 16 elements each: %.2f s CPU and %.0f MB checked, %.3f s unchecked\n",
            c / 1e3, m / 1024, f / 1e3 }'
}
if [ -n "$record" ]; then
    mkdir -p "$here/results"
    { report; echo; echo "side | task | wall ms, CPU ms, peak kB, device kB"; cat "$data"; } >"$record"
    sed '/^side |/,$d' "$record"
    echo "written to $record"
else
    report
fi
