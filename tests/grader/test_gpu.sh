#!/bin/sh
# The second tier without a GPU: a stand-in harness "measures" what the kernel asks for, and last a
# real harness on softgpu, whose virtual time stands in for a GPU's.
. "$(dirname "$0")/kit/make.sh"
set -u
export FENCEPOST_GPU_LIBRARY="$KIT/build/lib"
cat >>"$KIT/labs/$lab/lab.yaml" <<'END'
performance:
  - title: a thousand, fast
    case: many
    params: {n: 1000}
    elements: n
    bytes_per_element: 10000 # 10 µs at the fake's 1 TB/s
    rounds: 15
    points: 10
    bands:
      - {ratio: 1.2, credit: 100}
      - {ratio: 2.0, credit: 50}
END
# on_gpu WORD…: as graded, on both tiers.
on_gpu() {
    sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/k.cu"
    for word in "$@"; do
        echo "__device__ int fake_$word = 1;" >>"$KIT/k.cu"
    done
    grade lab90 --file "$KIT/k.cu" --device gpu -v
}

on_gpu
expect "as fast as the reference" 0 "On a GPU  stand-in: fake?[2J GPU, CUDA driver 13.0" \
    "3 of 3 results right, as on softgpu." "+10/10" "a thousand, fast" "15 rounds" \
    "Memory needs at least 10.0" "Score 30/30, speed +10"
on_gpu slow
expect "a lower band" 0 "slow" "+5/10" "1.6" "Score 30/30, speed +5"
on_gpu snail
expect "no band" 0 "+0/10" "9.0" "Score 30/30, speed +0"
on_gpu noisy
expect "noise is no lost mark" 0 "inconclusive: too much noise" \
    "0 of 10" "10 are open" "45 rounds"
on_gpu edgy
expect "noise over one band's end" 0 "5 of 10" "5 are open" "45 rounds"
on_gpu impossible
expect "too fast to be true" 0 "too fast to be true" "+0/10"
on_gpu brake
expect "a reference that is slowed" 0 "inconclusive: the reference's time beside this kernel" "+0/10"
on_gpu late_wrong
expect "wrong only while it is timed" 0 "wrong while it was timed (round 16): element 999 of" "+0/10"
on_gpu lazy
expect "no results after some rounds" 0 "wrong while it was timed (round 9)" "+0/10"
on_gpu timed_cuda
expect "a CUDA error while timed" 0 "ended early: harness.c:9: cudaErrorIllegalAddress" "+0/10"
on_gpu timed_crash
expect "a crash while timed" 0 "+0/10" "ended early"

# Where the tiers disagree: the score is softgpu's.
on_gpu gpu_wrong
expect "right on softgpu only" 0 "Score 30/30" "1 of 3 results right; the two tiers disagree:" \
    "a thousand elements: right on softgpu, but not on this GPU: wrong-result" \
    "please show" "needs the case"
on_gpu cpu_wrong
expect "right on the GPU only" 1 "Score 0/30" "2 of 2 results right; the two tiers disagree:" \
    "one element: right on this GPU, wrong-result on softgpu."
on_gpu race
expect "a race that bites on softgpu only" 1 "Score 0/30" "2 of 2 results right" \
    "one element: right on this GPU, missing-acquire on" "proves nothing"
on_gpu wrong
expect "wrong on both" 1 "0 of 2 results right, as on softgpu."
on_gpu race wrong
refuse "wrong on both is no disagreement" "disagree"
seconds 1
on_gpu hang
expect "an endless loop" 1 "time-limit"

# A GPU that cannot be used takes nothing away.
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/reference.cu"
echo '__device__ int fake_no_gpu = 1;' >>"$KIT/solutions/$lab/kernel.cu"
on_gpu
expect "a broken GPU" 0 "Score 30/30" "On a GPU" "Could not judge: the reference did not finish"
cp "$KIT/reference.cu" "$KIT/solutions/$lab/kernel.cu"
grade lab90 --solution --device softgpu
expect "softgpu alone" 0 "Score 30/30"
refuse "softgpu alone" "On a GPU"
grade lab90 --solution
expect "a GPU that is there is used" 0 "On a GPU" "speed +10"
grade lab90 --solution --case many
expect "one case" 0 "1 of 1 results right" "a thousand, fast"
grade lab90 --solution --case one
refuse "another case is not timed" "a thousand, fast"
FENCEPOST_GPU_LIBRARY=/nowhere
grade lab90 --solution --device gpu
expect "no runtime" 2 "there is no libcudart.so.13 in /nowhere"
FENCEPOST_GPU_LIBRARY="$KIT/build/lib"

# The record keeps it, and a replay judges again.
grade lab90 --solution --format json --output "$KIT/r.json" --seed 9
out=$(cat "$KIT/r.json") rc=0
expect "the record" 0 '"gpu": "stand-in: fake?[2J GPU' '"bonus": 10' '"gpu": "ok"' '"reference_us": ' \
    '"state": "ok"' '"rounds": 15'
grade --replay "$KIT/r.json"
expect "a replay" 0 "On a GPU" "The recorded verdict again."
mkdir "$KIT/class"
cp "$KIT/reference.cu" "$KIT/class/ann.cu"
grade lab90 --submissions "$KIT/class" --report "$KIT/one" --seed 3
out=$(cat "$KIT/one/grades.csv")
refuse "a class is graded on softgpu" "speed"
grade lab90 --submissions "$KIT/class" --report "$KIT/one" --seed 3 --device gpu
out=$(cat "$KIT/one/grades.csv")
expect "a class on a GPU if asked" 0 ",speed,gpu" '"ann","lab90",30,30' ',10,"agrees"'

# A real harness and softgpu's virtual time, which has no noise at all.
kit=$(cd "$here/../.." && pwd)
cp -r "$kit/labs/lab00_reduction" "$KIT/labs/"
cp -r "$kit/solutions/lab00_reduction" "$KIT/solutions/"
cp -r "$BUILD/lab00_reduction" "$KIT/build/"
cp "$BUILD/lib/libcudart.so.13" "$KIT/build/lib/"
sed -i 's/{n: 16777216, blocks: 1056}/{n: 20000, blocks: 16}/; s/^    points: 10$/&\n    rounds: 9/' \
    "$KIT/labs/lab00_reduction/lab.yaml"
cd "$KIT" && FENCEPOST_GPU_LIBRARY=build/lib # as it is typed: from the kit's folder
for level in A D; do
    case $level in A) set -- ;; *) set -- --sandbox D ;; esac
    grade lab00 --solution --device gpu --seed 5 -v "$@"
    expect "lab00 on softgpu as a GPU, $level" 0 "results right, as on softgpu" \
        "1.00 times the reference's time (1.00 to 1.00)" "9 rounds" "+10/10"
done
grade lab00 --file "$KIT/solutions/lab00_reduction/alternatives/interleaved.cu" --device gpu --seed 5
expect "an alternative has a time" 0 "times the reference's time" "Score 100/100, speed +"
finish
