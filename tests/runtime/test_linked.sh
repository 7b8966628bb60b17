#!/usr/bin/env bash
# Programs of several files built with -rdc=true, in each way that nvcc has: they run, locally and with the device in a
# process of its own, without a finding. What cannot be linked is one line, which names what is wrong.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
mkdir -p "$BUILD/tests/runtime/linked" && out=$(readlink -f "$BUILD")/tests/runtime/linked
softgpu=$(readlink -f "$BUILD")/bin/softgpu
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc .cuda/bin/nvcc 2>/dev/null | head -n 1)
[ -n "$nvcc" ] || { echo "no nvcc: run 'make setup'"; exit 1; }
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }
src=tests/runtime/linked
build() { "$nvcc" -lineinfo -cudart shared -rdc=true "$@" 2>"$out/build.err" || { fail "nvcc $*"; cat "$out/build.err"; return 1; }; }

# runs NAME: it ends with 0, and no checker reports anything
runs() {
    local mode
    for mode in "" --remote; do
        rm -f "$out/findings.json"
        if timeout 60 "$softgpu" $mode --check all --json "$out/findings.json" "$out/program" >"$out/run.out" 2>&1 &&
            ! grep -q '"level":"error"' "$out/findings.json" 2>/dev/null; then
            ok "$1 $mode"
        else
            fail "$1 $mode" && head -n 20 "$out/run.out"
        fi
    done
}

ways() {
    build -arch=compute_75 -o "$out/program" $src/main.cu $src/parts.cu && runs "PTX alone"
    build -arch=sm_90 -o "$out/program" $src/main.cu $src/parts.cu && runs "linked as machine code, with PTX in the parts"
    "$nvcc" -lineinfo -arch=compute_80 -dc -o "$out/main.o" $src/main.cu &&
        "$nvcc" -lineinfo -arch=compute_80 -dc -o "$out/parts.o" $src/parts.cu &&
        rm -f "$out/libparts.a" && ar rcs "$out/libparts.a" "$out/parts.o" &&
        "$nvcc" -arch=compute_80 -dlink -o "$out/dlink.o" "$out/main.o" "$out/libparts.a" -lcudadevrt &&
        "${CXX:-g++}" -o "$out/program" "$out/main.o" "$out/dlink.o" "$out/libparts.a" \
            -L"$(dirname "$(dirname "$(readlink -f "$nvcc")")")/lib64" -lcudadevrt -l:libcudart.so.13 -Wl,--allow-shlib-undefined &&
        runs "nvcc -dc, a static library, nvcc -dlink with the device runtime" || fail "nvcc -dlink"
}

# cannot WORD FLAGS…: why the program's launch fails
cannot() {
    local word=$1
    shift
    build -o "$out/program" "$@" || return
    timeout 60 "$softgpu" "$out/program" >"$out/run.out" 2>&1
    if [ "$(grep -c "$word" "$out/run.out")" -ge 1 ]; then
        ok "$(grep -m 1 "$word" "$out/run.out")"
    else
        fail "no word of '$word':" && cat "$out/run.out"
    fi
}

ways
cannot 'no PTX in the program' -gencode arch=compute_80,code=sm_80 $src/main.cu $src/parts.cu
cannot "linking: undefined reference to '_Z5twicei'" -arch=compute_80 $src/missing.cu
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
