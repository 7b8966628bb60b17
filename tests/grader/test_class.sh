#!/bin/sh
# A class of submissions, right, wrong, hanging and hostile: nothing lost, the same gradebook twice,
# and after a kill -9 in the middle. COUNT sets the size: 12, one of each sort, or 24 with FULL=1.
. "$(dirname "$0")/kit/make.sh"
set -u
count=${COUNT:-$((${FULL:-0} ? 24 : 12))}

# submission NAME WORD…: a kernel with these fake_ variables.
submission() {
    name=$1
    shift
    sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/class/$name.cu"
    for word in "$@"; do
        echo "__device__ int fake_$word = 1;" >>"$KIT/class/$name.cu"
    done
}
mkdir "$KIT/class"
seconds 3
i=0
while [ $i -lt "$count" ]; do
    n=$(printf 'student%03d' $i)
    case $((i % 12)) in
    0 | 1 | 2) submission $n ;;
    3) submission $n wrong ;;
    4) submission $n race ;;
    5) submission $n hang ;;
    6) echo "this does not compile" >"$KIT/class/$n.cu" ;;
    7) submission $n bomb flood ;;
    8) submission $n claim ;;
    9) submission $n kill daemon ;;
    10) submission $n memory ;;
    11) submission $n truncated ;;
    esac
    i=$((i + 1))
done
submission undone unsupported
submission unsure unclosed
submission broken crash
mkdir "$KIT/class/in a folder" "$KIT/class/empty"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/in a folder/kernel.cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/=cmd.cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/-rf.cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/$(printf 'new\nline').cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/$(printf 'latin\351').cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/$(printf 'c1\302\233').cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/$(printf '\303\251l\303\250ve').cu"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/double.cu"
mkdir "$KIT/class/Double"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/class/Double/kernel.cu"
ln -s "$KIT/solutions/$lab/kernel.cu" "$KIT/class/link.cu"
mkdir "$KIT/elsewhere"
cp "$KIT/solutions/$lab/kernel.cu" "$KIT/elsewhere/kernel.cu"
ln -s "$KIT/elsewhere" "$KIT/class/linked"
mkdir "$KIT/class/inner"
ln -s "$KIT/elsewhere/kernel.cu" "$KIT/class/inner/kernel.cu"
mkfifo "$KIT/class/fifo.cu"

class() {
    grade lab90 --submissions "$KIT/class" --report "$KIT/$1" --csv "$KIT/$1.csv" --seed 77
}
class one
expect "a class" 2 "$KIT/one/index.html" "full marks" "compile-error"
out=$(cat "$KIT/one.csv") rc=0
expect "the gradebook" 0 '"student000","lab90",30,30,"ok","full marks"' \
    '"student003","lab90",0,30,"fail","wrong-result","A1"' \
    '"student005","lab90",0,30,"fail","time-limit","A1"' \
    '"student006","lab90",0,30,"fail","compile-error"' \
    '"student008","lab90",0,30,"fail","no-result","A1"' \
    '"student010","lab90",0,30,"fail","memory-limit","A1"' \
    '"undone","lab90",0,30,"unjudged","could not judge","A1"' \
    '"unsure","lab90",0,30,"unjudged","could not judge","A1"' \
    '"broken","lab90",0,30,"unjudged","could not judge","A1"' \
    '"in a folder","lab90",30,30' "\"'=cmd\",\"lab90\",30,30" \
    '"empty","lab90",0,30,"kernel.cu is missing","rejected"' \
    "\"'-rf\",\"lab90\",0,30,\"its name starts with - or .\"" \
    '"double","lab90",0,30,"another submission has the same name"' \
    '"Double","lab90",0,30,"another submission has the same name"' \
    '"link","lab90",0,30,"it is, or leads through, a symbolic link"' \
    '"inner","lab90",0,30,"it is, or leads through, a symbolic link"' \
    '"fifo","lab90",0,30,"it is not a regular file"' 'characters that are not allowed'
[ "$(grep -c '"lab90"' "$KIT/one.csv")" = $((count + 16)) ] || rc=1
expect "nobody is lost" 0
for made in one.csv one/index.html one/records one/pages; do
    find "$KIT/$made" -type f -exec cat {} + | tr -d '\r' | python3 -c '
import sys, unicodedata
for c in sys.stdin.buffer.read().decode("utf-8"):
    assert c in "\n\t" or unicodedata.category(c) != "Cc", repr(c)' || rc=9
    find "$KIT/$made" -print0 | python3 -c 'import sys; sys.stdin.buffer.read().decode("utf-8")' || rc=9
    expect "UTF-8 without control characters: $made" 0
done
out=$(cat "$KIT/one.csv")
expect "a name that is UTF-8 stays" 0 '"élève","lab90",30,30' '"latin?","lab90",30,30'
[ -f "$KIT/one/pages/student004.html" ] || rc=1
expect "a page for each" 0
cp "$KIT/one.csv" "$KIT/first.csv"
before=$(stat -c %Y "$KIT/one/records/student000.json")
class one
[ "$(stat -c %Y "$KIT/one/records/student000.json")" = "$before" ] || rc=9
cmp -s "$KIT/first.csv" "$KIT/one.csv" || rc=9
expect "finished ones are not graded again" 2
submission student003
class one
out=$(cat "$KIT/one.csv")
expect "a changed one is" 2 '"student003","lab90",30,30,"ok"'
submission student003 wrong

# Killed in the middle, and gone on. Where the machine let it come to its end before it was looked at, once more.
tries=0 done_before=$count
while [ "$done_before" -ge "$count" ] && [ $tries -lt 20 ]; do
    rm -rf "$KIT/two" "$KIT/two.csv"
    "$BUILD/bin/grade" --root "$KIT" lab90 --submissions "$KIT/class" --report "$KIT/two" \
        --csv "$KIT/two.csv" --seed 77 >/dev/null 2>&1 &
    victim=$!
    looks=0
    while [ "$(ls "$KIT/two/records" 2>/dev/null | wc -l)" -lt 4 ] && [ $looks -lt 3000 ]; do
        sleep 0.02
        looks=$((looks + 1))
    done
    kill -9 $victim 2>/dev/null
    wait $victim 2>/dev/null
    done_before=$(ls "$KIT/two/records" | wc -l)
    tries=$((tries + 1))
done
tries=0
# They end a moment later. bwrap's own second process, killed off its parent before it is told so, waits forever; nothing runs in it.
while pgrep -f "^$KIT/build/lab90_stand_in/harness" >/dev/null && [ $tries -lt 600 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
[ $tries -lt 600 ] && rc=0 || rc=9
expect "a kill leaves no run behind" 0
[ -f "$KIT/two.csv" ] && rc=9
[ "$done_before" -lt "$count" ] || rc=9
expect "the kill was in the middle" 0
class two
cmp -s "$KIT/first.csv" "$KIT/two.csv" || rc=9
expect "a resumed class has the same gradebook" 2

# The whole from slices, as an array job does it.
for slice in 0/3 1/3 2/3; do
    grade lab90 --submissions "$KIT/class" --report "$KIT/three" --seed 77 --slice $slice
    expect "slice $slice" 0
done
class three
cmp -s "$KIT/first.csv" "$KIT/three.csv" || rc=9
expect "slices make the same gradebook" 2

grade lab90 --submissions "$KIT/absent"
expect "a folder that is not there" 2 "No such file"
mkdir "$KIT/nobody"
grade lab90 --submissions "$KIT/nobody"
expect "an empty folder" 2 "holds neither"
finish
