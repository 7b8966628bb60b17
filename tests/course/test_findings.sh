#!/usr/bin/env bash
# The student's guide to findings has a page for every kind that softgpu knows, with the smallest wrong
# example and its fix. That the one gets the kind and the other nothing is tested by test_snippets.sh.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >/dev/null 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $message"
    fi
}
# The first line under '## TITLE' that is not empty opens a block of code.
has_code() { # TITLE FILE
    awk -v title="## $1" 'on && NF { exit !/^```cuda$/ } $0 == title { on = seen = 1 } END { if (!seen) exit 1 }' "$2"
}
for page in docs/findings/*.md; do
    kind=$(basename "$page" .md)
    check "docs/findings.md does not link $page" grep -q "(findings/$kind.md)" docs/findings.md
    check "$page has no Wrong" has_code Wrong "$page"
    [ "$kind" = unsupported ] || check "$page has no Right" has_code Right "$page"
done
for kind in $(sed -n 's/.*\[FIND_[A-Z_]*\] = "\([a-z-]*\)".*/\1/p' softgpu/report/kind.c); do
    check "docs/findings/$kind.md is missing" test -f "docs/findings/$kind.md"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 20 ]
