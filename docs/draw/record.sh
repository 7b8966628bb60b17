#!/usr/bin/env bash
# Records the runs that pictures show, made by the solutions on softgpu: docs/draw/record.sh [FOLDER]
#
# A picture's run lies beside its program, which reads it: LAB/NAME.run. Times are virtual and inputs have
# a seed, so each recording is the same. Needs `make all`, nvcc, and the solutions.
set -eu
cd "$(dirname "$0")/../.."
: "${BUILD:=build}"
out=$(realpath "${1:-docs/draw}")
mkdir -p "$out"/{lab00_reduction,lab01_bitonic_sort,lab05_streams,debugger}
nvcc=$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)
[ ! -x .cuda/bin/nvcc ] || nvcc=.cuda/bin/nvcc
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

kernel() { # NAME FILE: compiles a kernel lab's file
    "$nvcc" -ptx -lineinfo -arch=compute_75 -o "$work/$1.ptx" "$2"
}
run() { # LAB PTX OPTIONS… -- PARAMETERS…
    local lab=$1 ptx=$2 options=()
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    "$BUILD/bin/softgpu" "${options[@]}" "$BUILD/$lab/harness" --kernel "$work/$ptx.ptx" --case picture \
        --seed 1 --output "$work/result" $(printf ' --param %s' "$@")
}

# Lab 00: what each block's warp does, in order, and which of its threads take part.
kernel sum solutions/lab00_reduction/kernel.cu
run lab00_reduction sum --check none --dump trace -- part=1 n=37 blocks=2 threads=8 2>&1 >"$work/null" |
    sed -n 's/^grid_sum block \([0-9]*\) warp 0 mask \([0-9a-f]*\) line [0-9]*: *\(@%p[0-9]* \)\{0,1\}\([a-z.]*\).*/\1 \2 \4/p' |
    awk '$3 ~ /^ld.global/ { print $1, "load", $2 }
         $3 ~ /^st.shared/ { print $1, "store", $2 }
         $3 ~ /^bar/ { print $1, "barrier", $2 }
         $3 ~ /^(atom|red).global/ { print $1, "atomic", $2 }' | sort -s -k1,1n >"$out/lab00_reduction/sum.run"

# Lab 01: six values after each step of a network for eight, as kernel.cu has it and with descending pairs.
values_after() { # TITLE PTX
    echo "network $1"
    run lab01_bitonic_sort skeleton --check none -- part=2 n=6 threads=8 >"$work/null"
    echo "values $(tail -c 28 "$work/result" | head -c 24 | od -An -t d4 | xargs)"
    run lab01_bitonic_sort "$2" --exhaustive --json "$work/outcomes" -- part=2 n=6 threads=8 >"$work/null"
    sed -n 's/.*"kind":"outcome".*"memory":{\(.*\)}}.*/values \1/p' "$work/outcomes" |
        sed 's/"alloc0":\[\(.*\)\]/\1/; s/,/ /g'
}
kernel skeleton labs/lab01_bitonic_sort/kernel.cu
kernel mirrored solutions/lab01_bitonic_sort/kernel.cu
kernel descending solutions/lab01_bitonic_sort/wrong/any_descending.cu
{ values_after descending descending; values_after mirrored mirrored; } >"$out/lab01_bitonic_sort/any_n.run"

# Lab 05: which engine is busy with what, from when and for how long, in microseconds.
program() { # NAME FILE
    "$nvcc" -c -lineinfo -cudart shared -arch=compute_75 -o "$work/$1.o" "$2"
    "${CXX:-g++}" -pthread -o "$work/$1" "$work/$1.o" "$BUILD/lab05_streams/harness.o" \
        "$BUILD/lib/libharness.a" "$BUILD/lib/libcudart.so.13" -ldl -lm
}
busy() { # TITLE PROGRAM PARAMETERS…
    local title=$1 program=$2
    shift 2
    echo "panel $title"
    "$BUILD/bin/softgpu" --check none --timeline "$work/timeline.json" "$work/$program" --case picture --seed 1 \
        --output "$work/result" $(printf ' --param %s' "$@")
    awk -F'[:," ]+' '$2 == "name" { name = $3 } $2 == "pid" { engines = $3 == 2 } $2 == "tid" { engine = $3 }
        $2 == "ts" { start = $3 } $2 == "dur" { took = $3 }
        $2 == "op" && engines { printf "%d %.1f %.1f %s\n", engine, start, took, (name ~ /Memset/ ? "library" : "") }' "$work/timeline.json"
}
program streams solutions/lab05_streams/kernel.cu
program in_the_middle solutions/lab05_streams/wrong/library_in_the_middle.cu
{
    busy 'one stream: one thing at a time' streams part=2 n=2000000 rounds=190 chunk=2000000 streams=1
    busy 'two streams, a half each' streams part=2 n=2000000 rounds=190 chunk=1000000 streams=2
    busy 'four streams, a quarter each' streams part=2 n=2000000 rounds=190 chunk=500000 streams=4
} >"$out/lab05_streams/overlap.run"
{
    busy 'ordinary streams' in_the_middle part=5 n=2000000 chunk=500000 streams=4
    busy 'cudaStreamNonBlocking' streams part=5 n=2000000 chunk=500000 streams=4
} >"$out/lab05_streams/default_stream.run"

# The debugger: what it says on lab 03's published guard, and who comes to which line when. Places differ between compilers.
guard() { # COMMANDS…
    printf '%s\n' 'set trace-commands on' "${@//@/ }" >"$work/guard.commands"
    FENCEPOST_COMMANDS=$work/guard.commands ./grade lab03 --debug --case two_blocks --seed 5f3a91c2 \
        --file solutions/lab03_last_block/wrong/published_guard.cu </dev/null 2>"$work/null" | sed 's/, place [0-9]*$//; s/^+/(softgpu) /; /^(softgpu) quit/d'
}
guard run could signal other next 'info threads' quit >"$out/debugger/session.run"
{
    guard run quit | sed -n 's/^  .*  \([a-z]*\) by block \([01]\) thread 0, value \(.*\)/\1 \2 \3/p'
    lines=$(grep -nE '__threadfence|atomicAdd|// @[12]' solutions/lab03_last_block/wrong/published_guard.cu | cut -d: -f1)
    guard 'catch no findings' $(printf 'tbreak@published_guard.cu:%s@block@0@thread@0 break@published_guard.cu:%s@block@1@thread@0 ' \
        $(for l in $lines; do echo $l $l; done)) run c c c c c c c c c quit |
        awk '/^(Temporary b|B)reakpoint [0-9]*, block/ { block = $4; next } block != "" && /^ *[0-9]+  / {
            line = $1; sub(/^ *[0-9]+ */, ""); sub(/ *\/\/.*/, ""); stop = "stop " block " " line " " $0
            if (stop != last) print stop
            last = stop; block = ""
            if (/\[b\]/) exit }'
} >"$out/debugger/two_threads.run"
