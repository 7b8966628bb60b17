#!/bin/sh
# Parts that an edit does not reach keep what the last grade said of them. The stand-in's harness fails every case that runs of a file with a function
# fake_wrong: a part that passes although some function calls it has not run.
. "$(dirname "$0")/kit/make.sh"
set -u
spec="$KIT/labs/$lab/lab.yaml" own="$KIT/labs/$lab/kernel.cu"
sed -i 's/^kernels:/kernels:\n  - name: m\n    signature: "void m(int *out)"/; s/^    title: first/&\n    calls: [k]/; s/^    title: then/&\n    calls: [m]/' "$spec"
sed -i '/^hints:/i\  - id: C\n    title: apart\n    calls: [m, k]\n    cases:\n      - {name: apart, title: a case apart, points: 10, params: {n: 4}}' "$spec"
sed -i 's/^points: 30/points: 40/' "$spec"

# file K M: a kernel.cu with these statements in k and in m.
file() {
    cat <<END_OF_FILE
__device__ __noinline__ void fake_wrong(int *out) { *out = 3; }
#define TWO 2
__device__ int helper(int i) { return i + 1; }
extern "C" __global__ void k(int *out) { *out = TWO; $1 }
extern "C" __global__ void m(int *out) { *out = helper(*out); $2 }
END_OF_FILE
}
right() { file '' '' | sed '/fake_wrong/d'; }
right >"$KIT/solutions/$lab/kernel.cu"
right >"$own"
grade lab90
expect "the first time" 0 "Score 40/40" "a thousand elements"
refuse "nothing is kept" "s before"
seed=$(printf '%s' "$out" | sed -n 's/.*seed \([0-9a-f]*\).*/\1/p')

echo "// said" >>"$own"
grade lab90
expect "a comment" 0 "Score 40/40" "as before  20/20" "As before: nothing that these parts can run has changed"
refuse "its cases are folded" "a thousand elements"
grade lab90
expect "the same to the byte" 0 "Score 40/40" "a thousand elements"
refuse "the same to the byte is judged anew" "s before"

file "" "fake_wrong(out);" >"$own"
grade lab90 --format json
expect "m is wrong" 1 '"earned": 20' '"kept": true' '"verdict": "wrong-result"'
grade lab90 --format json
expect "judged anew: of A, too, more than before" 1 '"earned": 0'
refuse "nothing is kept of what failed" '"kept": true'

right >"$own"
grade lab90
expect "right again" 0 "Score 40/40"
file "" "fake_wrong(out);" >"$own"
grade lab90
expect "m is wrong" 1 "as before  20/20" "no element" "a case apart" "FAIL" "Score 30/40"
right | sed 's/i + 1/i + 2/' >"$own"
grade lab90
expect "A is kept for a second time" 0 "as before  20/20" "no element" "a case apart" "Score 40/40"
file "fake_wrong(out);" "" | sed 's/i + 1/i + 2/' >"$own"
grade lab90
expect "what needs a part that fails is not tried, though it is as before" 1 "not tried: needs part A" "Score 0/40"
refuse "nothing is kept" "s before"

# What else decides about a part, each after a whole grade and with a comment: fake_wrong shows what runs.
kept() { # NAME WORDS…: with what was changed since, nothing is kept
    name=$1
    shift
    echo "// $name" >>"$own"
    grade lab90 "$@"
    expect "$name" 0 "Score 4" "a thousand elements"
    refuse "$name: nothing is kept" "s before"
}
right >"$own"
grade lab90
kept "--fresh" --fresh
kept "a seed" --seed 7
kept "schedules" --schedules 2
echo >>"$KIT/build/$lab/harness"
grade lab90 >/dev/null
kept "schedules as the lab has them" --schedules 3
grade lab90 >/dev/null
sed -i 's/title: a case apart/title: another case/' "$spec"
kept "the lab's spec"
echo >>"$KIT/build/$lab/harness"
kept "the harness"
echo >>"$KIT/build/lib/libcudart.so.13"
kept "softgpu"
echo "// more" >>"$KIT/solutions/$lab/kernel.cu"
kept "the reference"
right | sed 's/TWO 2/TWO 3/' >"$own"
kept "a macro"
cp "$own" "$KIT/k.cu"
echo "// of another file" >>"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "another file" 0 "Score 40/40" "a thousand elements"
refuse "another file: nothing is kept" "s before"
echo "// more" >>"$own"
grade lab90 --format html
expect "the page" 0 "As before: nothing that this part can run has changed"
finish
