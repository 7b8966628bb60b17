#!/bin/bash
# Host-code labs: a kit with one such lab, built as the Makefile builds it, graded on softgpu.
. "$(dirname "$0")/host_kit/make.sh"
set -u

grade lab91 --solution
expect "the solution" 0 "Score 50/50" "as fast as the reference" "the device is kept busy"
kept=${FENCEPOST_COMPILED:-}
unset FENCEPOST_COMPILED # here, nvcc itself runs
for level in A B C D; do
    grade lab91 --solution --sandbox $level -v
    case $out in *"does not work here"*) continue ;; esac
    expect "the solution at level $level" 0 "Score 50/50" "sandbox $level"
    grade lab91 --file "$here/host_kit/wrong/three_times.cu" --sandbox $level
    expect "a wrong kernel at level $level" 1 "out: expected"
done
export FENCEPOST_COMPILED=$kept
grade lab91
expect "the skeleton" 1 "Score 0/50" "out: expected" "next hint"
graded wrong/three_times.cu
expect "a wrong kernel" 1 "out: expected" "Again: ./grade lab91"
graded wrong/crashes.cu
expect "a crash is the student's" 1 "ended by signal 11"
graded wrong/on_the_host.cu
expect "computed by the host" 1 "Score 35/50" "0 launches, needed: at least 4" \
    "softgpu counted no makespan_over_bound; the reference has"
graded wrong/one_stream.cu
expect "one after the other" 1 "320,000 copy_bytes_h2d, allowed: at most 160,000; the reference has 160,000" \
    "makespan_ns, allowed: at most" "makespan_over_bound, allowed: at most" "Score 25/50"

# The two runs are drawn, to one scale: a shorter run's axis has as many ticks.
grade lab91 --file "$here/host_kit/wrong/one_stream.cu" --format html
expect "both runs on the page" 1 'alt="a timeline: your run" src="data:image/svg+xml;base64,' \
    "alt=\"a timeline: the reference&#39;s run\""
grade lab91 --file "$here/host_kit/wrong/one_stream.cu" --format json
expect "and in the record" 1 '"timeline": "<svg ' '"reference_timeline": "<svg ' '>SMs</text>' '>copy in</text>'
ticks() { printf '%s' "$out" | grep -o "\"$1\": \"<svg.*" | grep -o 'V[0-9.]*\\"/><text' | wc -l; }
[ "$(ticks timeline)" -eq "$(ticks reference_timeline)" ] && [ "$(ticks timeline)" -gt 3 ] || rc=9
expect "to one scale" 1

# Compile and link errors, with the student's words.
source() {
    cat >"$KIT/k.cu"
    grade lab91 --file "$KIT/k.cu"
}
source <<END
extern "C" void twice(const int *in, int *out, int n) { cudaMalloc(&out) }
END
expect "a compile error in host code" 1 "It does not compile" "k.cu:1: error" "Score 0/50"
source <<END
__global__ void k(int *out) { asm volatile("fubar.u32;"); }
extern "C" void twice(const int *in, int *out, int n) { k<<<1, 1>>>(out); }
END
[ ! -x "$(dirname "$(command -v nvcc)")/ptxas" ] ||
    expect "PTX that there is not" 1 "It does not compile" "k.cu:1: error: ptxas: Not a name of any known instruction: 'fubar'"
source <<END
void twice(const int *in, int *out, int n) {}
END
expect "a function that is missing" 1 "k.cu: defines no function twice; it must have" \
    'extern "C" void twice(const int *in, int *out, int n)'
source <<END
void helper(int);
extern "C" void twice(const int *in, int *out, int n) { helper(n); }
END
expect "an undefined function" 1 "k.cu: undefined reference to"
source <<END
extern "C" void twice(const int *in, int *out, int n) {}
int main() { return 0; }
END
expect "a main of its own is called by nobody" 1 "Score 0/50" "out: expected"
source <<END
#include "$KIT/solutions/$lab/kernel.cu"
END
case $out in *"sandbox D"*) ;; *) expect "the solution is not in view" 1 "k.cu:1: fatal error" "directory" ;; esac

grade dev check lab91
expect "dev check" 1 "labs/$lab/lab.yaml" "solutions/$lab/wrong/three_times.cu" \
    "6 files: 5 as they must be, 1 not, 0 could not be judged" "has no \"// verdict:\" line"
# What only a property can tell: named in a verdict by its counter, and hinted at.
with_verdict() { # TEXT: a wrong variant with this verdict
    { echo "// verdict: $1"; cat "$here/host_kit/wrong/one_stream.cu"; } \
        >"$KIT/solutions/$lab/wrong/one_stream.cu"
    grade dev check lab91
}
with_verdict "property makespan_ns"
expect "a verdict that is a property" 0 "6 files: 6 as they must be"
with_verdict "property launches"
expect "a property that is met" 1 "one_stream.cu" "did not get property launches"
with_verdict "wrong-result in many"
expect "another case" 1 "did not get wrong-result in many"
with_verdict "property"
expect "a property without counter" 1 "names no counter"
cp "$here/host_kit/wrong/one_stream.cu" "$KIT/labs/$lab/kernel.cu"
grade lab91 --hint
expect "a hint for a property" 1 'hint 1 of 1 for the property "' "One stream does one thing at a time."

grade dev mutants lab91
expect "mutants of a program's device code" 0 "delete-bound" "2 of 2 mutants caught"

# The student bundle's reference: an object, no source.
(cd "$KIT" && "$NVCC" -c -cudart shared -arch=compute_75 -o "solutions/$lab/reference.o" \
    "solutions/$lab/kernel.cu" && mv "solutions/$lab/kernel.cu" right.cu && rm -rf build/reference)
grade lab91 --file "$KIT/right.cu"
expect "with the bundle's reference" 0 "Score 50/50"
finish
