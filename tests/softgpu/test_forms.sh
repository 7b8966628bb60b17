#!/usr/bin/env bash
# Forms of instructions, family by family: what ptxas takes softgpu takes, and what ptxas refuses it refuses (form_cases.txt); once: what it takes in a module of
# PTX ISA 6.3 for sm_60, older: of 3.1 for sm_20. Where ptxas is installed it is asked, too, about those that it takes.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cases=tests/softgpu/form_cases.txt passed=0 failed=0

head='.version 9.0
.target sm_90a
.address_size 64
.global .align 128 .b8 gv[512];
.const .align 128 .b8 cv[512];
.shared .align 128 .b8 sv[512];
.visible .entry k(.param .u64 pp, .param .align 128 .b8 tm[128]) {
.local .align 16 .b8 lv[512];
.reg .pred p<40>; .reg .b16 h<99>; .reg .b32 r<280>; .reg .b64 d<280>; .reg .b128 q<20>; .reg .b8 b<9>;
.reg .f32 f<9>; .reg .s32 i<9>; .reg .f64 e<9>; .reg .s64 l<9>; .reg .f16 g<9>; .reg .s16 s<9>; .reg .f16x2 x<9>;'
before=$(wc -l <<<"$head")

# Lines of $work/KIND.ptx beyond its head are those of $work/KIND.
old=${head/.version 9.0/.version 6.3}
old=${old/.target sm_90a/.target sm_60}
older=${old/.version 6.3/.version 3.1}
older=${older/.target sm_60/.target sm_20}
for kind in takes refuses once older; do
    sed -n "s/^$kind //p" "$cases" >"$work/$kind"
    module=$head
    [ $kind = once ] && module=${old/.reg .b128 q<20>;/}
    [ $kind = older ] && module=${older/.reg .b128 q<20>;/}
    { echo "$module" && cat "$work/$kind" && echo 'ret; }'; } >"$work/$kind.ptx"
done
compare() { # WHO KIND: the numbers of the lines of $work/KIND.ptx that WHO refuses are in $work/refused
    local who=$1 kind=$2 wrong
    awk -v before="$before" 'NR == FNR { refused[$1]; next } (FNR + before in refused) != ('"$([ "$kind" = refuses ] && echo 1 || echo 0)"')' \
        "$work/refused" "$work/$kind" >"$work/wrong"
    wrong=$(wc -l <"$work/wrong")
    sed "s/^/FAIL: $who does not do as in \"$kind\": /" "$work/wrong"
    failed=$((failed + wrong)) passed=$((passed + $(wc -l <"$work/$kind") - wrong))
}
for kind in takes refuses once older; do
    "$BUILD/bin/softgpu" --dump code "$work/$kind.ptx" >"$work/code" 2>"$work/errors" || { echo "FAIL: no code of $kind" && cat "$work/errors" && failed=$((failed + 1)); }
    sed -n 's/.*UNSUPPORTED:.*; ptx \([0-9]*\)$/\1/p' "$work/code" >"$work/refused"
    compare softgpu $kind
done
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas "$PWD/.cuda/bin/ptxas" 2>/dev/null | head -n 1)
if [ -n "$ptxas" ]; then
    for kind in takes once older; do
        "$ptxas" -arch=$([ $kind = takes ] && echo sm_90a || echo sm_75) -O0 -o /dev/null "$work/$kind.ptx" >"$work/said" 2>&1
        sed -n 's/.*line \([0-9]*\); \(error\|fatal\).*/\1/p' "$work/said" >"$work/refused"
        compare ptxas $kind
        [ $kind = takes ] && grep -q fatal "$work/said" && { echo "FAIL: ptxas takes no module of \"$kind\"" && grep fatal "$work/said"; failed=$((failed + 1)); }
    done
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
