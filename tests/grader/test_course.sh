#!/bin/sh
# A course: weights, due dates and late work in the gradebooks, the total over labs, statistics without names; and a
# spec is read at each call, so an edit of it needs no make.
. "$(dirname "$0")/kit/make.sh"
set -u
second=lab91_stand_in
for tree in labs solutions build; do cp -r "$KIT/$tree/$lab" "$KIT/$tree/$second"; done

# class FOLDER NAME…: right ones but those that begin with w.
class() {
    mkdir "$KIT/$1"
    folder=$1
    shift
    for name; do
        case $name in
        w*) cp "$here/kit/kernel.cu" "$KIT/$folder/$name.cu" ;;
        *) cp "$KIT/solutions/$lab/kernel.cu" "$KIT/$folder/$name.cu" ;;
        esac
    done
}
class first ann bob cem kai eve wim
mkdir "$KIT/first/fay"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/first/fay/kernel.cu"
printf 'student,handed in\nann,2026-11-20 23:50 Europe/Berlin\n"bob","2026-11-21T00:10:00+01:00"\r\ncem,2026-11-21 00:30\n' >"$KIT/times.csv"
printf 'kai,2026-11-24 10:00\neve,2026-11-25 00:30\nwim,2026-11-20 12:00\nfay,2026-11-18 09:00\nnobody,2026-11-20 12:00\n' >>"$KIT/times.csv"

# Without course.yaml as ever: no column more.
graded_class() { # LAB FOLDER REPORT OPTION…
    the_lab=$1 from=$2 to=$3
    shift 3
    grade "$the_lab" --submissions "$KIT/$from" --report "$KIT/$to" --csv "$KIT/$to.csv" --seed 77 "$@"
}
graded_class lab90 first one
expect "no course.yaml" 0
out=$(head -n 2 "$KIT/one.csv")
expect "no column more" 0 "student,lab,score,points,state,verdict,case,seed,sandbox" '"ann","lab90",30,30'
refuse "no column for late ones" "counted"

cat >"$KIT/course.yaml" <<'END'
title: Parallel programming
time_zone: Europe/Berlin
late:
  grace_minutes: 15
  percent_per_day: 10
  days: 3
labs:
  - {lab: lab90, weight: 2, due: "2026-11-20 23:59"}
  - lab: 91
    due: "2026-11-27 22:59 UTC"
    late: {percent_per_day: 25}
END
graded_class lab90 first one --times "$KIT/times.csv"
expect "a course" 0
out=$(cat "$KIT/one.csv")
expect "late work" 0 "sandbox,days_late,counted" '"ann","lab90",30,30,"ok","full marks","",00000077' "A: "
for row in "ann .*,0,30" "bob .*,0,30" "cem .*,1,27" "kai .*,4,0" "eve .*,5,0" "wim .*,0,0" "fay .*,0,30"; do
    out=$(tr -d '"\r' <"$KIT/one.csv" | sed 's/,/ ,/' | grep "^${row%% *} ") rc=0
    echo "$out" | grep -q "^$row\$" || rc=9
    expect "counted: $row" 0
done
graded_class lab90 first one --times "$KIT/times.csv" --gradebook moodle
out=$(tr -d '"\r' <"$KIT/one.csv")
expect "Moodle gets what counts" 0 "cem,27" "kai,0" "ann,30"
graded_class lab90 first one --times "$KIT/times.csv" --gradebook canvas
out=$(tr -d '"\r' <"$KIT/one.csv")
expect "and Canvas" 0 "Points Possible,,,,,30" "cem,,,cem,,27"
out=$(cat "$KIT/one/index.html")
expect "the page says so" 0 "1 day late:</span> 27"
refuse "no word on who was in time" "0 days late"

# The time of a file where nobody says more; hints, if they are handed in.
touch -d "2026-11-28 12:00 UTC" "$KIT"/first/*.cu "$KIT/first/fay/kernel.cu"
echo '{"many wrong-result": 2, "one data-race": 99, "<b>": 1, "many his-name": 1}' >"$KIT/first/fay/hints.json"
graded_class lab91 first two
out=$(tr -d '"\r' <"$KIT/two.csv")
expect "the file's time" 0 "fay,lab91,30,30" ",1,22.5"
out=$(cat "$KIT/two/class.json")
expect "hints" 0 '"many wrong-result": 2' '"one data-race": 10'
refuse "nothing else is taken from hints.json" "<b>"
refuse "no word that is none of ours" "his-name"

grade class "$KIT/one" "$KIT/two"
out=$(echo "$out" | tr -d '"\r')
expect "the total" 0 "student,lab90,lab91,total" "ann,100.00,75.00,91.67" "cem,90.00,75.00,85.00" "wim,0.00,0.00,0.00" \
    "kai,0.00,75.00,25.00"
mkdir "$KIT/again"
cp "$KIT/first/ann.cu" "$KIT/again/kai.cu"
echo "kai,2026-11-19 10:00" >"$KIT/again.csv"
graded_class lab90 again three --times "$KIT/again.csv"
grade class "$KIT/one" "$KIT/two" "$KIT/three"
out=$(echo "$out" | tr -d '"\r')
expect "of two folders the best counts" 0 "kai,100.00,75.00,91.67"
grade class "$KIT/one" "$KIT/two" --gradebook moodle
out=$(echo "$out" | tr -d '"\r')
expect "the total for Moodle" 0 "username,Parallel programming" "ann,91.67"
grade class "$KIT/one" "$KIT/two" --gradebook canvas
out=$(echo "$out" | tr -d '"\r')
expect "and for Canvas" 0 "Points Possible,,,,,100" "ann,,,ann,,91.67"
mv "$KIT/course.yaml" "$KIT/away.yaml"
grade class "$KIT/one" "$KIT/two"
expect "without weights all weigh the same" 0 '"cem",90.00,75.00,82.50'
grade class "$KIT/one" "$KIT/two" --course "$KIT/away.yaml"
expect "another file" 0 '"cem",90.00,75.00,85.00'

# Statistics: weeks, parts, kinds; no names.
grade stats "$KIT/one" "$KIT/two" "$KIT/three" --csv "$KIT/stats.csv"
expect "statistics" 0 "lab90" "2026-W47: 6 students" "2026-W48: fewer than 5 students, not shown" \
    "lab91" "2026-W48: 7 students, 86 % on average, median 100 %" "students with: wrong-result 1" \
    "A 86 %, B 86 %" "attempts: 7 with one"
refuse "no averages of few hints" "hints:"
for name in ann bob cem kai eve wim fay; do
    refuse "no name: $name" "$name"
done
out=$(cat "$KIT/stats.csv")
expect "a line a submission" 0 ",lab90,2026-W47,1,100,," ",lab91,2026-W48,1,100,,12" ",0,wrong-result,"
rc=$(($(echo "$out" | wc -l) - 16))
expect "fifteen of them" 0
for name in ann bob cem kai eve wim fay; do
    refuse "no name in it: $name" "$name"
done
grade stats "$KIT/one" --csv "$KIT/a.csv" --salt "$KIT/salt"
grade stats "$KIT/one" --csv "$KIT/b.csv" --salt "$KIT/salt"
cmp -s "$KIT/a.csv" "$KIT/b.csv" || rc=9
expect "one salt, the same pseudonyms" 0
grade stats "$KIT/one" --csv "$KIT/b.csv"
cmp -s "$KIT/a.csv" "$KIT/b.csv" && rc=9
expect "another, others" 0
for n in 1 2 3 4 5 6; do
    mkdir -p "$KIT/many/s$n"
    cp "$KIT/solutions/$lab/kernel.cu" "$KIT/first/fay/hints.json" "$KIT/many/s$n/"
done
graded_class lab90 many four
grade stats "$KIT/four"
expect "how hints were used" 0 "hints: 6 handed in which, 12.0 steps opened on average" "many wrong-result" "6 students, 2.0 steps"
grade dev tune --quick lab90 --report "$KIT/four"
expect "dev tune: how hints were used" 0 "Hints: 6 of 6 students handed in which they opened" \
    "many wrong-result                                   6    2.0           6" "  0 opened none."
grade dev tune --quick lab90 --report "$KIT/one"
expect "dev tune: of whom nothing is known" 0 "Hints: 0 of 7 students handed in which they opened."
grade dev tune --quick lab91 --report "$KIT/four"
expect "dev tune: another lab's report" 2 "is a report of lab90"
grade dev tune --quick lab90 --report "$KIT/first"
expect "dev tune: no report" 2 "grade the class first"

# The example of the docs, for the labs that are here.
awk '/^```text/ { inside = 1; next } /^```/ { inside = 0 } inside' "$here/../../docs/class.md" |
    sed 's/lab03/lab90/; s/lab05/lab91/' >"$KIT/example.yaml"
printf 'cem,2026-11-21 00:30\n' >"$KIT/cem.csv"
mkdir "$KIT/cem"
cp "$KIT/first/cem.cu" "$KIT/cem/"
graded_class lab90 cem five --course "$KIT/example.yaml" --times "$KIT/cem.csv"
out=$(cat "$KIT/five.csv")
expect "the example" 0 ",1,27"

# What is wrong is said with its line.
wrong() { # NAME TEXT WANT
    printf '%s\n' "$2" >"$KIT/course.yaml"
    graded_class lab90 first one
    expect "$1" 2 "$3"
}
wrong "an unknown key" 'labs: [{lab: lab90, wieght: 2}]' "course.yaml:1: labs[0].wieght: unknown key; allowed here: lab, weight, due, late"
wrong "no such lab" 'labs:
  - {lab: lab90}
  - {lab: lab77}' 'course.yaml:3: labs[1].lab: there is no lab "lab77"'
wrong "a lab twice" 'labs: [{lab: lab90}, {lab: 90}]' "stands here twice"
wrong "a time without a zone" 'labs:
- lab: lab90
  due: "2026-11-20 23:59"' "course.yaml:3: labs[0].due: must be a date, a time and a zone"
wrong "a zone that is none" 'time_zone: Berlin
labs: [{lab: lab90}]' "course.yaml:1: time_zone: has an unknown time zone"
wrong "too much a day" 'late: {percent_per_day: 101}
labs: [{lab: lab90}]' "course.yaml:1: late.percent_per_day: allowed: 0 to 100"
wrong "a negative weight" 'labs: [{lab: lab90, weight: -1}]' "labs[0].weight: allowed: 0 to 1000"
wrong "late without a date" 'labs: [{lab: lab90, late: {days: 2}}]' "labs[0].late: means nothing"
wrong "a lab that is not listed" 'labs: [{lab: lab91}]' "does not list lab90"
grade dev check lab90
expect "dev check reads it, too" 0
printf 'labs: []\n' >"$KIT/course.yaml"
grade dev check lab90
expect "dev check refuses a bad one" 2 "course.yaml:1: labs: has 0 entries"
rm "$KIT/course.yaml"
printf 'ann,yesterday\n' >"$KIT/times.csv"
graded_class lab90 first one --times "$KIT/times.csv"
expect "a line of no time" 2 "times.csv:1: the time must be"
printf 'student,time\nann,yesterday\n' >"$KIT/times.csv"
graded_class lab90 first one --times "$KIT/times.csv"
expect "a time that is none" 2 "times.csv:2: the time must be"
printf 'ann,2026-11-20 10:00 UTC\n' >"$KIT/times.csv"
graded_class lab90 first one --times "$KIT/times.csv"
expect "somebody is not there" 2 "has no line for bob"
grade stats "$KIT/first"
expect "no report folder" 2 "class.json" "grade the class first"
grade class
expect "no folder at all" 2 "needs report folders"

# Two instructors edit the spec, one after the other: each call reads it as it stands.
grade lab90 --solution
expect "before" 0 "Score 30/30"
sed -i 's/^points: 30/points: 33/; s/title: no element, points: 10/title: no element, points: 13/' "$KIT/labs/$lab/lab.yaml"
grade lab90 --solution
expect "points" 0 "Score 33/33" "no element"
sed -i 's/params: {n: 1000}, seeds: 2/params: {n: 64}/; s/a thousand elements/some elements/' "$KIT/labs/$lab/lab.yaml"
grade lab90 --solution
expect "parameters" 0 "Score 33/33" "some elements"
finish
