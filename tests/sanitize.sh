#!/usr/bin/env bash
# `make sanitize`: the tests in a build of its own, under the address and undefined-behaviour sanitizers (BUILD is that
# build). Every C test, the scripts of softgpu, the grader and common, and one case of each kernel lab; not the lab
# suites, which would run the same code again. Programs that nvcc builds get the sanitizer's library by LD_PRELOAD;
# nvcc itself crashes with it, pgrep waits for ever in it, and so they start without. All takes several times as long: a
# test may take TIMEOUT=7200 seconds, and the limits within scripts are ten times what they say.
#
# ONLY=WORDS narrows the scripts and programs. Any report fails it, and is shown; leaks count in C tests only.
set -u
cd "$(dirname "$0")/.." || exit 1
mkdir -p "$BUILD/tests/reports"
reports=$(cd "$BUILD/tests/reports" && pwd)
preload=$(${CC:-gcc} -print-file-name=libasan.so):$(${CC:-gcc} -print-file-name=libubsan.so)
find "$reports" -type f -delete
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc "$PWD/.cuda/bin/nvcc" 2>/dev/null | head -n 1)
# A program of ours may fill memory to its bound, and has handlers of its own.
asan=exitcode=99:handle_segv=0:handle_sigill=0:handle_sigfpe=0:allocator_may_return_null=1:detect_stack_use_after_return=0
export ASAN_OPTIONS=$asan:detect_leaks=0:log_path=$reports/asan UBSAN_OPTIONS=print_stacktrace=1:log_path=$reports/ubsan
export BUILD FULL=0 PART=all

# A folder like the toolkit's, for tests/nvcc.sh to find.
plain=$(cd "$BUILD/tests" && pwd)/cuda
mkdir -p "$plain/bin"
for part in include lib64; do ln -sfn "$(readlink -f "$nvcc" | xargs dirname | xargs dirname)/$part" "$plain/$part"; done
tool() { # PATH LINE: what is to be done instead
    printf '#!/bin/sh\n%s\n' "$2" >"$plain/tool"
    chmod +x "$plain/tool"
    cmp -s "$plain/tool" "$plain/bin/${1##*/}" || mv "$plain/tool" "$plain/bin/${1##*/}"
}
for tool in "$nvcc" "$(command -v pgrep)" "$(command -v awk)"; do # mawk reads too far
    [ -z "$tool" ] || tool "$tool" "exec env -u LD_PRELOAD $(readlink -f "$tool") \"\$@\""
done
# A number at once is a limit within a script; run.sh has an option before its own.
timeout=$(command -v timeout)
tool "$timeout" "case \$1 in [0-9]*) limit=\$((\$1 * 10)); shift; exec $timeout \$limit \"\$@\" ;; esac; exec $timeout \"\$@\""
PATH=$plain/bin:$PATH
export TIMEOUT=${TIMEOUT:-7200}

# ./grade is the plain build's. This build's, as its own kit. A plain harness would have a malloc() of its own
# (common/host_hooks.c), which the sanitizer's library cannot stand before it; so do those of labs with host code here.
kit=$(cd "$BUILD/tests" && pwd)/kit
mkdir -p "$kit"
for part in *; do [ "$part" = build ] || [ "$part" = grade ] || ln -sfn "$PWD/$part" "$kit/$part"; done
ln -sfn "$(cd "$BUILD" && pwd)" "$kit/build"
printf '#!/bin/sh\nexec %s/build/bin/grade --root %s "$@"\n' "$kit" "$kit" >"$kit/grade"
chmod +x "$kit/grade"
export GRADE=$kit/grade SANITIZED=1 KINDS_TURNS=1

selected() { # PATH…: those that ONLY names, or all
    local path word
    for path in "$@"; do
        for word in $(tr ',' ' ' <<<"${ONLY:-/}"); do
            case $path in *"$word"*) echo "$path" && break ;; esac
        done
    done
}
mapfile -t programs < <(selected "$@" | grep -v '/common/test_gate$') # has a malloc() of its own, see below
mapfile -t scripts < <(selected tests/{judge,kinds,runtime,exhaustive,interleaving,fuzz,cli,debug,common,advice}/test_*.sh \
    tests/grader/test_{grade,formats,places,class,attacks,fuzz}.sh | while read -r path; do [ -f "$path" ] && echo "$path"; done |
    grep -v 'test_\(host_race\|install\|deb\)\.sh')

failed=0
if [ ${#programs[@]} -gt 0 ]; then
    UNDER="env LD_PRELOAD=$preload ASAN_OPTIONS=$ASAN_OPTIONS:detect_leaks=1" tests/run.sh "${programs[@]}" || failed=1
fi
if [ ${#scripts[@]} -gt 0 ]; then
    # The grader's stand-in for a harness runs without these variables.
    mapfile -t alone < <(printf '%s\n' "${scripts[@]}" | grep '/grader/')
    mapfile -t scripts < <(printf '%s\n' "${scripts[@]}" | grep -v '/grader/')
    [ ${#scripts[@]} -eq 0 ] || LD_PRELOAD=$preload tests/run.sh "${scripts[@]}" || failed=1
    [ ${#alone[@]} -eq 0 ] || CC=gcc tests/run.sh "${alone[@]}" || failed=1
fi

# One case of each lab: the solution, judged by softgpu in the harness itself. A host-code lab's harness has a malloc() of
# its own, which the sanitizer's cannot stand; the way to a device in another process is that of test_runtime_remote.
for lab in labs/lab*; do
    [ -n "$(selected "$lab")" ] && ! grep -q '^code: *host' "$lab/lab.yaml" || continue
    name=${lab#labs/}
    read -r case params < <(awk '/- name:/ { name = $3 } /params:/ { gsub(/.*{|}.*/, ""); gsub(/: /, "="); gsub(/,/, "")
                                                                   print name, $0; exit }' "$lab/lab.yaml")
    words=(--case "$case" --seed 1 --output "$BUILD/tests/result")
    for param in $params; do words+=(--param "$param"); done
    solution=$BUILD/tests/$name
    arch=$(sed -n 's/^arch: *\([a-z0-9_]*\).*/\1/p' "$lab/lab.yaml")
    "$nvcc" -ptx -lineinfo -arch="${arch:-compute_75}" -o "$solution.ptx" "solutions/$name/kernel.cu" || { failed=1; continue; }
    program=("$BUILD/$name/harness" --kernel "$solution.ptx")
    "$BUILD/bin/softgpu" --check all --counters "${program[@]}" "${words[@]}" >"$solution.log" 2>&1
    status=$?
    echo "$name $case: status $status"
    [ $status -eq 0 ] || { failed=1; tail -n 20 "$solution.log"; }
done

count=$(find "$reports" -type f -size +0 | wc -l)
if [ "$count" -gt 0 ]; then
    find "$reports" -type f -size +0 | head -n 20 | while read -r report; do echo "== $report"; head -n 25 "$report"; done
fi
echo "$count reports in $reports"
[ "$count" -eq 0 ] && [ $failed -eq 0 ]
