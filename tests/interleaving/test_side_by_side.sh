#!/usr/bin/env bash
# A launch's drawn runs side by side, in copies of the process: what is printed and found is what one processor prints and
# finds, one run after another. (SOFTGPU_SCOUTED=1: of every launch, however short.)
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/interleaving
mkdir -p "$out"
. tests/nvcc.sh || exit 1
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/side_by_side" tests/interleaving/side_by_side.cu || exit 1
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/beside_programs" tests/interleaving/programs.cu || exit 1
passed=0 failed=0
ok() { passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

# run WAY SEED PROGRAM…: prints, errors, status and findings of WAY in $out/WAY.*
run() {
    local way=$1 seed=$2
    shift 2
    SOFTGPU_THREADS=$([ "$way" = alone ] && echo 1 || echo 0) SOFTGPU_SCOUTED=1 "$BUILD/bin/softgpu" --check all --seed "$seed" \
        --json "$out/$way.json" "$@" >"$out/$way.out" 2>"$out/$way.err"
    echo "status $?" >>"$out/$way.out"
}

silent=0 raced=0
for task in silent drawn printed two handler thread; do
    for seed in 1 2 3 4 5 6 7 8; do
        run alone $seed "$out/side_by_side" $task
        run beside $seed "$out/side_by_side" $task
        grep -v '^copies' "$out/beside.err" >"$out/beside.told"
        if cmp -s "$out/alone.json" "$out/beside.json" && cmp -s "$out/alone.out" "$out/beside.out" &&
            cmp -s "$out/alone.err" "$out/beside.told"; then
            ok
        else
            fail "$task, seed $seed: side by side it is otherwise"
        fi
        [ $task = drawn ] || continue
        if grep -q '"kind":"data-race"' "$out/alone.json"; then raced=$((raced + 1)); else silent=$((silent + 1)); fi
    done
    [ "$(nproc)" -gt 1 ] || continue
    case $task in
    handler | thread) if grep -q '^copies' "$out/beside.err"; then fail "$task: copied, though the program would notice"; else ok; fi ;;
    *) if grep -q '^copies' "$out/beside.err"; then ok; else fail "$task: nothing went side by side"; fi ;;
    esac
done
# Both cases were compared: a scout that finds something, and ones that do not.
if [ $raced -gt 0 ] && [ $silent -gt 0 ]; then ok; else fail "drawn: $raced seeds race, $silent do not"; fi
for which in 0 1 2 3 4; do
    run alone 1 "$out/beside_programs" $which
    run beside 1 "$out/beside_programs" $which
    if cmp -s "$out/alone.json" "$out/beside.json"; then ok; else fail "program $which: other findings"; fi
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
