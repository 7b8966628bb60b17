#!/usr/bin/env bash
# make editor: clangd finds no error in a lab's files, and still finds a real one; the VS Code task's pattern takes
# what --format github prints. CLANGD_ALL=1 looks at the solutions as well.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=$(readlink -f "${BUILD:-build}")
T=$(mktemp -d "${TMPDIR:-/tmp}/editor.XXXXXX")
trap 'rm -rf "$T"' EXIT
. tests/nvcc.sh || exit 1
cuda=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@" >"$T/log" 2>&1; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $message"; tail -n 8 "$T/log"; fi
}
mkdir "$T/kit"
cp -r common labs scripts "$T/kit/"
[ -z "${CLANGD_ALL:-}" ] || cp -r solutions "$T/kit/"
here=$PWD
cd "$T/kit" || exit 1
check "it writes them" python3 scripts/editor/editor.py "$cuda"
check "both are JSON" sh -c "python3 -m json.tool compile_commands.json && python3 -m json.tool .vscode/tasks.json"
echo '{"version": "2.0.0", "tasks": []}' >"$T/mine"
check ".clangd names this kit" grep -qF "CompilationDatabase: \"$PWD\"" .clangd
echo 'CompileFlags: {}' >"$T/clangd" && cp .clangd "$T/ours" && cp "$T/clangd" .clangd
check "a user's own .clangd stays" sh -c "python3 scripts/editor/editor.py '$cuda' && cmp '$T/clangd' .clangd"
cp "$T/ours" .clangd
cp .vscode/tasks.json "$T/tasks" && cp "$T/mine" .vscode/tasks.json
check "a user's own tasks stay" sh -c "python3 scripts/editor/editor.py '$cuda' && cmp '$T/mine' .vscode/tasks.json"

if command -v clangd >/dev/null; then
    # silent FILE: clangd's own check of a file finds no error.
    silent() { ! timeout 120 clangd --check="$1" --check-lines=1 2>&1 | grep -E '^E\[[0-9:.]*\] \[[a-z_-]+\] Line'; }
    finds() { ! silent "$1"; }
    for file in labs/*/kernel.cu labs/*/harness.c $(ls solutions/*/kernel.cu solutions/*/alternatives/*.cu 2>/dev/null); do
        check "clangd: $file" silent "$file"
    done
    # A student's second file and header, which no list has.
    printf '#pragma once\n__device__ inline int twice(int x) { return 2 * x + (int)threadIdx.x; }\n' >labs/lab03_last_block/mine.cuh
    printf '#include "mine.cuh"\n__global__ void k(int *p) { __syncthreads(); *p = twice(1); }\nvoid go(int *p) { k<<<1, 32>>>(p); }\n' \
        >labs/lab03_last_block/mine.cu
    check "clangd: a file that is in no list" silent labs/lab03_last_block/mine.cu
    check "clangd: a header" silent labs/lab03_last_block/mine.cuh
    rm labs/lab03_last_block/mine.cu*
    cp -r "$here/clang" . # the kit's own headers (make setup CC_CUDA=clang)
    check "it writes them for clang" python3 scripts/editor/editor.py "$PWD/clang"
    cp "$here/tests/clang/groups.cu" "$here/tests/clang/library.cu" labs/lab03_last_block/
    for file in labs/lab03_last_block/kernel.cu labs/lab05_streams/kernel.cu labs/lab08_pipeline/kernel.cu labs/lab03_last_block/harness.c \
        labs/lab03_last_block/groups.cu labs/lab03_last_block/library.cu; do
        check "clangd, with the kit's headers: $file" silent "$file"
    done
    rm labs/lab03_last_block/groups.cu labs/lab03_last_block/library.cu
    python3 scripts/editor/editor.py "$cuda" >/dev/null
    echo '__global__ void wrong(int *p) { *p = nowhere; }' >>labs/lab03_last_block/kernel.cu
    check "a real error is still one" finds labs/lab03_last_block/kernel.cu
else
    echo "no clangd: its view is not tested"
fi

cd "$here" || exit 1
printf 'int a = b;\n' >"$T/bad.cu"
"$BUILD/bin/grade" lab03 --file "$T/bad.cu" --format github >"$T/said"
check "the task's pattern takes a finding" python3 - "$T/tasks" "$T/said" <<'END'
import json, re, sys
pattern = json.load(open(sys.argv[1]))["tasks"][0]["problemMatcher"]["pattern"]
m = re.match(pattern["regexp"], open(sys.argv[2]).readline().rstrip("\n"))
assert m and m[pattern["severity"]] == "error" and m[pattern["line"]] == "1" and m[pattern["file"]].endswith("bad.cu")
assert m[pattern["code"]] == "compile-error" and "undefined" in m[pattern["message"]]
END
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
