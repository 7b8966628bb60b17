#!/usr/bin/env bash
# The pair suite: hundreds of small kernels, each bug beside its right twin, judged by softgpu and
# compared with what the comment above each says.
#
#   tests/judge/test_judge.sh [FILTER]      cases whose name or file contains FILTER
#
# JUDGE_SEEDS=N (1; 3 with FULL=1) runs every case under N seeds from JUDGE_FIRST (1) on; JUDGE_SCHEDULES=N (6)
# schedules for each seed. JUDGE_OUT, JUDGE_NVCC, JUDGE_ARCH and JUDGE_FILES are another folder, nvcc's options,
# architecture and files for it (test_debug_build.sh).
# The last line is 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
. tests/nvcc.sh || exit 1
. tests/part.sh
OUT=${JUDGE_OUT:-$BUILD/tests/judge}
SRC=tests/judge
FILES=$(printf '%s\n' ${JUDGE_FILES:-"$SRC"/*.cu} | part_of)
export JUDGE_NVCC=${JUDGE_NVCC:--lineinfo}

cuda=${nvcc%/bin/nvcc}
mkdir -p "$OUT"

# Kernels, each file again only when it or the common header is newer.
for source in $FILES; do
    ptx=$OUT/$(basename "$source" .cu).ptx
    if [ "$source" -nt "$ptx" ] || [ "$SRC/judge.cuh" -nt "$ptx" ]; then
        printf '%s\n' "$source"
    fi
done | xargs -r -P "$(nproc)" -I{} sh -c '
    name=$(basename "$2" .cu)
    arch=$(sed -n "s|^// arch ||p" "$2")
    "$0" -ptx $JUDGE_NVCC -arch="${arch:-${JUDGE_ARCH:-compute_75}}" -o "$1/$name.tmp" "$2" && mv "$1/$name.tmp" "$1/$name.ptx"
' "$nvcc" "$OUT" {}

${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -O2 -g -Wall -Wextra -Wshadow -I"$SRC" -isystem "$cuda/include" \
    -o "$OUT/judge" "$SRC"/*.c "$BUILD/lib/libcudart.so.13" -ljansson -Wl,-rpath,"$(readlink -f "$BUILD")/lib"
exec "$OUT/judge" -b "${JUDGE_FIRST:-1}" -s "${JUDGE_SEEDS:-$((${FULL:-0} ? 3 : 1))}" -k "${JUDGE_SCHEDULES:-6}" -f "${1:-}" "$OUT" $FILES
