#!/usr/bin/env bash
# lab02's litmus tests are the same wherever they are told: the harness's list, the skeleton's table, the
# handout, the deck and the picture; and what is said of them is what softgpu enumerates.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
export SOFTGPU_EXHAUSTIVE_SECONDS=200 # what is complete does not hang on how fast the machine is
lab=labs/lab02_memory_fences
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $message"
        head -n 5 "$work/log"
    fi
}
. tests/nvcc.sh || exit 1
kept_nvcc -ptx -arch=compute_75 -o "$work/solution.ptx" solutions/lab02_memory_fences/kernel.cu || exit 1

enumerate() { # GROUP
    "$BUILD/bin/softgpu" --exhaustive "$BUILD/lab02_memory_fences/harness" --kernel "$work/solution.ptx" \
        --case "$1" --param part=5 --seed 1 --output "$work/result" 2>"$work/err"
}
# "name place program" and "name outcome can be|cannot be, predicted", of all groups in lab.yaml's order.
for group in mp sb co wrc iriw; do
    enumerate "$group"
done >"$work/all"
sed -n 's/^\([a-z_]*\) (\([a-z]*\)): \(.*\)/\1 \2 \3/p' "$work/all" >"$work/tests"
awk '/^[a-z_]* \([a-z]*\): / { name = $1 } / = [0-2]* can/ { sub(/^ *[a-d]* = /, ""); print name, $0 }' \
    "$work/all" >"$work/verdicts"
check 'there are not 19 tests of 4 outcomes' [ "$(wc -l <"$work/tests") $(wc -l <"$work/verdicts")" = '19 76' ]
check "the solution's predictions are not what is enumerated" \
    [ "$(grep -cE ' (can be; predicted: can be|cannot be; predicted: cannot be)$' "$work/verdicts")" = 76 ]
check 'the skeleton has other tests' diff "$work/tests" \
    <(sed -n 's|^    "????", // \([a-z_]*\) *\([a-z]*\) *\(.*\)|\1 \2 \3|p' $lab/kernel.cu)

# NAME OUTCOME 'can be'|'cannot be'
says() { grep -q "^$1 $2 $3; " "$work/verdicts" || { echo "$1 $2: not '$3'"; return 1; }; }
same_program() { # NAME PROGRAM
    grep -q "^$1 [a-z]* $(sed 's/|/[|]/g' <<<"$2")\$" "$work/tests" || { echo "$1: not '$2'"; return 1; }
}
while read -r name place program; do
    check "the handout's $name" grep -qFx "$name $place $program" "$work/tests"
done < <(sed -n 's/^\([a-z_]*\) *\(blocks\|warps\|lanes\) *\(.*|.*\)/\1 \2 \3/p' $lab/README.md)
while read -r name program; do
    check "the deck's $name" same_program "$name" "$program"
done < <(sed -n 's/^\([a-z_]*\) \{2,\}\(x = 1 |.*\)/\1 \2/p' slides/lab02_memory_fences.md)
# What the deck's notes and slides claim of wrc, iriw and the half-warp.
check 'wrc' says wrc 110 'can be'
check 'wrc with fences' says wrc_fences 110 'cannot be'
check 'iriw' says iriw 1010 'can be'
check 'iriw with fences' says iriw_fences 1010 'cannot be'
check 'iriw with acquire-release fences' says iriw_acq_rel 1010 'can be'
check 'two lanes' says sb_lanes 00 'can be'
check 'two lanes with __syncwarp()' says sb_syncwarp 00 'cannot be'
# The picture: "name:  a = 1, b = 0", then its verdict.
count=0
while read -r name outcome verdict; do
    check "the picture's $name" says "$name" "$outcome" "$verdict"
    count=$((count + 1))
done < <(sed -n 's|.*>\([a-z_]*\):  a = \([01]\), b = \([01]\)<.*|\1 \2\3|p; s|.*>\(can be\)[,<].*|  \1|p; s|.*>\(cannot be\):.*|  \1|p' \
    $lab/litmus.svg | paste - -)
check 'the picture has not 4 tests' [ $count = 4 ]

# The command that the handout shows, with the student's file as it is.
command=$(sed -n 's/^\(build\/bin\/softgpu --exhaustive .*\)/\1/p' $lab/README.md)
check 'the handout shows no command' [ -n "$command" ]
bash -c "${command//build\//$BUILD/}" >"$work/shown" 2>/dev/null
check "the handout's command fails" [ $? -eq 0 ]
check "the handout's command shows other tests" [ "$(grep -c '^sb.* (.*): ' "$work/shown")" = 6 ]
check 'the hint shows another command' grep -qF "$command" $lab/lab.yaml

echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
