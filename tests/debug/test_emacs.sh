#!/usr/bin/env bash
# softgpu --debug with a client that others have written: Emacs' dap-mode, where it is installed.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/emacs
mkdir -p "$out" && out=$(readlink -f "$out")
if ! command -v emacs >/dev/null || ! timeout 60 emacs --batch --eval "(require 'dap-mode)" >/dev/null 2>&1; then
    echo "skipped: there is no Emacs with dap-mode (Debian: elpa-dap-mode)"
    echo "1 passed, 0 failed"
    exit 0
fi
. tests/nvcc.sh || exit 1
unset "${!SOFTGPU_@}"
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/ten" tests/debug/ten.cu || exit 1
if timeout 200 emacs --batch -l tests/debug/emacs_session.el "$(readlink -f "$BUILD")/bin/softgpu" "$out/ten" \
    "$PWD/tests/debug/ten.cu" >"$out/log" 2>&1 </dev/null && grep -q '^the server has gone: yes' "$out/log"; then
    echo "1 passed, 0 failed"
else
    cat "$out/log"
    echo "0 passed, 1 failed"
    exit 1
fi
