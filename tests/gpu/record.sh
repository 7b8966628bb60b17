#!/usr/bin/env bash
# Records what a real GPU computes: builds record_numerics for the GPU at hand, runs it, and leaves
# OUTPUT, compressed where zstd is installed. Commit it as tests/gpu/h200.dat.
#
#   tests/gpu/record.sh OUTPUT
set -euo pipefail
output=${1:?usage: tests/gpu/record.sh OUTPUT}
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

nvidia-smi --query-gpu=name,driver_version,compute_cap --format=csv,noheader || true
nvcc --version | tail -n 2 || true
nvcc -O1 -arch=sm_90 -cudart shared -o "$work/record_numerics" "$here/record_numerics.cu"
# Twice: a GPU that disagrees with itself is no truth.
"$work/record_numerics" "$work/first"
"$work/record_numerics" "$work/second"
cmp "$work/first" "$work/second"
if command -v zstd >/dev/null; then
    zstd -q -19 -f "$work/first" -o "$output"
else
    cp "$work/first" "$output"
fi
ls -l "$output"
sha256sum "$output"
