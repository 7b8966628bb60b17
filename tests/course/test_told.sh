#!/bin/sh
# What labs say where a submission falls short of them: what a property counted, in the handout's words; that a function
# waited which must not; which of the harness's buffers a finding is about.
set -u
cd "$(dirname "$0")/../.." || exit 1
passed=0 failed=0
check() { # NAME STATUS: of the last command
    if [ "$2" = 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
    fi
}
for spec in labs/lab*/lab.yaml; do
    without=$(awk '/^[a-z]/ { inside = /^properties:/ }
                   inside && (/^  - / || /^[a-z]/) { if (counter != "" && !unit) print counter; counter = ""; unit = 0 }
                   inside && /^ *(- )?counter:/ { counter = $NF }
                   inside && /^ *(- )?unit:/ { unit = 1 }
                   END { if (counter != "" && !unit) print counter }' "$spec")
    [ -z "$without" ]
    check "$spec says what it counts: $without" $?
done
out=$(./grade lab05 --file solutions/lab05_streams/wrong/host_waits.cu --case join_odd)
check "a function that waits does not pass" $((1 - $?))
echo "$out" | tr -s ' \n' ' ' | grep -q "your function waited on the host; must return at once"
check "it is told that it waited" $?
out=$(./grade lab03 --file solutions/lab03_last_block/wrong/no_release.cu --case two_blocks --seed 5)
check "a block that does not release does not pass" $((1 - $?))
echo "$out" | tr -s ' \n' ' ' | grep -q 'Block 1 may not see what block 0 wrote to "partial\[0\]"'
check "a finding names the harness's buffer, and the element" $?
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
