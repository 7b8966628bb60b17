#!/usr/bin/env bash
# Does what a report advises mend a lab's wrong variant? Those of which a race or a missing order is expected are graded,
# of each case that fails the advice of its first finding is followed where it says where to put a fence or a barrier, and they are graded again, up to nine times: a variant may have a mistake in each part.
#
#   tests/advice/test_wrong.sh [LAB/VARIANT…]     instead of the sample; ADVICE_LABS='lab03 lab04' ('all'): all of these labs;
#                                                 GRADE=COMMAND instead of the build's grader
#
# A table says of each variant what was advised first and how it ended. Mended is what ends without any error that softgpu
# finds; nine in ten must, and none may then leave a wrong result. In all labs
# lab01's both_swap and step_by_both and lab04's flag_first are not mended so: theirs are no orders that are missing. The last line is 'N passed, N failed'.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/advice_wrong
mkdir -p "$out"
. tests/advice/edits.sh
. tests/part.sh

graded() { # LAB FILE REPORT
    timeout 120 "${GRADE:-$BUILD/bin/grade}" "$1" --file "$2" --seed 1 --format json --output "$3" >/dev/null 2>&1
    [ $? -le 1 ] || { echo "could not be judged: $2"; return 1; }
    grep -q '"schema"' "$3" || { echo "not graded: $2"; return 1; }
}

needs_order() { grep -qE '"kind": "(data-race|missing-release|missing-acquire|ordering)"' "$1"; }

# The kinds of all findings that are errors, once each.
kinds() { sed -n '/"kind": /{s/.*"kind": "\([^"]*\)".*/\1/;h};/"level": "error"/{g;p}' "$1" | sort -u | tr '\n' ' '; }

# The cases whose result is wrong, as far as the report knows of no mistake in order.
wrong_cases() { sed -n '/^ *"name": "/{s/.*: "\([^"]*\)".*/\1/;h};/^ *"verdict": "wrong-result"/{g;p}' "$1" | sort -u; }
# Those that were tried and not wrong from the beginning: others are of parts that the variant does not have.
counted_cases() { sed -n '/^ *"name": "/{s/.*: "\([^"]*\)".*/\1/;h};/^ *"state": "\(ok\|pass\|fail\)"/{g;p}' "$1" | sort -u | grep -vxFf <(wrong_cases "$1"; echo); }

# The advice that a student reads: of a case that fails, its first finding's.
shown() { awk '/^ *"state": "/ { fails = /"fail"/ } /"suggestion": "/ && fails { print; fails = 0 }' "$1"; }

ended() { # REPORT COUNTED REFERENCE: how; a warning that the reference has, too, is none of the variant's; only cases of the file COUNTED can be wrong
    local left
    left=$(kinds "$1")
    if [ -n "$left" ]; then
        needs_order "$1" && echo "not mended: ${left% }" || echo "another finding: ${left% }"
    elif needs_order "$1" && ! needs_order "$3"; then
        echo "not mended: a warning is left"
    elif wrong_cases "$1" | grep -qxFf "$2"; then
        echo "silent and wrong"
    else
        echo silent
    fi
}

[ "${ADVICE_LABS:-}" != all ] || ADVICE_LABS=$(cd solutions && printf '%s\n' lab* | sed 's/_.*//')
for lab in ${ADVICE_LABS:-}; do
    for file in $(grep -lE '^// verdict: .*(data-race|missing|ordering)' solutions/"$lab"_*/wrong/*.cu); do
        set -- "$@" "$lab/$(basename "$file" .cu)"
    done
done
if [ $# -eq 0 ]; then
    # shellcheck disable=SC2046 # names
    set -- $(printf '%s\n' lab01/lockstep lab00/no_barrier_in_loop lab00/block_atomic lab02/device_no_sender_barrier lab03/no_release lab03/no_acquire lab03/no_flag_barrier lab04/push_no_release lab04/take_no_acquire lab04/split_no_barrier | part_of)
fi

advised=0 mended=0 wrong=0
rm -f "$out"/*.reference.json
for variant in "$@"; do
    lab=${variant%/*} name=${variant#*/}
    file=$out/$lab.$name.cu report=$out/$lab.$name.json
    cp solutions/"$lab"_*/wrong/"$name.cu" "$file" || exit 1
    followed=0 first=
    for round in 1 2 3 4 5 6 7 8 9 10; do
        rm -f "$report"
        graded "$lab" "$file" "$report" || exit 1
        needs_order "$report" || break
        [ -n "$first" ] || counted_cases "$report" >"$out/counted"
        first=${first:-$(sed -nE '/"suggestion": "/{s/.*"suggestion": "([^"]*)".*/\1/p;q}' "$report")}
        shown "$report" >"$out/shown"
        edits "$out/shown" | changeable "$file" | placed "$file" >"$out/edits"
        { [ -s "$out/edits" ] && [ "$round" -lt 10 ]; } || break
        followed=1
        apply "$file" <"$out/edits"
    done
    if [ "$followed" = 0 ]; then
        how="not an edit"
    else
        reference=$out/$lab.reference.json
        [ -e "$reference" ] || graded "$lab" "$(echo solutions/"$lab"_*/kernel.cu)" "$reference" || exit 1
        how=$(ended "$report" "$out/counted" "$reference")
        advised=$((advised + 1))
        case $how in
            silent) mended=$((mended + 1)) ;;
            "silent and wrong") wrong=$((wrong + 1)) ;;
        esac
    fi
    printf '%-36s | %-24s | %s\n' "$variant" "$how" "${first:-none of these findings}"
done
echo "advice that could be followed: $advised variants, mended: $mended, silent and wrong: $wrong"
[ "$advised" -gt 0 ] && [ "$wrong" -eq 0 ] && [ $((mended * 10)) -ge $((advised * 9)) ] || { echo "0 passed, 1 failed"; exit 1; }
echo "1 passed, 0 failed"
