#!/usr/bin/env bash
# The course's shape: every lab has its folders and files, every skeleton has TODOs and compiles
# without a warning, every wrong variant names its verdict, markers in verdicts exist.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
expect() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $message"
    fi
}
at_least() { [ "$(ls $2 2>/dev/null | wc -l)" -ge "$1" ]; }
. tests/nvcc.sh || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

compiles_silently() {
    local arch
    arch=$(sed -n 's/^arch: *//p' "$(dirname "$1")/lab.yaml")
    kept_nvcc -ptx -arch="${arch:-compute_75}" -o "$work/k.ptx" "$1" >"$work/log" 2>&1 && [ ! -s "$work/log" ]
}
todos_in_order() {
    local numbers
    numbers=$(grep -o 'TODO [0-9]*' "$1" | awk '{ print $2 }')
    [ -n "$numbers" ] && [ "$(sort -nu <<<"$numbers")" = "$(seq "$(sort -nu <<<"$numbers" | tail -n 1)")" ]
}
markers_exist() {
    local m
    for m in $(grep -o '^// verdict:.*' "$1" | grep -o '@[0-9]'); do
        grep -q "// $m\$" "$1" || grep -q "$m\$" <(grep -v '^// verdict' "$1") || return 1
    done
}

for lab in labs/lab*_*; do
    name=${lab#labs/} solution=solutions/${lab#labs/}
    for file in README.md lab.yaml kernel.cu; do
        expect "$lab has no $file" test -f "$lab/$file"
    done
    expect "$solution has no kernel.cu" test -f "$solution/kernel.cu"
    expect "$name has fewer than 3 alternatives" at_least 3 "$solution/alternatives/*.cu"
    expect "$name has fewer than 8 wrong variants" at_least 8 "$solution/wrong/*.cu"
    expect "$lab/kernel.cu does not compile without a warning" compiles_silently "$lab/kernel.cu"
    expect "$lab/kernel.cu lacks TODO 1 … N" todos_in_order "$lab/kernel.cu"
    expect "$solution/kernel.cu still has a TODO" bash -c "! grep -q TODO $solution/kernel.cu"
    for wrong in "$solution"/wrong/*.cu; do
        expect "$wrong names no verdict in its first lines" grep -qm1 '^// verdict: ' <(head -n 5 "$wrong")
        expect "$wrong: a marker of its verdict is in no line" markers_exist "$wrong"
    done
done
for solution in solutions/lab*_*; do
    expect "$solution has no lab" test -d "labs/${solution#solutions/}"
done
# Each entry of the kit's builds by this Makefile, which takes all cores, or as many as are asked for.
jobs() { # OPTION…
    printf 'include Makefile\nsaid:\n\t@echo "$(filter -j%%,$(MAKEFLAGS))"\n' | env -u MAKEFLAGS -u MFLAGS make -s "$@" -f - said
}
expect "make takes all cores" test "$(jobs)" = "-j$(nproc)"
expect "but not more than it is told" test "$(jobs -j1)" = "-j1"
# After an edit the student's file is compiled once, by the grader; by its name it is made as before.
told_to_make() { # FILE TARGET: the commands that make would run, were FILE new
    env -u MAKEFLAGS -u MFLAGS make -n -W "$1" "$2"
}
compiles() { # FILE TARGET
    grep -q "nvcc.* $1\$" <(told_to_make "$@")
}
is_left_out() {
    told_to_make "$@" >"$work/log" && ! compiles "$@"
}
has_all_that_grade_needs() { # LAB: also where no other lab has been built before
    grep -q "lib/libharness.a\$" <(told_to_make common/harness.c "$1")
}
for lab in labs/lab*_*; do
    name=${lab#labs/} file=$lab/kernel.cu product=kernel.ptx
    expect "make ${name%%_*} leaves the harness's library out" has_all_that_grade_needs "${name%%_*}"
    grep -q '^code: *host' "$lab/lab.yaml" && product=program
    expect "make ${name%%_*} compiles what the grader compiles, too" is_left_out "$file" "${name%%_*}"
    expect "make build/$name/$product does not compile $file" compiles "$file" "build/$name/$product"
done
makes_the_runtime() { # TARGET: which is linked with it
    grep -q -- "-o build/lib/libcudart.so.13 " <(told_to_make softgpu/base/diag.c "$1")
}
for target in build/tests/races/random_races build/tests/orders/random_orders; do
    expect "make $target does not make the runtime that it is linked with" makes_the_runtime "$target"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
