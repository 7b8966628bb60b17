#!/usr/bin/env bash
# All executions of the classic litmus tests: softgpu's tables against litmus.expect.
# The last line is 'N passed, N failed'.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
export SOFTGPU_EXHAUSTIVE_SECONDS=200 # what is complete does not hang on how fast the machine is
OUT=$BUILD/tests/exhaustive
mkdir -p "$OUT"
. tests/nvcc.sh || exit 1

passed=0
failed=0
# The tables of a program against its file. Rows of a table come in no promised order: they are sorted behind their heading.
compare_tables() { # name architecture
    kept_nvcc -cudart shared -arch="$2" -lineinfo -o "$OUT/$1" "tests/exhaustive/$1.cu"
    { "$BUILD/bin/softgpu" --exhaustive --draw "$OUT/$1.drawing" --json "$OUT/$1.jsonl" "$OUT/$1" 2>/dev/null || [ $? = 86 ]; } | # findings
        awk '/outcome/ { t = $1 } /outcome|executions/ { print t, "0", $0; next } { print t, "1", $0 }' |
        sort -s -k1,2 >"$OUT/$1.out"
    for t in $(awk '{ print $1 }' "tests/exhaustive/$1.expect" | uniq); do
        if diff <(grep "^$t " "tests/exhaustive/$1.expect" | sort) \
                <(grep "^$t " "$OUT/$1.out" | sort) >"$OUT/diff"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "$t: expected (<) and got (>)"
            cat "$OUT/diff"
        fi
    done
}
compare_tables litmus compute_75
compare_tables mbarrier compute_90
outcomes=$(grep -c '"kind":"outcome"' "$OUT/litmus.jsonl")
rows=$(grep -c ' 1 ' tests/exhaustive/litmus.expect)
if [ "$outcomes" = "$(awk '$2 == 1' tests/exhaustive/litmus.expect | wc -l)" ]; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "the findings file has $outcomes outcomes, the tables $rows rows"
fi
# The tables do not depend on whether checkers watch too.
"$BUILD/bin/softgpu" --exhaustive --draw "$OUT/drawing.html" --check none "$OUT/litmus" >"$OUT/unchecked" 2>/dev/null
"$BUILD/bin/softgpu" --exhaustive "$OUT/litmus" >"$OUT/checked" 2>/dev/null || [ $? = 86 ] # findings
# An ordinary run: no read misses the value that it sees.
"$BUILD/bin/softgpu" --json "$OUT/findings.jsonl" "$OUT/litmus" >/dev/null 2>&1 || [ $? = 86 ]
if grep -q '"missed"' "$OUT/findings.jsonl" && ! grep -Eq '"value":([0-9]+),"missed":\1[,}]' "$OUT/findings.jsonl"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "a read misses what it sees, or none misses anything"
fi
if cmp -s "$OUT/checked" "$OUT/unchecked"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "--check none changes the tables"
fi
# An execution of each outcome, drawn; as a page, too.
for t in lb tickets barrier_one_passes; do
    sed -n "/^$t, outcome/,/^$/p" "$OUT/litmus.drawing"
done >"$OUT/drawn"
drawn=$(grep -c ', outcome ' "$OUT/litmus.drawing")
if cmp -s tests/exhaustive/drawing.expect "$OUT/drawn" && [ "$drawn" = "$outcomes" ] &&
    [ "$(grep -c '^<section>' "$OUT/drawing.html")" = "$outcomes" ] &&
    grep -q 'which comes later' "$OUT/drawing.html" && ! grep -q '.\{81\}' "$OUT/litmus.drawing"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "the drawings: $drawn of $outcomes outcomes"
    diff tests/exhaustive/drawing.expect "$OUT/drawn" || true
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
