#!/usr/bin/env bash
# Random small kernels, each thread of which has a program of its own (play.h): what is found is what the definitions of the memory model say
# (causality.c), and of small ones --exhaustive says so, too: one outcome without a race. ORDERS_SEED=N begins with other kernels, ORDERS_COUNT=N has so many of each family, ORDERS_FAMILY=NAME one family only;
# FULL=1 has thirty times as many.
set -u
export SOFTGPU_CACHE=off # what is made here is tried, not what was made before
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/orders lib=$(readlink -f "$BUILD")/lib
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

mkdir -p "$out" && "${MAKE:-make}" -s BUILD="$BUILD" "$out/random_orders" || exit 1

# launched FAMILY SEED COUNT NAME [ONE]: their findings are in NAME.json
launched() {
    # shellcheck disable=SC2086 # no word, or one
    LD_LIBRARY_PATH=$lib SOFTGPU_ENGINE=interpret SOFTGPU_CHECK=all SOFTGPU_JSON=$4.json timeout 300 "$out/random_orders" launch "$1" "$2" "$3" ${5-} >"$4.out" 2>&1
}

# tried FAMILY SEED COUNT [ONE]
tried() {
    local name=$out/$1.$2${4:+.$4} said n
    launched "$1" "$2" "$3" "$name" ${4:+"$4"} || { fail "$1, seed $2${4:+, kernel $4 alone}: $(tail -1 "$name.out")"; return; }
    if said=$(LD_LIBRARY_PATH=$lib "$out/random_orders" compare "$1" "$2" "$3" "$name.json" ${4:+"$4"} 2>&1); then
        ok "seed $2${4:+, kernel $4 alone}, $(tail -1 <<<"$said")"
    else
        fail "seed $2${4:+, kernel $4 alone}: $said"
    fi
    [ $# = 3 ] || return
    while read -r n; do
        tried "$1" "$2" "$3" "$n"
    done < <(sed -n 's/^alone //p' <<<"$said")
}

# Are its kernels tried by runs, which take as long as they may?
has_runs() { [[ " copies phases bulk " = *" $1 "* ]]; }

# all_outcomes FAMILY SEED COUNT: what --exhaustive says of small ones
all_outcomes() {
    local name=$out/tiny_$1.$2 said
    SOFTGPU_EXHAUSTIVE_SECONDS=$(has_runs "$1" && echo 1 || echo 200) timeout 300 "$BUILD/bin/softgpu" --exhaustive --json "$name.json" "$out/random_orders" launch "tiny_$1" "$2" "$3" \
        >"$name.table" 2>"$name.out" || [ $? = 86 ] || { fail "outcomes, $1, seed $2: $(tail -1 "$name.out")"; return; }
    if said=$(LD_LIBRARY_PATH=$lib "$out/random_orders" outcomes "tiny_$1" "$2" "$3" "$name.json" <"$name.table" 2>&1); then
        ok "outcomes, seed $2, $(tail -1 <<<"$said")"
    else
        fail "outcomes, seed $2: $said"
    fi
}

many=1 whole=30 small=12 asked=10
[ "${FULL:-0}" = 0 ] || many=10 whole=100 small=40 asked=40
for family in flags barriers lanes met copies tokens clusters mixed polls phases bulk early host; do
    [ "${ORDERS_FAMILY:-$family}" = "$family" ] || continue
    count=$([ $family = tokens ] && echo $((whole / 4)) || echo $whole) # a token's kernels are asked as a whole
    for ((i = 0; i < many; i++)); do
        seed=$((${ORDERS_SEED:-1} + i))
        tried $family $seed "${ORDERS_COUNT:-$count}"
        tried tiny_$family $seed "${ORDERS_COUNT:-$small}"
        [ $family = host ] || all_outcomes $family $seed "${ORDERS_COUNT:-$(has_runs $family && echo 2 || echo $asked)}"
    done
done
: >"$out/none.json"
LD_LIBRARY_PATH=$lib "$out/random_orders" compare mixed 1 20 "$out/none.json" >/dev/null 2>&1 && fail "findings that are missing are not missed"
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
