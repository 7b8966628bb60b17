#!/bin/sh
# Cases with `places` and `after`: what the student says of the lab's original, against softgpu's findings in it,
# on a stand-in harness.
. "$(dirname "$0")/kit/make.sh"
set -u

cat >"$KIT/labs/$lab/lab.yaml" <<'END'
title: a stand-in
summary: For the grader's own tests.
points: 5
kernels:
  - {name: k, signature: "void k(int *out)"}
compare: {rule: exact, arrays: [{name: real, rule: tolerance, relative: 1.0e-5}]}
limits: {seconds: 20, bytes: 256, output: 16}
parts:
  - id: A
    title: first
    cases:
      - {name: where, title: which two lines, points: 2, places: it, params: {n: 1}, seeds: 2}
      - {name: mended, title: mended, points: 3, after: where, params: {n: 1}}
next: Say it.
END
original() { # LINE-4 LINE-5 WORD…
    printf '// 1\n// 2\n// 3\n%s\n%s\n' "$1" "$2" >"$KIT/labs/$lab/original.cu"
    shift 2
    echo "fake_original $*" >"$KIT/build/$lab/original.ptx"
}
says() { # TEXT: the right kernel with this answer
    sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/k.cu"
    echo "// places it: $1" >>"$KIT/k.cu"
    shift
    grade lab90 --file "$KIT/k.cu" -v "$@"
}
original 'x = 1; // (a)' 'y = x; // (d)' fake_race

grade lab90
expect "nothing is said" 1 "Score 0/5" 'no answer yet: the letters of two lines, in place of "? ?"'
says '? ?'
expect "the skeleton's marks are no answer" 1 "Score 0/5" "no answer yet"
refuse "what waits is not tried" "ints: expected"
refuse "the original's findings are not told" "missing-acquire"
says 'a b d'
expect "three letters" 1 "Score 0/5" '"places it:" wants the letters of two lines, as in "b d", and has "a'
says 'a d'
expect "right" 0 "Score 5/5"
says 'D and a'
expect "in any order" 0 "Score 5/5"
says 'a b'
expect "wrong" 1 "Score 0/5" "lines (a) and (b) of original.cu are not the two"
refuse "nor told by a wrong answer" "missing-acquire"
grade lab90 --file "$KIT/k.cu" --case mended
expect "what waits can be asked for by its name" 0 "mended" "ok"
says 'a d'
echo '__device__ int fake_wrong = 1;' >>"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "a right answer and a wrong kernel" 1 "Score 2/5" "ints: expected"
grade lab90 --file "$KIT/k.cu" --format json
expect "in the record" 1 '"state": "ok"' '"earned": 2'

# The original is run once: what was found in it is kept, for whatever seed, until it is another one.
kept() { # COUNT: so many files are kept
    out=$(find "$KIT/build/reference" -name '*-original-*.jsonl' | wc -l) rc=0
    expect "findings of $1 runs are kept" 0 "$1"
}
rm "$KIT/build/reference/"*-original-*.jsonl
says 'a d'
kept 2
sed -i 's/"line": *5/"line":4/g' "$KIT/build/reference/"*-original-*.jsonl
says 'a d' --seed 77
expect "whatever the seed, they are taken" 1 "Score 0/5" "lines (a) and (d) of original.cu are not the two"
kept 2
original 'x = 1; // (a)' 'y = x; // (d)' fake_race again
says 'a d'
expect "another original is run" 0 "Score 5/5"
kept 4
echo "another library" >"$KIT/build/lib/libcudart.so.13"
says 'a d'
expect "and again by another softgpu" 0 "Score 5/5"
kept 6
original 'x = 1; // (a)' 'y = x; // (d)' fake_warning
says 'a d'
expect "a run without an error" 2 "softgpu finds nothing with two lettered lines"
kept 6

# One line of two threads, and findings that are no error.
original 'x = 1; // (a)' 'x = 2; // (a)' fake_race
says 'a'
expect "one line twice" 0 "Score 5/5"
original 'x = 1; // (a)' 'y = x; // (d)' fake_bounds fake_race
says 'a d'
expect "beside a finding without letters" 0 "Score 5/5"

# Not the student's fault.
original 'x = 1; // (a)' 'y = x; // (d)' fake_warning
says 'a d'
expect "a warning is no place" 2 "softgpu finds nothing with two lettered lines" "case where"
original 'x = 1;' 'y = x; // (d)' fake_race
says 'a d'
expect "a line without a letter" 2 "softgpu finds nothing with two lettered lines"
original 'x = 1; // (a)' 'y = x; // (d)'
says 'a d'
expect "an original without a bug" 2 "softgpu finds nothing with two lettered lines"
rm "$KIT/build/$lab/original.ptx"
says 'a d'
expect "an original that is not built" 2 "lab90 is not built: its original is missing" "run: make lab90"
rm "$KIT/labs/$lab/original.cu"
says 'a d'
expect "no original" 2 "labs/$lab/original.cu: "
finish
