#!/usr/bin/env bash
# softgpu's table of kinds against what people read: docs/findings.md has its row, in its words, for every
# kind, and a page with the smallest wrong example and its fix; docs/lab_yaml.md lists the kinds that may be
# weighed. That the wrong example gets the kind and the right one nothing is tested by test_snippets.sh.
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
rows() { # MACRO…: "NAME MEANING" of each row made by one of these macros
    { for macro in KIND UNJUDGED; do
          case " $* " in *" $macro "*) echo "#define $macro(e, name, level, causes, meaning, rule) @ name meaning" ;;
          *) echo "#define $macro(...)" ;; esac
      done
      echo '#include "softgpu/report/kinds.def"'; } |
        ${CC:-gcc} -E -P -I. -x c - | tr -d '\n' | tr '@' '\n' | sed -n 's/^ *"\([a-z-]*\)" *"\(.*\)" *$/\1 \2/p'
}
while read -r kind meaning; do
    page=docs/findings/$kind.md
    check "$page is missing" test -f "$page"
    check "docs/findings.md does not say of $kind: $meaning" \
        grep -qxF "| [$kind](findings/$kind.md) | $meaning |" docs/findings.md
    check "$page has no Wrong" has_code Wrong "$page"
    [ "$kind" = unsupported ] || check "$page has no Right" has_code Right "$page"
done < <(rows KIND UNJUDGED)
for page in docs/findings/*.md; do
    kind=$(basename "$page" .md)
    check "$page is of no kind" grep -q "^$kind " <(rows KIND UNJUDGED)
done
check "docs/findings.md has another order than the table of kinds" \
    diff <(rows KIND UNJUDGED | cut -d' ' -f1) <(sed -n 's/^| \[\([a-z-]*\)\](.*/\1/p' docs/findings.md)
listed() { sed -n '/^`checks` maps/,/A kind that is not/p' docs/lab_yaml.md | sed 's/.*Kinds://' | grep -o '`[a-z-]*-*[a-z]*`' |
    tr -d '`' | grep -vxE 'checks|error|warning|ignore'; }
check "docs/lab_yaml.md lists other kinds than the table" diff <(rows KIND | cut -d' ' -f1) <(listed)
writes_prose() { grep -rnE '(printf\(|strcpy\()&?f(->|\.)(message|suggestion|rule)' softgpu/*/ --include='*.c' | grep -v ^softgpu/report/words/; }
check "a finding gets prose outside of softgpu/report/words" test -z "$(writes_prose)"
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 60 ]
