#!/usr/bin/env bash
# Mutations of the forms that ptxas takes (form_cases.txt, mutate.awk): what softgpu takes of them ptxas takes, too. MUTATION_SEEDS=n: of so many seeds. What softgpu
# refuses beyond ptxas is counted, not judged: ptxas takes much that the PTX ISA does not have.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas "$PWD/.cuda/bin/ptxas" 2>/dev/null | head -n 1)
[ -n "$ptxas" ] || { echo "SKIP: no ptxas" && exit 0; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0 beyond=0

# Where ptxas is stricter than the PTX ISA, or fails itself: literals in vectors beside special registers or of halves, and those that it moves into registers first.
known='\{[^}]*%[^}]*\}|^(atom|red).*noftz.*\{.*[^a-z0-9](-?[0-9]|WARP_SZ)|^cvt.*tf32|^(w?g?mma|ldmatrix|stmatrix)|^atom.*\[lv|^(tex|tld4)'
eval "$(sed -n '/^head=/,/;.$/p' tests/softgpu/test_forms.sh)" # the same head
before=$(wc -l <<<"$head")

write() { # MODULE FILE: the lines of FILE but for those whose numbers are in $work/gone
    { echo "$head" && awk 'FILENAME == ARGV[1] { gone[$1]; next } { print FNR in gone ? "" : $0 }' "$work/gone" "$2" && echo 'ret; }'; } >"$1"
}
lines() { awk -v before="$before" -v count="$1" '$1 > before && $1 <= before + count { print $1 - before }' | sort -un; }

for seed in $(seq "${MUTATION_SEEDS:-10}"); do
    sed -n 's/^takes //p' tests/softgpu/form_cases.txt | awk -v seed="$seed" -f tests/softgpu/mutate.awk >"$work/all"
    count=$(wc -l <"$work/all")
    : >"$work/gone"
    for _ in $(seq 400); do # the parser stops at its first error
        write "$work/s.ptx" "$work/all"
        "$BUILD/bin/softgpu" --dump code "$work/s.ptx" >"$work/code" 2>"$work/errors"
        sed -n 's/.*s\.ptx:\([0-9]*\):.*/\1/p' "$work/errors" | lines "$count" >"$work/new"
        [ -s "$work/new" ] || break
        cat "$work/new" >>"$work/gone"
    done
    sed -n 's/.*UNSUPPORTED:.*; ptx \([0-9]*\)$/\1/p; s/^.*PTX line \([0-9]*\), .*needs .*/\1/p' "$work/code" "$work/errors" | lines "$count" >>"$work/gone"
    sort -un "$work/gone" -o "$work/gone"
    beyond=$((beyond + $(wc -l <"$work/gone")))
    awk 'FILENAME == ARGV[1] { gone[$1]; next } !(FNR in gone)' "$work/gone" "$work/all" | grep -vE "$known" >"$work/taken"
    : >"$work/gone" && : >"$work/reasons"
    for _ in $(seq 9); do
        write "$work/p.ptx" "$work/taken"
        { "$ptxas" -arch=sm_90a -O0 -o /dev/null "$work/p.ptx" >"$work/said" 2>&1; } 2>/dev/null && break
        sed -n 's/.*line \([0-9]*\); \(error\|fatal\)[ ]*: \(.*\)/\1 \3/p; s/.*32-bit address on line .\([0-9]*\).*/\1 an address/p' "$work/said" >"$work/found"
        lines "$(wc -l <"$work/taken")" <"$work/found" >"$work/new"
        [ -s "$work/new" ] || break
        cat "$work/found" >>"$work/reasons" && cat "$work/new" >>"$work/gone"
    done
    awk -v before="$before" -v seed="$seed" 'FILENAME == ARGV[1] { n = $1; sub(/^[0-9]+ /, ""); why[n - before] = $0; next }
        FNR in why { print "FAIL: softgpu takes what ptxas refuses (seed " seed "): " $0 "  # " why[FNR] }' "$work/reasons" "$work/taken" >"$work/wrong"
    cat "$work/wrong"
    failed=$((failed + $(wc -l <"$work/wrong")))
    passed=$((passed + $(wc -l <"$work/taken") - $(wc -l <"$work/wrong")))
done
echo "$passed passed, $failed failed; softgpu refused $beyond"
[ $failed -eq 0 ]
