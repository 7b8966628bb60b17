# shellcheck shell=bash
# For scripts about machine code, from the kit's root: `. tests/compile/machine_code.sh`. Sets `build`, `lib` and `out`, a folder for what is made;
# makes kept_nvcc (tests/nvcc.sh) and check, which counts in `passed` and `failed`. Where there is no machine code it ends the script.

: "${BUILD:=build}"
mkdir -p "$BUILD/tests/compile"
build=$(readlink -f "$BUILD") lib=$(readlink -f "$BUILD")/lib out=$(readlink -f "$BUILD")/tests/compile
. tests/nvcc.sh || exit 1
case $("$build/bin/softgpu" --version | sed -n 's/^machine code: //p') in
LLVM*) ;;
*) echo "skipped: no machine code here"; exit 0 ;;
esac
passed=0 failed=0
check() { # check NAME CONDITION…
    local name=$1
    shift
    if "$@"; then echo "ok   $name"; passed=$((passed + 1)); else echo "FAIL $name"; failed=$((failed + 1)); fi
}
