#!/usr/bin/env bash
# Hostile input: the PTX parser and the reader of fat binaries, under the address and undefined-behaviour sanitizers, and
# the executor with its checkers on damaged programs. A fixed number of inputs, with FULL=1 three times as many, so that
# every machine tries the same; FUZZ_SEED makes others, and `FUZZ_SECONDS=600 tests/fuzz/test_fuzz.sh` is the long run.
# Each tells its slowest input, which stays in BUILD/tests/fuzz/.
set -u
cd "$(dirname "$0")/../.."
here=$PWD
out=${BUILD:-build}/tests/fuzz
[ "${FULL:-0}" = 0 ] && times=1 || times=3
seed=${FUZZ_SEED:-1}
bound() { [ -n "${FUZZ_SECONDS:-}" ] && echo "${FUZZ_SECONDS}s" || echo $(($1 * times)); } # INPUTS
flags="-std=gnu11 -D_GNU_SOURCE -g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -Isoftgpu"
passed=0 failed=0
mkdir -p "$out"
out=$(cd "$out" && pwd)

tell() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAIL $2"; fi
}

fuzz() { # NAME SOURCES… -- ARGUMENTS…
    local name=$1 sources=() status
    shift
    while [ "$1" != -- ]; do sources+=("$1"); shift; done
    shift
    # shellcheck disable=SC2086
    ${CC:-gcc} $flags -o "$out/$name" "${sources[@]}" -lzstd -llz4 -lm || { tell 1 "$name: build"; return; }
    (cd "$out" && "./$name" "$@")
    status=$?
    tell $status "$name"
}

fuzz ptx tests/fuzz/ptx.c softgpu/base/{arena,diag,list}.c softgpu/parse/*.c -- \
    "$(bound 5000)" "$seed" "$here"/tests/ptx/*.ptx "$here"/tests/golden/{vectors,call_indirect,brx,variables}.ptx
fuzz fatbin tests/fuzz/fatbin.c softgpu/base/{arena,diag,list}.c softgpu/runtime/code/{fatbin,register_bound}.c -- \
    "$(bound 50000)" "$seed"

# The executor is as it is shipped, with its assertions.
# shellcheck disable=SC2086
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -g -O1 -pthread -Isoftgpu -Itests -o "$out/execute" tests/fuzz/execute.c \
    "${BUILD:-build}/lib/libsoftgpu.a" -ljansson -lzstd -llz4 -ldw -lm -ldl &&
    (cd "$out" && GOLDEN="$here/tests/golden" TERM=dumb ./execute "$(bound 1000)" "$seed") >"$out/execute.log" 2>&1
status=$?
cat "$out/execute.log"
tell $status execute
grep -q '^execute: the slowest input took .* execute_slowest.ptx' "$out/execute.log" && [ -s "$out/execute_slowest.ptx" ]
tell $? "execute: its slowest input"

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
