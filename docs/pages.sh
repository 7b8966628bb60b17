#!/usr/bin/env bash
# Collects what is written for people into pages for the site: docs/pages.sh FOLDER
#
# Doxygen takes any README.md for the main page, so each is copied under a name of its own, and links
# between them are rewritten to match. The order of the pages, and which lie below which, is the list
# at the end.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
FOLDER=$1
rm -f "$FOLDER"/*
# Between quotation marks Doxygen takes no Markdown, nor an asterisk before one for emphasis. Code keeps its own.
no_quotes() {
    awk '
        /^ *```/ { fenced = !fenced }
        fenced || /^ *```/ || /^[<#]/ { print; next }
        !NF { in_code = 0 }
        {
            n = split($0, part, "`"); line = ""
            for (i = 1; i <= n; i++) {
                if (!in_code) { gsub(/\*"/, "<em>\\&quot;", part[i]); gsub(/"\*/, "\\&quot;</em>", part[i]); gsub(/"/, "\\&quot;", part[i]) }
                line = line part[i]
                if (i < n) { line = line "`"; in_code = !in_code }
            }
            print line
        }' "$1"
}
rewrite() { # NAME FILE
    # Doxygen shows the tag of `code` in a heading as text, and ends <details> with its first paragraph. It colours
    # CUDA where it is told that it is C++.
    no_quotes "$2" | sed -e 's/^\( *\)```\(cuda\|cpp\)$/\1```{.cpp}/; s/^\( *\)```c$/\1```{.c}/' -e "1s/\$/ {#$1}/" -e '/^##/s/`//g' \
        -e 's|^<details><summary>|\\htmlonly[block]\n&|; s|</summary>$|&\n\\endhtmlonly|' \
        -e 's|^</details>$|\\htmlonly[block]\n&\n\\endhtmlonly|' \
        -e 's|](\(\.\./\)*labs/\([a-z0-9_]*\)/README\.md)|](@ref \2)|g' \
        -e 's|](\(\.\./\)*docs/course\.svg)|](course.svg)|g' \
        -e 's|](\(\.\./\)*softgpu/\([a-z0-9_]*\)/README\.md)|](@ref \2)|g' \
        -e 's|](\(\.\./\)*\(docs/\)\{0,1\}\([a-z_]*\)\.md\(#[^)]*\)\{0,1\})|](@ref \3)|g' \
        -e 's|](\(\.\./\)*CONTRIBUTING\.md)|](@ref contributing)|g; s|](\(\.\./\)*CHANGELOG\.md)|](@ref changelog)|g' \
        -e 's|\[\([^]]*\)\](LICENSE)|\1|g' \
        -e 's|](\(docs/\)\{0,1\}findings/\([a-z-]*\)\.md)|](@ref finding-\2)|g' \
        -e "s#\[\([^]]*\)\](\(\.\./\)*tests/[^)]*)#\1#g" >"$FOLDER/$1.md"
}
cp docs/*.svg "$FOLDER/"
rewrite home README.md
[ ! -f CONTRIBUTING.md ] || rewrite contributing CONTRIBUTING.md
[ ! -f CHANGELOG.md ] || rewrite changelog CHANGELOG.md
for readme in labs/*/README.md softgpu/execute/README.md; do
    [ -f "$readme" ] || continue
    name=$(basename "$(dirname "$readme")")
    rewrite "$name" "$readme"
    # Pictures of different labs may have one name; here they share a folder.
    for picture in "${readme%README.md}"*.svg; do
        [ -f "$picture" ] || continue
        cp "$picture" "$FOLDER/$name-$(basename "$picture")"
        sed -i "s|]($(basename "$picture"))|]($name-$(basename "$picture"))|" "$FOLDER/$name.md"
    done
done
for page in docs/*.md; do
    rewrite "$(basename "$page" .md)" "$page"
done
# A kind of finding names others by their file names, and pages that are none by ../
others=""
for page in docs/*.md; do
    name=$(basename "$page" .md)
    [ -f "docs/findings/$name.md" ] || others="$others; s|@ref finding-$name)|@ref $name)|g"
done
for page in docs/findings/*.md; do
    kind=$(basename "$page" .md)
    rewrite "finding-$kind" "$page"
    sed -i 's|](\([a-z-]*\)\.md)|](@ref \1)|g; s|](@ref \([a-z-]*\))|](@ref finding-\1)|g'"$others" "$FOLDER/finding-$kind.md"
done

# Which page lies below which, in this order.
below() { # PARENT PAGE…
    local parent=$1 page
    shift
    echo >>"$FOLDER/$parent.md"
    for page in "$@"; do
        [ -f "$FOLDER/$page.md" ] && echo "- @subpage $page" >>"$FOLDER/$parent.md"
    done
}
printf '# The labs {#labs}\n\nEach chapter is the handout of a lab; its deck of slides has the same name.\n' >"$FOLDER/labs.md"
printf '\n## The chapters of this site\n' >>"$FOLDER/home.md"
below home start_here places clang self_study labs findings instructor softgpu contributing changelog
below labs $(cd labs && echo lab*_*)
below findings $(sed -n 's#^| [^(]*(findings/\([a-z-]*\)\.md).*#finding-\1#p' docs/findings.md)
below instructor lab_yaml class sandbox record mutants gpu
below softgpu debugger architecture judge execute runtime ptx_support speed speed_log walk_instruction walk_runtime_call walk_checker walk_lab
below judge judge_acts judge_memory judge_warps judge_host judge_async judge_runs judge_order judge_small judge_all judge_limits

# Members are found through their files and by searching; lists of all of them by letter help nobody.
doxygen -l "$FOLDER/layout.xml" 2>/dev/null
sed -i '/tab type="\(globals\|classmembers\|classindex\|structindex\|hierarchy\|examples\)"/s/visible="[^"]*"/visible="no"/' \
    "$FOLDER/layout.xml"
