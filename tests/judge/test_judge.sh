#!/usr/bin/env bash
# The pair suite: hundreds of small kernels, each bug beside its right twin, judged by softgpu and
# compared with what the comment above each says.
#
#   tests/judge/test_judge.sh [FILTER]      cases whose name or file contains FILTER
#
# JUDGE_SEEDS=N (1; 3 with FULL=1) runs every case under N seeds; JUDGE_SCHEDULES=N (6) schedules for each seed.
# The last line is 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
OUT=$BUILD/tests/judge
SRC=tests/judge

. tests/nvcc.sh || exit 1
cuda=${nvcc%/bin/nvcc}
mkdir -p "$OUT"

# Kernels, each file again only when it or the common header is newer.
for source in "$SRC"/*.cu; do
    ptx=$OUT/$(basename "$source" .cu).ptx
    if [ "$source" -nt "$ptx" ] || [ "$SRC/judge.cuh" -nt "$ptx" ]; then
        printf '%s\n' "$source"
    fi
done | xargs -r -P "$(nproc)" -I{} sh -c '
    name=$(basename "$2" .cu)
    "$0" -ptx -lineinfo -arch=compute_75 -o "$1/$name.tmp" "$2" && mv "$1/$name.tmp" "$1/$name.ptx"
' "$nvcc" "$OUT" {}

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -I"$SRC" -isystem "$cuda/include" \
    -o "$OUT/judge" "$SRC"/*.c "$BUILD/lib/libcudart.so.13" -ljansson -Wl,-rpath,'$ORIGIN/../../lib'
exec "$OUT/judge" -s "${JUDGE_SEEDS:-$((${FULL:-0} ? 3 : 1))}" -k "${JUDGE_SCHEDULES:-6}" -f "${1:-}" "$OUT" "$SRC"/*.cu
