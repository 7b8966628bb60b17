#!/usr/bin/env bash
# Made by Fencepost's scripts/platform.sh: grades one submission for PrairieLearn's external grader.
root=${GRADE_ROOT:-/grade}
kit=${FENCEPOST_KIT:-/fencepost}
file=$root/student/kernel.cu
result=$root/results/results.json
mkdir -p "$root/results"
rm -f "$result"
# Not gradable: costs the student no attempt.
say() {
    message=$(printf '%s' "$1" | tr -d '\000-\037"\\' | cut -c 1-2000)
    printf '{"gradable": false, "format_errors": "%s"}\n' "$message" >"$result"
}
if [ ! -f "$file" ] || [ -L "$file" ]; then
    say "Hand in one file named kernel.cu."
    exit 0
fi
errors=$("$kit/grade" @SHORT@ --file "$file" --format prairielearn --output "$result" 2>&1 >/dev/null </dev/null)
[ -s "$result" ] || say "Could not judge, which is not your fault; tell your instructor: $errors"
exit 0
