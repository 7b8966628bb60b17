#!/usr/bin/env bash
# Runs the CUDA programs of this folder on softgpu: each checks itself, ends with 0, and prints what
# its .expect file holds, if it has one. They are built as any user would, with the shared runtime;
# a first line "// nvcc: FLAGS" adds flags. Then: how the code is packed, and what cannot run.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
mkdir -p "$BUILD/tests/runtime" && out=$(readlink -f "$BUILD")/tests/runtime
lib=$(readlink -f "$BUILD")/lib
. tests/nvcc.sh || exit 1
. tests/part.sh
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

# compile OUTPUT SOURCE FLAGS…
compile() {
    local to=$1 from=$2
    shift 2
    [ "$to" -nt "$from" ] && [ "$to" -nt tests/runtime/check.cuh ] && [ "$to" -nt tests/runtime/driver.cuh ] && return
    case " $* " in *" -arch="* | *" -gencode "*) ;; *) set -- -arch=compute_75 "$@" ;; esac
    kept_nvcc -lineinfo -cudart shared "$@" -o "$to" "$from"
}
toolkit=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/lib64 # for NVRTC
run() { LD_LIBRARY_PATH=$lib:$toolkit timeout "${SECONDS_EACH:-60}" "$@"; }

# Everyday some of the programs are tried (tests/part.sh), in each of the ways below.
mapfile -t names < <(printf '%s\n' tests/runtime/*.cu | sed 's|.*/||; s|\.cu$||' | part_of)
today() { [[ " ${names[*]} " == *" $1 "* ]]; } # NAME

build() { # NAME…
    local name running=0
    for name in "$@"; do
        # shellcheck disable=SC2046
        compile "$out/$name" "tests/runtime/$name.cu" $(sed -n 's|^// nvcc: ||p' "tests/runtime/$name.cu") &
        running=$((running + 1))
        [ $((running % $(nproc))) -eq 0 ] && wait
    done
    wait
}

# turn NUMBER COMMAND…: what is no list of programs, everyday if it is that number's turn
turn() { ! in_part "$1" || "${@:2}"; }

# try NAME [ENVIRONMENT…]: the program in that environment, twice where the output must repeat
try() {
    local name=$1 f=tests/runtime/$1
    shift
    today "$name" || return 0
    run env "$@" "$out/$name" >"$out/$name.out" 2>"$out/$name.err"
    local status=$?
    if [ $status -ne 0 ]; then
        fail "$name ($*): exit status $status"
        tail -n 5 "$out/$name.out" "$out/$name.err"
    elif [ -f "$f.expect" ] && ! diff "$f.expect" "$out/$name.out"; then
        fail "$name ($*): not what $f.expect holds"
    elif grep -q 'no version information' "$out/$name.err"; then
        fail "$name: the library's symbols have no version"
    else
        ok "$name $*"
    fi
}

# silent NAME [ENVIRONMENT…]: the program is right, so no checker reports an error, in any of three schedules.
silent() {
    today "$1" || return 0
    rm -f "$out/$1.json"
    try "$1" "${@:2}" SOFTGPU_CHECK=all SOFTGPU_SCHEDULES=3 SOFTGPU_JSON="$out/$1.json"
    grep -q '"level":"error"' "$out/$1.json" 2>/dev/null || return 0
    fail "$1: a false alarm" && grep '"level":"error"' "$out/$1.json" | head -n 3
}

# The same program, packed as nvcc can pack it.
packings() {
    local flags
    for flags in --compress-mode=speed --no-compress --compress-mode=size; do
        compile "$out/packed" tests/runtime/output.cu $flags && touch -d @0 "$out/packed"
        run "$out/packed" 2>/dev/null | diff - tests/runtime/output.expect >/dev/null &&
            ok "$flags" || fail "packed with $flags"
    done
}

# cannot WORD FLAGS…: a program built so fails to launch, with a line that says why
cannot() {
    local word=$1
    shift
    kept_nvcc -cudart shared "$@" -o "$out/cannot" tests/runtime/output.cu 2>/dev/null ||
        { fail "nvcc $*"; return; }
    if run "$out/cannot" >/dev/null 2>"$out/cannot.err"; then
        fail "a program built with $* runs"
    elif grep -q "$word" "$out/cannot.err"; then
        ok "$* cannot run: $(grep -m 1 "$word" "$out/cannot.err")"
    else
        fail "$*: no word of '$word' in:" && cat "$out/cannot.err"
    fi
}

# Which ways of ordering streams race: exactly these, under every seed.
stream_order() {
    local way seed kinds races=" 0 2 4 5 8 10 13 20 21 "
    build stream_order
    for way in {0..21}; do
        for seed in 1 2 3; do
            rm -f "$out/order.json"
            run env SOFTGPU_CHECK=all SOFTGPU_SEED=$seed SOFTGPU_SCHEDULES=3 \
                SOFTGPU_JSON="$out/order.json" "$out/stream_order" "$way" >"$out/order.out" 2>&1 ||
                { fail "stream order $way, seed $seed" && cat "$out/order.out" && return; }
            kinds=$(sed -n 's/.*"kind":"\([a-z-]*\)".*/\1/p' "$out/order.json" | sort -u | xargs)
            case $races in
            *" $way "*) [ "$kinds" = stream-race ] || fail "order $way, seed $seed: '$kinds', is a race" ;;
            *) [ -z "$kinds" ] || fail "order $way, seed $seed: '$kinds', is none" ;;
            esac
        done
    done
    ok stream order
}

# Using memory before the operation on it has been waited for is a stream race, under every seed; in order,
# the result is exact and nothing is found.
late_effects() {
    local mode way seed got rights=" 1:7 4:4 8:- "
    build late_effects
    for mode in "" --remote; do for way in {0..8}; do
        for seed in 1 2 3; do
            rm -f "$out/late.json"
            got=$(timeout 60 "$BUILD/bin/softgpu" $mode --check race --seed $seed --json "$out/late.json" \
                "$out/late_effects" "$way" 2>/dev/null)
            [ "$way" != 0 ] || [ "$got" = 0 ] ||
                { fail "late effects 0 $mode, seed $seed: $got is newer than it may be"; return; }
            case $rights in
            *" $way:$got "*) grep -q stream-race "$out/late.json" &&
                fail "late effects $way $mode, seed $seed: a false alarm" && return ;;
            *" $way:"*) fail "late effects $way $mode, seed $seed: $got" && return ;;
            *) grep -q stream-race "$out/late.json" ||
                { fail "late effects $way $mode, seed $seed: no stream-race" && return; } ;;
            esac
        done
    done; done
    ok late effects
}

# The host's copy out of memory that the device still writes, done by one instruction.
host_string() {
    local mode
    build host_string
    for mode in "" --remote; do
        rm -f "$out/string.json"
        timeout 60 "$BUILD/bin/softgpu" $mode --check all --json "$out/string.json" "$out/host_string" race \
            >"$out/string.out" 2>&1
        grep -q '"kind":"stream-race"' "$out/string.json" && grep -q 'host_string ok' "$out/string.out" &&
            ok host_string race $mode || fail "host_string race $mode: no stream-race, or no old bytes"
    done
}

# Findings in Driver API programs: calls by the program's names, and lines of code that NVRTC compiled.
driver_races() {
    build nvrtc driver driver_devices driver_mappings old_launches jit_options
    run "$BUILD/bin/softgpu" --check all "$out/nvrtc" race >"$out/nvrtc.race" 2>&1
    if grep -q '^skip' "$out/nvrtc.race"; then
        cat "$out/nvrtc.race"
    elif grep -q 'sums.cu:14 *store' "$out/nvrtc.race" && grep -q 'data-race' "$out/nvrtc.race"; then
        ok nvrtc race
    else
        fail "nvrtc race: $(tail -n 5 "$out/nvrtc.race")"
    fi
    if run "$BUILD/bin/softgpu" --check all --devices 2 "$out/driver_devices" 2>&1 | grep -q 'driver_devices ok'; then
        ok driver_devices
    else
        fail driver_devices
    fi
    kept_nvcc -lineinfo -arch=compute_75 -lcuda -ldl -o "$out/nvrtc_own" tests/runtime/nvrtc.cu
    local program
    for program in nvrtc nvrtc_own; do # with the shared runtime, and with its own
        run "$BUILD/bin/softgpu" --check all --device h200 "$out/$program" given >"$out/nvrtc.given" 2>&1 && ok $program given ||
            fail "$program given: $(tail -n 5 "$out/nvrtc.given")"
    done
    SOFTGPU_DEVICE=h200 run "$out/nvrtc" cubin >"$out/nvrtc.cubin" 2>&1 # by itself: nobody audits it
    if grep -q '^skip' "$out/nvrtc.cubin" ||
        { grep -q 'nvrtc cubin ok' "$out/nvrtc.cubin" && grep -q 'gpu-architecture=compute_90 and take what nvrtcGetPTX' "$out/nvrtc.cubin"; }; then
        ok nvrtc cubin
    else
        fail "nvrtc cubin: $(tail -n 5 "$out/nvrtc.cubin")"
    fi
    local left
    for left in 0 1; do
        run "$BUILD/bin/softgpu" --check all --devices 2 "$out/driver_mappings" ${left#0} >"$out/mappings.out" 2>&1
        grep -q 'driver_mappings ok' "$out/mappings.out" && [ "$(grep -c 'softgpu: leak' "$out/mappings.out")" = $left ] &&
            ok driver_mappings $left || fail driver_mappings $left
    done
    run "$BUILD/bin/softgpu" --check all --devices 2 "$out/old_launches" >"$out/old.out" 2>&1
    run "$BUILD/bin/softgpu" --check all --devices 2 "$out/old_launches" apart >"$out/apart.out" 2>&1
    grep -q 'old_launches ok' "$out/old.out" && ! grep -q 'stream-race' "$out/old.out" && grep -q 'stream-race' "$out/apart.out" &&
        ok old_launches on two devices || fail old_launches on two devices
    timeout 60 "$BUILD/bin/softgpu" --remote "$out/driver" >"$out/driver.remote" 2>&1
    timeout 60 "$BUILD/bin/softgpu" --remote "$out/jit_options" apart >"$out/jit.remote" 2>"$out/jit.remote.err"
    if grep -q 'jit_options ok' "$out/jit.remote" && grep -q '^PTX:3' "$out/jit.remote.err"; then ok remote jit_options; else fail remote jit_options; fi
    if grep -q 'the Driver API is not there' "$out/driver.remote"; then ok remote driver; else fail remote driver; fi
}

# Each call of both APIs that the tables say is refused returns the error, with one line that names it.
refused_calls() {
    local names
    build refused
    names=$("$BUILD/bin/softgpu" --driver-calls | sed -n 's/^| `\(cu[A-Za-z0-9_]*\)` .*| – | [0-9.]* |$/\1/p')
    names="$names $("$BUILD/bin/softgpu" --calls | sed -n 's/^| `\([A-Za-z0-9_]*\)` | *\(`_pt.z`\)\? *| – | – |.*/\1/p')"
    # shellcheck disable=SC2086
    run "$out/refused" $names >"$out/refused.out" 2>"$out/refused.err"
    grep -q 'refused ok' "$out/refused.out" && [ "$(wc -w <<<"$names")" -gt 100 ] &&
        [ "$(grep -c 'is not supported by softgpu' "$out/refused.err")" = "$(wc -w <<<"$names")" ] && ok refused calls ||
        fail refused calls: "$(grep 'not so' -B1 "$out/refused.err")"
}

# libcuda.so.1 has each function that the toolkit's headers of the Driver API declare, those of graphics, too: programs look
# all up at their start, and leave the device alone where one is missing (Dr.Jit does).
every_driver_symbol() {
    local include missing
    include=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/include
    missing=$(cd "$include" && cat cuda.h cudaProfiler.h cudaGL.h cudaEGL.h cudaVDPAU.h |
        sed -n 's/.*CUDAAPI *\(cu[A-Z][A-Za-z0-9_]*\) *(.*/\1/p' | grep -v '^cuWGL' | sort -u |
        comm -23 - <(nm -D --defined-only "$lib/libcuda.so.1" | sed 's/.* //' | sort -u))
    [ -z "$missing" ] && ok every symbol of the driver || fail every symbol of the driver: "$missing"
}

# A timeline has a row a branch of a graph, its nodes know their launch, and edges between branches are arrows.
graph_timeline() {
    build graphs
    run "$BUILD/bin/softgpu" --check none --timeline "$out/graphs.json" "$out/graphs" >/dev/null 2>&1
    if grep -q '"stream 1, branch 2"' "$out/graphs.json" && grep -q '"cat": "graph"' "$out/graphs.json" &&
        grep -q '"graph": [1-9]' "$out/graphs.json"; then
        ok timeline of graphs
    else
        fail timeline of graphs
    fi
}

# With the device in a process of its own: the same programs, the same findings at the same lines.
remote_programs() {
    local name
    for name in basics callbacks conditions cooperative copies graphs host_atomics launch_events nested output pointed pools sent shared_memory streams surface_registers textures threads; do
        # Both processes' malloc() then gives the same addresses, so that the server cannot have the program's memory at its own.
        [ "$name" != shared_memory ] || [ -z "${ASAN_OPTIONS:-}" ] || continue
        today "$name" || continue
        timeout 60 "$BUILD/bin/softgpu" --remote "$out/$name" >"$out/$name.out" 2>"$out/$name.err"
        [ $? -eq 0 ] && ok "remote $name" || fail "remote $name: $(tail -n 3 "$out/$name.err")"
    done
    ! today output || diff tests/runtime/output.expect "$out/output.out" || fail "remote output"
}

remote() {
    local way
    build node_update stream_order graph_facts
    timeout 60 "$BUILD/bin/softgpu" --remote "$out/node_update" 2>&1 |
        grep -q 'kernels update, with the device in another process, is not supported' &&
        ok remote node update is refused || fail remote node update
    for way in 0 1 2 8 13 16; do
        for mode in '' --remote; do
            timeout 60 "$BUILD/bin/softgpu" $mode --schedules 2 --json "$out/order$mode.json" "$out/stream_order" \
                "$way" >"$out/order$mode.out" 2>&1
        done
        diff "$out/order.json" "$out/order--remote.json" && diff "$out/order.out" "$out/order--remote.out" ||
            fail "remote stream order $way"
    done
    ok remote stream order
    for way in 0 1 2 3 4; do
        timeout 60 "$BUILD/bin/softgpu" --check none --remote "$out/graph_facts" $way 2>/dev/null
    done | diff <(run "$out/graph_facts" 2>/dev/null) - && ok remote graph facts || fail remote graph facts
    names() { nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | sort; }
    diff <(names "$lib/libcudart.so.13") <(names "$lib/remote/libcudart.so.13") &&
        ok remote symbols || fail remote symbols
}

# What was recorded on a real GPU (NAME.gpu.txt) is what softgpu does, but for the lines whose
# names (before the colon) NAME.known, if there is one, lists with the reason.
facts() { # NAME [DEVICES]
    local f=tests/runtime/$1
    today "$1" || return 0
    [ -f $f.gpu.txt ] || { echo "skip $1: not recorded yet"; return; }
    run env SOFTGPU_DEVICE=h200 SOFTGPU_DEVICES="${2:-1}" "$out/$1" >"$out/$1.txt" 2>/dev/null
    known() { sed -n 's/ *#.*//; /./s/$/:/p' $f.known /dev/null 2>/dev/null; }
    if diff <(grep -v '^#' $f.gpu.txt | grep -v -F -f <(known)) <(grep -v -F -f <(known) "$out/$1.txt"); then
        ok "$1"
    else
        fail "$1: softgpu (>) is not what the GPU did (<)"
    fi
}

# Every symbol of the real library is there, with its version.
symbols() {
    local real
    real=$(dirname "$(dirname "$(readlink -f "$nvcc")")")/lib64/libcudart.so.13
    [ -f "$real" ] || { echo "skip symbols: no $real"; return; }
    names() { nm -D --defined-only "$1" | awk '$2 == "T" { print $3 }' | sort; }
    local missing
    missing=$(comm -23 <(names "$real") <(names "$lib/libcudart.so.13"))
    [ -z "$missing" ] && ok symbols || fail "symbols are missing:" $missing
}

build "${names[@]}"
for name in "${names[@]}"; do
    [[ $name == *facts || $name == *blackwell || $name == *stealing || $name == *late_wait ]] || try "$name"
done
try threads SOFTGPU_THREADS=1
try blackwell SOFTGPU_DEVICE=b200
try blackwell SOFTGPU_DEVICE=rtx5090
try late_wait SOFTGPU_CHECK=none
try large_memory SOFTGPU_CHECK=all
silent stealing SOFTGPU_DEVICE=b200
try stealing SOFTGPU_DEVICE=rtx5090 SOFTGPU_CHECK=none
silent ordinary_blackwell SOFTGPU_DEVICE=b200
silent ordinary_blackwell SOFTGPU_DEVICE=rtx5090
silent nvrtc
silent jit_link
for name in basics callbacks clusters conditions cooperative copies driver driver_mappings driver_more graphs host_atomics host_string logs map_from_zeros matrices nested node_update old_launches pools shared_memory streams surface_registers tensor_gemm textures threads wgmma_gemm wgmma_sparse wgmma_together; do
    silent $name
done
turn 0 packings
turn 1 cannot 'no PTX' -gencode arch=compute_90,code=sm_90
turn 2 cannot 'newer devices' -arch=compute_100
SOFTGPU_DEVICE=b200 turn 3 cannot 'newer devices than sm_100' -arch=compute_103
SOFTGPU_DEVICE=b200 turn 4 cannot 'other devices' -gencode arch=compute_90a,code=compute_90a
turn 2 driver_races
turn 1 refused_calls
every_driver_symbol
turn 3 stream_order
turn 4 late_effects
turn 5 host_string
turn 0 graph_timeline
remote_programs
turn 5 remote
facts facts
facts graph_facts
facts graph_more_facts
facts launch_event_facts
facts driver_facts
facts warp_facts
facts carry_facts
facts barrier_parts_facts
SOFTGPU_ISA=plain facts warp_facts
facts peer_facts 2
facts pool_facts
facts tensor_facts
facts tensor_type_facts
facts undefined_facts
facts im2col_facts
facts old_calls_facts
facts small_facts
facts wgmma_facts
facts texture_facts
SOFTGPU_ISA=plain facts texture_facts
facts texture_calls_facts
facts image_facts
SOFTGPU_ISA=plain facts texture_calls_facts
facts cluster_facts
facts cdp_facts
facts cg_calls_facts
facts graph_launch_facts
facts device_update_facts
facts asked_facts
facts constant_facts
facts host_copy_facts
facts free_facts
facts graph_pageable_facts
facts odd_facts
facts graph_set_facts
facts library_facts
facts driver_more_facts
facts print_facts
facts attribute_facts
facts green_facts
facts green_more_facts
facts ipc_facts
facts memop_facts
facts share_facts
facts pool_share_facts
symbols
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
