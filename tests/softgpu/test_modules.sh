#!/usr/bin/env bash
# Whole modules: declarations, calls and labels that ptxas takes or refuses, one a line (module_cases.txt), and so softgpu, which names the line.
# Where ptxas is installed it is asked, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas "$PWD/.cuda/bin/ptxas" 2>/dev/null | head -n 1)

head='.version 9.0
.target sm_90a
.address_size 64'
functions='.func u0() { ret; } .func u1(.param .u32 a) { ret; } .func (.param .u32 r) u2(.param .u32 a) { ret; } .func u3(.param .align 8 .b8 a[8]) { ret; }'
registers='.reg .pred p<4>; .reg .b16 h<4>; .reg .b32 r<9>; .reg .b64 d<9>; .reg .f32 f<5>; .reg .f64 e<4>;'

module() { # WHERE TEXT: the text stands in line 6; `all`: it is the module, with \n between lines
    case $1 in
    all) printf '%b\n' "$2" ;;
    out) printf '%s\n\n\n%s\n.visible .entry k() { ret; }\n' "$head" "$2" ;;
    in) printf '%s\n%s\n.visible .entry k() { %s\n%s\nret; }\n' "$head" "$functions" "$registers" "$2" ;;
    esac
}
does() { # WHO KIND TEXT GOOD
    if [ "$4" = 0 ]; then
        passed=$((passed + 1))
    else
        echo "FAIL: $1 does not do as in \"$2\": $3" && failed=$((failed + 1))
    fi
}
while read -r kind where text; do
    case $kind in takes | refuses) ;; *) continue ;; esac
    module "$where" "$text" >"$work/case.ptx"
    "$BUILD/bin/softgpu" --dump code "$work/case.ptx" >"$work/said" 2>&1
    status=$?
    grep -q UNSUPPORTED "$work/said" && status=1
    line=6 && [ "$where" = all ] && line='[0-9]+'
    [ $kind = takes ] || { grep -Eq "case.ptx:$line:|UNSUPPORTED:.*; ptx $line\$" "$work/said" && [ $status != 0 ] && status=1 || status=2; status=$((status - 1)); }
    does softgpu "$kind" "$text" $status
    [ -n "$ptxas" ] || continue
    "$ptxas" -arch=sm_90a -O0 -o /dev/null "$work/case.ptx" >"$work/said" 2>&1
    status=$?
    [ $kind = takes ] || status=$((status == 0))
    does ptxas "$kind" "$text" $status
done <tests/softgpu/module_cases.txt
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
