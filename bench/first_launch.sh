#!/usr/bin/env bash
# How much slower is a first launch by `--engine auto` than one that is interpreted? At most 50 ms is the goal.
#
#   bench/first_launch.sh [--record]      (REPEATS=N, BUILD=DIR; PART=kernels: no labs)
#
# The kernels of `make bench` say how long their first launch took, with the wait for its end. Of each lab every case is run by the lab's harness with its
# solution, and the time is the whole program's: all its launches and its end, where it waits for whoever translates. The two engines take turns, REPEATS times;
# what is compared is the least of each. Where the machine has other load only the kernels' CPU time means anything. Machine code of earlier programs is not used. --record writes the table to bench/results/DATE-first-launch.txt.
set -eu
BUILD=${BUILD:-build}
REPEATS=${REPEATS:-5}
here=$(dirname "$0")
out=$BUILD/bench/first_launch
record=
[ "${1:-}" = --record ] && record=$here/results/$(date +%Y-%m-%d)-first-launch.txt
. tests/nvcc.sh || exit 1
mkdir -p "$out"
: >"$out/data.txt"
export LD_LIBRARY_PATH=$BUILD/lib SOFTGPU_SEED=1 SOFTGPU_CACHE=off

# GROUP ENGINE CHECK WHAT MS: one line in the data
note() { printf '%s | %s | %s | %s\n' "$1" "$2" "$3" "$4" >>"$out/data.txt"; }

# kernel CHECK TASK SIZE: milliseconds of the first launch, of the program's own CPU time, too
kernel() {
    local check=$1 engine wall cpu
    shift
    for engine in interpret auto; do
        read -r wall cpu < <(SOFTGPU_ENGINE=$engine SOFTGPU_CHECK=$check "$BUILD/bench/bench_cuda" "$@" | awk '/^wall/ { print $2, $5 }')
        note "$1" "$engine" "$*, wall, checks: $check" "$wall"
        note "$1, CPU" "$engine" "$*, CPU, checks: $check" "$cpu"
    done
}

# lab CHECK LAB CASE ARGUMENTS…: milliseconds of the whole program
lab() {
    local check=$1 lab=$2 name=$3 engine begin kernel=
    shift 3
    [ ! -f "$out/$lab.ptx" ] || kernel="--kernel $out/$lab.ptx"
    for engine in interpret auto; do
        begin=$(date +%s%N)
        # shellcheck disable=SC2086 # the arguments are words
        SOFTGPU_ENGINE=$engine SOFTGPU_CHECK=$check "$BUILD/$lab/harness" $kernel --case "$name" --seed 99 "$@" --output "$out/result" >/dev/null 2>&1 || continue
        note "$lab" "$engine" "$name, wall, checks: $check" "$(awk -v a="$begin" -v b="$(date +%s%N)" 'BEGIN { print (b - a) / 1e6 }')"
    done
}

fast=("sum 10000000" "sort 1024" "matmul 256" "transpose 1024" "histogram 1000000" "scan 1048576"
      "mandelbrot 256" "nbody 2048" "spmv 65536" "blackscholes 262144")
slow=("sum 1000000" "sort 64" "matmul 128" "transpose 256" "histogram 50000" "scan 32768"
      "mandelbrot 128" "nbody 512" "spmv 4096" "blackscholes 16384")
labs=()
for folder in labs/lab*; do
    name=${folder#labs/}
    [ "${PART:-all}" = all ] && [ -x "$BUILD/$name/harness" ] || continue
    labs+=("$name")
    [ "$out/$name.ptx" -nt "solutions/$name/kernel.cu" ] || [ ! -f "solutions/$name/kernel.cu" ] ||
        "$nvcc" -ptx -lineinfo -arch=compute_75 -o "$out/$name.ptx" "solutions/$name/kernel.cu"
done

# NAME ARGUMENTS… of each case of a lab (the specs write params on one line)
cases() {
    awk '/^hints:|^properties:|^performance:/ { exit }
         function flush() { if (name) print name, distribution, params; name = "" }
         $1 == "-" && $2 == "name:" { flush(); name = $3; distribution = params = "" }
         $1 == "distribution:" { distribution = "--distribution " $2 }
         $1 == "params:" { sub(/^[^{]*{/, ""); sub(/}.*/, ""); gsub(/: */, "="); gsub(/, */, " --param "); params = $0 == "" ? "" : "--param " $0 }
         END { flush() }' <(sed -n '/^parts:/,$p' "labs/$1/lab.yaml")
}

for ((i = 0; i < REPEATS; i++)); do
    for task in "${fast[@]}"; do kernel none $task; done
    for task in "${slow[@]}"; do kernel all $task; done
    for name in "${labs[@]}"; do
        while read -r line; do
            for check in none all; do lab $check "$name" $line; done
        done < <(cases "$name")
    done
done

# Of each group the case in which `auto` loses most.
report() {
    echo "a first launch by --engine auto beside an interpreted one: milliseconds, the least of $REPEATS; of a lab's cases the one in which auto loses most"
    echo "  date     $(date -u +'%Y-%m-%d %H:%M UTC'), load $(cut -d' ' -f1-3 /proc/loadavg)"
    echo "  device   $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "  command  bench/first_launch.sh${record:+ --record}, $REPEATS repeats; commit $(git -C "$here" rev-parse --short HEAD 2>/dev/null)"
    echo
    awk -F' [|] ' '{ key = $1 " | " $3; k = key SUBSEP $2; if (!(k in least) || $4 < least[k]) least[k] = $4; if (!(key in order)) { order[key] = ++n; keys[n] = key } }
        END {
            for (i = 1; i <= n; i++) {
                a = least[keys[i], "auto"]; b = least[keys[i], "interpret"]
                if (a == "" || b == "") continue
                split(keys[i], part, " [|] "); sub(/.*checks: /, "", part[2]); g = part[1] SUBSEP part[2]
                if (!(g in worst)) { groups[++m] = g; worst[g] = -1e9 }
                count[g]++
                if (a - b > worst[g]) { worst[g] = a - b; line[g] = sprintf("%-62s interpreted %8.1f  auto %8.1f  slower by %7.1f", substr(keys[i], 1, 62), b, a, a - b) }
            }
            most["wall"] = most["CPU"] = -1e9
            for (i = 1; i <= m; i++) {
                print line[groups[i]] "  (of " count[groups[i]] ")"
                how = groups[i] ~ /, CPU/ ? "CPU" : "wall"
                if (worst[groups[i]] > most[how]) most[how] = worst[groups[i]]
            }
            printf "\nat most %.1f ms slower by wall time, %.1f by CPU time\n", most["wall"], most["CPU"]
        }' "$out/data.txt"
}
if [ -n "$record" ]; then
    report | tee "$record"
    echo "written to $record"
else
    report
fi
