#!/usr/bin/env bash
# Random host programs (random_streams.cu): what is found is what conflicts by definition. STREAMS_SEED=N makes others, STREAMS_COUNT=N so many.
# Half of them are of the seed N + 1: one of the two is even, and has graphs, managed memory and more streams (scene.h).
set -u
export SOFTGPU_CACHE=off
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/streams
mkdir -p "$out"
. tests/nvcc.sh || exit 1
passed=0 failed=0

"${CC:-gcc}" -O2 -std=gnu11 -Wall -Wextra -c -o "$out/scene.o" tests/streams/scene.c || exit 1
"$nvcc" -O2 -lineinfo -arch=sm_75 -cudart shared -Itests/streams -o "$out/random_streams" tests/streams/random_streams.cu "$out/scene.o" || exit 1

first=${STREAMS_SEED:-1} count=${STREAMS_COUNT:-200}
words=("nothing" "either" "a conflict")

# found OPTION…: is anything but a remark found of scene $n, or does it fail?
found() {
    timeout 60 "$BUILD/bin/softgpu" "$@" --json "$out/found.json" "$out/random_streams" run "$seed" "$n" >"$out/found.log" 2>&1 || return 0
    grep -q '"level":"\(error\|warning\)"' "$out/found.json"
}

conflicts=0
for ((n = 0; n < count; n++)); do
    seed=$((first + n % 2))
    "$out/random_streams" right "$seed" "$n"
    right=$? is=0
    found && is=2
    if [ $right -ne 1 ] && [ $right -ne $is ]; then
        echo "FAIL seed $seed, scene $n: ${words[is]} was found, ${words[right]} is right"
        "$out/random_streams" print "$seed" "$n" 2>&1
        failed=$((failed + 1))
        continue
    fi
    passed=$((passed + 1))
    conflicts=$((conflicts + (right == 2)))
done
echo "of $count scenes $conflicts conflict"
if [ "$conflicts" -lt $((count / 4)) ] || [ "$conflicts" -gt $((count * 3 / 4)) ]; then
    echo "FAIL the scenes are nearly all alike"
    failed=$((failed + 1))
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
