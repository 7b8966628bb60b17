#!/usr/bin/env bash
# lab10: the skeleton is the original; over 3 seeds (20 with FULL=1, or SEEDS=N) softgpu finds the two lines of each exhibit of the
# original, those that the solution says, and is silent about the solution; then the proof that every lab has.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
lab=lab10_bugs_that_shipped
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
SEEDS=${SEEDS:-$((${FULL:-0} ? 20 : 3))}
result() { # MESSAGE STATUS
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $1"
    fi
}
# What is committed: whoever does the lab changes his own.
if git cat-file -e "HEAD:labs/$lab/kernel.cu" 2>/dev/null; then
    git show "HEAD:labs/$lab/kernel.cu" | cmp -s - "labs/$lab/original.cu"
    result 'the skeleton is not the original' $?
fi

. tests/nvcc.sh || exit 1
arch=$(sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' "labs/$lab/lab.yaml")
kept_nvcc -c -g -O2 -lineinfo -cudart shared -arch="$arch" -o "$work/solution.o" "solutions/$lab/kernel.cu" &&
    g++ -pthread -o "$work/solution" "$work/solution.o" "$BUILD/$lab/harness.o" "$BUILD/lib/libharness.a" \
        "$BUILD/lib/libcudart.so.13" -ldl -lm || { echo "FAIL: the solution does not compile"; exit 1; }

judge() { # PROGRAM SEED SCHEDULES PARAMETERS…
    local program=$1 seed=$2 schedules=$3
    shift 3
    rm -f "$work/findings"
    "$BUILD/bin/softgpu" --check all --seed "$seed" --schedules "$schedules" --json "$work/findings" "$program" \
        --case x --seed "$seed" --output "$work/result" "$@" >/dev/null 2>&1
}
# The letters of each error's two lines, in order, one a line: "a d".
letters() {
    python3 - "$work/findings" "labs/$lab/original.cu" <<'END'
import json, re, sys
lines = open(sys.argv[2]).read().split("\n")
for finding in map(json.loads, open(sys.argv[1])):
    if finding["level"] == "error":
        found = [re.search(r"// \(([a-z])\)", lines[a["line"] - 1]) for a in finding["accesses"]
                 if a.get("file", "").endswith("/original.cu")]
        print(*sorted(m[1] if m else "-" for m in found))
END
}
# NAME PARAMETERS SCHEDULES of the cases with places, and of those that are mended.
cases() {
    awk -v where="$1" '
        $1 == "-" && $2 == "name:" { name = $3 }
        $1 == "params:" && name { gsub(/.*{|}.*/, ""); gsub(/: /, "="); gsub(/, /, " "); params = $0 }
        $1 == "schedules:" && name { if ((name ~ /_where$/) == where) print $2, name, params }' "labs/$lab/lab.yaml"
}
while read -r schedules name params; do
    said=$(sed -n "s|^// places ${name%_where}: *||p" "solutions/$lab/kernel.cu" | tr ' ' '\n' | sort | xargs)
    status=0
    for seed in $(seq "$SEEDS"); do
        # shellcheck disable=SC2046,SC2086 # words
        judge "$BUILD/$lab/original" "$seed" "$schedules" $(printf -- '--param %s ' $params)
        letters >"$work/letters"
        grep -qx "$said" "$work/letters" || { status=1; break; }
    done
    result "$name: not ($said) under seed $seed" $status
done < <(cases 1)
[ $passed -ge 18 ] || result "only $passed exhibits were judged" 1
while read -r schedules name params; do
    status=0
    for seed in $(seq $(((SEEDS + 3) / 4))); do
        # shellcheck disable=SC2046,SC2086
        judge "$work/solution" "$seed" "$schedules" $(printf -- '--param %s ' $params)
        [ -f "$work/findings" ] && ! grep -q '"level": *"\(error\|warning\)"' "$work/findings" || { status=1; break; }
    done
    result "$name: the solution is not silent under seed $seed" $status
done < <(cases 0)
bash tests/course/test_labs.sh $lab | tee "$work/check"
[ "${PIPESTATUS[0]}" -eq 0 ] || result 'the lab does not hold' 1
passed=$((passed + $(awk '/^[0-9]+ passed, / { print $1 }' "$work/check")))
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
