#!/bin/sh
# Attacks on the grader, each with what a correct grader does. The numbers are the cases of the
# kit's list of how submissions have cheated or broken graders.
. "$(dirname "$0")/kit/make.sh"
set -u
# What nvcc made before is taken (grader/build/kept.h), but not where what nvcc may do is attacked.
kept=${FENCEPOST_COMPILED:-}
take_kept() { [ -z "$kept" ] || export FENCEPOST_COMPILED="$kept"; }
compile_anew() { unset FENCEPOST_COMPILED; }
compile_anew

# attack NAME STATUS TEXT… <source: grades a whole kernel.cu of the attacker's.
attack() {
    cat >"$KIT/k.cu"
    grade lab90 --file "$KIT/k.cu" -v
    expect "$@"
}
good='extern "C" __global__ void k(int *out) { *out = 1; *out = *out + 1; }'

# Forging the verdict: 1 to 5, 59.
graded claim
expect "1 prints PASS and exits early" 1 "Score 0/30" "before its results were there"
graded wrong claim
expect "2 no complete framed result" 1 "Score 0/30"
graded truncated claim
expect "4 half a result" 1 "Score 0/30"

# 17: variables that change what nvcc does.
export NVCC_APPEND_FLAGS="-Dk=other" NVCC_PREPEND_FLAGS="-Dk=other" LD_PRELOAD_X=1 CPATH=/nowhere
graded
expect "17 the environment of nvcc" 0 "Score 30/30"
unset NVCC_APPEND_FLAGS NVCC_PREPEND_FLAGS LD_PRELOAD_X CPATH

# 18 to 21: the compiler as a way to read files. Only where the disk is not in view.
grade lab90 --solution -v
case $out in *"sandbox D"*) confined= ;; *) confined=yes ;; esac
if [ -z "$confined" ] && [ -n "${REQUIRE_SANDBOX:-}" ]; then
    out=$out rc=9
    expect "a sandbox is required here" 0
fi
if [ -n "$confined" ]; then
    attack "18 includes a system file" 1 "k.cu:1: fatal error: /etc/passwd: " <<END
#include "/etc/passwd"
END
    refuse "18 shows nothing of it" "root:"
    attack "18 includes the solution" 1 "k.cu:1: fatal error" "directory" <<END
#include "$KIT/solutions/$lab/kernel.cu"
END
    attack "18 includes the spec" 1 "k.cu:1: fatal error" <<END
#include "../../../../labs/$lab/lab.yaml"
END
    attack "20 asks whether a file is there" 1 "the oracle says no" <<END
#if __has_include("$KIT/solutions/$lab/kernel.cu") || __has_include("/etc/passwd")
$good
#else
#error the oracle says no
#endif
END
    take_kept
    # A process of this user's, with sockets that listen.
    python3 - "$KIT/build" <<'END' >/dev/null 2>&1 &
import os, socket, sys, time
os.setsid()
os.chdir(sys.argv[1])
listeners = []
for kind, name in ((socket.SOCK_STREAM, "sock"), (socket.SOCK_DGRAM, "dgram"),
                   (socket.SOCK_STREAM, "\0fencepost-%d" % os.getpid())):
    s = socket.socket(socket.AF_UNIX, kind)
    s.bind(name)
    if kind == socket.SOCK_STREAM:
        s.listen(50)
    listeners.append(s)
open("listening", "w").close()
time.sleep(600)
END
    victim=$!
    while [ ! -e "$KIT/build/listening" ] && kill -0 $victim; do sleep 0.1; done
    graded victim_$victim # the same attacks do work where nothing confines
    grade lab90 --file "$KIT/k.cu" -v --sandbox D
    expect "9 the attacks on other processes are real" 0 "SAW another process by a signal" "by its limits" \
        "SAW an abstract socket" "SAW a socket by its path"
    for level in A B C; do
        "$BUILD/bin/grade" --root "$KIT" lab90 --solution --sandbox $level >/dev/null 2>&1 ||
            continue
        graded victim_$victim
        grade lab90 --file "$KIT/k.cu" -v --sandbox $level
        expect "9 other processes at level $level" 0 "Score 30/30"
        refuse "9 other processes at level $level" "SAW"
        for word in peek write net trace namespace shm; do
            sed '/fake_wrong/d' "$here/kit/kernel.cu" >"$KIT/k.cu"
            echo "__device__ int fake_$word = 1;" >>"$KIT/k.cu"
            grade lab90 --file "$KIT/k.cu" -v --sandbox $level
            [ $level = C ] && [ $word = namespace ] && [ "$rc" = 0 ]
            expect "10, 21, 29 $word at level $level" 0 "Score 30/30"
            refuse "10, 21, 29 $word at level $level" "SAW"
            refuse "12 $word at level $level" "WROTE"
        done
    done
    kill $victim
    graded linger
    expect "47 nothing is left in /tmp" 0 "Score 30/30"
    refuse "47 nothing is left in /tmp" "SAW"
    rm -f /tmp/left-by-a-run
fi
if "$BUILD/bin/grade" --root "$KIT" lab90 --solution --sandbox A >/dev/null 2>&1; then
    graded kill
    expect "53 kill -9 -1 reaches nothing else" 0 "Score 30/30"
fi
compile_anew
attack "19 .incbin in host assembly" 1 "Score 0/30" <<END
asm(".incbin \\"/etc/passwd\\"");
extern "C" __global__ void k(int *out) { *out = 1; }
__device__ int fake_wrong = 1;
END

take_kept
# 24, 46: NaN, poison.
graded nan
expect "24 NaN everywhere" 1 "Score 0/30" "got nan"

# Resources: 48 to 54.
seconds 1
graded spin
expect "48 an endless loop" 1 "still running after 1 s"
seconds 20
graded bomb
expect "49 a fork bomb" 0 "Score 30/30"
graded memory
expect "50 a memory bomb" 1 "memory-limit"
graded fill
expect "51 a full folder" 1 "Score 0/30" "it filled its folder"
graded flood
expect "51 endless output" 1 "output-limit"
graded daemon
expect "52 a child in its own session" 0 "Score 30/30"
seconds 1
graded hang
expect "54 sleeps" 1 "time-limit"
seconds 20

# Compiler: 55 to 61.
compile_anew
attack "55 includes a device without end" 1 "Score 0/30" <<END
#include "/dev/zero"
END
attack "59 #line cannot spoof a place" 1 "Score 0/30" "It does not compile" <<END
#line 4000 "solution.cu"
this is no code
END
attack "59 escape sequences are not printed" 1 "It does not compile" <<END
#error $(printf '\033[2J\033]0;x\007')PASS
END
refuse "59 escape sequences" "$(printf '\033')"
attack "60 assembly that adds a kernel" 1 "Score 0/30" <<END
extern "C" __global__ void k(int *out) { asm("ret; } .visible .entry evil() { ret;"); *out = 1; }
__device__ int fake_wrong = 1;
END
attack "61 .include in assembly" 1 "Score 0/30" <<END
extern "C" __global__ void k(int *out) { asm(".include \\"/etc/passwd\\";"); *out = 1; }
__device__ int fake_wrong = 1;
END
refuse "61 shows nothing of it" "root:"
mkfifo "$KIT/fifo.cu"
grade lab90 --file "$KIT/fifo.cu"
expect "55 a FIFO does not hang" 2 "is not a regular file"
grade lab90 --file /dev/zero
expect "55 a device" 2 "is not a regular file"
head -c 2000000 /dev/zero | tr '\0' ' ' >"$KIT/k.cu"
grade lab90 --file "$KIT/k.cu"
expect "58 a source that is too large" 2 "is too large"
ln -s "$KIT/solutions/$lab/kernel.cu" "$KIT/link.cu"
grade lab90 --file "$KIT/link.cu"
expect "62 a symbolic link" 2 "is a symbolic link"
attack "58 a line that makes a huge object" 1 "Score 0/30" <<END
__device__ int big[60000000] = {1};
$good
__device__ int fake_wrong = 1;
END
[ -n "${SLOW_TESTS:-}" ] && attack "57 a template bomb" 1 "Score 0/30" <<END
template <int A, int B> struct x { static const int v = x<A - 1, B>::v + x<A - 1, B + 1>::v; };
template <int B> struct x<0, B> { static const int v = 1; };
__device__ int n = x<800, 0>::v;
$good
END

finish
