#!/usr/bin/env bash
# The Python package in a real Jupyter server, as a browser uses it, and the notebooks made of the handouts.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
python=.venv/bin/python
if ! $python -c 'import jupyter_server, setuptools, wheel' 2>/dev/null; then
    echo "skipped: no Jupyter in .venv ('make setup NOTEBOOK=1' installs it)"
    echo "0 passed, 0 failed"
    exit 0
fi
work=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null; rm -rf "$work"' EXIT
passed=0 failed=0
check() { # MESSAGE COMMAND…
    local message=$1
    shift
    if "$@"; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL: $message"; fi
}
make -s notebook BUILD="$BUILD" >"$work/log" 2>&1
check "make notebook: $(tail -n 3 "$work/log")" [ $? -eq 0 ]
wheel=$(ls "$BUILD"/notebook/*.whl)
$python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall --target "$work/site" "$wheel"
check 'the wheel installs' [ $? -eq 0 ]

# The same handout, the same bytes; every notebook is one by Jupyter's own schema.
for lab in labs/lab*_*; do
    book=$BUILD/notebook/$(basename "$lab").ipynb
    $python notebook/make_notebook.py "$lab" "$work/again.ipynb"
    check "$book: made twice, differs" cmp -s "$book" "$work/again.ipynb"
    check "$book: not a notebook" $python -c 'import nbformat, sys
nbformat.validate(nbformat.read(sys.argv[1], as_version=4))' "$book"
    check "$book: shows the tests' comments" sh -c '! grep -q "<!--" "$1"' sh "$book"
    check "$book: lost the skeleton" $python - "$book" "$lab/kernel.cu" <<'PY'
import json, sys
cells = ["".join(c["source"]) for c in json.load(open(sys.argv[1]))["cells"] if c["cell_type"] == "code"]
sys.exit(not any(open(sys.argv[2]).read().strip() in c for c in cells))
PY
done

cat >"$work/cells" <<CELLS
%load_ext fencepost
#---
%%cuda --seed 1
#include <cstdio>
__global__ void count(int *x) { *x = threadIdx.x; }
int main()
{
    int *x, got;
    cudaMalloc(&x, sizeof *x);
    count<<<2, 32>>>(x);
    cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost);
    printf("got %d\n", got);
    fprintf(stderr, "a word of the program\n");
}
#---
%%cuda
#include <cstdio>
__global__ void count(int *x) { atomicAdd(x, 1); }
int main(int argc, char **argv)
{
    int *x, got;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    count<<<2, 32>>>(x);
    cudaMemcpy(&got, x, sizeof got, cudaMemcpyDeviceToHost);
    printf("got %d\n", got);
    cudaFree(x);
}
#---
%%cuda
int main() { return nonsense; }
#---
#interrupt
get_ipython().run_cell_magic("cuda", "--check none", """
#include <cstdio>
__global__ void spin(volatile int *x) { while (!*x) ; }
int main()
{
    int *x;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    printf("begun\\\\n");
    fflush(stdout);
    spin<<<1, 1>>>(x);
    cudaDeviceSynchronize();
}
""")
#---
%%lab lab00 part=A
$(cat solutions/lab00_*/kernel.cu)
#---
%lab lab00
#---
%%lab lab00 case=no_such
$(cat solutions/lab00_*/kernel.cu)
#---
%%lab lab00
$(cat labs/lab00_*/kernel.cu)
#---
%hint lab00
#---
%%lab
nothing
CELLS

mkdir "$work/books"
(cd "$work/books" && exec env FENCEPOST_KIT="$OLDPWD" PYTHONPATH="$work/site" IPYTHONDIR="$work/ipython" \
    JUPYTER_RUNTIME_DIR="$work/runtime" JUPYTER_CONFIG_DIR="$work/config" JUPYTER_DATA_DIR="$work/data" \
    "$OLDPWD/$python" -m jupyter_server --no-browser --allow-root --ip 127.0.0.1 --port 0 \
    --IdentityProvider.token=secret >"$work/server.log" 2>&1) &
server=$!
for _ in $(seq 600); do
    info=$(ls "$work"/runtime/jpserver-*.json 2>/dev/null) && [ -n "$info" ] && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
url=$($python -c 'import json, sys; print(json.load(open(sys.argv[1]))["url"].rstrip("/"))' "$info" 2>"$work/log")
if ! $python tests/notebook/session.py "$url" secret "$work/cells" >"$work/shown" 2>"$work/log"; then
    cat "$work/log" "$work/server.log"
fi

# cell NUMBER FIELD TEXT…: what that cell showed there has these texts; !TEXT: has not.
cell() {
    check "cell $1: $2: $3" $python - "$work/shown" "$@" <<'PY'
import json, sys
lines = open(sys.argv[1]).read().splitlines()
number, field, texts = int(sys.argv[2]), sys.argv[3], sys.argv[4:]
shown = json.loads(lines[number])[field] if number < len(lines) else "the session ended early"
wrong = [t for t in texts if (t[1:] in str(shown) if t[0] == "!" else t not in str(shown))]
if wrong:
    print(f"cell {number}, {field}: {wrong}: {str(shown)[-1500:]}")
sys.exit(bool(wrong))
PY
}
cell 0 status ok
cell 1 stdout 'got '
cell 1 html data-race 'line 2' '*x = threadIdx.x' 'block 0, thread 31' 'block 1, thread 0' 'let only one thread write'
cell 1 text data-race
cell 1 stderr 'a word of the program' '!softgpu: data-race'
cell 2 stdout 'got 64'
cell 2 html 'no findings' '!data-race'
cell 3 stderr 'cell.cu(1)' nonsense
cell 3 html '!no findings'
cell 4 stdout begun
cell 4 stderr KeyboardInterrupt
check 'an interrupted program runs on' sh -c '! pgrep -f "[.]/cell" >/dev/null'
cell 5 html '<iframe' 'Part A' '!class=score'
cell 6 text 'lab00: 100'
cell 6 updates some
cell 7 stderr 'no case' 'cases:'
cell 8 text 'lab00: 0'
cell 9 stdout 'int'
cell 10 stderr 'which lab?'
cell 10 status ok
check 'the file is kept' [ -s "$work/books/lab00_kernel.cu" ]
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 0 ]
