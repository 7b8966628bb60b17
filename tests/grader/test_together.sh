#!/bin/bash
# Short runs of a student's host code go together: one process forks for each, and so does its devices'. Whatever goes wrong so is made again by itself,
# so that no verdict depends on it. Here the student's code knows, by its folder, whether it runs together with others.
. "$(dirname "$0")/host_kit/make.sh"
set -u
spec="$KIT/labs/$lab/lab.yaml"
python3 - "$spec" <<'END'
import sys
lines = open(sys.argv[1]).read().split('\n')
at = next(i for i, l in enumerate(lines) if 'name: many' in l)
lines[at:at] = [f'      - {{name: few{n}, title: "n = {n}", points: 1, params: {{n: {n}}}}}' for n in range(2, 12)]
text = '\n'.join(lines).replace('points: 50', 'points: 60').replace('seconds: 20', 'seconds: 4')
open(sys.argv[1], 'w').write(text)
END

# file STATEMENTS: a solution that does this, too, where it runs together with others.
file() {
    {
        cat <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>
static long call(long n, long a = 0, long b = 0, long c = 0) // the library's own are not for a submission
{
    asm volatile("syscall" : "+a"(n) : "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return n;
}
static bool together()
{
    char folder[4096] = "";
    return call(79, (long)folder, sizeof folder) > 0 && strstr(folder, "/together");
}
__global__ void say() { printf("from the device\n"); }
static void leave(int status) { call(231, status); }
static long parent() { return call(110); }
static void stop() { for (;;) call(34); }
static void tell_as_parent(const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/fd/1", parent());
    call(1, call(2, (long)path, 1), (long)text, strlen(text));
}
END
        sed "s/^    const int pieces = 4;/    if (together()) { $(printf '%s' "$1" | sed 's/[&\/\\]/\\&/g') }\n&/" "$here/host_kit/solution.cu"
    } >"$KIT/k.cu"
}
graded_twice() { # the first time not all runs are known to end
    grade lab91 --file "$KIT/k.cu"
    grade lab91 --file "$KIT/k.cu" --fresh
}
# same WHAT STATEMENTS: full marks all the same.
same() {
    file "$2"
    grade lab91 --file "$KIT/k.cu" --fresh
    expect "$1" 0 "Score 60/60"
}

# That they run together at all shows where a result is another one then.
file 'n = n > 40 ? n : 0;'
graded_twice
expect "runs go together" 1 "out: expected"
for level in A B C D; do
    grade lab91 --file "$KIT/k.cu" --fresh --sandbox $level
    case $out in *"does not work here"*) continue ;; esac
    expect "runs go together at level $level" 1 "out: expected"
done
file ''
graded_twice
expect "the solution" 0 "Score 60/60" "n = 11"

same "a crash" 'abort();'
same "an error's end" 'leave(7);'
same "a word on stdout" 'puts("hello");'
same "a word on stderr" 'fputs("hello\n", stderr);'
same "much on stdout" 'for (int i = 0; i < 100000; i++) puts("hello hello hello hello");'
same "a word from the device" 'say<<<1, 1>>>(); cudaDeviceSynchronize();'
same "the forker is killed" 'call(62, parent(), 9);'
same "a run that does not end" 'stop();'
same "a child that stays" 'if (!call(57)) stop();'
same "and the forker is killed" 'tell_as_parent("0 0.1\n1 0.1\n2 0.1\n3 0.1\n"); call(62, parent(), 9); leave(0);'
same "no lines at all" 'tell_as_parent("x 0.1\n-1 1\n99999999999999999999 1\n\n");'

# Who ends as if all were well has no result, whatever he tells.
for words in '' 'tell_as_parent("0 0.1\n1 0.1\n2 0.1\n3 0.1\n4 0.1\n5 0.1\n6 0.1\n7 0.1\n");'; do
    file "$words leave(0);"
    grade lab91 --file "$KIT/k.cu" --fresh
    expect "an end without a result $words" 1 "no-result: the program ended before its results were there"
done

# What a run prints is shown with what it got wrong.
file ''
sed -i 's/^    const int pieces = 4;/    puts("a word");\n&/; s/out\[i\] = 2 \* in\[i\]/out[i] = 3 * in[i]/' "$KIT/k.cu"
graded_twice
grade lab91 --file "$KIT/k.cu" --fresh -v
expect "what a run prints" 1 "Score 0/60" "It printed:"
[ "$(printf '%s' "$out" | grep -c 'a word')" -ge 10 ] || rc=9
expect "what each run prints" 1

# What is wrong is wrong: findings are each run's own.
file 'int *p; cudaMalloc(&p, 4); twice_kernel<<<1, 1>>>(p, p, 1); cudaFree(p);'
graded_twice
expect "a finding in runs that go together" 1 "uninitialized-read"
finish
