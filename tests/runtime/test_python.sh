#!/usr/bin/env bash
# Python's packages over softgpu: Numba's kernels, Triton's, TileLang's, CuPy's arrays, and NVRTC with the Driver API by cuda-bindings. Each program runs without a
# finding, and its twin without barriers has a data race. PYTHON names an interpreter (python3); where it lacks a package,
# that program is skipped.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}" "${PYTHON:=python3}"
mkdir -p "$BUILD/tests/runtime/python" && out=$(readlink -f "$BUILD")/tests/runtime/python
softgpu=$(readlink -f "$BUILD")/bin/softgpu
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

# try PROGRAM OPTIONS MODULE…: needs these
try() {
    local name=$1 options=$2 module status
    shift 2
    for module; do
        "$PYTHON" -c "import importlib.util as u, sys; sys.exit(not u.find_spec('$module'))" 2>/dev/null ||
            { echo "skip $name: $PYTHON has no $module"; return; }
    done
    timeout 300 "$softgpu" --check all $options "$PYTHON" "tests/runtime/python/$name.py" >"$out/$name.out" 2>&1
    status=$?
    if grep -q 'nvrtc.*not\|could not be found\|DynamicLibNotFound' "$out/$name.out"; then
        echo "skip $name: a library of CUDA's is not there"
        return
    fi
    [ $status -eq 0 ] && grep -q '^ok$' "$out/$name.out" && ok "$name" || { fail "$name: $status"; tail -n 5 "$out/$name.out"; }
    timeout 300 "$softgpu" --check all $options "$PYTHON" "tests/runtime/python/$name.py" race >"$out/$name.race" 2>&1
    status=$?
    [ $status -eq 86 ] && grep -q 'data-race' "$out/$name.race" && ok "$name race" ||
        { fail "$name race: $status"; tail -n 5 "$out/$name.race"; }
}

try driver_kernels '' numpy cuda cuda.bindings
try numba_kernels '' numpy numba numba_cuda cuda.core
try triton_kernels '' numpy triton cuda cuda.bindings
try tilelang_kernels '' tilelang torch
try cupy_arrays '--device rtx5090' numpy cupy # its wheel has PTX for this one alone
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
