#!/usr/bin/env bash
# Every #include points downward (scripts/check_layers.sh); and one that does not is told, in one line.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
note() { # STATUS MESSAGE
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL: $2"
    fi
}
check=$PWD/scripts/check_layers.sh
told=$("$check" . 2>&1)
status=$?
[ -z "$told" ] || echo "$told"
note $status "the layers do not hold"

# docs/architecture.md names every folder that is a room, and no other; each folder says what it is.
rooms=$(for tree in softgpu grader; do awk -v t=$tree '/^[a-z]/ { print t "/" $1 }' $tree/layers; done | grep -v '/softgpu/\|/common/' |
    while read -r room; do [ -d "$room" ] && echo "$room"; done | sort)
named=$(grep -o '`\(softgpu\|grader\)/[a-z_/]*`' docs/architecture.md | tr -d '`' | grep -v '/layers$' | sort -u)
[ "$rooms" = "$named" ]
note $? "docs/architecture.md: $(diff <(echo "$rooms") <(echo "$named") | grep '^[<>]' | tr '\n' ' ')"
for folder in $(find softgpu grader -name '*.c' -printf '%h\n' | sort -u | grep -v '/new_lab$'); do
    [ -f "$folder/README.md" ]
    note $? "$folder has no README.md"
done
for readme in $(find softgpu grader -name README.md | grep -v '/new_lab/'); do
    folder=${readme%/*}
    for file in $(grep -o '`[a-z0-9_/]*\.\(c\|h\|def\|sh\)`' "$readme" | tr -d '`'); do
        [ -e "$folder/$file" ] || [ -e "${folder%%/*}/$file" ] || [ -e "$file" ] ||
            ls "$folder"/*/"$file" >/dev/null 2>&1
        note $? "$readme names $file, which is not there"
    done
done

# tests/README.md says of each test which room it tests.
told=$(awk -F'|' '/^\| / { folder = ""; n = split($3, word, /`/)
    for (i = 2; i <= n; i += 2) { if (split(word[i], part, "/") == 2) folder = part[1]; else word[i] = folder "/" word[i]; print word[i] } }' \
    tests/README.md | grep '/test_' | sort -u)
there=$(ls tests/*/test_*.c tests/*/test_*.sh | sed 's|^tests/||; s/\.[a-z]*$//' | sort -u)
[ "$told" = "$there" ]
note $? "tests/README.md: $(diff <(echo "$told") <(echo "$there") | grep '^[<>]' | tr '\n' ' ')"

copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -r --parents $(find softgpu grader common -name '*.[ch]' -o -name '*.def' -o -name layers) "$copy"
"$check" "$copy" | sed -E 's/:[0-9]+:/:/' | sort >"$copy/known"
"$check" "$copy" "$copy/known" >/dev/null
note $? "the copy is not as known"

# plant FILE TEXT LINE: with the text at the file's end, that line and no other is told.
plant() {
    local kept=
    mkdir -p "$copy/${1%/*}"
    [ -f "$copy/$1" ] && kept=$(cat "$copy/$1")
    printf '%s\n' "$2" >>"$copy/$1"
    "$check" "$copy" "$copy/known" >"$copy/told"
    [ $? -eq 1 ] && [ "$(sed -E 's/:[0-9]+:/:/' "$copy/told")" = "$3" ]
    note $? "$1 with '${2:0:60}' is not told as '$3', but: $(cat "$copy/told")"
    if [ -n "$kept" ]; then printf '%s\n' "$kept" >"$copy/$1"; else rm "$copy/$1"; fi
}
plant softgpu/parse/lexer.c '#include "execute/machine.h"' \
    'softgpu/parse/lexer.c: includes softgpu/execute/machine.h: execute lies above parse in softgpu/layers'
plant softgpu/base/list.h '#include "softgpu/nowhere.h"' 'softgpu/base/list.h: includes softgpu/nowhere.h, which is nowhere'
plant softgpu/execute/machine.h '#include "execute/fast_memory.h"' \
    'softgpu/execute/machine.h: includes softgpu/execute/fast_memory.h, of which it uses no name: let those include it who do'
plant softgpu/attic/old.c 'int old;' 'softgpu/attic/old.c: is in no room of softgpu/layers'
plant softgpu/base/lexer.c 'int lexer;' 'softgpu/parse/lexer.c: softgpu/base/lexer.c has the same name and is another thing'
plant softgpu/base/arena.h '#include "base/diag.h"
#include "base/arena2.h"' 'softgpu/base/arena.h: includes base/arena2.h, which is nowhere'
plant softgpu/host/instruction.h '#include "host/single_step.h"' \
    'headers include each other in a circle: softgpu/host/instruction.h softgpu/host/single_step.h'
plant softgpu/base/list.c "$(yes 'int tentative;' | head -400)" \
    "softgpu/base/list.c: has $((400 + $(wc -l <softgpu/base/list.c))) lines, more than 400"
users=$(grep -l '"base/list.h"' -r softgpu grader common --include='*.[ch]' | wc -l)
plant softgpu/base/list.h "$(yes 'int tentative;' | head -140)" \
    "softgpu/base/list.h: has $((140 + $(wc -l <softgpu/base/list.h))) lines and $users files include it: split it by what they need"
kept=$(cat "$copy/softgpu/base/list.h")
yes 'int tentative;' | head -100 >>"$copy/softgpu/base/list.h"
"$check" "$copy" "$copy/known" >"$copy/told"
note $? "a header short enough is told: $(cat "$copy/told")"
printf '%s\n' "$kept" >"$copy/softgpu/base/list.h"
plant grader/base/text.c '#include "course/watch.h"' \
    'grader/base/text.c: includes grader/course/watch.h: course lies above base in grader/layers'
plant grader/base/kit.c '#include "execute/machine.h"' \
    'grader/base/kit.c: includes softgpu/execute/machine.h, which is in no room of grader/layers'
plant common/random.c '#include "timing.c"' \
    'common/random.c: includes common/timing.c: timing lies above random in common/layers'
plant softgpu/layers 'cellar  under everything' 'softgpu/layers: no file is in the room cellar'
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
