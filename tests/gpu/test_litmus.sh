#!/usr/bin/env bash
# The comparison of a GPU with the model (litmus.cu), with softgpu as the GPU: nothing comes out that is not allowed, and what is taken
# from the list of what is allowed is told.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
root=$PWD
out=$(readlink -f "$BUILD")/tests/gpu
lib=$(readlink -f "$BUILD")/lib
mkdir -p "$out/litmus"
. tests/nvcc.sh || exit 1
make -s BUILD="$BUILD" "$BUILD/tests/gpu/litmus_programs" || exit 1
kept_nvcc -O1 -arch=compute_90 -cudart shared -o "$out/litmus/litmus" tests/gpu/litmus.cu -lcuda || exit 1
"$out/litmus_programs" "$out/litmus" 0 12 || exit 1
cd "$out/litmus" || exit 1
passed=0 failed=0
run() { SOFTGPU_CHECK=none LD_LIBRARY_PATH=$lib ./litmus 1 >log 2>err; }

if run && grep -q '^1[0-9] kernels, .*: 0 outcomes that are not allowed' log; then passed=$((passed + 1)); else failed=1 && echo "FAIL $(tail -n 2 log err)"; fi
# Without the first kernel's outcomes.
awk '/^k/ { n++ } n == 1 && !/^[k#]/ { next } { print }' litmus.txt >less && mv less litmus.txt
if ! run && grep -q '^k0: .* is not allowed' log; then passed=$((passed + 1)); else failed=1 && echo "FAIL what is not allowed is not told"; fi
cd "$root" || exit 1
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
