#!/usr/bin/env bash
# What is written for people: pictures are those that their programs draw, every lab has a handout
# with its sections and a deck of 12 to 20 slides, links lead somewhere, every file that is named exists
# (commands: test_snippets.sh); where Doxygen is installed, the site builds without a warning.
set -u
cd "$(dirname "$0")/../.." || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $message"
        head -n 5 "$work/log"
    fi
}
between() { [ "$2" -ge "$1" ] && [ "$2" -le "$3" ]; }
is_drawn() {
    local run=${1%.c}.run
    [ -f "$run" ] || run=/dev/null
    gcc -std=gnu11 -o "$work/draw" "$1" && "$work/draw" <"$run" >"$work/picture.svg" && cmp "$work/picture.svg" "$2"
}
# Every slide, the title among them, has notes for the speaker: more than a word or two.
every_slide_has_notes() {
    awk 'function tell() { if (notes < 100) { print title ": " notes + 0 " characters of notes"; bad = 1 } }
         /^title:/ { title = $0 }
         /^## / { tell(); title = $0; notes = 0 }
         /^:::/ { inside = /notes/; next }
         inside { notes += length }
         END { tell(); exit bad }' "$1"
}
# Paths in `backquotes` that begin with a folder of the kit, without patterns and placeholders.
named_files_exist() {
    local path
    for path in $(grep -o '`\(labs\|solutions\|common\|softgpu\|grader\|tests\|docs\|slides\|scripts\)/[^` ]*`' "$1" |
                  tr -d '`' | grep -v '[*…]\|NN\|lab20'); do
        [ -e "$path" ] || { echo "$path"; return 1; }
    done
}
links_lead_somewhere() {
    local link
    for link in $(grep -o '](\([^)#]*\)' "$1" | cut -c3- | grep -v '^https\?:'); do
        [ -e "$(dirname "$1")/$link" ] || { echo "$link"; return 1; }
    done
}

for draw in docs/draw/lab*/*.c; do
    picture=${draw#docs/draw/}
    picture=labs/${picture%.c}.svg
    check "$picture is not what $draw draws" is_drawn "$draw" "$picture"
    check "$picture is in no handout" grep -q "]($(basename "$picture"))" "$(dirname "$picture")/README.md"
done
for draw in docs/draw/debugger/*.c; do
    picture=docs/debugger_$(basename "${draw%.c}").svg
    check "$picture is not what $draw draws" is_drawn "$draw" "$picture"
    check "$picture is not in docs/debugger.md" grep -q "]($(basename "$picture"))" docs/debugger.md
done
check 'docs/course.svg is not what the specs say (make pictures)' is_drawn docs/draw/course.c docs/course.svg
if [ -f solutions/lab00_reduction/kernel.cu ]; then
    check 'docs/draw/record.sh fails' docs/draw/record.sh "$work/runs"
    for run in docs/draw/*/*.run; do
        check "$run is not what happens" cmp "$run" "$work/runs/${run#docs/draw/}"
    done
fi
for lab in labs/lab*_*; do
    name=${lab#labs/}
    check "$lab/README.md has no map of the course" grep -q '](../../docs/course.svg)' "$lab/README.md"
    for section in Background 'The task' 'How it is graded' Questions 'Going further'; do
        check "$lab/README.md has no section '$section'" grep -q "^## $section" "$lab/README.md"
    done
    check "slides/$name.md: not 12 to 20 slides" \
        between 11 "$(grep -c '^## ' "slides/$name.md" 2>/dev/null || echo 0)" 19
    check "slides/$name.md: a slide without notes" every_slide_has_notes "slides/$name.md"
done
for page in README.md docs/*.md docs/findings/*.md labs/*/README.md slides/*.md $(find softgpu grader -name README.md); do
    check "$page names a file that is not there" named_files_exist "$page"
    check "$page has a dead link" links_lead_somewhere "$page"
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
