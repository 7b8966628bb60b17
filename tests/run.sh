#!/usr/bin/env bash
# Runs test programs and scripts side by side, one line each, and sums up.
#
#   tests/run.sh PROGRAM…     (JOBS=N for another number at a time than cores, BUILD=DIR, FULL=1,
#                              UNDER='valgrind …' for C tests)
#
# Everyday, labs are tested with one variant of each sort and fewer seeds, and what nvcc made of the same source before is
# taken; scripts say at their head what FULL=1 adds. And of what takes long a sixth is tested: of large suites every sixth case
# (part.sh), of the programs and scripts in turns.txt every sixth, another sixth after each commit, or the one that
# PART=2/6 says, from 0. PART=all tests all, as CI and FULL=1 do.
# A CUnit program counts its tests; a script that ends with 'N passed, N failed' counts those, any
# other counts as one. Each line ends with seconds of wall time and of CPU time. Output goes to
# BUILD/tests/NAME.log and is shown for what failed, its end once more when all have run. Exit status 1
# when anything failed or nothing ran. The last line is 'N passed, N failed'.
set -u
BUILD=${BUILD:-build}
TIMEOUT=${TIMEOUT:-1800}
FULL=${FULL:-0}
UNDER=${UNDER:-}
SOFTGPU_CACHE=off # what tests make is not for the user's folder
[ "$FULL" = 0 ] || PART=all
: "${PART:=$(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 6))/6}"
export BUILD TIMEOUT FULL UNDER PART SOFTGPU_CACHE
# What nvcc makes is kept from one everyday run to the next (tests/nvcc.sh, grader/build/kept.h).
if [ "$FULL" = 0 ]; then
    mkdir -p "$BUILD/tests/kept"
    KEPT=$(cd "$BUILD/tests/kept" && pwd) FENCEPOST_COMPILED=$KEPT
    export KEPT FENCEPOST_COMPILED
    find "$KEPT" -type f -mtime +3 -delete
fi

run_one() {
    local name=${1#"$BUILD"/tests/} log start status
    name=${name#tests/}
    log=$BUILD/tests/${name//\//.}.log
    start=$(date +%s.%N)
    case $1 in
    *.sh) timeout -k 5 "$TIMEOUT" bash "$1" >"$log" 2>&1 </dev/null ;;
    *) timeout -k 5 "$TIMEOUT" $UNDER "$1" >"$log" 2>&1 </dev/null ;;
    esac
    status=$?
    times >"$log.times" # the shell's own, then its children's: user, system
    # Last match wins: CUnit's "tests total ran passed failed inactive", or our plain closing line.
    local counts
    counts=$(awk '$1 == "tests" && NF >= 6 { p = $4; f = $5; seen = 1 }
                  /^[0-9]+ passed, [0-9]+ failed/ { p = $1; f = $3; seen = 1 }
                  END { if (seen) print p, f }' "$log")
    [ -n "$counts" ] || counts=$([ $status -eq 0 ] && echo 1 0 || echo 0 1)
    local passed=${counts% *} failed=${counts#* }
    [ $status -ne 0 ] && [ "$failed" -eq 0 ] && failed=1
    printf '%s %s\n' "$passed" "$failed" >"$log.count"
    local word=ok
    if [ "$failed" -ne 0 ]; then
        word=FAIL
        [ $status -eq 124 ] && word="FAIL (stopped after $TIMEOUT s)"
    fi
    printf '%-40s %4d passed %6.1f s %6.1f s CPU  %s\n' "$name" "$passed" \
        "$(echo "$(date +%s.%N) - $start" | awk '{ print $1 - $3 }')" \
        "$(awk -F '[ ms]+' 'END { print 60 * $1 + $2 + 60 * $3 + $4 }' "$log.times")" "$word"
    [ "$failed" -eq 0 ] || sed 's/^/    /' "$log" | tail -n 40
}
export -f run_one

if [ $# = 0 ]; then
    echo "no test's path holds ${ONLY:-a word that was asked for}: they are tests/*/test_*; a lab's are make test ONLY=course/, or tests/course/test_labs.sh LAB"
    echo '0 passed, 0 failed'
    exit 1
fi
# Whose turn it is; what ONLY names is tested in any case.
. "$(dirname "$0")/part.sh"
turns=$(grep -v '^#' "$(dirname "$0")/turns.txt")
[ -z "${ONLY:-}" ] || turns=''
not_today=$(grep -vxFf <(part_of <<<"$turns") <<<"$turns")
mapfile -t tests < <(printf '%s\n' "$@" | awk -v build="$BUILD/tests/" -v not_today="$not_today" '
    BEGIN { for (n = split(not_today, name, "\n"); n; n--) skipped[name[n]] }
    { test = $0; sub(/^tests\//, "", test); if (index(test, build) == 1) test = substr(test, length(build) + 1) }
    !(test in skipped)')
[ "$PART" = all ] || echo "part $PART of the large suites, $(wc -w <<<"$not_today") tests are left to other parts: PART=all tests all"
mkdir -p "$BUILD/tests"
find "$BUILD/tests" -name '*.log.count' -delete
# Scripts first: they take longest.
{ printf '%s\n' "${tests[@]}" | grep '\.sh$'; printf '%s\n' "${tests[@]}" | grep -v '\.sh$'; } | grep . |
    xargs -r -d '\n' -n 1 -P "${JOBS:-$(nproc)}" bash -c 'run_one "$0"'

# What failed, once more where one looks.
find "$BUILD/tests" -name '*.log.count' | sort | while read -r count; do
    read -r _ failed <"$count"
    [ "$failed" -ne 0 ] || continue
    log=${count%.count}
    printf 'FAIL %s, the end of %s:\n' "$(basename "$log" .log | sed 's/\./\//')" "$log"
    tail -n 12 "$log" | sed 's/^/    /'
done
find "$BUILD/tests" -name '*.log.count' -exec cat {} + |
    awk '{ p += $1; f += $2 } END { printf "%d passed, %d failed\n", p, f; exit f > 0 || p == 0 }'
