#!/usr/bin/env bash
# Proves labs in step with their solutions: the skeleton compiles and scores below full marks, the
# solution and every alternative score full marks, every wrong variant gets its verdict. All labs but
# those that have a script of their own, which calls this one with their names. Without FULL=1, of alternatives and
# wrong variants those that show something new (docs/lab_yaml.md); everyday that is done of some labs (tests/part.sh), of the others the
# solution alone is judged.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/part.sh
labs=${*:-$(cd labs && ls -d lab*_* | grep -v '^lab05_\|^lab10_')}
out=${BUILD:-build}/tests/dev_check_${labs%%_*}.txt
quick=--quick
[ "${FULL:-0}" = 0 ] || quick=
# One seed, so that the same commit has the same result; SEED= draws one. Seeds are tried by test_seeds.sh and by dev check.
seed=${SEED-b1ade5}
whole=() others=()
for lab in $labs; do
    number=${lab#lab}
    if in_part "${number%%_*}"; then whole+=("$lab"); else others+=("$lab"); fi
done
prove() { ./grade dev check $quick ${seed:+--seed "$seed"} "$@" || status=1; }
status=0
{
    [ ${#whole[@]} = 0 ] || prove "${whole[@]}"
    for lab in "${others[@]}"; do prove "$lab" --file "solutions/$lab/kernel.cu"; done
    if [ "${PART:-}" = all ] && [ -n "$quick" ]; then # what each part calls, which --quick leaves out
        quick=
        for lab in "${whole[@]}"; do prove "$lab" --file "solutions/$lab/kernel.cu"; done
    fi
} > >(tee "$out")
wait $! # for tee
awk '/^[0-9]+ files: / { good += $3; bad += $8 + $10 }
     END { printf "%d passed, %d failed\n", good, bad }' "$out"
exit "$status"
