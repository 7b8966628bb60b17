#!/usr/bin/env bash
# The softgpu command: exit status, what goes to stdout and stderr, options, files, signals, dumps.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/cli
mkdir -p "$out" && out=$(readlink -f "$out")
softgpu=$(readlink -f "$BUILD")/bin/softgpu
. tests/nvcc.sh || exit 1
unset "${!SOFTGPU_@}"
export TMPDIR=$out/tmp
rm -rf "$TMPDIR" && mkdir -p "$TMPDIR"
passed=0 failed=0

kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/race" tests/cli/race.cu &
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/handled" tests/cli/handled.cu &
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/causes" tests/cli/causes.cu &
kept_nvcc -arch=compute_75 -o "$out/race_static" tests/cli/race.cu &
kept_nvcc -arch=compute_75 -cudart shared -o "$out/bounds" tests/cli/bounds.cu &
kept_nvcc -arch=compute_75 -cudart shared -o "$out/rows" tests/cli/rows.cu &
kept_nvcc -arch=compute_90 -cudart shared -o "$out/barriers" tests/cli/barriers.cu &
kept_nvcc -arch=compute_75 -shared -Xcompiler -fPIC -Dmain=program -o "$out/librace.so" tests/cli/race.cu &
# A library with a folder of its own for the runtime's, whose library there is another.
mkdir -p "$out/folder" && gcc -shared -Wl,-soname,libcudart.so.13 -o "$out/folder/libcudart.so.13" -x c /dev/null
kept_nvcc -arch=compute_75 -shared -Xcompiler -fPIC -Dmain=program -cudart shared -Xlinker --disable-new-dtags \
    -Xlinker -rpath -Xlinker "$out/folder" -o "$out/libshares.so" tests/cli/race.cu &
wait
gcc -DLIBRARY="\"$out/librace.so\"" -o "$out/opens" tests/cli/opens.c -ldl
gcc -DLINKED -o "$out/needs" tests/cli/opens.c -L "$out" -lrace -Wl,-rpath,"$out"
gcc -DLIBRARY="\"$out/libshares.so\"" -o "$out/opens_sharing" tests/cli/opens.c -ldl
strip -o "$out/libstripped.so" "$out/librace.so"
gcc -DLIBRARY="\"$out/libstripped.so\"" -o "$out/opens_stripped" tests/cli/opens.c -ldl

# expect STATUS OUT ERR ARGUMENT…: runs softgpu with the arguments; OUT and ERR are patterns that one
# line of stdout and of stderr must match; an empty pattern: nothing may be there.
expect() {
    local status=$1 want_out=$2 want_err=$3 got wrong=
    shift 3
    timeout 60 "$softgpu" "$@" >"$out/out" 2>"$out/err" <"${INPUT:-/dev/null}"
    got=$?
    [ $got -eq "$status" ] || wrong="exit status $got, not $status"
    if [ -z "$want_out" ]; then [ -s "$out/out" ] && wrong="output on stdout"
    else grep -qE -- "$want_out" "$out/out" || wrong="$wrong stdout without '$want_out'"; fi
    if [ -z "$want_err" ]; then [ -s "$out/err" ] && wrong="output on stderr"
    else grep -qE -- "$want_err" "$out/err" || wrong="$wrong stderr without '$want_err'"; fi
    note "$wrong" "softgpu $*"
}

note() { # WRONG NAME
    if [ -z "$1" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2: $1"
        head -n 5 "$out/out" "$out/err" 2>/dev/null
    fi
}
that() { if "${@:2}"; then note "" "$1"; else note "not so" "$1"; fi; }

# Where the host gives no more memory, what is judged ends with a word (8 million words of 48 bytes; 300 MB are given).
expect 0 'no error' '' "$out/rows" 50
( ulimit -d 300000; timeout 60 "$softgpu" --json "$out/rows.json" "$out/rows" 8000 >"$out/out" 2>"$out/err"; echo $? >"$out/status" )
that 'short of memory: the status' test "$(cat "$out/status")" -eq 86
that 'short of memory: the program hears it' grep -q 'operation not supported' "$out/out"
that 'short of memory: the finding' grep -q '"kind": *"unsupported"' "$out/rows.json"
that 'short of memory: what to do' grep -q 'Try: fewer elements' "$out/err"

# Status: the program's own, or 86.
expect 86 'no error' 'data-race \(error' "$out/race"
that 'the summary names both accesses with their source' \
    test "$(grep -c 'race.cu:11 .*sum = sum + i;' "$out/err")" -ge 2
that 'the summary fits 80 columns' test "$(awk 'length > 80' "$out/err" | wc -l)" -eq 0
# What one change mends is told once, and named below; another cause is told, too. The file has all.
expect 86 'no error' 'The same change mends 4 more, of lines 8 and [0-9]+, 8 and ' --json "$out/causes.json" "$out/causes"
that 'one cause and another' test "$(grep -c '^softgpu: data-race' "$out/err")" -eq 2
that 'each with its advice' test "$(grep -c '  Try: __syncthreads() between line' "$out/err")" -eq 2
that 'no consequence is left out' test "$(grep -oE '8 and (9|1[0-3])' "$out/err" | sort -u | wc -l)" -eq 4
that 'causes fit 80 columns' test "$(awk 'length > 80' "$out/err" | wc -l)" -eq 0
that 'the file has them all' test "$(grep -c '"kind":"data-race"' "$out/causes.json")" -eq 6
that 'and says who mends whom' test "$(grep -c '"mended_by":1[,}]' "$out/causes.json")" -eq 4
expect 86 'no error' 'data-race \(error' --all "$out/causes"
that '--all shows each' test "$(grep -c '^softgpu: data-race' "$out/err")" -eq 6
that '--all needs no list' test "$(grep -c 'The same change' "$out/err")" -eq 0
expect 3 'no error' 'data-race' "$out/race" 3
expect 0 'no error' '' "$out/race" 0 1
expect 7 'no error' '' "$out/race" 7 1
expect 0 'no error' '' --check none "$out/race"
expect 0 'no error' '' --check leak "$out/race"
expect 86 'no error' 'data-race' --check=race --seed=7 --schedules 2 "$out/race"
# Without checks a kernel's fault is the program's to notice, as on a GPU; what a GPU would not end is told.
expect 86 cudaErrorAssert 'assert \(error' "$out/handled" assert
expect 0 cudaErrorAssert 'assert \(error' --check none "$out/handled" assert
expect 86 cudaErrorLaunchFailure 'trap \(error' --check leak "$out/handled" trap
expect 0 cudaErrorLaunchFailure 'trap \(error' --check none "$out/handled" trap
SOFTGPU_CHECK=none expect 0 cudaErrorIllegalAddress 'out-of-bounds \(error' "$out/handled" bounds
expect 0 cudaSuccess '' "$out/handled" none
expect 0 cudaSuccess '' --check none "$out/handled" none
expect 86 cudaError 'step-limit \(error' --check none --step-limit 100000 "$out/handled" forever
expect 0 '' '' -- /bin/true
expect 137 '' '' /bin/sh -c 'kill -9 $$'
expect 5 got '' /bin/sh -c 'trap "echo got; exit 5" TERM; kill -TERM $PPID; for i in $(seq 200); do sleep 0.2; done'
printf 'one\ntwo\n' >"$out/in"
INPUT=$out/in expect 0 '^> two' '' "$out/race" 0 1

# With the CUDA runtime linked in statically, as plain nvcc does it: the same, as long as there are symbols.
expect 86 'no error' 'data-race' --check=race --seed=7 --schedules 2 "$out/race_static"
expect 86 'no error' 'data-race' --check=race --seed=7 --schedules 2 --remote "$out/race_static"
expect 7 'no error' '' "$out/race_static" 7 1
strip -o "$out/race_stripped" "$out/race_static"
# The same with a library that carries the runtime, opened or linked to, and with what a script starts. 6 threads, 1 thread.
for device in '' --remote; do
    for name in opens needs opens_sharing; do
        expect 86 'no error' 'data-race' $device --check race "$out/$name" 0 6
        expect 7 'no error' '' $device --check race "$out/$name" 7 1
    done
done
expect 86 'no error' 'data-race' --check race sh -c "'$out/race_static' 0; exit \$?"
expect 7 'no error' '' sh -c "'$out/opens' 7 1; exit \$?"
expect 0 'operation not supported' 'libstripped.so carries NVIDIA' "$out/opens_stripped"

# Bad usage: one line, status 2.
expect 2 '' 'no program' --seed 1
expect 2 '' "unknown option '--nonsense'" --nonsense "$out/race"
expect 2 '' '--seed needs a value' --seed
expect 2 '' "--seed cannot be '-1'" --seed -1 "$out/race"
expect 2 '' "--check cannot be 'race,foo'" --check race,foo "$out/race"
expect 2 '' 'h200' --device nonsense "$out/race"
expect 2 '' 'not-there' not-there
expect 2 '' 'not-there' ./not-there
expect 2 '' 'cudart shared' "$out/race_stripped"
that 'one line' test "$(wc -l <"$out/err")" -eq 1
PATH=$out:$PATH expect 2 '' 'cudart shared' race_stripped

# A name that PATH does not have is the program of this folder; one that it has is that one; a folder is none.
mkdir -p "$out/found/bounds" "$out/found/bin"
printf '#!/bin/sh\necho from here "$@"\n' >"$out/found/mine"
cp "$out/found/mine" "$out/found/true"
chmod +x "$out/found/mine" "$out/found/true"
cd "$out/found" || exit 1
expect 0 '^from here a b$' '' mine a b
expect 0 '' '' true
PATH=$out/found/bin:$PATH expect 2 '' 'cannot run bounds' bounds
PATH=$out/found:$out:$PATH expect 2 '' 'cudart shared' race_stripped
expect 2 '' 'cannot run nowhere' nowhere
cd "$OLDPWD" || exit 1
expect 2 '' 'no program; --dump' tests/ptx/by_hand.ptx
expect 2 '' "--dump cannot be 'x'" --dump x "$out/race"
SOFTGPU_SEED=x expect 2 '' "SOFTGPU_SEED cannot be 'x'" "$out/race"
SOFTGPU_CHECK=none expect 0 'no error' '' "$out/race"

# The findings file: the user's, without what an earlier run left; never half a run.
expect 86 'no error' 'data-race' --json "$out/findings" "$out/race"
that 'findings are JSON lines' grep -q '^{"kind":"data-race","level":"error"' "$out/findings"
expect 0 '' '' --json "$out/findings" /bin/true
that 'old findings are gone' test ! -s "$out/findings"
expect 2 '' 'cannot write findings' --json "$out/none/findings" "$out/race"
# Where they go is no file that can be read again: nobody waits for what it has written itself, and an error is one still.
expect 86 'no error' 'data-race' --json /dev/null "$out/race"
piped() { { timeout 60 "$softgpu" --json /dev/stdout "$out/race" 2>"$out/err"; echo $? >"$out/status"; } | "$@" >"$out/out"; cat "$out/status"; }
that 'findings into a pipe: the status' [ "$(piped cat)" = 86 ]
that 'findings into a pipe: they are there' grep -q '^{"kind":"data-race","level":"error"' "$out/out"
that 'findings into a pipe: they are told' grep -q 'data-race (error' "$out/err"
that 'findings into a pipe that is closed: the status' [ "$(piped head -c 1)" = 86 ]
that 'no temporary file is left' test -z "$(ls "$TMPDIR")"

# What it tells about itself.
expect 0 '^usage: softgpu' '' --help
expect 0 '^softgpu [0-9]' '' --version
expect 0 '^h200 .*132 SMs' '' --devices

# Dumps: of a file on stdout, of a program's modules on stderr.
expect 0 '^[0-9]+:[0-9]+ directive version' '' --dump tokens tests/ptx/by_hand.ptx
expect 0 '^\.visible \.entry' '' --dump module tests/ptx/nvcc_75.ptx
expect 0 '^entry ' '' --dump code tests/golden/loop.ptx
expect 0 'no error' '\.entry' --check none --dump module "$out/race" 0 1
expect 0 'no error' 'st\.global' --check none --dump trace "$out/race" 0 1
printf '.version 9.0\n.target sm_75\n.global .u33 x;\n' >"$out/bad.ptx"
expect 2 '' 'bad\.ptx:3:10: error: ' --dump module "$out/bad.ptx"
that 'a caret under the place' grep -qE '^ {11}\^$' "$out/err"
expect 2 '' 'cannot read' --dump module "$out/none.ptx"

# Side results.
expect 0 'no error' 'global_store_requests' --check none --counters "$out/race" 0 1
SOFTGPU_COUNTERS="$out/counters" "$softgpu" --check none "$out/race" 0 1 >"$out/out" 2>&1
that 'how much one block did of it, of what all did' grep -q '"busiest_share": [01]\.' "$out/counters"
# Barriers, each kind beside the others: a grid's is counted once when all blocks have come, however many wait and in whatever order; one of the program's own is
# none. Phases are those of the block, of the cluster and of mbarriers, also of one that is made anew; arrivals that end no phase are none.
# counts WAY ROUNDS BLOCKS GRID_BARRIERS BARRIER_PHASES OPTION…
counts() {
    local way=$1 rounds=$2 blocks=$3 grid=$4 phases=$5
    shift 5
    SOFTGPU_COUNTERS="$out/counters" "$softgpu" "$@" "$out/barriers" "$way" "$rounds" "$blocks" >"$out/out" 2>"$out/err"
    that "barriers $way $rounds $blocks, $*: $grid of the grid" grep -q "^  \"grid_barriers\": $grid,*$" "$out/counters"
    that "barriers $way $rounds $blocks, $*: $phases phases" grep -q "^  \"barrier_phases\": $phases,*$" "$out/counters"
}
for how in '--check none' '--check none --engine compile' '--check all --seed 3' '--check all --seed 4 --schedules 6'; do
    # shellcheck disable=SC2086
    {
        counts g 5 3 5 10 $how
        counts g 4 1 4 8 $how
        counts a 2 7 2 4 $how
        counts o 5 3 0 10 $how
        counts b 4 3 0 5 $how
        counts c 4 3 0 5 $how
        counts m 4 3 0 5 $how
        counts n 4 3 0 13 $how
        counts e 4 3 0 1 $how
    }
done
expect 0 'no error' '' --check none --timeline "$out/timeline" "$out/race" 0 1
that 'a timeline was written' grep -q 'traceEvents' "$out/timeline"
expect 0 'no error' '' --check none --timeline "$out/timeline.svg" "$out/race" 0 1
that 'a picture of it, whole' grep -q '</svg>' "$out/timeline.svg"
that 'with the kernel on the SMs' grep -q '>SMs</text>' "$out/timeline.svg"
cp "$out/timeline.svg" "$out/again.svg"
expect 0 'no error' '' --check none --timeline "$out/timeline.svg" "$out/race" 0 1
that 'the same bytes again' cmp "$out/timeline.svg" "$out/again.svg"

# Calls without a loop obey the step limit, and so do many blocks that each end soon; 40 GB of poison take no memory,
# and what threads say to each other in shared memory goes with their block.
for check in all none; do
    expect 86 'cudaErrorLaunchTimeout' 'step-limit' --check $check --step-limit 100000 "$out/bounds" calls
    expect 0 '^cudaSuccess 1024' '' --check $check --step-limit 100000 "$out/bounds" few
    expect 86 'cudaErrorLaunchTimeout' 'of its blocks to their ends' --check $check --step-limit 100000 "$out/bounds" blocks
    expect 0 '^cudaSuccess 81920' '' --check $check --step-limit 1000000 "$out/bounds" blocks
done
expect 0 '^little memory' '' --check race "$out/bounds" big
that 'and the poison is there' grep -q '^cudaSuccess 0' "$out/out"
for told in '' told; do
    # shellcheck disable=SC2086
    expect 0 '^little memory' '' --schedules 1 "$out/bounds" scans $told
    that 'and the sums are right' grep -q '^cudaSuccess 0' "$out/out"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
