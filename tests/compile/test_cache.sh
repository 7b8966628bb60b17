#!/usr/bin/env bash
# Machine code that is kept in a folder: used again where all is right, and never where anything about it is not. A file that has been used
# has a new date; one that has not been is made again.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/compile/machine_code.sh

program=$out/kept
[ "$program" -nt tests/compile/kept.cu ] || kept_nvcc -cudart shared -arch=compute_75 -o "$program" tests/compile/kept.cu
dir=$(mktemp -d) && trap 'rm -rf "$dir"' EXIT
kept=$dir/kept
run() { # run [VARIABLE=VALUE…]: what the program prints
    env SOFTGPU_ENGINE=compile SOFTGPU_CHECK=none SOFTGPU_CACHE="$kept" LD_LIBRARY_PATH="$lib" "$@" timeout 100 "$program" 2>&1
}
right=$(run SOFTGPU_ENGINE=interpret)
is_right() { [ "$(run "$@")" = "$right" ]; }
files() { find "$kept" -name '*.code' | sort; }
count() { files | wc -l; }
age() { files | xargs touch -d 2001-01-01; }
fresh() { find "$kept" -name '*.code' -newermt 2002-01-01 | wc -l; } # used, or made again

check "what is interpreted is kept nowhere" test ! -e "$kept"
check "the first run is right" is_right
n=$(count)
check "it keeps each kernel" test "$n" = 2
check "only the user may look there" test "$(stat -c %a "$kept" $(files) | sort -u | tr '\n' ' ')" = "600 700 "
cp -r "$kept" "$dir/good"
age
check "the second one is right" is_right
check "it uses what has been kept" test "$(fresh)" = 2
check "and does not write it again" diff -r "$kept" "$dir/good"

# wrong NAME COMMAND: after COMMAND FILE for each file, none is used: all are made again
wrong() {
    local name=$1 f
    shift
    for f in $(files); do "$@" "$f"; done
    files | xargs touch -h -d 2001-01-01
    check "$name: the run is right" is_right
    check "$name: made again" diff -r "$kept" "$dir/good"
}
put() { printf "$2" | dd of="$3" bs=1 seek="$1" conv=notrunc status=none; } # put OFFSET BYTES FILE
flipped() { put $(($(stat -c %s "$1") - 200)) '\377\0\377' "$1"; }
other_version() { put 8 '9.9.9\0' "$1"; }
cut_off() { truncate -s $(($(stat -c %s "$1") / 2)) "$1"; }
longer() { echo more >>"$1"; }
emptied() { : >"$1"; }
linked() { mv "$1" "$dir/elsewhere-${1##*/}" && ln -s "$dir/elsewhere-${1##*/}" "$1"; }
open_to_all() { chmod 666 "$1"; }
wrong "damaged" flipped
wrong "another version" other_version
wrong "truncated" cut_off
wrong "too long" longer
wrong "empty" emptied
wrong "a link" linked
wrong "others may write it" open_to_all
if [ "$(id -u)" = 0 ]; then
    somebody_elses() { chown 65534 "$1"; }
    wrong "somebody else's" somebody_elses
fi
swap() { local a b; read -r a b < <(files | tr '\n' ' '); mv "$a" "$dir/x" && mv "$b" "$a" && mv "$dir/x" "$b"; }
swap
check "another kernel's: the run is right" is_right
check "another kernel's: made again" diff -r "$kept" "$dir/good"

age
check "another processor: the run is right" is_right SOFTGPU_ISA=plain
check "another processor has files of its own" test "$(count)/$(fresh)" = $((n * 2))/$n -o "$(count)/$(fresh)" = $n/$n

rm -rf "$kept"
for i in 1 2 3 4; do run >"$dir/at-once.$i" & done
wait
check "several at once are right" test "$(sort -u "$dir"/at-once.*)" = "$right"
check "and leave whole files" diff -r "$kept" "$dir/good"

bytes() { find "$kept" -name '*.code' -printf '%s\n' | awk '{ sum += $1 } END { print sum + 0 }'; }
most=$(($(bytes) - 1))
check "with a bound: the run is right" is_right SOFTGPU_CACHE_BYTES=$most SOFTGPU_ISA=plain
check "with a bound: less is kept" test "$(bytes)" -le $most

rm -rf "$kept" && mkdir -m 777 "$kept" && chmod 777 "$kept"
check "a folder of everybody's: the run is right" is_right
check "a folder of everybody's is left alone" test "$(count)" = 0
kept=off
check "off: the run is right" is_right XDG_CACHE_HOME="$dir/xdg" HOME="$dir/home"
check "off: nothing is kept" test ! -e "$dir/xdg" -a ! -e "$dir/home"
kept=
check "unsaid: the run is right" is_right XDG_CACHE_HOME="$dir/xdg" HOME="$dir/home"
check "unsaid: kept below XDG_CACHE_HOME" test "$(find "$dir/xdg/fencepost" -name '*.code' | wc -l)" = $n -a ! -e "$dir/home"
check "unsaid, no XDG_CACHE_HOME: the run is right" is_right XDG_CACHE_HOME= HOME="$dir/home"
check "unsaid, no XDG_CACHE_HOME: kept below ~/.cache" test "$(find "$dir/home/.cache/fencepost" -name '*.code' | wc -l)" = $n

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
