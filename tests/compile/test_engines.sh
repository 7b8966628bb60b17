#!/usr/bin/env bash
# Programs run without checks, interpreted and compiled: what they print, how they end, their findings and their times on the
# device must be the same, byte for byte. The programs are some of tests/runtime and the reference of a lab, each case of it.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
mkdir -p "$BUILD/tests/compile" && out=$(readlink -f "$BUILD")/tests/compile
lib=$(readlink -f "$BUILD")/lib
. tests/nvcc.sh || exit 1
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

engine=$("$BUILD/bin/softgpu" --version | sed -n 's/^machine code: //p')
case $engine in
LLVM*) ;;
*)
    echo "skipped: $engine"
    exit 0
    ;;
esac

# both NAME COMMAND…: runs it on both engines; PARTS are the suffixes of the files that it writes
both() {
    local name=$1 e part
    shift
    for e in interpret compile; do
        (cd "$out" && SOFTGPU_ENGINE=$e SOFTGPU_CHECK=none SOFTGPU_THREADS=1 SOFTGPU_JSON=$out/$name.$e.json SOFTGPU_TIMELINE=$out/$name.$e.line \
            LD_LIBRARY_PATH=$lib timeout 100 "$@" >"$name.$e.out" 2>"$name.$e.err"; echo "status $?" >>"$name.$e.out")
    done
    for part in out json line; do
        [ ! -e "$out/$name.interpret.$part" ] && [ ! -e "$out/$name.compile.$part" ] && continue
        cmp -s "$out/$name.interpret.$part" "$out/$name.compile.$part" || { fail "$name: $part differs"; return; }
    done
    grep -q 'is interpreted' "$out/$name.compile.err" && [ "$name" != tensors ] && fail "$name: was not compiled"
    ok "$name"
}

for source in basics faults shared_memory warp_facts; do
    from=tests/runtime/$source.cu to=$out/$source
    # shellcheck disable=SC2046
    [ "$to" -nt "$from" ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 $(sed -n 's|^// nvcc: ||p' "$from") -o "$to" "$from"
    both "$source" "./$source"
done
for lab in lab06_scan; do
    program=$BUILD/$lab
    mkdir -p "$out/labs/$lab"
    cp "$program/harness" "$out/labs/$lab/"
    kept_nvcc -ptx -lineinfo -arch=compute_75 -o "$out/labs/$lab/reference.ptx" "solutions/$lab/kernel.cu" || fail "$lab: no PTX"
    both "$lab" "$PWD/tests/gpu/cases.sh" "$out/labs" "$lib" "$lab"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
