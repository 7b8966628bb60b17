#!/usr/bin/env bash
# Holds what files make visible against the rows of api.def: exports.sh MAP OBJECT…
#
# MAP is the version script made from the rows. One line for each visible function without a row, and for
# each row that no object defines; then the status is 1.
set -u
map=$1
shift
readelf -sW "$@" /dev/null 2>/dev/null | awk -v map="$map" '
    BEGIN {
        while ((getline line < map) > 0)
            if (line !~ /^[ \t]*\*|[{}:]/)
                for (n = split(line, names, /[; \t]+/); n > 0; n--)
                    if (names[n] != "")
                        row[names[n]] = 1
    }
    $1 == "File:" { file = $2; sub(/^.*\/obj\//, "", file); sub(/\.o$/, ".c", file) }
    ($5 == "GLOBAL" || $5 == "WEAK") && $6 == "DEFAULT" && $7 != "UND" {
        if ($8 in row)
            defined[$8] = 1
        else {
            printf "%s: %s is visible to programs, but has no row in softgpu/runtime/api.def\n", file, $8
            bad = 1
        }
    }
    END {
        for (name in row)
            if (!(name in defined)) {
                printf "softgpu/runtime/api.def: %s has a row, but no file defines it\n", name
                bad = 1
            }
        exit bad
    }' >&2
