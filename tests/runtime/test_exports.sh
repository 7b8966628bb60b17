#!/usr/bin/env bash
# What the build says of a visible function without a row in api.def, and of a row without a function; and
# that it is silent where each has the other.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/obj/softgpu"
cat >"$work/map" <<'END'
libcudart.so.13 {
    global:
cudaOne; cudaOne_ptsz;
cudaTwo;
    local:
        *;
};
END
passed=0 failed=0
# says WHAT STATUS 'LINE…' 'C SOURCE'
says() {
    local got status
    echo "$4" | ${CC:-cc} -fno-sanitize=all -x c -c -o "$work/obj/softgpu/some.o" - || exit 1
    got=$(softgpu/runtime/exports.sh "$work/map" "$work/obj/softgpu/some.o" 2>&1)
    status=$?
    if [ $status -eq "$2" ] && [ "$got" = "$3" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1: status $status, '$got'"
    fi
}
all='int cudaOne, cudaOne_ptsz, cudaTwo;'
says 'all there' 0 '' "$all"
says 'what is hidden or static needs no row' 0 '' "$all static int s; __attribute__((visibility(\"hidden\"))) int hidden; int *use(void) __attribute__((visibility(\"hidden\"))); int *use(void) { return &s; }"
says 'a stray' 1 'softgpu/some.c: cudaThree is visible to programs, but has no row in softgpu/runtime/api.def' "$all int cudaThree;"
says 'a row too many' 1 'softgpu/runtime/api.def: cudaTwo has a row, but no file defines it' 'int cudaOne, cudaOne_ptsz;'
says 'a use is no definition' 1 'softgpu/runtime/api.def: cudaTwo has a row, but no file defines it' 'int cudaOne, cudaOne_ptsz; extern int cudaTwo; int *use(void) __attribute__((visibility("hidden"))); int *use(void) { return &cudaTwo; }'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
