#!/usr/bin/env bash
# Random kernels, alone, by two, beside copies, in memory that nothing has written, and with threads ordered by flags, fences and the like (random_races.c): what is found is
# what conflicts, or holds nothing, by definition, interpreted and as machine code. RACES_SEED=N begins with other kernels, RACES_COUNT=N has so many of each seed.
set -u
export SOFTGPU_CACHE=off # what is made here is tried, not what was made before
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/races lib=$(readlink -f "$BUILD")/lib
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

mkdir -p "$out" && "${MAKE:-make}" -s BUILD="$BUILD" "$out/random_races" || exit 1

# launched ENGINE SEED COUNT NAME [ONE]: their findings are in NAME.json
launched() {
    # shellcheck disable=SC2086 # no word, or one
    LD_LIBRARY_PATH=$lib SOFTGPU_ENGINE=$1 SOFTGPU_CHECK=all SOFTGPU_JSON=$4.json timeout 300 "$out/random_races" launch "$2" "$3" ${5-} >"$4.out" 2>&1
}

# alone ENGINE SEED COUNT NUMBER…: each by itself, with all that a program has for it
alone() {
    local engine=$1 seed=$2 count=$3 name=$out/$2.$1.alone n said
    shift 3
    for n in "$@"; do
        launched "$engine" "$seed" "$count" "$name" "$n" || { fail "$engine, seed $seed, kernel $n alone: $(tail -1 "$name.out")"; continue; }
        if said=$(LD_LIBRARY_PATH=$lib "$out/random_races" compare "$seed" "$count" "$name.json" "$n" 2>&1); then
            ok "$engine, seed $seed, kernel $n alone"
        else
            fail "$engine, seed $seed, kernel $n alone: $said"
        fi
    done
}

# tried ENGINE SEED COUNT: as the checkers find them
tried() {
    local name=$out/$2.$1 said
    launched "$1" "$2" "$3" "$name" || { fail "$1, seed $2: $(tail -1 "$name.out")"; return; }
    if said=$(LD_LIBRARY_PATH=$lib "$out/random_races" compare "$2" "$3" "$name.json" 2>&1); then
        ok "$1, seed $2: $(tail -1 <<<"$said")"
    else
        fail "$1, seed $2: $said"
    fi
    # shellcheck disable=SC2046 # a word a number
    alone "$1" "$2" "$3" $(sed -n 's/^alone //p' <<<"$said")
}

seed=${RACES_SEED:-1} count=${RACES_COUNT:-200}
for s in "$seed" $((seed + 1)); do
    tried interpret "$s" "$count"
done
: >"$out/none.json"
LD_LIBRARY_PATH=$lib "$out/random_races" compare "$seed" "$count" "$out/none.json" >/dev/null 2>&1 && fail "findings that are missing are not missed"

# Kernels that were tried again without end (lanes that wait at an mbarrier beside strong accesses), and some of which one broke off: an older value is read
# where no strong access has written; or doubts are judged of a launch that has had no more runs, since the program has had its share of them.
# One whose many places may each be left with one of two values ended only when all their combinations had been gone through.
for some in "70003 200 78" "70012 200 131" "71188 20" "81010 200" "92417 200 113"; do
    # shellcheck disable=SC2086 # seed, number of kernels, and which of them
    if LD_LIBRARY_PATH=$lib SOFTGPU_ENGINE=interpret SOFTGPU_CHECK=all SOFTGPU_JSON=/dev/null timeout 300 "$out/random_races" launch $some >"$out/one.out" 2>&1; then
        ok "kernels $some end"
    else
        fail "kernels $some: $(tail -1 "$out/one.out")"
    fi
done

engine=$("$BUILD/bin/softgpu" --version | sed -n 's/^machine code: //p')
case $engine in
LLVM*)
    count=${RACES_COUNT:-50}
    for engine in interpret compile; do
        tried $engine $((seed + 2)) "$count"
    done
    if cmp -s "$out/$((seed + 2)).interpret.json" "$out/$((seed + 2)).compile.json"; then
        ok "the same findings, interpreted and compiled"
    else
        fail "the findings differ, interpreted and compiled"
    fi
    ;;
*) echo "skipped: $engine" ;;
esac
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
