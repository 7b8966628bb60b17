#!/usr/bin/env bash
# bench/stencils/run.sh: machine code from stencils of the table's rows beside the interpreter and LLVM. CPU time of the second
# launch in ms, five times by turns, one thread.
set -eu
BUILD=${BUILD:-build}
mkdir -p "$BUILD/stencils"
object=$BUILD/stencils/rows.o
${CC:-gcc} -std=gnu11 -O3 -Isoftgpu -D_GNU_SOURCE -ffp-contract=off -fno-math-errno -fno-trapping-math -mavx2 -mfma -mavx512f \
    -mavx512bw -mavx512dq -mavx512vl -mprefer-vector-width=512 -fno-pic -fno-pie -mcmodel=small -ffunction-sections \
    -fno-stack-protector -fcf-protection=none -fno-asynchronous-unwind-tables -fomit-frame-pointer -mno-vzeroupper \
    -c bench/stencils/rows.c -o "$object"
export LD_LIBRARY_PATH=$BUILD/lib SOFTGPU_SEED=1 SOFTGPU_CHECK=none SOFTGPU_THREADS=1
for task in "sum 10000000" "sort 1024" "matmul 256" "mandelbrot 256"; do
    for round in 1 2 3 4 5; do
        for engine in interpret stencils compile; do
            case $engine in
            stencils) time=$(SOFTGPU_STENCILS=$object SOFTGPU_ENGINE=compile "$BUILD/bench/bench_cuda" $task) ;;
            *) time=$(SOFTGPU_ENGINE=$engine "$BUILD/bench/bench_cuda" $task) ;;
            esac
            echo "$round $task: $engine: $time"
        done
    done
done
