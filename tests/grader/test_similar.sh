#!/usr/bin/env bash
# make similar: a copy with other names is found, with the lab's own lines taken out; the skeleton twice is nothing.
set -u
cd "$(dirname "$0")/../.." || exit 1
T=$(mktemp -d "${TMPDIR:-/tmp}/similar.XXXXXX")
trap 'rm -rf "$T"' EXIT
passed=0 failed=0
check() { # MESSAGE WANT COMMAND…: it prints WANT; its status comes last. With !WANT it must not.
    local message=$1 want=$2 said
    shift 2
    said=$("$@" 2>&1; echo "status $?")
    if case $want in !*) ! grep -qF -- "${want#!}" <<<"$said" ;; *) grep -qF -- "$want" <<<"$said" ;; esac then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $message: expected \"$want\""
        tail -n 12 <<<"$said"
    fi
}
similar() { scripts/similar.sh lab03 "$T/class" "$@"; }
lab=lab03_last_block
mkdir -p "$T/class/eve" "$T/one" "$T/empty"
cp "solutions/$lab/alternatives/count_down.cu" "$T/class/ann.cu"
sed 's/\bsum\b/the_total/g; s/\bn\b/howmany/g; s|//.*||; s/^ */\t/' "$T/class/ann.cu" >"$T/class/bob.cu"
cp solutions/lab04_work_queue/kernel.cu "$T/class/cem.cu"
cp "labs/$lab/kernel.cu" "$T/class/eve/kernel.cu"
cp "labs/$lab/kernel.cu" "$T/class/fay.cu"
cp "$T/class/ann.cu" "$T/class/\$(id).cu"
cp "$T/class/ann.cu" "$T/one/"
command -v sim_c++ >/dev/null && check "one alone" "fewer than two submissions" scripts/similar.sh lab03 "$T/one"
check "no such lab" "there is no such lab" scripts/similar.sh lab77 "$T/class"
check "no such folder" "there is no such folder" scripts/similar.sh lab03 "$T/nowhere"
check "the Makefile calls it" "scripts/similar.sh" grep similar.sh Makefile
if command -v sim_c++ >/dev/null; then
    check "a copy is found" "%  of ann stands in bob" similar
    check "another's is not" "!cem" similar
    check "nor are two who have written nothing" "!fay" similar
    check "all are counted" "5 submissions of lab03" similar
    check "a name that a shell would read is passed over" "passed over, for its name" similar
    check "the caution" "This is no verdict" similar
    check "it ends well" "status 0" similar
else
    echo "no sim_c++ (Debian: similarity-tester): what it finds is not tested"
fi
mkdir "$T/bin"
for tool in bash dirname ls head; do ln -s "$(command -v $tool)" "$T/bin/"; done
check "without the tool" "apt-get install similarity-tester" env PATH="$T/bin" bash scripts/similar.sh lab03 "$T/class"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
