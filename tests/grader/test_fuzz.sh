#!/bin/sh
# Fuzzing of everything that the grader reads from outside: specs, result files, findings, with the sanitizers. A fixed
# number of inputs, with FULL=1 three times as many; SECONDS_EACH goes on for so long instead, and SEED makes others.
set -eu
cd "$(dirname "$0")/../.."
T=$(mktemp -d "${TMPDIR:-/tmp}/fuzz.XXXXXX")
trap 'rm -rf "$T"' EXIT
# spec, compare, score and run are what reads; main and the rest need not be there.
[ "${FULL:-0}" = 0 ] && times=1 || times=3
bound() { [ -n "${SECONDS_EACH:-}" ] && echo "${SECONDS_EACH}s" || echo $(($1 * times)); } # INPUTS
sources="$(ls grader/base/*.c grader/spec/*.c grader/compare/*.c grader/record/record*.c) grader/run/findings.c grader/run/advised.c"
for program in lab_yaml result_file; do
    ${CC:-gcc} -fsanitize=address,undefined -fno-sanitize-recover=all -g -O1 -std=gnu11 \
        -D_GNU_SOURCE -DFENCEPOST_VERSION=\"fuzz\" -Igrader -Isoftgpu -o "$T/$program" tests/fuzz/$program.c $sources \
        -lcyaml -lyaml -ljansson -lm
done
"$T/lab_yaml" tests/grader/specs/ok.yaml "$(bound 5000)" "${SEED:-1}"
"$T/result_file" "$(bound 5000)" "${SEED:-1}"
