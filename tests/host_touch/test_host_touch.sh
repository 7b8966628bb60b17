#!/usr/bin/env bash
# Loads and stores that the host makes of memory it shares with unfinished work: each mistake beside its
# right twin, in page-locked and in managed memory.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/host_touch
source=tests/host_touch/programs.cu
mkdir -p "$out"
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc .cuda/bin/nvcc 2>/dev/null | head -n 1)
[ -n "$nvcc" ] || { echo "no nvcc: run 'make setup'"; exit 1; }
"$nvcc" -g -arch=compute_75 -lineinfo -cudart shared -o "$out/programs" $source || exit 1
passed=0 failed=0

# try KIND CASE [managed]: one finding of that kind, or none if KIND is 'silent', at the marked line.
try() {
    local findings=$out/$2.jsonl wrong="" line
    timeout 60 "$BUILD/bin/softgpu" --check all --json "$findings" "$out/programs" "${@:2}" >"$out/log" 2>&1
    local status=$? kinds
    kinds=$(grep -o '"kind":"[a-z-]*"' "$findings" | cut -d'"' -f4 | sort -u | tr '\n' ' ')
    if [ "$1" = silent ]; then
        [ "$kinds" = "" ] && [ $status -eq 0 ] || wrong="status $status, $kinds"
    else
        [ "$kinds" = "$1 " ] && [ $status -eq 86 ] || wrong="status $status, $kinds"
        line=$(grep -n "// $2\$" $source | head -n 1 | cut -d: -f1)
        [ -z "$line" ] || grep -q "\"line\":$line," "$findings" || wrong="$wrong not at line $line"
        line=$(grep -n "host: $2\$" $source | head -n 1 | cut -d: -f1)
        [ -z "$line" ] || grep -q "\"line\":$line," "$findings" || wrong="$wrong not at line $line"
    fi
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL ${*:2}: $wrong instead of $1"
    fi
}
both() {
    try "$@"
    try "$@" managed
}

both silent right
both missing-release no_fence
both missing-release device_fence
both silent block
both missing-release block_no_fence
both silent release
both stream-race release_device
both stream-race plain_flag
both silent count_system
both stream-race count_device
both silent receive
both missing-acquire receive_no_fence
both missing-acquire receive_device_fence
both silent receive_acquire
both silent waited
both stream-race not_waited
both silent event_waited
both stream-race overwritten
both silent elsewhere
both silent other_bytes
try silent copy_waited
try stream-race copy_not_waited
try stream-race source_reused
try silent source_read

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
