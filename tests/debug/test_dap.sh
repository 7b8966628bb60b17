#!/usr/bin/env bash
# softgpu --debug: whole sessions of a scripted client, what is malformed or too long, clients that vanish.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
python=python3 # with the protocol's schema, where that is (tests/debug/dap_schema.py)
[ -x .venv/bin/python ] && python=.venv/bin/python
out=$BUILD/tests/dap
mkdir -p "$out" && out=$(readlink -f "$out")
. tests/nvcc.sh || exit 1
unset "${!SOFTGPU_@}"
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/ten" tests/debug/ten.cu || exit 1
PYTHONDONTWRITEBYTECODE=1 "$python" tests/debug/client.py "$(readlink -f "$BUILD")/bin/softgpu" "$out/ten" tests/debug/ten.cu
