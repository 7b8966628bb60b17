#!/usr/bin/env bash
# Whole programs, each mistake beside its right twin. The head of each source lists its cases:
#
#   // case NAME expect=KIND|silent [also=KIND,…] [level=warning] [args=WORD] [options=--softgpu-option]
#        [incomplete=WORD] [complete] [older] [says=REGEX] [nor=REGEX] [status=NUMBER] [full]
#
# A case runs `softgpu OPTIONS PROGRAM NAME ARGS`. It must give findings of that kind and no other, but those of
# `also`, at that level (error), at the line whose comment holds NAME, if there is one; and with `incomplete` a line
# of that kind whose message has the word, with `complete` none; with `older` a finding with the older value that a read was shown; with `says` a finding with that in its message or its advice; with
# `nor` none with that in its advice; with `status` it ends with that; a case with `full`, one of several that wait for their step limit, is tried with FULL=1. A
# source with the line `// also OPTION` has all its cases tried again with that option; `// arch compute_80 compute_90`
# names other architectures than compute_75, `// nvcc: FLAGS` flags. KINDS_SEEDS=N tries each under N seeds (1)
# from KINDS_FIRST (1) on, KINDS_ONLY=SOURCE one source only, KINDS_TURNS=1 each case once: its source's architectures
# and options take turns.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/kinds
mkdir -p "$out"
. tests/nvcc.sh || exit 1
. tests/part.sh
passed=0 failed=0 first=${KINDS_FIRST:-1}

# Cases are many and short: nothing below starts a process but the case itself.
says() { # REGEX: is there a finding that matches it?
    local one
    for one in "${found[@]}"; do [[ ! $one =~ $1 ]] || return 0; done
    return 1
}

try() { # OPTION PROGRAM NAME WORD…
    local also=$1 program=$2 name=$3 one status wrong="" found
    shift 3
    local -A of=() kinds=()
    for one in "$@"; do of[${one%%=*}]=${one#*=}; done
    local expect=${of[expect]} level=${of[level]:-error} findings=$program.$name.jsonl line=${line_of[$name]:-}
    timeout 100 "$BUILD/bin/softgpu" --check all --seed "$seed" ${also:+"$also"} ${of[options]:+"${of[options]}"} \
        --json "$findings" "$program" "$name" ${of[args]:+"${of[args]}"} >"$program.$name.log" 2>&1
    status=$?
    mapfile -t found <"$findings"
    for one in "${found[@]}"; do
        [[ $one != *'"level":"info"'* && $one =~ \"kind\":\"([a-z-]*)\" ]] || continue
        [[ ",${of[also]:-none}," == *",${BASH_REMATCH[1]},"* ]] || kinds[${BASH_REMATCH[1]}]=1
    done
    if [ "$expect" = silent ]; then
        [ "${!kinds[*]}" = "" ] && [ $status -eq 0 ] || wrong="status $status, ${!kinds[*]}"
    else
        [ "${!kinds[*]}" = "$expect" ] || wrong="${!kinds[*]}"
        [ "$level" = error ] && : "${of[status]:=86}"
        [ $status -eq "${of[status]:-0}" ] || wrong+=" status $status"
        says "\"level\":\"$level\"" || wrong+=" not at level $level"
        [ -z "$line" ] || says "\"line\":$line[,}]" || wrong+=" not at line $line"
    fi
    [ -z "${of[incomplete]:-}" ] || says "\"kind\":\"incomplete\".*${of[incomplete]}" || wrong+=" no line on what was cut short"
    [ -z "${of[complete]:-}" ] || ! says '"kind":"incomplete"' || wrong+=" says that something was cut short"
    [ -z "${of[older]:-}" ] || says '"missed":' || wrong+=" shows no older value"
    [ -z "${of[nor]:-}" ] || ! says "\"try\":\"[^\"]*(${of[nor]})" || wrong+=" advises ${of[nor]}"
    [ -z "${of[says]:-}" ] || says "\"(message|try)\":\"[^\"]*(${of[says]})" || wrong+=" does not say ${of[says]}"
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $also $name $* seed $seed: $wrong instead of $expect"
    fi
}

judge() { # SOURCE PROGRAM: the architecture has turn `turn` of `turns`. Two cases to a turn: a mistake and its twin
    local also name one words seed number=0 code cases=() at option options
    local -A line_of=() # NAME: the first line whose comment holds it
    mapfile -t code <"$1"
    for one in "${code[@]}"; do
        number=$((number + 1))
        case $one in
        '// case '*) cases+=("$one") ;;
        *'// case'*) ;;
        *'// '*)
            words=${one#*// }
            for name in ${words//[^A-Za-z0-9_]/ }; do : "${line_of[$name]:=$number}"; done ;;
        esac
    done
    mapfile -t options < <(echo; sed -n 's|^// also ||p' "$1")
    for ((option = 0; option < ${#options[@]}; option++)); do
        also=${options[option]}
        for ((at = 0; at < ${#cases[@]}; at++)); do
            [ "${KINDS_TURNS:-0}" = 0 ] ||
                [ $((at / 2 % (turns * ${#options[@]}))) -eq $((option * turns + turn)) ] || continue
            read -r _ _ name words <<<"${cases[at]}"
            [[ " $words " != *" full "* ]] || [ "${FULL:-0}" != 0 ] || continue
            for ((seed = first; seed < first + ${KINDS_SEEDS:-1}; seed++)); do
                # shellcheck disable=SC2086
                try "$also" "$2" "$name" $words
            done
        done
    done
}

for source in $(printf '%s\n' tests/kinds/${KINDS_ONLY:-*}.cu | part_of); do
    program=$out/$(basename "$source" .cu)
    arches=$(sed -n 's|^// arch ||p' "$source")
    turn=0 turns=$(wc -w <<<"${arches:-compute_75}")
    for arch in ${arches:-compute_75}; do
        # shellcheck disable=SC2046
        kept_nvcc -g -gencode "arch=$arch,code=$arch" -lineinfo -cudart shared $(sed -n 's|^// nvcc: ||p' "$source") \
            -o "$program" "$source" || exit 1
        judge "$source" "$program"
        turn=$((turn + 1))
    done
done
[ -n "${KINDS_ONLY:-}" ] && { echo "$passed passed, $failed failed"; exit $((failed > 0)); }

# What has been found is on disk although the program is killed.
[ -x "$out/killed" ] || kept_nvcc -g -gencode arch=compute_75,code=compute_75 -lineinfo -cudart shared -o "$out/killed" tests/kinds/killed.cu || exit 1
"$BUILD/bin/softgpu" --check all --json "$out/killed.jsonl" "$out/killed" >/dev/null 2>&1
if grep -q '"kind":"data-race"' "$out/killed.jsonl"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL killed: findings are lost"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
