#!/usr/bin/env bash
# What `.target` has: an instruction that ptxas takes for a target softgpu takes, and of what ptxas refuses softgpu says that it is lacking (target_cases.txt). Where ptxas is installed
# it is asked, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

grep -v '^#' tests/softgpu/target_cases.txt >"$work/cases"
sed 's/^[^:]* : //' "$work/cases" >"$work/forms"
head='.version 9.0
.target sm_TARGET
.address_size 64
.global .align 128 .b8 gv[512];
.const .align 128 .b8 cv[512];
.shared .align 128 .b8 sv[512];
.visible .entry k(.param .u64 pp, .param .align 128 .b8 tm[128]) {
.local .align 16 .b8 lv[512];
.reg .pred p<40>; .reg .b16 h<99>; .reg .b32 r<280>; .reg .b64 d<280>; .reg .b128 q<20>; .reg .b8 b<9>;'
before=$(wc -l <<<"$head")

compare() { # WHO TARGET: the numbers of the lines that WHO refuses are in $work/refused
    local wrong
    awk -v before="$before" -v target="$2" 'NR == FNR { refused[$1]; next }
        { split($0, half, " : "); takes = index(" " half[1] " ", " " target " ") > 0 }
        (FNR + before in refused) == takes { print (takes ? "refuses: " : "takes: ") $0 }' "$work/refused" "$work/cases" >"$work/wrong"
    wrong=$(wc -l <"$work/wrong")
    sed "s/^/FAIL: $1 for sm_$2 /" "$work/wrong"
    failed=$((failed + wrong)) passed=$((passed + $(wc -l <"$work/cases") - wrong))
}

ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas "$PWD/.cuda/bin/ptxas" 2>/dev/null | head -n 1)
for target in 75 80 86 89 90 90a 100 100a 120 120a; do
    { echo "${head/TARGET/$target}" && cat "$work/forms" && echo 'ret; }'; } >"$work/$target.ptx"
    "$BUILD/bin/softgpu" --dump code "$work/$target.ptx" >"$work/code" 2>"$work/errors" ||
        { echo "FAIL: no code for sm_$target" && cat "$work/errors" && failed=$((failed + 1)); }
    sed -n 's/.*UNSUPPORTED:.*; ptx \([0-9]*\)$/\1/p; s/^PTX line \([0-9]*\), .* needs \.target .*/\1/p' "$work/code" >"$work/refused"
    compare softgpu "$target"
    [ -n "$ptxas" ] || continue
    "$ptxas" -arch="sm_$target" -O0 -o /dev/null "$work/$target.ptx" >"$work/said" 2>&1
    sed -n 's/.*line \([0-9]*\); \(error\|fatal\).*/\1/p' "$work/said" >"$work/refused"
    compare ptxas "$target"
done

# A target unknown to the table is later than all that it knows; what is said names the target.
says() { # WHAT TARGET INSTRUCTION: the refusal
    { echo "${head/TARGET/$2}" && echo "$3" && echo 'ret; }'; } >"$work/one.ptx"
    "$BUILD/bin/softgpu" --dump code "$work/one.ptx" 2>&1 | grep -qF "$1" && passed=$((passed + 1)) && return
    echo "FAIL: '$1' is not said of $3 for sm_$2" && failed=$((failed + 1))
}
says 'griddepcontrol.wait: needs .target sm_90 or later, and this is sm_80' 80 'griddepcontrol.wait;'
says 'wgmma.fence.sync.aligned: needs .target sm_90a, and this is sm_90' 90 'wgmma.fence.sync.aligned;'
says 'needs .target sm_90a, sm_10Xa, sm_11Xa or sm_12Xa, and this is sm_100' 100 'setmaxnreg.inc.sync.aligned.u32 64;'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
