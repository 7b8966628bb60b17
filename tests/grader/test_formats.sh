#!/bin/sh
# What other platforms read: judged by the rules that each publishes (kit/platform_rules.py).
. "$(dirname "$0")/kit/make.sh"
set -u
export CLASSROOM=cs1 ASSIGNMENT=lab90 SUBMISSION_TAG=submit/2026-11-01T00-00-00Z-abc COMMIT_URL=https://g/c \
    RELEASE_URL=https://g/r
# as PLATFORM STATUS WANT ARGS…: the report in that format has that score by the platform's rules.
as() {
    platform=$1 status=$2 want=$3
    shift 3
    rm -f "$KIT/report"
    grade lab90 "$@" --format "$platform" --output "$KIT/report"
    out=$(python3 "$here/kit/platform_rules.py" "$platform" "$KIT/report" 2>&1)
    expect "$platform: $*" "$status" "$want"
}
kernel() {
    sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/$1"
    shift
    for word in "$@"; do echo "__device__ int fake_$word = 1;"; done >>"$KIT/k.cu"
}

grade lab90 --format classroom
expect "GitHub Classroom is gone" 2 "GitHub Classroom ended on 28 August 2026" "--format classroom50"
refuse "and nothing is graded" "Score"

kernel k.cu
as classroom50 0 "30 30" --file "$KIT/k.cu"
as prairielearn 0 "30 30" --file "$KIT/k.cu"
as autolab 0 "30 Part A,Part B" --file "$KIT/k.cu"
as sarif 0 "0 " --file "$KIT/k.cu"
as github 0 "0 0" --file "$KIT/k.cu"
kernel k.cu many_wrong
as classroom50 1 "10 30" --file "$KIT/k.cu"
grep -q '"review": "https://g/c"' "$KIT/report" || rc=9
expect "without a comparison the review is the commit" 1
as prairielearn 1 "10 30" --file "$KIT/k.cu"
as autolab 1 "10 Part A,Part B" --file "$KIT/k.cu"
as sarif 1 "1 wrong-result:file://" --file "$KIT/k.cu"
as github 1 "1 0" --file "$KIT/k.cu"
cd "$KIT" || exit 1
kernel k.cu race
as sarif 1 "missing-acquire:k.cu:4" --file "$KIT/k.cu"
as github 1 "1 0" --file "$KIT/k.cu"
grep -q "^::error file=k.cu,line=[1-9][0-9]*,title=missing-acquire::" "$KIT/report" || rc=9
expect "a finding's line below the checkout" 1

# A program that does not compile costs no attempt; errors are beside their lines.
printf 'int a = b;\n\nint c = "d";\n' >"$KIT/k.cu"
as prairielearn 1 "invalid" --file "$KIT/k.cu"
as classroom50 1 "0 30" --file "$KIT/k.cu"
as autolab 1 "0 Part A,Part B" --file "$KIT/k.cu"
as sarif 1 "2 compile-error:k.cu:1 compile-error:k.cu:3" --file "$KIT/k.cu"
as github 1 "2 0" --file "$KIT/k.cu"

# The kit's fault is nobody's zero.
mv "$KIT/build/$lab/harness" "$KIT/harness"
printf '#!/bin/sh\nexit 99\n' >"$KIT/build/$lab/harness"
chmod +x "$KIT/build/$lab/harness"
kernel k.cu
grade lab90 --file "$KIT/k.cu" --format json --output "$KIT/report"
if grep -q '^ "kit_fault": true' "$KIT/report"; then
    as prairielearn 2 "invalid" --file "$KIT/k.cu"
    as autolab 2 "none" --file "$KIT/k.cu"
    grade lab90 --file "$KIT/k.cu" --format classroom50
    expect "no score for Classroom 50" 2 '{"error": "Could not judge, which is not your fault'
    refuse "not even a zero" '"score"'
else
    rc=9
    expect "a broken harness is the kit's fault" 2
fi
mv "$KIT/harness" "$KIT/build/$lab/harness"

# Hidden cases.
cp "$KIT/labs/$lab/lab.yaml" "$KIT/spec"
sed -i 's/{name: many, title: a thousand elements/{name: secret_many, title: a secret title, visibility: hidden/' \
    "$KIT/labs/$lab/lab.yaml"
kernel k.cu reversed
for platform in classroom50 prairielearn autolab sarif github; do
    grade lab90 --file "$KIT/k.cu" --format $platform
    [ -n "$out" ] || rc=9
    expect "a hidden case: $platform" 1
    refuse "no hidden title in $platform" "a secret title"
    refuse "no hidden name in $platform" "secret_many"
    refuse "no hidden values in $platform" "1000 of 1000"
done
cp "$KIT/spec" "$KIT/labs/$lab/lab.yaml"

# Gradebooks for import.
mkdir "$KIT/class"
kernel k.cu
cp "$KIT/k.cu" "$KIT/class/ada.cu"
kernel k.cu many_wrong
cp "$KIT/k.cu" "$KIT/class/bob.cu"
ln -s "$KIT/k.cu" "$KIT/class/eve.cu"
for platform in moodle canvas; do
    grade lab90 --submissions "$KIT/class" --report "$KIT/$platform" --csv "$KIT/report" --gradebook $platform
    out=$(python3 "$here/kit/platform_rules.py" $platform "$KIT/report" 2>&1) || rc=9
    expect "a gradebook for $platform" 2 "ada=30 bob=10 eve=0"
done
grade lab90 --submissions "$KIT/class" --gradebook blackboard
expect "a gradebook that is not known" 2 "allowed: plain|moodle|canvas"
finish
