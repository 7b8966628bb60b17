#!/usr/bin/env bash
# What `.version` has: of each instruction of version_cases.txt softgpu says from which PTX ISA on there is one, in a module of 4.0, and of the device too, by `.version`. Where
# ptxas is installed it is asked, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0

grep -v '^#' tests/softgpu/version_cases.txt >"$work/cases"
sed 's/^[^:]* : //' "$work/cases" >"$work/forms"
head='.version 4.0
.target sm_50
.address_size 64
.global .align 128 .b8 gv[512];
.const .align 128 .b8 cv[512];
.shared .align 128 .b8 sv[512];
.visible .entry k(.param .u64 pp, .param .align 128 .b8 tm[128]) {
.local .align 16 .b8 lv[512];
.reg .pred p<40>; .reg .b16 h<99>; .reg .b32 r<280>; .reg .b64 d<280>; .reg .b128 q<20>; .reg .b8 b<9>;
.reg .f32 f<9>; .reg .f64 e<9>; .reg .f16x2 x<9>;'
before=$(wc -l <<<"$head")
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas "$PWD/.cuda/bin/ptxas" 2>/dev/null | head -n 1)

compare() { # WHO: the numbers of lines and the versions that it wants there are in $work/wanted
    local wrong
    awk -v before="$before" 'NR == FNR { if ($2 > wants[$1]) wants[$1] = $2; next }
        { split($0, half, " : "); if (wants[FNR + before] + 0 != half[1] + 0) print "wants " wants[FNR + before] + 0 ": " $0 }' "$work/wanted" "$work/cases" >"$work/wrong"
    wrong=$(wc -l <"$work/wrong")
    sed "s/^/FAIL: $1 /" "$work/wrong"
    failed=$((failed + wrong)) passed=$((passed + $(wc -l <"$work/cases") - wrong))
}
{ echo "$head" && cat "$work/forms" && echo 'ret; }'; } >"$work/all.ptx"
"$BUILD/bin/softgpu" --dump code "$work/all.ptx" >"$work/code" 2>"$work/errors" || { echo 'FAIL: no code' && cat "$work/errors" && failed=$((failed + 1)); }
sed -n 's/^PTX line \([0-9]*\), .* needs \.version \([0-9.]*\) .*/\1 \2/p' "$work/code" >"$work/wanted"
compare softgpu
if [ -n "$ptxas" ]; then
    : >"$work/wanted" # it stops behind so many errors
    for ((first = 0; first < $(wc -l <"$work/forms"); first += 80)); do
        { echo "${head/sm_50/sm_100a}" && tail -n +$((first + 1)) "$work/forms" | head -n 80 && echo 'ret; }'; } >"$work/asked.ptx"
        "$ptxas" -arch=sm_100a -O0 -o /dev/null "$work/asked.ptx" >"$work/said" 2>&1
        sed -n 's/.*line \([0-9]*\); error .*requires PTX ISA \.version \([0-9.]*\) .*/\1 \2/p' "$work/said" |
            awk -v first="$first" -v before="$before" '$1 > before { print $1 + first, $2 }' >>"$work/wanted"
    done
    compare ptxas
fi

# Devices and what their `.version` is at least.
while read -r target before_it since; do
    for version in $before_it $since; do
        printf '.version %s\n.target %s\n.address_size 64\n.visible .entry k() { ret; }\n' "$version" "$target" >"$work/one.ptx"
        "$BUILD/bin/softgpu" --dump code "$work/one.ptx" >"$work/said" 2>&1
        status=$?
        if [ "$version" = "$since" ] && [ $status = 0 ]; then
            passed=$((passed + 1))
        elif [ "$version" != "$since" ] && [ $status != 0 ] && grep -q "one.ptx:2:.*needs .version $since" "$work/said"; then
            passed=$((passed + 1))
        else
            echo "FAIL: $target in $version" && failed=$((failed + 1))
        fi
    done
done <<'END'
sm_75 6.2 6.3
sm_80 6.5 7.0
sm_86 7.0 7.1
sm_89 7.7 7.8
sm_90 7.7 7.8
sm_90a 7.8 8.0
sm_100 8.5 8.6
sm_100f 8.7 8.8
sm_120a 8.6 8.7
END
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
