#!/usr/bin/env bash
# softgpu debug: stops, steps both ways, values, findings as without it; the same state at the same place, always.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/debug
mkdir -p "$out" && out=$(readlink -f "$out")
softgpu=$(readlink -f "$BUILD")/bin/softgpu
. tests/nvcc.sh || exit 1
unset "${!SOFTGPU_@}"
passed=0 failed=0
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/ten" tests/debug/ten.cu || exit 1
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/several" tests/debug/could.cu || exit 1
kept_nvcc -arch=compute_75 -G -cudart shared -o "$out/ten_named" tests/debug/ten.cu || exit 1

# debug NAME COMMANDS PROGRAM…: runs the commands, one a line; the output is in $out/NAME.
debug() {
    printf '%s\n' "$2" >"$out/$1.commands"
    timeout 120 "$softgpu" debug -x "$out/$1.commands" "${@:3}" >"$out/$1" 2>&1 </dev/null
    echo "status $?" >>"$out/$1"
}
note() { # STATUS NAME FILE
    if [ "$1" -eq 0 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $2"
        [ -n "${3:-}" ] && cat "$out/$3"
    fi
}
# says NAME PATTERN…: lines that match, in this order.
says() {
    local name=$1 text pattern at=1 n
    shift
    for pattern in "$@"; do
        n=$(tail -n "+$at" "$out/$name" | grep -nE -m1 -- "$pattern" | cut -d: -f1)
        if [ -z "$n" ]; then
            note 1 "$name: no '$pattern' from line $at on" "$name"
            return
        fi
        at=$((at + n))
    done
    note 0
}
line_of() { grep -nF -m1 -- "$1" tests/debug/ten.cu | cut -d: -f1; }

# Breakpoints with conditions, threads, values.
debug break "b ten.cu:$(line_of 'sum = sum + i;') thread 40
b reduce
r
p threadIdx.x
p blockDim.x * 2 + 1
p sum
info threads
bt
c
c
q" "$out/ten" 1
says break 'Breakpoint 1 at' 'Finding: data-race' 'Breakpoint 1, block 0 thread 40' 'status 0'
debug values "b ten.cu:$(line_of 'out[blockIdx.x] = cache[0]') block 2
r
p cache[0]
p (float)cache[0] / 2
p cache[0] == alloc0[128] + alloc0[129]
p/x cache[1]
p nothing
p cache[
p 1 / 0
p threadIdx
x/4 cache
info buffers
info registers
info threads
thread 2 33
thread 9 0
q" "$out/ten" 2
says values 'Breakpoint 1, block 2 thread 0' 'cache\[0\] = [0-9]+$' '= [0-9.]+$' 'cache\[1\] = 0x[0-9a-f]+$' \
    'there is no "nothing"' 'ends too early' 'division by zero' '\{x = 0, y = 0, z = 0\}' '^  [0-9]+  [0-9]+  [0-9]+  [0-9]+$' \
    '^alloc0 ' '^cache +shared' '^%r' 'block 2 threads' 'this thread is not there' 'status 0'

# Variables by their names, with their types, where -G kept them.
debug named "b ten.cu:$(line_of 'if (threadIdx.x < half)') block 2 thread 3 if half == 8
r
info locals
p half * 2
p cache[1] == in[129]
p *in
p in
p out[2]
p nothing
q" "$out/ten_named" 2
says named 'Breakpoint 1, block 2 thread 3' '^half = 8$' '^cache = \{' '^in = 0x' '^half \* 2 = 16$' '^\*in = 0$' '^in = 0x[1-9a-f]' \
    '^out\[2\] = 0$' 'there is no "nothing"' 'status 0'
debug recursion "b fibonacci if n == 5
r
bt
p n
up
p threadIdx.x
c
bt
q" "$out/ten_named" 7
says recursion 'Breakpoint 1, block 0 thread 5' '\*0  fibonacci' ' 1  recurse' '^n = 5$' 'recurse\(\) at' '^threadIdx.x = 5$' \
    'Breakpoint 1' 'status 0'

# Structures, enumerations, arrays of arrays, and gdb's ways to ask for them.
kept_nvcc -arch=compute_75 -G -cudart shared -o "$out/named_kinds" tests/debug/named.cu || exit 1
mark_of() { grep -nF -m1 -- "$1" tests/debug/named.cu | cut -d: -f1; }
debug kinds "b named.cu:$(mark_of 'tile: the end')
b named.cu:$(mark_of 'structs: the loop') thread 3 if k == 2
b named.cu:$(mark_of 'deep: the bottom') thread 3
r
p cell
p cell[1][2]
p x
p sizeof(cell)
delete 1
c
p mine
p mine.v.y
p mine.next->key
p list[1]@2
p *list->tags@3
p c
p c == 5
p byte
p b
p local
p table
p text
p twice
ptype w
p -1 / 2u
p -7 / 2
p 1l << 40
p k > 1 ? 'y' : 'n'
p/x k - 3
p/t 10
p/o 8
p &list[2] - list
p sizeof mine
info args
p 5@2
p 1 ? 2
c
bt
p *acc
up
p all
q" "$out/named_kinds"
says kinds 'Breakpoint 1, block' '^cell = \{\{16843009 <repeats 16 times>\} <repeats 16 times>\}$' '^cell.1..2. = 16843009$' '^x = 0$' \
    '^sizeof\(cell\) = 1024$' 'Breakpoint 2, block 0 thread 3' '^mine = \{key = 30, v = \{x = 3, y = 2, z = 3\}, next = 0x[0-9a-f]+, tags = \{3, 4, 5, 6\}\}$' \
    '^mine.v.y = 2$' '^mine.next->key = 0$' '^list.1.@2 = \{\{key = 10, .*key = 20' '^.list->tags@3 = \{0, 1, 2\}$' '^c = GREEN$' '^c == 5 = 1$' \
    "^byte = 68 'D'$" '^b = \{f = 12, u = 1094713344\}$' '^local = \{3, 5, ' '^table = \{1, 2, 3, 5, 8, 13, 21, 34\}$' "^text = \{102 'f'" '^twice = 4$' \
    '^type = vec \{$' '^ *float x;$' '^-1 / 2u = 2147483647$' '^-7 / 2 = -3$' '= 1099511627776$' "= 121 'y'$" '= 0xffffffff$' '^10 = 1010$' '^8 = 010$' \
    '^&list.2. - list = 2$' '^sizeof mine = 40$' '^list = 0x' 'what @ follows' 'a : is missing' 'Breakpoint 3, block 0 thread 3' '\*0  deep' ' 3  deep' \
    ' 4  structs' '= 6$' 'deep\(\) at' 'there is no "all" here' 'status 0'
note "$(grep -qE '^(mine|local) = ' "$out/kinds" && [ "$(grep -cE '^(mine|i|local) = ' "$out/kinds")" -eq 2 ]; echo $?)" 'info args lists what is none' kinds

# gdb's other habits.
debug habits "tb tile
start
info b
c
info b
n
n
display x
n
list
list
b structs thread 3
disable 2
info b
enable 2
condition 2 i == 99
info b
condition 2
advance $(mark_of 'tile: the end')
until
c
until
advance $(mark_of 'structs: the call')
info frame
set i = 3
undisplay 1
undisplay 1
help until
whatis mine.v
q" "$out/named_kinds"
says habits 'Temporary breakpoint 1 at tile' 'Launch of .*tile' '^1  tile \(once\)$' 'Breakpoint 1, block' 'tile\(\) at' '^1: x = 0$' '^ +[0-9]+> ' \
    'Breakpoint 2 at structs' '^2  structs thread 3 .disabled.$' '^2  structs thread 3 if i == 99$' "at named.cu:$(mark_of 'tile: the end')" \
    'Breakpoint 2, block 0 thread 3' "at named.cu:$(mark_of 'structs: the call')" 'block 0 thread 3 of structs, place' 'nothing can be changed' \
    'there is no display 1' '^until u' '^type = vec$' 'status 0'
result=$(PYTHONDONTWRITEBYTECODE=1 timeout 300 python3 tests/debug/typed_session.py "$softgpu" "$out/named_kinds" "$out/ten" 11 2>&1)
echo "$result" | grep -v ' passed, '
counts=$(echo "$result" | sed -n 's/^\([0-9]*\) passed, \([0-9]*\) failed$/\1 \2/p')
note "$([ -n "$counts" ]; echo $?)" 'somebody types'
[ -z "$counts" ] || { passed=$((passed + ${counts% *})) failed=$((failed + ${counts#* })); }

# While one thread steps, breakpoints are for it alone; another's is stopped at by continue.
debug alone "b reduce
r
delete
b ten.cu:$(line_of 'if (threadIdx.x < half)') block 0
n
n
n
n
c
q" "$out/ten" 2
note "$([ "$(grep -c '^Breakpoint 2, ' "$out/alone")" -ge 1 ] && [ "$(grep -o 'block [0-9]* thread [0-9]*, run' "$out/alone" | sed '$d' | sort -u | wc -l)" -eq 1 ]; echo $?)" \
    'a step ends with another thread' alone

# What a load may return: an older value where nothing orders the write, else the newest alone.
debug could "b ten.cu:$(line_of 'sum = sum + i;') thread 40
catch no findings
r
could
q" "$out/ten" 1
says could 'Breakpoint 1' 'newest, written by block 0 thread 31' 'older, from before|older, written' 'nothing orders the write' 'status 0'
debug ordered "b ten.cu:$(line_of 'cache[threadIdx.x] += cache')
catch no findings
r
could
si
could
si
could
si
could
si
could" "$out/ten" 2
says ordered 'Breakpoint 1' 'newest, written by block 0' '^nothing else: the write is ordered before this read' 'status 0'
note "$(grep -q older "$out/ordered"; [ $? -eq 1 ]; echo $?)" 'an older value where a barrier stands' ordered
# All of them, and where they end: a write that is ordered before the read, or that has been read already.
mark_line() { grep -nF -m1 -- "$1" tests/debug/could.cu | cut -d: -f1; }
could() { # NAME MARK BLOCK [ARGUMENT]
    debug "$1" "catch no findings
b could.cu:$(mark_line "// $2") block $3
r
could
q" "$out/several" "${@:4}"
}
at_most() { # NAME N: values listed
    note "$([ "$(grep -cE 'newest,|older,' "$out/$1")" -eq "$2" ]; echo $?)" "$1: not $2 values" "$1"
}
could all 'four: all' 1
says all '^4  newest' '^3  older, written by block 0 thread 0, line 16' '^2  older' '^1  older' '^0  older, from before' 'nothing orders the write' 'status 0'
could seen 'four: as new' 1
says seen '^4  newest' '^nothing else: the write has been read already' 'status 0'
at_most seen 1
could released 'released: two' 1
says released '^3  newest' '^2  older' 'nothing orders the write' '^nothing older: the write is ordered' 'status 0'
at_most released 2
could first_writer 'two_writers' 2
says first_writer '^11  newest' '^10  older' '^nothing older' 'status 0'
at_most first_writer 2
could second_writer 'two_writers' 3
says second_writer '^11  newest' '^nothing else' 'status 0'
at_most second_writer 1
# What is written later in the run: as long as nothing puts it behind the load. Asking changes nothing.
could ahead 'ahead: the load' 0
says ahead '^0  newest, from before' '^7  later in this run, by block 1 thread 0, line [0-9]+$' 'allowed: nothing orders this load' \
    '^9  later in this run, by block 3' "allowed: .*does not release.*\(signal: line $(mark_line 'relaxed_only.store'), read" \
    '^1 later write comes after this load' 'status 0'
note "$(grep -q '^8 ' "$out/ahead"; [ $? -eq 1 ]; echo $?)" 'a write behind an acquire is listed' ahead
could tickets 'tickets: the load' 0
says tickets '^0  newest' '^3 later writes come after this load' 'status 0'
note "$(grep -q 'later in this run, by' "$out/tickets"; [ $? -eq 1 ]; echo $?)" 'a later ticket is listed' tickets
could barrier 'in_block: behind it a barrier' 0
says barrier '^0  newest' '^1 later write comes after this load' 'status 0'
note "$(grep -q 'later in this run, by' "$out/barrier"; [ $? -eq 1 ]; echo $?)" 'a write behind a barrier is listed' barrier
could no_barrier 'in_block: nothing' 0
says no_barrier '^0  ' 'status 0'
note "$(grep -qE '^5  (newest|later)' "$out/no_barrier"; echo $?)" 'a write without a barrier is not listed' no_barrier
could far 'far: the load' 0 far
says far '^0  newest' '^Looked ahead over 1000000 warp instructions' 'status 0'
debug undisturbed "catch no findings
b could.cu:$(mark_line 'ahead: the load') block 0
r
info run
could
info run
si
rsi
info run
could
q" "$out/several"
note "$([ "$(grep '^state' "$out/undisturbed" | sort -u | wc -l)" -eq 1 ] && [ "$(grep -c '^7  later' "$out/undisturbed")" -eq 2 ]; echo $?)" \
    'looking ahead moves the program' undisturbed
debug before "catch launches
r
could
si
could
si
could
si
could
q" "$out/ten" 8
says before 'does not stand before a load' 'status 0'

# Forwards and back: a line, a call, an instruction; back to where it was is the same state.
debug steps "b ten.cu:$(line_of 'out[threadIdx.x] = fibonacci') thread 5
r
info run
s
bt
finish
rs
reverse-finish
rc
info run
si
si
rsi
rsi
info run
q" "$out/ten" 7
says steps 'Breakpoint 1' 'state' 'fibonacci\(\) at ten' '\*0  fibonacci' ' 1  recurse' 'recurse\(\) at' 'Breakpoint 1' 'state'
note "$([ "$(grep '^state' "$out/steps" | sort -u | wc -l)" -eq 1 ]; echo $?)" 'back at the breakpoint the state is another' steps

# Any lane of warp 2; launches, barriers.
debug warps "b diverge warp 2
catch no findings
r
info threads
delete
catch launches
c
catch no launches
catch barriers
c
q" "$out/ten" 6
says warps 'Breakpoint 1, block 0 thread 64' '^. block 0 threads 64-95' 'Launch of diverge, block 0' 'at its end' 'status 0'
debug barriers "catch no findings
catch barriers
r
c
rc
rwatch cache[40]
catch no barriers
c
q" "$out/ten" 2
says barriers '^barrier 0, block' '__syncthreads' '^barrier 0, block' '^barrier 0, block' 'Watchpoint 1' '^load of what is watched .1., block 0 thread 8' \
    'status 0'

# Data: who wrote it, who comes to read it.
debug data "b ten.cu:$(line_of 'last_sum += out[i]')
r
c
who alloc1[2]
p blockIdx.x
watch last_sum
c
q" "$out/ten" 4
says data 'Breakpoint 1|Finding' 'store of what is watched, block 2' 'out\[blockIdx.x\] = in' 'blockIdx.x = 2'

# Host code: a breakpoint on a line of the program stops at its call; who called is read there.
kept_nvcc -arch=compute_75 -g -lineinfo -cudart shared -o "$out/ten_host" tests/debug/ten.cu || exit 1
line=$(line_of 'cudaMemcpy(in, first') launch=$(line_of 'case 2: reduce')
debug host "b ten.cu:$line
b ten.cu:$launch
catch no findings
r
bt
p alloc0[1]
info threads
c
delete
c
catch host
r
bt
q" "$out/ten_host" 2
says host 'Breakpoint 1, cudaMemcpy' "at ten.cu:$line" 'cudaMemcpy\(in, first' "^.0 .* at ten.cu:$line" 'alloc0\[1\] = ' \
    'no kernel runs' 'Breakpoint 2, block 0 thread 0' 'at its end' 'cuda[A-Za-z]+, the program on the host' "^.0 .* at ten.cu:" 'status 0'

# A line without code, of a kernel or of the host: the next one that has some; a line with code stays.
comment=$(line_of '// compiled to nothing') empty=$(line_of '// nothing either')
debug moved "b ten.cu:$empty
catch no findings
r
b ten.cu:$comment
b ten.cu:$((comment + 1))
info breakpoints
c
c
q" "$out/ten_host" 5
says moved 'Breakpoint 1 at' "Breakpoint 1 stands on line $((empty + 1))" "at ten.cu:$((empty + 1))" \
    "^3  .*:$((comment + 1))$" 'Breakpoint [23], block 0 thread 0' "at ten.cu:$((comment + 1))" 'status 0'
note "$([ "$(grep -c 'Breakpoint 3 stands' "$out/moved")" -eq 0 ]; echo $?)" 'a line with code is left' moved

# From a finding to the other access.
debug other "r
other
write
finding
signal
q" "$out/ten" 1
says other 'Finding: data-race' 'of what is watched' 'sum = sum' 'Finding' 'status 0'

# The program's end, and back from there; a second start.
debug end "catch no findings
r
rc
goto 5
c
r
c
c
q" "$out/ten" 1
says end 'The program is at its end' 'first instruction' 'place 5$' 'at its end' 'at its end' 'ended with status 0' \
    'the program has ended' 'status 0'
note "$([ "$(grep -c 'no error' "$out/end")" -eq 1 ]; echo $?)" 'going back repeats what the program printed' end

# Bad input is told, and nothing is left running.
debug bad "nonsense
c
p 1
b
catch me
goto x
b nowhere.cu:3
r
goto 999999999
thread 1
info x
q" "$out/ten" 6
says bad 'there is no command "nonsense"' 'does not run' 'does not run' 'break FILE' 'catch \[no\]' 'goto PLACE' 'status 0'
debug gone 'r' "$out/nothing_there"
says gone 'cannot open' 'status 2'
note "$(pgrep -f "$out/ten" >/dev/null; [ $? -eq 1 ]; echo $?)" 'a process is left' bad

# The findings are those of a run without a debugger, also where one goes back on the way.
for n in 1 4 10; do
    timeout 60 "$softgpu" --json "$out/plain.json" "$out/ten" $n >/dev/null 2>&1
    debug found "r
rc
rs
c
c
c
c
c
c
c
c
c
c" --json "$out/found.json" "$out/ten" $n
    cmp "$out/plain.json" "$out/found.json"
    note $? "kernel $n: other findings under the debugger" found
done

# Every kind of finding stops it, those that are made when the program ends as well; and they are the same as without it.
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/kinds_program" tests/kinds/kinds.cu || exit 1
for case in not_freed:leak failed_and_not_freed:out-of-bounds used_after_free:use-after-free wrong_warp_mask:data-race odd_address:misaligned \
    false_assert:assert reached_trap:trap stored_uninitialized:uninitialized-read freed_after_use:silent; do
    timeout 60 "$softgpu" --json "$out/plain.json" "$out/kinds_program" ${case%:*} >/dev/null 2>&1
    debug found "$(echo r; yes c | head -n 30; echo q)" --json "$out/found.json" "$out/kinds_program" ${case%:*}
    cmp "$out/plain.json" "$out/found.json"
    note $? "$case: other findings under the debugger" found
    kinds=$(sed -n 's/.*"kind":"\([a-z-]*\)".*/\1/p' "$out/plain.json" | sort -u | grep -v incomplete)
    [ "${case#*:}" = silent ] || note "$(grep -qx "${case#*:}" <<<"$kinds"; echo $?)" "$case: not found" found
    note "$([ "$(sed -n 's/^Finding: \([a-z-]*\) .*/\1/p' "$out/found" | sort -u)" = "$kinds" ]; echo $?)" "$case: not the stops that are findings" found
done

# A thousand blocks: a thread begins where it begins, also far behind the last copy; copies stay within their bound.
kept_nvcc -arch=compute_75 -lineinfo -cudart shared -o "$out/costs" tests/debug/costs.cu || exit 1
debug far_back "catch no findings
tb work block 700 thread 33
r
info run
rs
n
info run
n
n
rn
rn
info run
q" --schedules 1 "$out/costs" 1000 256000
says far_back 'Breakpoint 1, block 700 thread 33' '^place .* copies' 'this is where the thread begins' 'block 700 thread 33' \
    '^place .* ([0-9]|[12][0-9]|3[0-2]) copies' 'status 0'
note "$([ "$(sed -n 's/^state //p' "$out/far_back" | sed -n '2p;3p' | sort -u | wc -l)" -eq 1 ]; echo $?)" 'two lines on and two back is another state' far_back

# 200 places, 20 in each of ten kernels, come to in any order: one state each.
for n in 1 2 3 4 5 6 7 8 9 10; do
    debug far 'catch no findings
r
info run' "$out/ten" $n
    far=$(sed -n 's/^place \([0-9]*\) of.*/\1/p' "$out/far")
    { echo 'catch no findings'; echo r
      awk -v far="${far:-0}" -v seed=$n 'BEGIN { srand(seed)
          for (i = 0; i < 20; i++) at[i] = 1 + int(rand() * (far - 1))
          for (round = 0; round < 2; round++)
              for (i = 0; i < 20; i++) {
                  k = round ? int(rand() * 20) : i
                  print "goto " at[k]; print "info run"
                  if (i % 5 == round) { print "si"; print "rsi"; print "goto " at[k]; print "info run" }
              } }'
    } >"$out/places"
    debug places "$(cat "$out/places")" "$out/ten" $n
    awk '/^place [0-9]+ of/ { at = $2; seen[at]++ } /^state/ { if (at in state && state[at] != $2) bad = 1; state[at] = $2 }
         END { n = 0; for (at in state) n++; exit bad || n < 8 }' "$out/places"
    note $? "kernel $n: a place has two states" places
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
