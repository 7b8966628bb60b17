#!/usr/bin/env bash
# Whole programs, each mistake beside its right twin. The head of each source lists its cases:
#
#   // case NAME expect=KIND|silent [also=KIND] [level=warning] [args=WORD] [options=--softgpu-option]
#        [incomplete=WORD] [says=REGEX] [status=NUMBER] [full]
#
# A case runs `softgpu OPTIONS PROGRAM NAME ARGS`. It must give findings of that kind and no other, but those of
# `also`, at that level (error), at the line whose comment holds NAME, if there is one; and with `incomplete` a line
# of that kind whose message has the word; with `says` a finding with that in its message or its advice; with
# `status` it ends with that; a case with `full`, one of several that wait for their step limit, is tried with FULL=1. A
# source with the line `// also OPTION` has all its cases tried
# again with that option; `// arch compute_80 compute_90` names other architectures than compute_75, `// nvcc: FLAGS` flags. KINDS_SEEDS=N tries each under N seeds (1), KINDS_ONLY=SOURCE one source only.
set -u
cd "$(dirname "$0")/../.." || exit 1
: "${BUILD:=build}"
out=$BUILD/tests/kinds
mkdir -p "$out"
. tests/nvcc.sh || exit 1
passed=0 failed=0

value() { # KEY WORD…: the value of KEY= among the words
    local word
    for word in "${@:2}"; do
        case $word in "$1="*) echo "${word#*=}" ;; esac
    done
}

try() { # OPTION SOURCE PROGRAM NAME WORD…
    local also=$1 source=$2 program=$3 name=$4
    shift 4
    local expect level args options incomplete says drop ends findings=$out/$name.jsonl wrong="" kinds line status
    expect=$(value expect "$@") level=$(value level "$@") args=$(value args "$@")
    options=$(value options "$@") incomplete=$(value incomplete "$@")
    says=$(value says "$@") drop=$(value also "$@") ends=$(value status "$@")
    timeout 100 "$BUILD/bin/softgpu" --check all --seed "$seed" ${also:+"$also"} ${options:+"$options"} --json "$findings" \
        "$program" "$name" ${args:+"$args"} >"$out/$name.log" 2>&1
    status=$?
    kinds=$(grep -v '"level":"info"' "$findings" | grep -o '"kind":"[a-z-]*"' | cut -d'"' -f4 | grep -vx "${drop:-none}" |
            sort -u | tr '\n' ' ')
    if [ "$expect" = silent ]; then
        [ "$kinds" = "" ] && [ $status -eq 0 ] || wrong="status $status, $kinds"
    else
        : "${level:=error}"
        [ "$kinds" = "$expect " ] || wrong="$kinds"
        [ $status -eq "${ends:-$([ "$level" = error ] && echo 86 || echo 0)}" ] || wrong+=" status $status"
        grep -q "\"level\":\"$level\"" "$findings" || wrong+=" not at level $level"
        line=$(grep -nE "// .*\<$name\>" "$source" | grep -v '// case' | head -n 1 | cut -d: -f1)
        [ -z "$line" ] || grep -q "\"line\":$line[,}]" "$findings" || wrong+=" not at line $line"
    fi
    [ -z "$incomplete" ] || grep -q "\"kind\":\"incomplete\".*$incomplete" "$findings" ||
        wrong+=" no line on what was cut short"
    [ -z "$says" ] || grep -qE "\"(message|try)\":\"[^\"]*$says" "$findings" || wrong+=" does not say $says"
    if [ -z "$wrong" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $also $name $args seed $seed: $wrong instead of $expect"
    fi
}

judge() { # SOURCE PROGRAM
    local also name words seed
    for also in "" $(sed -n 's|^// also ||p' "$1"); do
        while read -r _ _ name words; do
            [[ " $words " != *" full "* ]] || [ "${FULL:-0}" != 0 ] || continue
            for seed in $(seq "${KINDS_SEEDS:-1}"); do
                # shellcheck disable=SC2086
                try "$also" "$1" "$2" "$name" $words
            done
        done < <(grep '^// case ' "$1")
    done
}

for source in tests/kinds/${KINDS_ONLY:-*}.cu; do
    program=$out/$(basename "$source" .cu)
    arches=$(sed -n 's|^// arch ||p' "$source")
    for arch in ${arches:-compute_75}; do
        # shellcheck disable=SC2046
    kept_nvcc -g -gencode "arch=$arch,code=$arch" -lineinfo -cudart shared $(sed -n 's|^// nvcc: ||p' "$source") \
        -o "$program" "$source" || exit 1
        judge "$source" "$program"
    done
done
[ -n "${KINDS_ONLY:-}" ] && { echo "$passed passed, $failed failed"; exit $((failed > 0)); }

# What has been found is on disk although the program is killed.
"$BUILD/bin/softgpu" --check all --json "$out/killed.jsonl" "$out/killed" >/dev/null 2>&1
if grep -q '"kind":"data-race"' "$out/killed.jsonl"; then
    passed=$((passed + 1))
else
    failed=$((failed + 1))
    echo "FAIL killed: findings are lost"
fi
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
