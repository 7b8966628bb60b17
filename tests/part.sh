# shellcheck shell=bash
# Everyday's part of a large suite: `. tests/part.sh`. PART=I/N (tests/run.sh) has of N cases each the I-th, from 0; without PART,
# and with PART=all, a script called by itself does all.

[[ ${PART:-all} =~ ^(all|[0-9]+/[1-9][0-9]*)$ ]] && { [ "${PART:-all}" = all ] || [ "${PART%/*}" -lt "${PART#*/}" ]; } ||
    { echo "PART=$PART: it is all, or I/N with I from 0 to N - 1" && exit 1; }

part_of() { # of what is read, a case a line
    awk -v part="${PART:-all}" 'split(part, p, "/") < 2 || (NR - 1) % p[2] == p[1]'
}

in_part() { # NUMBER: is the case of that number one of them?
    local number=$((10#$1))
    [[ ${PART:-all} != */* ]] || [ $((number % ${PART#*/})) -eq "${PART%/*}" ]
}
