#!/usr/bin/env bash
# Kernels of the pair suite compiled for a later architecture, for which nvcc 13 has another compiler than for those up to 9.0 (loops with two ways
# back, words taken apart by `mov`), on the device that has it: what is told is what is told without.
#
#   tests/judge/test_blackwell_build.sh [FILTER]
set -eu
cd "$(dirname "$0")/../.."
export JUDGE_OUT=${BUILD:-build}/tests/judge_blackwell JUDGE_ARCH=compute_100 SOFTGPU_DEVICE=b200
export JUDGE_FILES="$(printf 'tests/judge/%s.cu ' endless fields in_step last_looks lock loop_forms phases tasks uninit)"
exec bash tests/judge/test_judge.sh "$@"
