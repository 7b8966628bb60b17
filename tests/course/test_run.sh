#!/usr/bin/env bash
# tests/run.sh tells what passed, what failed, and that nothing ran: each by its status and its last line.
# The last line is 'N passed, N failed'.
set -u
cd "$(dirname "$0")/../.." || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

printf 'echo "3 passed, 0 failed"\n' >"$tmp/test_good.sh"
printf 'echo "2 passed, 1 failed"\nexit 1\n' >"$tmp/test_bad.sh"
printf 'exit 3\n' >"$tmp/test_silent.sh"

expect() { # NAME STATUS LAST_LINE PROGRAM…
    local name=$1 status=$2 line=$3 got out
    shift 3
    out=$(ONLY='' BUILD=$tmp/build FULL=1 tests/run.sh "$@" 2>&1)
    got=$?
    if [ "$got" = "$status" ] && [ "$(tail -n 1 <<<"$out")" = "$line" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s: status %s, last line "%s"\n' "$name" "$got" "$(tail -n 1 <<<"$out")"
    fi
}

expect good 0 '3 passed, 0 failed' "$tmp/test_good.sh"
expect bad 1 '2 passed, 1 failed' "$tmp/test_bad.sh"
expect both 1 '5 passed, 1 failed' "$tmp/test_good.sh" "$tmp/test_bad.sh"
expect silent 1 '0 passed, 1 failed' "$tmp/test_silent.sh"
expect nothing 1 '0 passed, 0 failed'

# Everyday's part: each case is in one of them, and all are in PART=all; each test of turns.txt has its turn, and with ONLY all have.
printf '. tests/part.sh\n[ "$(seq 10 | part_of | xargs)" = "$WANT" ] && in_part 09 && echo "1 passed, 0 failed"\n' >"$tmp/test_part.sh"
part() { # NAME PART WANT STATUS LAST_LINE
    local out got
    out=$(ONLY='' BUILD=$tmp/build FULL=0 PART=$2 WANT=$3 tests/run.sh "$tmp/test_part.sh" 2>&1)
    got=$?
    if [ $got -eq "$4" ] && [ "$(tail -n 1 <<<"$out")" = "$5" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAIL %s: %s\n' "$1" "$out"
    fi
}
part 'the first third' 0/3 '1 4 7 10' 0 '1 passed, 0 failed'
part 'the second' 1/3 '2 5 8' 1 '0 passed, 1 failed' # 9 is not in it
part 'all of it' all '1 2 3 4 5 6 7 8 9 10' 0 '1 passed, 0 failed'
part 'no such part' 3/3 '' 1 'PART=3/3: it is all, or I/N with I from 0 to N - 1'

mapfile -t turns < <(grep -v '^#' tests/turns.txt)
mkdir -p "$tmp/turns"
for test in "${turns[@]}"; do # programs of the same names, which say theirs
    mkdir -p "$tmp/turns/tests/${test%/*}"
    printf '#!/bin/sh\necho %s >>%s/ran\n' "$test" "$tmp" >"$tmp/turns/tests/$test"
    chmod +x "$tmp/turns/tests/$test"
done
ran() { # NAME COUNT: so many of them run, each once
    local name=$1 count=$2 number
    shift 2
    number=$(sort "$tmp/ran" | uniq -c | awk '$1 == 1 { n++ } END { print n + 0 }')
    if [ "$number" -eq "$count" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name: $number, not $count"
    fi
    rm -f "$tmp/ran"
}
turn() { # VARIABLE…
    env ONLY='' FULL=0 BUILD="$tmp/turns" "$@" tests/run.sh "${turns[@]/#/$tmp/turns/tests/}" >/dev/null 2>&1
}
for part in 0 1 2 3 4 5; do turn PART=$part/6; done
ran 'six turns' ${#turns[@]}
turn PART=0/6
ran 'one turn' $(((${#turns[@]} + 5) / 6))
turn PART=all
ran 'all at once' ${#turns[@]}
turn PART=0/6 ONLY=test
ran 'with ONLY' ${#turns[@]}
for test in "${turns[@]}"; do
    if [ -f "tests/$test" ] || ls "tests/$test".c >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL turns.txt: there is no $test"
    fi
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
