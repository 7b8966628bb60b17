#!/usr/bin/env bash
# Compares two outputs of cases.sh: tests/gpu/compare.sh A B
#
# Prints a line for each case of the same arguments whose results differ, and how many were equal, how
# many of B are not in A. Exit status 1 if one differs, or none is in both.
set -eu
by_arguments() { grep -v '^#' "$1" | awk '{ hash = $1; sub(/^[^ ]* /, ""); print $0 "|" hash }' | sort; }
join -t '|' -a 2 -o 2.1,1.2,2.2 <(by_arguments "$1") <(by_arguments "$2") | awk -F'|' '
    $2 == "" { unknown++; next }
    $2 != $3 { print "DIFFERS: " $1; differ++; next }
    { equal++ }
    END {
        printf "cases equal %d, different %d, not recorded %d\n", equal, differ, unknown
        exit differ > 0 || equal == 0
    }'
