#!/usr/bin/env bash
# The student's guide to findings: of each kind the smallest example gets that kind on softgpu, and
# its fix gets no finding. The code is what stands in docs/findings/KIND.md, word for word.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc .cuda/bin/nvcc 2>/dev/null | head -n 1)
[ -n "$nvcc" ] || { echo "no nvcc: run 'make setup'"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0 failed=0
fail() {
    failed=$((failed + 1))
    echo "FAIL: $*"
}

# The fenced block under '## TITLE'.
block() { # TITLE FILE
    awk -v title="## $1" '/^## /{ on = $0 == title } on && /^```/{ if (inside) exit; inside = 1; next } inside' "$2"
}
# All in one program, each in a namespace: one call of nvcc. Where the example has no main of its own,
# its kernel k gets 1024 zeroes, in as many blocks and threads as its first line says.
{
    echo '#include <cassert>'
    echo '#include <cstring>'
} >"$work/all.cu"
echo 'int main(int, char **argv) {' >"$work/main"
for page in docs/findings/*.md; do
    kind=$(basename "$page" .md)
    for title in Wrong Right; do
        block $title "$page" >"$work/code"
        [ -s "$work/code" ] || { [ "$kind$title" = unsupportedRight ] || fail "$page has no $title"; continue; }
        name=${kind//-/_}_$title
        launch=$(sed -n '1s/.*<<<\(.*\)>>>.*/\1/p' "$work/code")
        {
            echo "namespace n_$name {"
            cat "$work/code"
            grep -q ' main()' "$work/code" || echo "int main() { int *data; cudaMalloc(&data, 4096);
                cudaMemset(data, 0, 4096); k<<<$launch>>>(data); cudaDeviceSynchronize(); return cudaFree(data); }"
            echo '}'
        } >>"$work/all.cu"
        echo "if (!strcmp(argv[1], \"$name\")) return n_$name::main();" >>"$work/main"
    done
done
echo 'return 3; }' >>"$work/main"
cat "$work/main" >>"$work/all.cu"
"$nvcc" -g -lineinfo -arch=compute_75 -cudart shared -o "$work/all" "$work/all.cu" >"$work/log" 2>&1 ||
    { cat "$work/log"; exit 1; }

kinds() { sed -n 's/^{"kind":"\([a-z-]*\)".*/\1/p' "$work/findings" | sort -u | tr '\n' ' '; }
for page in docs/findings/*.md; do
    kind=$(basename "$page" .md)
    for title in Wrong Right; do
        name=${kind//-/_}_$title
        grep -q "n_$name::" "$work/main" || continue
        rm -f "$work/findings"
        "$BUILD/bin/softgpu" --check all --schedules 4 --step-limit 2000000 --json "$work/findings" "$work/all" "$name" >"$work/log" 2>&1
        got=$(kinds)
        expected=$([ $title = Wrong ] && echo "$kind ")
        if [ "$got" = "$expected" ]; then
            passed=$((passed + 1))
        else
            fail "$kind, $title: expected '$expected', got '$got'"
            head -n 6 "$work/log"
        fi
    done
    grep -q "(findings/$kind.md)" docs/findings.md || fail "docs/findings.md does not link $page"
done
# Every kind that softgpu knows has a page.
for kind in $(sed -n 's/.*\[FIND_[A-Z_]*\] = "\([a-z-]*\)".*/\1/p' softgpu/report/kind.c); do
    if [ -f "docs/findings/$kind.md" ]; then passed=$((passed + 1)); else fail "docs/findings/$kind.md is missing"; fi
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ] && [ $passed -gt 20 ]
