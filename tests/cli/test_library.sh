#!/usr/bin/env bash
# Findings within library code name the program's own line first and the header's line beside it: for a header's function
# that was inlined into the program's kernel, and for a kernel that the library brings and launches.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=tests/cli/library.cu passed=0 failed=0
. tests/nvcc.sh || exit 1
flags=(-std=c++17 --extended-lambda -lineinfo -arch=compute_75 -cudart shared)
kept_nvcc -g "${flags[@]}" -o "$work/plain" "$source" && kept_nvcc -O2 -g "${flags[@]}" -o "$work/optimised" "$source" &&
    kept_nvcc "${flags[@]}" -o "$work/bare" "$source" || exit 1

line() { grep -n "// $1\$" "$source" | cut -d: -f1; }
said() { # PROGRAM CASE TEXT…: all of it is said; !TEXT is not, to a person
    local program=$1 case=$2 wrong=""
    shift 2
    timeout 120 "$BUILD/bin/softgpu" --schedules 1 --json "$work/json" "$work/$program" "$case" >"$work/out" 2>&1
    tr -s ' \n' ' ' <"$work/out" >"$work/words"
    for text in "$@"; do
        case $text in
        !*) grep -qe "${text#!}" "$work/words" && wrong+=" [says ${text#!}]" ;;
        *) grep -qe "$text" "$work/json" "$work/words" || wrong+=" [$text]" ;;
        esac
    done
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $program $case: lacks$wrong"
        cat "$work/out"
    fi
}

for program in plain optimised; do
    said $program inlined "library.cu:$(line REUSED) .* load .* in block_reduce[a-z_]*.cuh:[0-9]" '"inside":{"file"' '"line":'"$(line REUSED)"
    said $program overlapping "library.cu:$(line GIVEN) thrust::transform.* load .* in the library's transform.cuh:[0-9]" \
        "Try: look at what line $(line GIVEN) gives to the library: do its ranges overlap" \
        '"launched":{"file":"[^"]*library.cu","line":'"$(line GIVEN)" '!__syncthreads() after'
    said $program own "library.cu:$(line OWN) .* store" "!in the library's"
    said $program unwritten "library.cu:$(line SUM) .* in the library's kernel_reduce.cuh\|library.cu:$(line SUM) .* in the library's reduce.cuh" \
        "what line $(line SUM) gives to the library: has all that it reads been written"
    said $program apart '!data-race'
done
said bare overlapping "bare(_ZL5twicePiii+0x[0-9a-f]*) load .* in the library's transform.cuh" 'look at what the program gives to the library'

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
