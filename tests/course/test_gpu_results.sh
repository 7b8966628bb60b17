#!/usr/bin/env bash
# What the references compute on softgpu, against what they computed on a real GPU: every case of
# every kernel lab (tests/gpu/cases.sh) for which tests/gpu/results_h200.txt has a line of the same
# arguments must have the same result file. Cases that came since are counted; arrays that came since (its lines "# since:") are left out.
set -u
cd "$(dirname "$0")/../.." || exit 1
build=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/nvcc.sh || exit 1

for lab in labs/lab*_*; do
    name=${lab#labs/}
    [ -x "$build/$name/harness" ] && [ -f "solutions/$name/kernel.cu" ] || continue
    mkdir "$work/$name"
    cp "$build/$name/harness" "$work/$name/"
    arch=$(sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' "$lab/lab.yaml")
    kept_nvcc -ptx -lineinfo -arch="${arch:-compute_75}" -o "$work/$name/reference.ptx" "solutions/$name/kernel.cu" ||
        exit 1
done
RECORDED=tests/gpu/results_h200.txt tests/gpu/cases.sh "$work" "$build/lib" >"$work/softgpu" || { echo "FAIL: a case did not run"; exit 1; }
tests/gpu/compare.sh tests/gpu/results_h200.txt "$work/softgpu" | tee "$work/verdict"
status=${PIPESTATUS[0]}
awk '/^cases equal/ { print $3 + 0 " passed, " $5 + 0 " failed" }' "$work/verdict"
exit "$status"
