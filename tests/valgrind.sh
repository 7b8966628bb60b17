#!/usr/bin/env bash
# `make valgrind`: the C tests under valgrind, which also sees values that were never set. BUILD is the ordinary build.
#
#   tests/valgrind.sh PROGRAM…
#
# Of the addresses that softgpu reserves valgrind keeps a record that fills any memory: 16 TB. Where fewer can be had softgpu
# reserves fewer, so there are 50 GB. Left out, for what valgrind cannot do: test_memory, which reads on purpose what nobody
# may read and has 128 GB at once; test_numerics_approx and _convert, which judge by `long double` (80 bits, valgrind's has
# 64); test_numerics_real, which judges by the processor's four ways of rounding (valgrind's fma() knows
# one); test_alu_compiled (valgrind takes the comparison "ordered and not equal" for the unordered one); test_child, whose threads
# are to wait for a processor (under valgrind they wait for valgrind, which runs one at a time).
set -u
cd "$(dirname "$0")/.." || exit 1
mapfile -t programs < <(printf '%s\n' "$@" | grep -v '/test_\(memory\|numerics_approx\|numerics_convert\|numerics_real\|alu_compiled\|child\)$')
[ ${#programs[@]} -gt 0 ] || { echo "valgrind: none of these can run under it"; exit 1; }
ulimit -v 50000000
export UNDER="valgrind -q --error-exitcode=9 --suppressions=$PWD/tests/valgrind.supp" TIMEOUT=${TIMEOUT:-7200} PART=all
exec tests/run.sh "${programs[@]}"
