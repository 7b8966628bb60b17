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
    out=$(BUILD=$tmp/build FULL=1 tests/run.sh "$@" 2>&1)
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

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
