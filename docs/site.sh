#!/usr/bin/env bash
# Builds the site: docs/site.sh BUILD AWESOME leaves it in BUILD/docs/html. What Doxygen has to say is
# a warning; there should be none.
set -eu
cd "$(dirname "$0")/.."
docs/pages.sh "$1/docs/pages"
rm -rf "$1/docs/html"
BUILD=$1 AWESOME=$2 doxygen docs/Doxyfile
# Lists of all members by letter: written though the layout leaves them out; nothing leads there.
find "$1/docs/html" -regextype posix-extended -regex '.*/(classes|(functions|globals)(_[a-z]+)*)\.html' \
    ! -name '*_8h.html' -delete
