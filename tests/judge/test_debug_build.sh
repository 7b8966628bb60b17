#!/usr/bin/env bash
# Kernels of the pair suite compiled with -G, where atomics and fences are calls and copies stand between any two steps: what is told is what is told without.
#
#   tests/judge/test_debug_build.sh [FILTER]
set -eu
cd "$(dirname "$0")/../.."
export JUDGE_OUT=${BUILD:-build}/tests/judge_debug JUDGE_NVCC=-G
export JUDGE_FILES="$(printf 'tests/judge/%s.cu ' added atomic_ref claims deque lock bfloat aggregate counted halves_seen in_step exclusion uninit litmus words published last_looks loop_forms)"
exec bash tests/judge/test_judge.sh "$@"
