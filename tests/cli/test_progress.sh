#!/usr/bin/env bash
# How far a long launch is: told on a terminal after the time that --progress gives, gone at the end, and nowhere else.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
. tests/nvcc.sh || exit 1
kept_nvcc -arch=compute_75 -cudart shared -o "$work/busy" tests/cli/progress.cu || exit 1
passed=0 failed=0
tell() {
    if [ "$1" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "FAIL: $2"; fi
}
# With a terminal of its own.
terminal() { timeout 100 python3 -c 'import pty, sys; sys.exit(pty.spawn(sys.argv[1:]) >> 8)' "$@" </dev/null; }

for check in all none; do
    terminal "$BUILD/bin/softgpu" --check $check --progress 0 "$work/busy" >"$work/out" 2>&1
    tell $? "--check $check: the program's exit status"
    grep -qE 'softgpu: kernel busy(, run 1 of 3|, looking further)?: [0-9]+ of 32 blocks, [0-9]+ s' "$work/out"
    tell $? "--check $check: progress is told: $(head -c 300 "$work/out")"
    tail -c 4 "$work/out" | grep -q $'\r\033\\[K'
    tell $? "--check $check: the line is gone at the end"
    terminal "$BUILD/bin/softgpu" --check $check --progress 100000 "$work/busy" >"$work/out" 2>&1
    ! grep -q 'blocks' "$work/out"
    tell $? "--check $check: nothing before its time"
    timeout 100 "$BUILD/bin/softgpu" --check $check --progress 0 "$work/busy" >"$work/out" 2>&1
    [ ! -s "$work/out" ]
    tell $? "--check $check: nothing where stderr is no terminal"
done
"$BUILD/bin/softgpu" --progress soon "$work/busy" 2>&1 | grep -q "progress cannot be 'soon': it takes a number"
tell $? "a wrong value is told"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
