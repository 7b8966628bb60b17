#!/usr/bin/env bash
# Everything that is measured on a real GPU, built, checked and printed in one run:
#
#   tests/gpu/measure.sh [FOLDER]
#
# Needs nvcc with its runtime, gcc and a GPU; nothing else of what the kit needs.
# 1. Every case of every lab, with the lab's reference (tests/gpu/cases.sh). The results must be
#    those of tests/gpu/results_h200.txt, to which the everyday test tests/course/test_gpu_results.sh
#    holds softgpu.
# 2. tests/gpu/bench_labNN.cu: references beside what they are to be compared with.
# What is printed is left in FOLDER as figures_h200.txt, the cases' results as results_h200.txt: named
# for the GPU of the files in tests/gpu that they may replace.
set -euo pipefail
cd "$(dirname "$0")/../.."
folder=${1:-build/gpu}
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nvcc=$(readlink -f "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")
cuda=${nvcc%/bin/nvcc}
for libraries in "$cuda/lib64" "$cuda/lib" "$cuda/targets/x86_64-linux/lib"; do
    [ -e "$libraries/libcudart.so.13" ] && break
done

arch_of() {
    sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' "labs/$1/lab.yaml" | grep . || echo compute_75
}

# Builds a host-code lab: the reference linked with its harness.
build_program() {
    mkdir -p "$work/$1"
    gcc -std=gnu11 -O2 -D_GNU_SOURCE -pthread -isystem "$cuda/include" -Icommon -c -o "$work/$1/lab.o" \
        "labs/$1/harness.c"
    (cd "$work/$1" && gcc -std=gnu11 -O2 -D_GNU_SOURCE -pthread -isystem "$cuda/include" -c "$OLDPWD"/common/*.c)
    "$nvcc" -c -cudart shared -arch="$(arch_of "$1")" -o "$work/$1/kernel.o" "solutions/$1/kernel.cu"
    g++ -pthread -o "$work/$1/harness" "$work/$1"/*.o "$libraries/libcudart.so.13" -ldl -lm
}

# Builds one lab: its harness, and its reference's PTX as the grader makes it.
build_lab() {
    mkdir -p "$work/$1"
    gcc -std=gnu11 -O2 -D_GNU_SOURCE -pthread -isystem "$cuda/include" -Icommon -o "$work/$1/harness" \
        "labs/$1/harness.c" common/*.c "$libraries/libcudart.so.13" -ldl -lm
    "$nvcc" -ptx -lineinfo -arch="$(arch_of "$1")" -o "$work/$1/reference.ptx" "solutions/$1/kernel.cu"
}
for lab in labs/lab*_*; do
    devices=$(sed -n 's/^devices: *\([0-9]*\).*/\1/p' "$lab/lab.yaml")
    [ "${devices:-1}" -le "$(nvidia-smi --list-gpus | wc -l)" ] || continue # it is recorded where there are as many
    if [ -f "$lab/harness.c" ] && [ -f "solutions/${lab#labs/}/kernel.cu" ]; then
        if grep -q '^code: host' "$lab/lab.yaml"; then
            build_program "${lab#labs/}" &
        else
            build_lab "${lab#labs/}" &
        fi
    fi
done
for bench in tests/gpu/bench_lab*.cu; do
    "$nvcc" -O3 -std=c++17 -arch=native -o "$work/$(basename "$bench" .cu)" "$bench" &
done
for job in $(jobs -p); do wait "$job"; done

{
    echo "Device: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1), $(
        "$nvcc" --version | sed -n 's/.*release \([0-9.]*\).*/CUDA \1/p'). Date: $(date -u +%F)."
    echo "Command: tests/gpu/measure.sh"
} >"$work/head"
{
    sed 's/^/# /' "$work/head"
    tests/gpu/cases.sh "$work" "$libraries"
} >"$folder/results_h200.txt"
{
    cat "$work/head"
    # Labs with arrays that were not recorded then cannot be compared by what was.
    grep -vFf <(sed -n 's/^# since: \([^ ]*\) .*/ \1 /p' tests/gpu/results_h200.txt) tests/gpu/results_h200.txt >"$work/before"
    tests/gpu/compare.sh "$work/before" "$folder/results_h200.txt" || true
    for bench in tests/gpu/bench_lab*.cu; do
        echo "$(basename "$bench" .cu):"
        "$work/$(basename "$bench" .cu)"
    done
} | tee "$folder/figures_h200.txt"
! grep -q '^DIFFERS' "$folder/figures_h200.txt"
