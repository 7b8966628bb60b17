#!/usr/bin/env bash
# What --exhaustive enumerates and what it says that it does not: kernels in pairs. incomplete.expect has a line for each:
# the number of its outcomes where that is complete, else words of each reason that is given, or how many were listed all the same.
# The last line is 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
export SOFTGPU_EXHAUSTIVE_SECONDS=200 # what is complete does not hang on how fast the machine is
OUT=$BUILD/tests/exhaustive
mkdir -p "$OUT"
. tests/nvcc.sh || exit 1

kept_nvcc -cudart shared -arch=compute_90 -lineinfo -o "$OUT/incomplete" tests/exhaustive/incomplete.cu -lcuda
"$BUILD/bin/softgpu" --exhaustive --json "$OUT/incomplete.jsonl" "$OUT/incomplete" >"$OUT/incomplete.out" 2>/dev/null ||
    [ $? = 86 ] # findings
# "kernel: N outcomes", or how many were listed and what was not tried, one reason behind the other.
awk '/^[a-z_]*: [0-9]+ outcomes? in/ { name = $1; order[++n] = name; said[name] = ""; count[name] = $2 }
     /^  not everything was tried: / { sub(/^  not everything was tried: /, ""); said[name] = said[name] "; " $0 }
     END { for (i = 1; i <= n; i++) {
               name = order[i]
               print name, said[name] == "" ? count[name] " outcomes" : count[name] " listed" said[name] } }' "$OUT/incomplete.out" \
    >"$OUT/incomplete.got"
passed=0
failed=0
while IFS= read -r line; do
    name=${line%% *} words=${line#* }
    got=$(grep "^$name " "$OUT/incomplete.got" || true)
    if [[ $words == *' outcomes' && $got == "$line" ]] || [[ $words != *' outcomes' && $got == "$name "*"$words"* ]]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "expected: $line"
        echo "got:      $got"
    fi
done <tests/exhaustive/incomplete.expect
# Each such line stands in the findings file, too.
if [ "$(grep -c '"kind":"incomplete"' "$OUT/incomplete.jsonl")" -gt 0 ] && [ "$(wc -l <"$OUT/incomplete.got")" = "$(wc -l <tests/exhaustive/incomplete.expect)" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "the findings file says nothing is incomplete, or there are other kernels"
fi
# More outcomes than are kept show by their number, long before the time is up.
kept_nvcc -cudart shared -arch=compute_90 -lineinfo -o "$OUT/many" tests/exhaustive/many.cu
unset SOFTGPU_EXHAUSTIVE_SECONDS
"$BUILD/bin/softgpu" --exhaustive "$OUT/many" >"$OUT/many.out" 2>/dev/null
if grep -q '^two_by_four: 70 outcomes' "$OUT/many.out" && grep -q '^four_by_four: 65536 outcomes' "$OUT/many.out" &&
    [ "$(grep 'not everything was tried' "$OUT/many.out")" = "  not everything was tried: more different outcomes than are kept" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "what is told of many outcomes:"
    grep ': [0-9]* outcomes\|not everything' "$OUT/many.out" || true
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
