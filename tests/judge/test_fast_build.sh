#!/usr/bin/env bash
# Kernels of the pair suite compiled in haste (`nvcc --Ofast-compile max`), where calls, copies and branches stand that lead nowhere: what is told is
# what is told without.
#
#   tests/judge/test_fast_build.sh [FILTER]
set -eu
cd "$(dirname "$0")/../.."
export JUDGE_OUT=${BUILD:-build}/tests/judge_fast JUDGE_NVCC='-lineinfo --Ofast-compile max'
export JUDGE_FILES="$(printf 'tests/judge/%s.cu ' bfloat exclusion lock sooner swapped_again tasks uninit)"
exec bash tests/judge/test_judge.sh "$@"
