#!/usr/bin/env bash
# Runs what softgpu's own tests expect of asynchronous copies, mbarriers, bulk copies and tensor maps on the GPU at hand
# (compute capability 9.0): the same programs, which check themselves. Then the right programs of tests/kinds, which
# must end.
#
#   tests/gpu/async.sh
set -u
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
for name in async_libcu async_bulk tensors; do
    nvcc -std=c++17 -w -arch=sm_90 -o "$work/$name" "$here/runtime/$name.cu" && timeout 60 "$work/$name" ||
        { echo "FAIL $name"; failed=$((failed + 1)); }
done
for name in async bulk programmatic; do
    nvcc -w -arch=sm_90 -o "$work/$name" "$here/kinds/$name.cu" || { failed=$((failed + 1)); continue; }
    while read -r case; do
        timeout 30 "$work/$name" "$case" || { echo "FAIL $name $case"; failed=$((failed + 1)); }
    done < <(sed -n 's|^// case \([a-z_0-9]*\) expect=silent.*|\1|p' "$here/kinds/$name.cu")
done
echo "$failed failed"
[ $failed -eq 0 ]
