#!/bin/sh
# The grader as a program, on a stand-in harness: verdicts, exit statuses, one clear line for each
# thing that cannot be judged.
. "$(dirname "$0")/kit/make.sh"
set -u

graded
expect "a right kernel" 0 "Score 30/30" "one element" "ok"
graded near
expect "within the tolerance" 0 "Score 30/30"
graded wrong
expect "a wrong element" 1 "Score 0/30" "ints: expected" "not tried: needs part A" \
    "element 999 of ints: expected" "--seed"
graded nan
expect "NaN matches nothing but NaN" 1 "Score 0/30" "got nan" "element 0 of real"
graded reversed
expect "order counts" 1 "Score 10/30" "1000 of 1000 differ"
graded truncated
expect "a result cut short" 1 "Score 0/30" "no complete result: the result file was cut short"
graded tail
expect "a result with a tail" 1 "Score 0/30" "goes on after its end"
graded claim
expect "a run that prints a score" 1 "Score 0/30" "no-result: the program ended before its results were there" "?[2J"
# A part's cases may begin before what they need is met: what comes of them counts for nothing, and is not waited for (ten minutes), where it is not.
seconds 600
sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/k.cu"
echo '__device__ int fake_many_wrong = 1, fake_none_hang = 1;' >>"$KIT/k.cu"
for jobs in 1 8; do
    rc=0
    out=$(timeout 300 "$BUILD/bin/grade" --root "$KIT" lab90 --file "$KIT/k.cu" --jobs $jobs 2>&1) || rc=$?
    expect "what began too early is ended, $jobs at a time" 1 "Score 10/30" "not tried: needs part A"
done
seconds 1
grade lab90 --file "$KIT/k.cu" --jobs 8 --case none
expect "it would not have ended" 1 "still running after 1 s"
graded none_hang
expect "what is wanted is judged" 1 "Score 20/30" "still running after 1 s"
graded hang
expect "a run that sleeps" 1 "Score 0/30" "still running after 1 s, in which it did nothing" "time-limit"
graded spin
expect "a run that spins" 1 "Score 0/30" "still running after 1 s: too slow to be judged, or a"
refuse "slow is not endless" "is there a loop that never ends"
grade lab90 --file "$KIT/k.cu" --schedules 3 --case one
expect "more schedules, more time" 1 "still running after 3 s"
# Two cases of a part that did not end: the later ones of the part are not waited for; nor is another part's kept from running.
spec=$KIT/labs/$lab/lab.yaml
cp "$spec" "$KIT/spec"
sed -i -e 's/points: 30/points: 60/' -e 's/    needs: .A./    needs: []/' -e '/name: many,/a\
      - {name: three, title: three elements, points: 10, params: {n: 3}}\
      - {name: again, title: one element again, points: 10, params: {n: 1}}\
      - {name: secret, title: a secret, points: 10, visibility: hidden, params: {n: 1}}' "$spec"
skipped="    not run: two cases before it did not end"
for word in hang endless; do
    graded $word
    expect "two that do not end ($word): why the later ones are not run" 1 "Score 0/60" "three elements" " -
$skipped"
    out=$(grep -c -e 'FAIL' -e "^$skipped" <<END
$out
END
)
    rc=0
    expect "two fail, three are not run, the other part's fails ($word)" 0 6
done
graded many_hang
expect "one that passes before them has its points" 1 "Score 20/60" "one element again" " -
$skipped"
graded thousand_hang
expect "one that does not end is one" 1 "Score 50/60"
refuse "one that does not end keeps none from running" "not run"
for jobs in 1 8; do
    grade lab90 --file "$KIT/k.cu" --seed 1 --jobs $jobs
    refuse "nor with $jobs at a time" "not run"
done
graded deadlock
refuse "what was found and ended keeps none from running" "not run"
graded many_hang
for jobs in 1 8; do
    grade lab90 --file "$KIT/k.cu" --seed 1 --jobs $jobs
    out=$(sed -n -e 's/ [0-9.]* s / /' -e '/ FAIL /p; / ok /p; / -$/p; /not run/p; /Score/p' <<END
$out
END
)
    expect "the same report with $jobs at a time" 1 "Score 20/60" "${report:-}"
    report=$out
done
grade lab90 --file "$KIT/k.cu" --case again
expect "a case that was not run, by itself" 0 "one element again" "ok"
graded endless
for format in junit tap html json; do
    grade lab90 --file "$KIT/k.cu" --seed 1 --format $format
    expect "why not, in $format" 1 "not run: two cases before it did not end"
done
mv "$KIT/spec" "$spec"
seconds 20
graded memory
expect "a run that eats memory" 1 "Score 0/30" "more than 256 MiB of memory"
graded flood
expect "a run that prints without end" 1 "Score 0/30" "wrote more than 16 KiB"
graded cuda
expect "a CUDA error" 1 "Score 0/30" "cuda-error" "cudaErrorIllegalAddress"
graded crash
expect "a crash of the harness is not the student's" 2 "Could not judge" "signal 11"
graded unsupported
expect "what softgpu cannot do is not the student's, and where it stands" 2 "softgpu cannot run this: k.cu:4: block 7" "not final"
# Nothing that was not judged, or was lost, passes; and what was found counts all the same.
graded unsupported race
expect "an error stands beside what could not be judged" 1 "Score 0/30" "missing-acquire"
graded warnings late_race
expect "warnings do not hide an error" 1 "Score 0/30" "data-race: block 7"
grade lab90 --file "$KIT/k.cu"
expect "one finding a case, the others behind -v" 1 "data-race: block 7" "more findings: -v shows them."
refuse "one finding a case" "ordering:"
for words in "bounds late_race data-race out-of-bounds" "diverged deadlock deadlock barrier-divergence" \
    "unset late_race data-race uninitialized-read" "bounds unset_index uninitialized-read out-of-bounds"; do
    set -- $words
    graded $1 $2
    grade lab90 --file "$KIT/k.cu"
    expect "the cause is told first: $3" 1 "$3: block 7" "1 more finding: -v shows it."
    refuse "the effect is behind -v: $4" "$4:"
done
for words in "unset_else late_race uninitialized-read" "bounds unset_else out-of-bounds"; do
    set -- $words
    graded $1 $2
    grade lab90 --file "$KIT/k.cu"
    expect "of another line, no cause: $3 first" 1 "$3: block 7" "1 more finding: -v shows it."
done
graded bounds
expect "an effect without a cause is told" 1 "out-of-bounds: block 7"
graded warnings
expect "warnings alone cost nothing" 0 "Score 30/30" "warning: ordering"
graded incomplete
expect "what was not all judged does not pass" 2 "Score 0/30" "softgpu did not judge all of it" "not final"
for lost in unclosed line_lost end_forged end_cut; do
    graded $lost
    expect "findings that may be lost: $lost" 2 "Score 0/30" "lacks its closing record"
    graded race $lost
    [ $lost = end_cut ] || expect "a finding that is there counts: $lost" 1 "Score 0/30" "missing-acquire"
done
graded race
expect "a finding fails a right result" 1 "Score 0/30" \
    "missing-acquire: block 7 may not see what block 3 wrote." \
    "k.cu:4   *out = 1;" "block 3 thread 0  wrote 97" \
    "k.cu:5   *out = *out + 1;" "block 7 thread 9  saw 0, not 97" \
    "Try: a fence" "With --debug added this steps through it" "Again: ./grade lab90 --file"
graded race wrong
expect "a finding and a wrong result" 1 "missing-acquire" "Result: ints: expected"
graded warning
expect "a warning costs nothing" 0 "Score 30/30" "warning: ordering"
graded daemon
expect "what a run leaves behind is ended" 0 "Score 30/30"
pgrep -f "$KIT/build/lab90_stand_in/harness" >/dev/null && left=yes || left=no
out=$left rc=0
expect "nothing is left of it" 0 "no"
graded bomb
expect "a fork bomb is ended" 0 "Score 30/30"
refuse "a fork bomb is kept small" "SAW"
pgrep -f "$KIT/build/lab90_stand_in/harness" >/dev/null && out=yes || out=no
expect "nothing is left of the bomb" 0 "no"

kept=${FENCEPOST_COMPILED:-} # here, and at each level of confinement, nvcc itself runs
unset FENCEPOST_COMPILED
export FENCEPOST_SECRET=1 NVCC_APPEND_FLAGS=-Dint=float NVCC_PREPEND_FLAGS=-Dint=float
graded
expect "the environment is not inherited" 0 "Score 30/30"
unset FENCEPOST_SECRET NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS
export FENCEPOST_COMPILED=$kept
exec 9</dev/null
graded
expect "descriptors are not inherited" 0 "Score 30/30"
exec 9<&-

# Compile errors, with the student's line.
printf 'extern "C" __global__ void k(int *out)\n{\n    int x = 1\n    out[0] = x;\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a compile error" 1 "It does not compile" 'k.cu:4: error: expected a ";"' \
    "     4 |     out[0] = x;" "Score 0/30" "Next: Mend $KIT/k.cu at line 4, then grade again." \
    "look at the end of line 3, the line before" "     3 |     int x = 1"
printf 'struct a {\n    int x; // a "\n}\n\n/* of\nall */ // it\n#define K \\\n    k\n__global__ void other(int *out)\n{\n    out[0] = 2;\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a missing semicolon before what is none" 1 "look at the end of line 3, the line before" "     3 | }"
printf 'extern "C" __global__ void k(int *out)\n{\n    out[0] = 1\n    int x = 1 out[0] = x;\n}\n' | sed 3d >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a missing semicolon in the middle of a line" 1 'k.cu:3: error: expected a ";"'
refuse "it is missing in that line" "look at the end"
printf '#include "nothing.h"\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a missing include" 1 "k.cu:1: fatal error: nothing.h"
printf 'extern "C" __global__ void other(int *out)\n{\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a missing kernel" 1 "defines no kernel k" 'extern "C" __global__ void k(int *out)'

# PTX of the student's own, which nvcc hands on unread: what the toolkit's assembler does not take does not compile.
written() { # PTX
    printf 'extern "C" __global__ void k(int *out)\n{\n    asm volatile("%s");\n    out[0] = 2;\n}\n' "$1" >"$KIT/k.cu"
    grade lab90 --file "$KIT/k.cu"
}
written "fence.sc.gpu;"
expect "PTX that there is" 0 "Score 30/30"
if [ -x "$(dirname "$(command -v nvcc)")/ptxas" ]; then
    written "fubar.u32;"
    expect "PTX that there is not" 1 "It does not compile" "k.cu:3: error: ptxas: Not a name of any known instruction: 'fubar'" \
        '     3 |     asm volatile("fubar.u32;");' "Next: Mend $KIT/k.cu at line 3, then grade again."
    written "add.u32 ;;("
    expect "PTX that cannot be read" 1 "It does not compile" "k.cu:3: error: ptxas: "
fi

# Parameters other than the harness passes, by size and kind; names and signedness may differ.
declared() { # PARAMETERS
    printf 'extern "C" __global__ void k(%s)\n{\n    *(int *)out = 1;\n}\n' "$1" >"$KIT/k.cu"
    grade lab90 --file "$KIT/k.cu"
}
declared "int *out, size_t n"
expect "an extra parameter" 1 "Score 0/30" "k.cu: kernel k has 2 parameters, the harness passes 1; it must have" \
    'extern "C" __global__ void k(int *out)'
declared ""
expect "one too few" 1 "error"
printf 'extern "C" __global__ void k(void)\n{\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "none" 1 "kernel k has 0 parameters, the harness passes 1"
printf 'extern "C" __global__ void k(int out)\n{\n    if (out) __trap();\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "another size" 1 "takes 4 bytes as parameter 1, the harness passes 8 bytes (a"
printf 'extern "C" __global__ void k(double out)\n{\n    if (out > 1) __trap();\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "another kind" 1 "takes a double as parameter 1"
printf 'struct big { int a[6]; };\nextern "C" __global__ void k(struct big b)\n{\n    if (b.a[3]) __trap();\n}\n' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a struct" 1 "takes 24 bytes as parameter 1"
declared "const unsigned *__restrict__ out"
expect "the same in other words" 0 "Score 30/30"

graded race
expect "what a finding shows is next" 1 "shows first: missing-acquire, lines 4 and 5."
sed 's/TODO/TODO 3 (part B) later, TODO 2 (part A)/' "$here/kit/kernel.cu" >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "the part's own TODO is next" 1 "Next: Do TODO 2: $KIT/k.cu, line"

# The skeleton, hints, and what lasts.
grade 90
expect "the skeleton" 1 "Score 0/30" "Next: Write the kernel." "./grade lab90 --hint"
grade lab90 --hint
expect "the first hint" 1 "hint 1 of 2" "first of two"
grade lab90 --hint
expect "the second hint" 1 "hint 2 of 2" "second of two"
grade lab90 --hint
expect "no more hints" 1 "Those are all."
grade lab90 --hint --case many
expect "a hint for one case" 1 'hint 1 of 2 for wrong-result in "a thousand elements"' "first of two"
grade lab90 --hint --case none
expect "a case that does not fail" 1 "that case does not fail, so there is nothing to hint at"
grade lab90 --hint --case nix
expect "a case that is not there" 2 'has no case "nix"'
grade
expect "the course at a glance" 1 "lab90" "a stand-in" "0/30"
grade lab90 --solution
expect "the solution" 0 "Score 30/30"
refuse "the solution is not compared with itself" "Compare:"
grade lab90 --file "$KIT/solutions/$lab/kernel.cu"
refuse "nor when it is given as a file" "Compare:"
graded
expect "full marks: the solution beside it" 0 "Compare: diff -u $KIT/k.cu" "solutions/lab90_stand_in/kernel.cu"
refuse "no questions, none told of" "questions"
printf '# A stand-in\n\n## Questions\n' >"$KIT/labs/$lab/README.md"
graded
expect "full marks: the handout's questions" 0 "Next: Answer the questions at the end of"
graded wrong
refuse "below full marks no solution" "Compare:"
grade lab90 --case many --seed 1234abcd
expect "one case" 1 "seed 1234abcd" "a thousand elements"
refuse "one case gives no score" "Score"
first=$out

# Advice that was followed and did not help is not given again; after an edit elsewhere, or none, it is.
mine=$KIT/labs/$lab/kernel.cu
cp "$mine" "$KIT/skeleton"
{ sed '/fake_wrong/d' "$KIT/skeleton"; echo "__device__ int fake_race = 1, fake_calls;"; } >"$mine"
grade lab90
expect "advice" 1 "Try: __threadfence() between lines 4 and 5"
grade lab90
expect "advice that nobody followed is given again" 1 "Try: __threadfence() between lines 4 and 5"
sed -i 's/^    \*out = 1;/    *out = 1 + 0; \/\/ __threadfence()/' "$mine"
grade lab90
expect "nor is another edit, at the very line" 1 "Try: __threadfence() between lines 4 and 5"
sed -i 's/^    \*out = 1 + 0;.*/    *out = 1; __threadfence();/' "$mine"
for again in "" " the next time, too"; do
    grade lab90
    expect "advice in vain$again" 1 "What was advised last time did not help" "./grade lab90 --hint"
    refuse "advice in vain is not given again$again" "Try:"
done
cp "$KIT/skeleton" "$mine"
grade lab90
grade lab90 --case many --seed 1234abcd
first=$out
grade lab90 --replay 1234abcd/A2
[ "$(echo "$first" | sed 's/ [0-9.]* s / /')" = "$(echo "$out" | sed 's/ [0-9.]* s / /')" ] || rc=9
expect "a replay says the same" 1 "a thousand elements"
grade lab90 --format json --output "$KIT/r.json"
out=$(cat "$KIT/r.json")
expect "the record as JSON" 1 '"schema": 1' '"lab": "lab90"' '"verdict": "wrong-result"' '"exit": 1'

# The level of confinement, where it is not the best.
unset FENCEPOST_COMPILED
for level in A B C D; do
    grade lab90 --solution --sandbox $level
    case $out in *"does not work here"*) continue ;; esac
    if [ $level = A ]; then
        refuse "level A needs no word" "Sandbox"
    else
        expect "level $level is named" 0 "Sandbox $level: "
    fi
done
export FENCEPOST_COMPILED=$kept

# What is kept is nvcc's of the same text; and whoever may write there decides, so only this variable asks for it.
mkdir "$KIT/kept"
count() { out=$(ls "$KIT/kept" | wc -l) rc=0; }
FENCEPOST_COMPILED=$KIT/kept graded
count
expect "the kernel and its text" 0 2
for made in "$KIT"/kept/*.made; do echo "no PTX" >"$made"; done
FENCEPOST_COMPILED=$KIT/kept graded
expect "what is kept is taken" 1 "defines no kernel k"
FENCEPOST_COMPILED=$KIT/kept graded wrong
expect "not for another text" 1 "element 999 of ints: expected"
for text in "$KIT"/kept/*.cu; do echo "// another" >>"$text"; done
FENCEPOST_COMPILED=$KIT/kept graded
expect "nor where the text beside it is another" 0 "Score 30/30"
for made in "$KIT"/kept/*.made; do echo "no PTX" >"$made"; done
FENCEPOST_COMPILED='' graded
expect "nothing is taken unasked" 0 "Score 30/30"

# A hidden case keeps its title, name and values to itself.
cp "$KIT/labs/$lab/lab.yaml" "$KIT/spec"
sed -i 's/{name: many, title: a thousand elements/{name: secret_many, title: a secret title, visibility: hidden/' \
    "$KIT/labs/$lab/lab.yaml"
sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/k.cu"
echo "__device__ int fake_reversed = 1;" >>"$KIT/k.cu"
for format in text json gradescope junit tap html classroom50 prairielearn autolab; do
    grade lab90 --file "$KIT/k.cu" --format $format
    expect "a hidden case in $format" 1 "a hidden case" "wrong-result"
    refuse "no hidden title in $format" "a secret title"
    refuse "no hidden name in $format" "secret_many"
    refuse "no hidden values in $format" "1000 of 1000"
done
grade lab90 --file "$KIT/k.cu" --format json --output "$KIT/r.json"
grade --replay "$KIT/r.json"
expect "a record with a hidden case, replayed" 1 "The recorded verdict again."
cp "$KIT/spec" "$KIT/labs/$lab/lab.yaml"

# Scratch folders: one whose grader is gone is litter, one that is in use is not, whatever its number says.
mkdir -p "$KIT/build/run/$(hostname)-4000000-abcdef" "$KIT/build/run/$(hostname)-4000001-live"
flock "$KIT/build/run/$(hostname)-4000001-live" "$BUILD/bin/grade" --root "$KIT" lab90 --solution >/dev/null
rc=$?
out=$(ls "$KIT/build/run")
expect "a live scratch folder is never swept" 0 "4000001-live"
refuse "litter is swept" "abcdef"
graded
out=$(ls "$KIT/build/run")
expect "nothing is left over" 0 ""
refuse "nothing is left over" "live"

# A grader in a namespace of processes of its own, where the other one's number is nobody's.
if unshare --pid --fork --mount-proc true 2>/dev/null; then
    { sed '/fake_wrong/d' "$here/kit/kernel.cu"; echo "__device__ int fake_hang = 1;"; } >"$KIT/k.cu"
    seconds 2
    "$BUILD/bin/grade" --root "$KIT" lab90 --file "$KIT/k.cu" --case one >/dev/null 2>&1 &
    first=$!
    until ls -d "$KIT"/build/run/* >/dev/null 2>&1 || ! kill -0 $first; do sleep 0.02; done
    kill -STOP $first
    seconds 20
    live=$(ls -d "$KIT"/build/run/*)
    rc=0
    out=$(unshare --pid --fork --mount-proc "$BUILD/bin/grade" --root "$KIT" lab90 --solution 2>&1) || rc=$?
    expect "a grader in another namespace" 0 "Score 30/30"
    out=$(ls -d "$KIT"/build/run/*)
    [ "$live" = "$out" ] || rc=9
    expect "leaves what the first one is using" 0 "run/"
    kill -CONT $first
    wait $first
fi

# 80 columns, whatever the file is called; and the command can be pasted.
# too_wide: lines of the last output of more than 80 columns (one a character, as in labs).
too_wide() {
    echo "$out" | LC_ALL=C.UTF-8 awk 'length($0) > 80 { print; bad = 1 } END { exit !bad }' &&
        rc=wide
}
long="$KIT/a long folder; with (signs) & spaces/and/on/and/on/and/on/and/on/and/on/and/on/it/goes"
mkdir -p "$long"
sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$long/k.cu"
echo "__device__ int fake_race = 1; // $(printf 'x%.0s' $(seq 200))" >>"$long/k.cu"
for how in "" -v; do
    grade lab90 --file "$long/k.cu" --seed 5 $how
    too_wide
    expect "80 columns $how" 1 "missing-acquire"
done
again=$(echo "$out" | sed -n '/Again:/,/^$/p' | sed 's/.*Again: //; /^$/q')
again=$(echo "$again" | sed "s|^./grade|\"$BUILD/bin/grade\" --root \"$KIT\"|")
rc=0
out=$(cd / && eval "$again" 2>&1) || rc=$?
expect "the command as printed" 1 "one element" "missing-acquire"
grade
too_wide
expect "80 columns at a glance" 1
grade --help
too_wide
expect "80 columns of help" 0 "--device"
printf 'int x = %0200d;\nint y = undeclared_%0200d;\n' 1 2 >"$long/k.cu"
grade lab90 --file "$long/k.cu"
too_wide
expect "80 columns of the compiler's" 1 "It does not compile"
cp "$KIT/k.cu" "$long/ann.cu"
grade lab90 --submissions "$long" --report "$KIT/class-report"
too_wide
expect "80 columns of a class" 0

# Nothing can be judged: one line each.
grade lab91
expect "an unknown lab" 2 'there is no lab "lab91"; labs: lab90'
for word in lab090 Lab-90 STAND_IN; do
    grade $word
    expect "did you mean: $word" 2 "there is no lab \"$word\"; did you mean lab90? labs: lab90"
done
graded wrong
grade lab90 --file "$KIT/k.cu" --case A
expect "one part" 1 "one element" "a thousand elements"
refuse "one part gives no score" "Score"
grade lab90 --case nix
expect "an unknown case" 2 "cases: one, many, none"
grade lab90 --nix
expect "an unknown option" 2 "unknown option --nix"
grade lab90 --file "$KIT/absent.cu"
expect "a missing file" 2 "absent.cu: No such file"
mkfifo "$KIT/fifo.cu"
grade lab90 --file "$KIT/fifo.cu"
expect "a FIFO" 2 "is not a regular file"
ln -s /etc/passwd "$KIT/link.cu"
grade lab90 --file "$KIT/link.cu"
expect "a link" 2 "is a symbolic link"
mv "$KIT/labs/$lab/lab.yaml" "$KIT/spec"
grade lab90
expect "a missing spec" 2 "labs/$lab/lab.yaml: No such file"
sed 's/^points: 30/points: 31/' "$KIT/spec" >"$KIT/labs/$lab/lab.yaml"
grade lab90
expect "a broken spec" 2 "lab.yaml:3: points: is 31" "add up to 30"
cp "$KIT/spec" "$KIT/labs/$lab/lab.yaml"
sed 's/n: 1000}/n: 2000000}, distribution: gauss/' "$KIT/spec" >"$KIT/labs/$lab/lab.yaml"
graded
expect "a distribution that is none" 2 'no distribution "gauss"' "lab90_stand_in/lab.yaml:17, case many)"
sed 's/n: 1000}/n: -1}/' "$KIT/spec" >"$KIT/labs/$lab/lab.yaml"
graded
expect "a launch that no device takes" 2 "cudaErrorInvalidConfiguration" "lab90_stand_in/lab.yaml:17"
# A real lab's, with a block that no device takes.
mkdir -p "$KIT/real/labs" && ln -s "$(cd "$here/../.." && pwd)/solutions" "$KIT/real/" && ln -s "$BUILD" "$KIT/real/build"
cp -r "$here/../../labs/lab00_reduction" "$KIT/real/labs/"
sed -i 's/threads: 256}/threads: 2000}/' "$KIT/real/labs/lab00_reduction/lab.yaml"
at=$(grep -n 'threads: 2000' "$KIT/real/labs/lab00_reduction/lab.yaml" | head -n 1 | cut -d: -f1)
rc=0; out=$("$BUILD/bin/grade" --root "$KIT/real" lab00 --solution --case block 2>&1) || rc=$?
expect "2000 threads in a spec" 2 "Could not judge" "cudaErrorInvalidValue" "lab00_reduction/lab.yaml:$at,"
cat - "$KIT/spec" >"$KIT/labs/$lab/lab.yaml" <<'END'
properties:
  - {title: it is shared out, case: many, counter: longest_warp, at_most_reference: 4, required: true,
     unit: instructions in the longest warp}
  - {title: all blocks write, case: none, object: out, counter: writing_blocks, min: 8, required: true}
  - {title: the kernel runs, case: none, kernel: k, counter: launches, min: 1, required: true}
END
graded
expect "what is required is done" 0 "Score 30/30"
refuse "required properties are not told where they are met" "Properties"
graded alone
expect "what is required is not done" 1 "Score 0/30" "not-as-asked" "Part A  first" "0/20" \
    "counts when part A is done as asked" "needs part A"
expect "and by how much" 1 "123,456 instructions" "at most 400" "reference has 100"
sed -i 's/n: 0}/n: 0}, schedules: 3/' "$KIT/labs/$lab/lab.yaml"
graded shared
expect "what only a later schedule shows" 0 "Score 30/30"
grade lab90 --file "$KIT/k.cu" --schedules 1
expect "is shown also where fewer are asked for" 0 "Score 30/30"
sed -i 's/object: out/object: nothing/' "$KIT/labs/$lab/lab.yaml"
graded
expect "an object that nobody uses has nothing" 1 "0 nothing.writing_blocks, needed: at least 8"
# A property's points stand in its part's table and sum; those of a part without cases stand behind all.
sed 's/^points: 30/points: 40/' "$KIT/spec" >"$KIT/labs/$lab/lab.yaml"
cat >>"$KIT/labs/$lab/lab.yaml" <<'END'
properties:
  - {title: all blocks write, case: many, object: out, counter: writing_blocks, min: 8, points: 6}
  - {title: "D: one launch", part: D, case: many, kernel: k, counter: launches, max: 1, points: 4}
END
graded
expect "a property's points are its part's" 0 "Score 40/40" "26/26" "all blocks write" "Properties" "D: one launch"
sed -i 's/min: 8, points/min: 800, points/' "$KIT/labs/$lab/lab.yaml"
graded
expect "and are lacking there" 1 "Score 34/40" "20/26"
sed '/name: one,/s/points: 10/points: 10, counts_with: many/' "$KIT/spec" >"$KIT/labs/$lab/lab.yaml"
graded
expect "a case beside one that passes" 0 "Score 30/30"
graded many_wrong
expect "a case beside one that does not pass" 1 "Score 0/30" 'counts when "a thousand elements" passes'
cp "$KIT/spec" "$KIT/labs/$lab/lab.yaml"
mv "$KIT/build/$lab/harness" "$KIT/harness"
grade lab90
expect "nothing built" 2 "lab90 is not built; run: make lab90"
mv "$KIT/harness" "$KIT/build/$lab/harness"
rm -rf "$KIT/build/run"
echo >"$KIT/build/run"
grade lab90
expect "an unwritable build folder" 2 "cannot write to $KIT/build"
rm "$KIT/build/run"

# dev check.
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/solutions/$lab/alternatives/same.cu"
cat >"$KIT/solutions/$lab/wrong/race.cu" <<'END'
// verdict: missing-acquire @1 @2
extern "C" __global__ void k(int *out)
{
    *out = 1; // @1
    *out = *out + 1; // @2
}
__device__ int fake_race = 1;
END
grade dev check lab90
expect "dev check" 0 "5 files: 5 as they must be"
sed -i 's/ *[/][/] @2$//; s/}$/} \/\/ @2/' "$KIT/solutions/$lab/wrong/race.cu"
grade dev check lab90
expect "dev check says which lines" 1 "did not get missing-acquire @1 @2"
sed -i 's/missing-acquire @1 @2/data-race | missing-acquire 4/' "$KIT/solutions/$lab/wrong/race.cu"
grade dev check lab90
expect "dev check takes alternatives" 0 "5 as they must be"
grade dev check --quick lab90
expect "of an alternative like the solution the quick check needs none" 0 "4 as they must be" "; 1 left out"
{ cat "$KIT/solutions/$lab/kernel.cu"; echo '__device__ int any(void) { return __any_sync(~0u, 1); }'; } \
    >"$KIT/solutions/$lab/alternatives/vote.cu"
sed 's/data-race | missing-acquire 4/data-race @1 @1 | wrong-result/' "$KIT/solutions/$lab/wrong/race.cu" \
    >"$KIT/solutions/$lab/wrong/racy.cu"
grade dev check --quick lab90
expect "the quick check takes what shows something new" 0 "5 as they must be" "alternatives/vote.cu" "wrong/race.cu" \
    "; 2 left out"
# A property of an object that no run has: a typing error, after which nothing would be asked.
cp "$KIT/labs/$lab/lab.yaml" "$KIT/spec"
for object in out oot; do
    { cat "$KIT/spec"
      printf 'properties:\n  - {title: all blocks write, case: many, object: %s, counter: writing_blocks, at_least_reference: 0.7, required: true}\n' \
          $object; } >"$KIT/labs/$lab/lab.yaml"
    grade dev check --quick lab90
    if [ $object = out ]; then
        expect "dev check: a property of an object that is there" 0 "5 as they must be"
    else
        expect "dev check: a property of an object that no run has" 1 '"all blocks write" of case many asks nothing' "oot.writing_blocks" "1 not"
    fi
done
{ cat "$KIT/spec"
  printf 'properties:\n  - {title: shared out, case: many, counter: longest_worp, at_most_reference: 2, required: true}\n'; } \
    >"$KIT/labs/$lab/lab.yaml"
grade dev check --quick lab90
expect "dev check: a property of a counter that there is not" 2 '"shared out" of case many' "longest_worp (docs/runtime.md"
mv "$KIT/spec" "$KIT/labs/$lab/lab.yaml"
sed -i 's/data-race @1 @1/missing-acquire 4/' "$KIT/solutions/$lab/wrong/racy.cu"
grade dev check --quick lab90
expect "and a variant for each kind of verdict" 0 "6 as they must be" "wrong/racy.cu" "; 1 left out"
grade lab90 --quick
expect "a grade is never quick" 2 "--quick goes with dev check and dev tune"
# dev tune: a variant that fails one case alone, and a skeleton that earns something.
grade dev tune --quick lab90
expect "dev tune" 0 "2 wrong variants" "No wrong variant needs: one many none" "The untouched skeleton earns 0 of"
sed '1,$s/fake_[a-z]*/fake_many_wrong/' "$KIT/solutions/$lab/wrong/race.cu" >"$KIT/solutions/$lab/wrong/many_only.cu"
grade dev tune --quick lab90
costs=$(echo "$out" | grep -cE "^  (one|many|none) +10 +[0-9]+\.[0-9] +[0-9]+ +[0-9]+$")
[ "$costs" = 3 ] || rc="no cost and count of each of three cases, $costs"
expect "dev tune: what only one case finds" 0 "3 wrong variants" "Only many fails: many_only" "No wrong variant needs: one none"
rm "$KIT/solutions/$lab/wrong/many_only.cu"
rm "$KIT/solutions/$lab/wrong/racy.cu" "$KIT/solutions/$lab/alternatives/vote.cu"
sed 's/fake_wrong/fake_many_wrong/' "$KIT/labs/$lab/kernel.cu" >"$KIT/skeleton"
cp "$KIT/skeleton" "$KIT/labs/$lab/kernel.cu"
grade dev check lab90
expect "a skeleton that earns something" 1 "earns points as shipped, in one: let it count with"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/labs/$lab/kernel.cu"
grade dev check lab90
expect "a skeleton that is a solution" 1 "has no TODO"

finish
