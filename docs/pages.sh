#!/usr/bin/env bash
# Collects what is written for people into pages for the site: docs/pages.sh FOLDER
#
# Doxygen takes any README.md for the main page, so each is copied under a name of its own, and links
# between them are rewritten to match.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
rewrite() { # NAME FILE
    sed -e "1s/\$/ {#$1}/" \
        -e 's|](\(\.\./\)*labs/\([a-z0-9_]*\)/README\.md)|](@ref \2)|g' \
        -e 's|](\(docs/\)\{0,1\}\([a-z_]*\)\.md)|](@ref \2)|g' \
        -e "s#\[\([^]]*\)\](\.\./tests/[^)]*)#\1#g" "$2" >"$FOLDER/$1.md"
}
FOLDER=$1
rm -f "$FOLDER"/*.md
rewrite start README.md
for readme in labs/*/README.md softgpu/*/README.md; do
    [ -f "$readme" ] || continue
    name=$(basename "$(dirname "$readme")")
    rewrite "$name" "$readme"
    # Pictures of all labs have one name; here they share a folder.
    [ -f "${readme%README.md}picture.svg" ] || continue
    cp "${readme%README.md}picture.svg" "$FOLDER/$name.svg"
    sed -i "s|](picture.svg)|]($name.svg)|" "$FOLDER/$name.md"
done
for page in docs/*.md; do
    rewrite "$(basename "$page" .md)" "$page"
done
