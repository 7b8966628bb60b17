#!/usr/bin/env bash
# Programs run without checks and (two of them) with all, interpreted, compiled, and compiled while they are interpreted (auto: each kernel is waited for; later: none
# is, so that a program may end meanwhile): what they print, how they end, their findings and their times on the device must be the same, byte for byte. The programs are some of tests/runtime and the reference of a lab, each case of it.
set -u
export SOFTGPU_CACHE=off # what is made here is tried, not what was made before
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
mkdir -p "$BUILD/tests/compile" && out=$(readlink -f "$BUILD")/tests/compile
made=$out/made # what `compile` makes of one text in here is made once
rm -rf "$made" && mkdir -m 700 "$made"
lib=$(readlink -f "$BUILD")/lib
. tests/nvcc.sh || exit 1
passed=0 failed=0
ok() { echo "ok   $*"; passed=$((passed + 1)); }
fail() { echo "FAIL $*"; failed=$((failed + 1)); }

engine=$("$BUILD/bin/softgpu" --version | sed -n 's/^machine code: //p')
case $engine in
LLVM*) ;;
*)
    echo "skipped: $engine"
    exit 0
    ;;
esac

# same ENGINES NAME COMMAND…: with the checks `check` runs it interpreted and on each of the engines; PARTS are the suffixes of the files that it writes
same() {
    local engines=$1 name=$2 program=$3 e part engine hot kept
    shift 2
    for e in interpret $engines; do
        engine=${e/later/auto} hot=${hot_after:-1} kept=off
        [ "$e" != later ] || hot=1+
        if [ "$e" = compile ] || [ -n "${hot_after:-}" ]; then kept=$made; fi
        (cd "$out" && SOFTGPU_CACHE=$kept SOFTGPU_ENGINE=$engine SOFTGPU_HOT=$hot SOFTGPU_CHECK=$check SOFTGPU_THREADS=1 SOFTGPU_JSON=$out/$name.$e.json SOFTGPU_TIMELINE=$out/$name.$e.line \
            LD_LIBRARY_PATH=$lib timeout 250 "$@" >"$name.$e.out" 2>"$name.$e.err"; echo "status $?" >>"$name.$e.out")
    done
    for e in $engines; do
        for part in out json line; do
            [ "$part$program" = line./shared_memory ] && continue # its kernel waits for the host, as long as that takes
            [ ! -e "$out/$name.interpret.$part" ] && [ ! -e "$out/$name.$e.$part" ] && continue
            cmp -s "$out/$name.interpret.$part" "$out/$name.$e.$part" || { fail "$name, $e: $part differs"; return; }
        done
        grep -q 'is interpreted' "$out/$name.$e.err" && fail "$name, $e: was not compiled"
    done
    ok "$name: $engines"
}

check=none
for source in basics faults shared_memory warp_facts waits rows gathers products uneven given_back places nans directed rounds forms; do
    from=tests/runtime/$source.cu to=$out/$source
    [ -e "$from" ] || from=tests/compile/$source.cu
    # shellcheck disable=SC2046
    [ "$to" -nt "$from" ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 $(sed -n 's|^// nvcc: ||p' "$from") -o "$to" "$from"
    same "compile auto later" "$source" "./$source"
done
# Their arithmetic is in the text, not in handlers.
in_text() { # in_text PATTERN ARGUMENT…: in that of the last kernel
    (cd "$out" && SOFTGPU_ENGINE=compile SOFTGPU_DUMP_LLVM=$out/directed.ll SOFTGPU_CHECK=none LD_LIBRARY_PATH=$lib timeout 250 ./directed "${@:2}" >/dev/null 2>&1)
    grep -q "$1" "$out/directed.ll" || fail "directed: nowhere $1"
    rm -f "$out/directed.ll"
}
in_text 'fdiv <32 x double>'
[[ $engine != *AVX-512* ]] || in_text 'avx512.mul.pd.512' reals
# One lane's element lies outside: just so, or so far that its distance wraps.
for outside in "0 49152" "0 -1" "100 -101" "100 49052" "0 0x80000000" "40000 0x80000000" "0 0x3fffffff" "0 0x40000000" "0 0xc0000000 u" "0 0xffffffff u" \
    "40000 0xffffffff u" "100 0xffffff9c u" "100 0x80000000 u" "0 49152 u"; do
    # shellcheck disable=SC2086
    same compile "gathers-${outside// /-}" ./gathers $outside
    grep -q '^outside: .*illegal' "$out/gathers-${outside// /-}.compile.out" || fail "gathers $outside: no fault"
done
# So in loops whose loads are looked at together: a column of some lane, its row's begin, or all rows. With the checks the findings are the same, too.
# Allocations of rows have 40,960 bytes, that of x 2,000 words.
for outside in "0 40 2 2000" "0 63 15 -1" "0 0 0 0x80000000" "3 33 6 0x7fffffff" "5 40 2 2000" "0 40 -1 2562" "0 41 -1 40944" "0 63 -1 40900" "0 -1 -1 2" "0 -1 -1 30748" "0 -1 -1 31808"; do
    name=products-${outside// /_}
    for check in none all; do
        # shellcheck disable=SC2086
        same compile "$name-$check" ./products $outside
        grep -q '^outside: .*\(illegal\|misaligned\)' "$out/$name-$check.compile.out" || fail "products $outside: no fault"
    done
    check=none
done
# So where rows have any length and lanes are served one after another: a column outside, or where a row begins; and one that ends just where its allocation does.
for outside in "40 3 2000" "41 0 -1" "33 20 0x80000000" "100 -1 65520" "70 -1 -20" "3 -1 65507"; do
    name=uneven-${outside// /_}
    for check in none all; do
        # shellcheck disable=SC2086
        same compile "$name-$check" ./uneven $outside
        grep -q "^outside: $([ "$outside" = "3 -1 65507" ] && echo "no error" || echo ".*illegal")" "$out/$name-$check.compile.out" || fail "uneven $outside: otherwise"
    done
    check=none
done
# That is what they are: with AVX-512 the loop has a text of its own, with AVX2 where sums are made lane by lane.
one_text() { # one_text NAME: of the level that SOFTGPU_ISA says
    (cd "$out" && SOFTGPU_ENGINE=compile SOFTGPU_DUMP_LLVM=$out/products.ll SOFTGPU_CHECK=none LD_LIBRARY_PATH=$lib timeout 250 ./products >/dev/null 2>&1)
    grep -q '^Zt[0-9]*:' "$out/products.ll" || fail "products, $1: nothing is looked at together"
    grep -q avx512_fp16 /proc/cpuinfo || grep -q '^Zwz[0-9]*:' "$out/products.ll" || fail "products, $1: no turns are done at once"
    (cd "$out" && SOFTGPU_ENGINE=compile SOFTGPU_DUMP_LLVM=$out/products.ll SOFTGPU_CHECK=none LD_LIBRARY_PATH=$lib timeout 250 ./uneven >/dev/null 2>&1)
    grep -q avx512_fp16 /proc/cpuinfo || grep -q '^Uw[0-9]*:' "$out/products.ll" || fail "uneven, $1: lanes are not served one after another"
    (cd "$out" && SOFTGPU_ENGINE=compile SOFTGPU_DUMP_LLVM=$out/products.ll SOFTGPU_CHECK=all LD_LIBRARY_PATH=$lib timeout 250 ./products >/dev/null 2>&1)
    { grep -q '^Zqd[0-9]*:' "$out/products.ll" && grep -q '^Zt[0-9]*:' "$out/products.ll"; } || fail "products, $1: quiet loads are not looked at together"
    rm -f "$out/products.ll"
}
[[ $engine != *AVX-512* ]] || one_text AVX-512
if [[ $engine == *AVX* ]] && ! grep -q avx512_fp16 /proc/cpuinfo; then SOFTGPU_ISA=avx2 one_text AVX2; fi
# The same where elements are loaded one by one although the processor gathers.
export SOFTGPU_GATHER=0
same compile gathers ./gathers
same compile rows ./rows
same compile products ./products 0 40 2 2000
same compile "gathers-one-by-one" ./gathers 100 49052
unset SOFTGPU_GATHER
# A lane stores outside of shared or of global memory: alone, or as the end of a row.
for outside in "s 3" "s 31" "sr 0" "sr 40" "g 3" "g 31" "gr 0" "gr 40"; do
    # shellcheck disable=SC2086
    same compile "places-${outside// /-}" ./places $outside
    grep -q '^beyond: .*illegal' "$out/places-${outside// /-}.compile.out" || fail "places $outside: no fault"
done
# A warp's row in shared memory up to its end, beyond it by one word, far beyond, before its begin, and not aligned.
for start in 0 384 256 388 260 0x7fffffff -4 -128 2 130; do
    for check in none all; do same compile "row-$start-$check" ./places w $((start)); done
    check=none
    case $start in
    0 | 256) ;;
    *) grep -q 'illegal\|misaligned' "$out/row-$start-none.compile.out" || fail "row $start: no fault" ;;
    esac
done
# Lanes that lie apart in shared memory, backwards, too, leave it; an index wraps within a warp.
for outside in "400 0" "-7 0" "6 0" "-7 3" "6 3" "1 0" "2 0" "3 0"; do
    # shellcheck disable=SC2086
    same compile "forms-${outside// /-}" ./forms $outside
    grep -q '^apart: .*illegal' "$out/forms-${outside// /-}.compile.out" || fail "forms $outside: no fault"
done
# Where a launch is compiled after some steps, and where it has used its steps: lanes are where the interpreter has them, and so say the findings.
export SOFTGPU_SCHEDULES=1
[ "$out/partings" -nt tests/compile/partings.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/partings" tests/compile/partings.cu
for check in none all; do
    for hot_after in 7 211; do same auto "partings-$check-after-$hot_after" ./partings; done
done
unset hot_after
for steps in 29 1013 9001; do
    SOFTGPU_STEP_LIMIT=$steps same compile "partings-steps-$steps" ./partings
    grep -q '"kind":"step-limit"' "$out/partings-steps-$steps.compile.json" || fail "partings: $steps steps are enough"
done
unset SOFTGPU_SCHEDULES
check=none
for e in compile later; do # the program itself says what it has noticed
    grep -q '^children 1, signals 1, then none$' "$out/waits.$e.out" && grep -q '^written into its files: 0$' "$out/waits.$e.out" ||
        fail "waits, $e: the program notices"
done
check=all
for source in checked shared_memory rows gathers products uneven forms partings; do
    from=tests/compile/$source.cu to=$out/$source
    [ "$to" -nt "$from" ] || [ ! -e "$from" ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$to" "$from"
    same compile "checked-$source" "./$source"
done
SOFTGPU_SCHEDULES=1 same compile checked-rounds ./rounds
# Turns that end everywhere: amid rounds, loops, and where lanes have parted.
for source in checked partings rounds; do SOFTGPU_SCHEDULES=1 SOFTGPU_FUEL=300 same compile "checked-$source-turns" ./$source; done
SOFTGPU_FUEL=1 same compile checked-checked-turns ./checked
check=none
SOFTGPU_FUEL=300 same "compile auto" rounds-turns ./rounds
check=all
# Blocks that meet for longer than one turn lasts: no race that is not there, and those that are.
[ "$out/long_rounds" -nt tests/compile/long_rounds.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/long_rounds" tests/compile/long_rounds.cu
for late in -1 15001; do
    SOFTGPU_SCHEDULES=1 same "compile auto" "long_rounds-$late" ./long_rounds $late
    found=$(grep -o '"kernel":"[^"]*' "$out/long_rounds-$late.compile.json" | sort -u | wc -l)
    [ "$found" = "$([ $late = -1 ] && echo 0 || echo 3)" ] || fail "long_rounds $late: races in $found kernels"
done
# By itself, too, where a kernel does little but load and store.
kept_nvcc -lineinfo -cudart shared -arch=compute_80 -o "$out/stores" tests/compile/stores.cu
rm -f "$out/stores.ll"
(cd "$out" && SOFTGPU_ENGINE=auto SOFTGPU_HOT=1+ SOFTGPU_DUMP_LLVM=$out/stores.ll SOFTGPU_CHECK=all LD_LIBRARY_PATH=$lib timeout 250 ./stores >stores.out 2>&1)
grep -q '^compiled$' "$out/stores.out" || fail "stores: not compiled by itself under the checks"
for kind in data-race uninitialized-read barrier-divergence deadlock; do # the findings are there to be compared
    grep -q "\"kind\":\"$kind\"" "$out/checked-checked.compile.json" || fail "checked: no finding of kind $kind"
done
# Loads before a choice: of some the value goes on in every lane, of some the choice drops it.
[ "$out/dropped" -nt tests/compile/dropped.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/dropped" tests/compile/dropped.cu
for how in 2 3 7 15 18 22 31; do same compile "dropped-$how" ./dropped $how; done
# Reads between two barriers of which no checker is told; those runs alone, for others are interpreted and would find what is lost.
[ "$out/quiet" -nt tests/compile/quiet.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_80 -o "$out/quiet" tests/compile/quiet.cu
export SOFTGPU_SCHEDULES=1
same compile quiet ./quiet
unset SOFTGPU_SCHEDULES
for kernel in $(sed -n 's/^    RUN(\([a-z_]*\),.*/\1/p' tests/compile/quiet.cu); do
    found=$(grep -c "\"kernel\":\"_Z${#kernel}${kernel}P" "$out/quiet.compile.json")
    case $kernel,$found in
    bad*,0) fail "quiet: no finding in $kernel" ;;
    bad*) ;;
    *,0) ;;
    *) fail "quiet: a finding in $kernel" ;;
    esac
done
# Memory that is written where it had seemed quiet: sizes of which the pages are followed, and of which they are not.
[ "$out/quiet_written" -nt tests/compile/quiet_written.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/quiet_written" tests/compile/quiet_written.cu
for size in 3000 100000; do
    same compile "quiet_written-$size" ./quiet_written $size
    for kernel in own bad_through bad_add; do
        found=$(grep -c "\"kind\":\"data-race\".*\"kernel\":\"_Z${#kernel}${kernel}P" "$out/quiet_written-$size.compile.json")
        [ "$((found > 0))" = "$([ $kernel = own ] && echo 0 || echo 1)" ] || fail "quiet_written $size: $found races in $kernel"
    done
    for check in none all; do (cd "$out" && SOFTGPU_CHECK=$check LD_LIBRARY_PATH=$lib timeout 250 ./quiet_written $size own >quiet_written.$check 2>&1); done
    if cmp -s "$out/quiet_written.none" "$out/quiet_written.all"; then ok "quiet_written $size: the same as without checks"; else fail "quiet_written $size: not the same as without checks"; fi
done
# Rows of shared memory, of which all checkers are told at once: the same findings, and one where two threads conflict, else none.
[ "$out/told_rows" -nt tests/compile/told_rows.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/told_rows" tests/compile/told_rows.cu
export SOFTGPU_SCHEDULES=1
conflicts=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12 60; do # 60: a row that is read, and then stored with what is there
    same compile "told_rows-$seed" ./told_rows $seed
    found=$(grep -c '"kind":"data-race"' "$out/told_rows-$seed.compile.json")
    conflict=$(sed -n 's/^conflicts: //p' "$out/told_rows-$seed.compile.out")
    [ "$((found > 0))" = "$conflict" ] || fail "told_rows, seed $seed: $found races where there is $conflict"
    conflicts=$((conflicts + conflict))
done
{ [ $conflicts -ge 3 ] && [ $conflicts -le 10 ]; } || fail "told_rows: $conflicts of 13 conflict"
# The same of half warps that go through rows of tiles, and of columns of padded ones, which hold something but for the padding.
[ "$out/told_halves" -nt tests/compile/told_halves.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/told_halves" tests/compile/told_halves.cu
conflicts=0
for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do
    columns=$((seed % 2))
    same compile "told_halves-$seed" ./told_halves $seed $columns
    found=$(grep -c '"kind":"\(data\|stream\)-race"' "$out/told_halves-$seed.compile.json")
    undefined=$(grep -c '"kind":"uninitialized-read"' "$out/told_halves-$seed.compile.json")
    conflict=$(sed -n 's/^conflicts: //p' "$out/told_halves-$seed.compile.out")
    [ "$((found > 0))" = "$conflict" ] || fail "told_halves, seed $seed: $found races where there is $conflict"
    [ "$((undefined > 0))" = "$columns" ] || fail "told_halves, seed $seed: $undefined undefined reads where there is $columns"
    conflicts=$((conflicts + conflict))
done
unset SOFTGPU_SCHEDULES
{ [ $conflicts -ge 3 ] && [ $conflicts -le 9 ]; } || fail "told_halves: $conflicts of 12 conflict"
# A program whose findings are kept as NAME.compile.json: the same where each access is told by itself (SOFTGPU_ONE_BY_ONE), and the same counters with and without that.
told_alike() { # told_alike NAME COMMAND…
    local name=$1 way
    shift
    for way in 1 0; do
        (cd "$out" && SOFTGPU_ONE_BY_ONE=$way SOFTGPU_ENGINE=interpret SOFTGPU_CHECK=all SOFTGPU_THREADS=1 SOFTGPU_COUNTERS=$out/told.counters$way SOFTGPU_JSON=$out/told.json$way \
            LD_LIBRARY_PATH=$lib timeout 250 "$@" >told.out 2>&1)
        if cmp -s "$out/told.json$way" "$out/$name.compile.json"; then ok "$name: told $way"; else fail "$name: with SOFTGPU_ONE_BY_ONE=$way and counted it is otherwise"; fi
    done
    if [ -s "$out/told.counters1" ] && cmp -s "$out/told.counters1" "$out/told.counters0"; then ok "$name: counted"; else fail "$name: counted one by one it is otherwise"; fi
}
# Plain accesses, however lanes lie: the same findings where all lanes are taken at once, and one after another.
[ "$out/plain" -nt tests/compile/plain.cu ] || kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/plain" tests/compile/plain.cu
for way in 0 1 2 3 4 5 6 7; do
    other=$(((3 * way + 2) % 8))
    same compile "plain-$way" ./plain $way $other
    told_alike plain-$way ./plain $way $other
    grep -q '"kind":"data-race"' "$out/plain-$way.compile.json" || fail "plain-$way: no race"
done
# Where lanes of one instruction write one word the last one's value stays, although the second half fills a row and the first does not.
grep -q 'Block 0 thread 0 and block 0 thread 16 both write' "$out/plain-2.compile.json" || fail "plain-2: lanes out of order"
# Atomics that fill rows of global memory, put down once a row, and parts of rows, put down once a part; and one after another.
for source in row_atomics row_parts; do
    { [ "$out/$source" -nt tests/compile/$source.cu ] && [ "$out/$source" -nt tests/compile/drawn.cuh ]; } ||
        kept_nvcc -lineinfo -cudart shared -arch=compute_75 -o "$out/$source" tests/compile/$source.cu
    for seed in 1 2 5 6 7 8 9 10; do
        same compile "$source-$seed" ./$source $seed
        told_alike "$source-$seed" ./$source $seed
    done
    grep -q '"kind":"data-race"' "$out/$source-2.compile.json" || fail "$source-2: no race"
done
for seed in 3 4 5; do # launches that are ordered after some of those before them, not after all
    same compile "row_parts-$seed-streams" ./row_parts $seed $seed
    told_alike "row_parts-$seed-streams" ./row_parts $seed $seed
done
check=none
# On the levels of the processor below its own, too.
for level in plain avx2; do
    SOFTGPU_ISA=$level "$BUILD/bin/softgpu" --version | grep -q "$([ $level = avx2 ] && echo AVX2 || echo plain)" || continue
    export SOFTGPU_ISA=$level
    for source in shared_memory rows gathers products uneven forms directed; do same compile "$source" "./$source"; done
    for outside in "0 40 2 2000" "0 0 0 0x80000000" "3 33 6 0x7fffffff" "0 40 -1 2562" "0 -1 -1 2" "0 -1 -1 31808"; do
        # shellcheck disable=SC2086
        same compile "products-${outside// /_}-$level" ./products $outside
    done
    for start in 256 384 388 2 -4; do same compile "row-$start-$level" ./places w $start; done
    unset SOFTGPU_ISA
done
for lab in lab06_scan; do
    program=$BUILD/$lab
    mkdir -p "$out/labs/$lab"
    cp "$program/harness" "$out/labs/$lab/"
    kept_nvcc -ptx -lineinfo -arch=compute_75 -o "$out/labs/$lab/reference.ptx" "solutions/$lab/kernel.cu" || fail "$lab: no PTX"
    same compile "$lab" "$PWD/tests/gpu/cases.sh" "$out/labs" "$lib" "$lab"
done

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
