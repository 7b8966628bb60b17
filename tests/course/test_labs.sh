#!/usr/bin/env bash
# Proves every lab in step with its solutions: the skeleton compiles and scores below full marks, the
# solution and every alternative score full marks, every wrong variant gets its verdict.
set -u
cd "$(dirname "$0")/../.." || exit 1
./grade dev check | tee "${BUILD:-build}/tests/dev_check.txt"
status=${PIPESTATUS[0]}
awk '/^[0-9]+ files: / { good += $3; bad += $8 + $10 }
     END { printf "%d passed, %d failed\n", good, bad }' "${BUILD:-build}/tests/dev_check.txt"
exit "$status"
