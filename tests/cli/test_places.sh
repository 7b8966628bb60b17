#!/usr/bin/env bash
# Findings say where: elements by number or field, the callers of inlined functions, where memory was allocated,
# streams by their names; in the findings file and to a person, in this process and in another (--remote).
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
source=tests/cli/places.cu passed=0 failed=0
. tests/nvcc.sh || exit 1
kept_nvcc -g -lineinfo -arch=compute_75 -cudart shared -o "$work/plain" "$source" -ldl &&
    kept_nvcc -g -lineinfo -arch=compute_75 -default-stream per-thread -cudart shared -o "$work/threads" "$source" -ldl &&
    kept_nvcc -g -lineinfo -arch=compute_75 -cudart shared -Xcompiler -fstack-protector-strong -o "$work/guarded" "$source" -ldl &&
    kept_nvcc -O2 -g -lineinfo -arch=compute_75 -cudart shared -o "$work/optimised" "$source" -ldl || exit 1

line() { grep -n "// $1\$" "$source" | cut -d: -f1; }
said() { # PROGRAM CASE OPTIONS… -- TEXT…: all of it is said; !TEXT is not, to a person
    local program=$1 case=$2 options=() wrong=""
    shift 2
    while [ "$1" != -- ]; do options+=("$1"); shift; done
    shift
    timeout 60 "$BUILD/bin/softgpu" "${options[@]}" --json "$work/json" "$work/$program" "$case" >"$work/out" 2>&1
    tr -s ' \n' ' ' <"$work/out" >"$work/words"
    for text in "$@"; do
        case $text in
        !*) grep -qFe "${text#!}" "$work/words" && wrong+=" [says ${text#!}]" ;;
        *) grep -qFe "$text" "$work/json" "$work/words" || wrong+=" [$text]" ;;
        esac
    done
    awk 'length($0) > 80' "$work/out" | grep -v '^softgpu: ' && wrong+=" [wider than 80 columns]"
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $program $case ${options[*]}: lacks$wrong"
        cat "$work/out"
    fi
}

for options in "" --remote; do
    # shellcheck disable=SC2086
    set -- $options
    said plain callers "$@" -- "called from line $(line MIDDLE), from line $(line OUTER)" 'wide, to its last word: whole' \
        "\"called_from\":[{\"file\""
    said plain plain "$@" -- 'both write "last" and' '!called from'
    said plain field "$@" -- 'both write "items[3].count" and' '"part":"[3].count"' '!items[11]'
    said plain typed "$@" -- "alloc0: 32 bytes, allocated on line $(line TYPED)" '!_Z4past' "\"allocated\":{\"file\""
    said plain elsewhere "$@" -- "alloc0: 32 bytes, allocated on line 63 of elsewhere.h"
    said plain cast "$@" -- "alloc0: 32 bytes, allocated on line $(line CAST)"
    said plain host "$@" -- "alloc0: 32 bytes, allocated on line $(line HOST)"
    said plain streams "$@" -- 'in "other" (line' 'in stream 1 (line' '!stream 2'
    said plain configured "$@" -- "in stream 1 (line $(line CONFIGURED))"
    said plain launched "$@" -- "(line $(line LAUNCHED))" "(line $(line COOPERATIVE))" '!cuda_runtime.h'
    said plain symbol "$@" -- "(line $(line SYMBOL))" "(line $(line WRAPPED))" '!cuda_runtime.h'
done
said guarded configured -- "in stream 1 (line $(line CONFIGURED))"
said guarded typed -- "alloc0: 32 bytes, allocated on line $(line TYPED)"
said threads symbol -- "(line $(line SYMBOL))" '!cuda_runtime.h'
said optimised symbol -- "(line $(line SYMBOL))" '!cuda_runtime.h'
said optimised launched -- "(line $(line COOPERATIVE))" '!cuda_runtime.h'
said optimised configured -- "in stream 1 (line $(line CONFIGURED))"
said optimised typed -- "alloc0: 32 bytes, allocated on line $(line TYPED)"
said optimised cast -- "alloc0: 32 bytes, allocated on line $(line CAST)"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
