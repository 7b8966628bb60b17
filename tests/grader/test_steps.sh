#!/usr/bin/env bash
# nvcc's steps side by side, and behind a head that is kept (grader/build/steps.h, headers.h): what they make and say is what nvcc itself makes and says.
# FULL=1: all labs with heads, and what is wrong in a kernel lab, too.
set -u
cd "$(dirname "$0")/../.." || exit 1
. tests/nvcc.sh || exit 1
grade=$(cd "${BUILD:-build}" && pwd)/bin/grade
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0
if [ ! -x "${nvcc%/*}/cudafe++" ]; then
    echo "this nvcc has no steps: 0 passed, 0 failed"
    exit 0
fi

ok() { # NAME COMMAND…
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $name"
    fi
}

# Each `#include <NAME>` of $tmp/kernel.cu before its first other line.
head_of() {
    awk '/^#include/ { print; next } NF && !/^\/\// { exit }' "$tmp/kernel.cu"
}

# rest.cu: the lines behind the head, told where they come from.
rest() {
    awk '/^#include/ && !other { last = NR } NF && !/^#include/ && !/^\/\// { other = 1 } { line[NR] = $0 }
        END { print "#line " last + 1 " \"kernel.cu\""; for (n = last + 1; n <= NR; n++) print line[n] }' kernel.cu >rest.cu
}

# make_head ARGUMENT…: of $tmp/kernel.cu, in $tmp/made.
make_head() {
    rm -rf "$tmp/at" "$tmp/made"
    mkdir "$tmp/at"
    { head_of && echo 'int fencepost_end;'; } >"$tmp/at/kernel.cu"
    (
        cd "$tmp/at" || exit
        TMPDIR=$PWD "$grade" --nvcc-steps --make-headers "$nvcc" "$@" -o out kernel.cu 2>errors
    )
    mv "$tmp/at/made" "$tmp/made"
}

# compile HOW ARGUMENT…: of $tmp/kernel.cu; what comes of it is in $tmp/HOW. Names of files that nvcc makes for itself are no words of the program's.
compile() {
    local how=$1
    shift
    rm -rf "$tmp/at" "${tmp:?}/$how"
    mkdir "$tmp/at"
    cp "$tmp/kernel.cu" "$tmp/at/"
    (
        cd "$tmp/at" || exit
        export TMPDIR=$PWD
        case $how in
        steps) set -- "$grade" --nvcc-steps "$@" ;;
        told) set -- "$grade" --nvcc-steps --tell "$@" ;;
        kept) # behind a head that was made before
            rest
            set -- "$grade" --nvcc-steps --headers "$tmp/made" "$@"
            ;;
        esac
        "$@" -o out kernel.cu >words 2>errors
        echo $? >status
        sed -i 's,[^ ]*tmpxft_[0-9a-f_]*,tmpxft,' errors
    )
    mv "$tmp/at" "$tmp/$how"
}

# What an object does on the host: its code and its functions; where the name of the module, which is made anew each time, is in their names, the
# instructions alone.
object_text() {
    if nm "$1" | grep -q '_9_kernel_cu_'; then
        objdump -d --no-show-raw-insn "$1" | awk -F '\t' 'NF > 1 { split($2, word, " "); print word[1] }'
    else
        objdump -d --no-show-raw-insn "$1" | sed 1,3d
        nm "$1"
    fi
}

same() { # NAME ARGUMENT…
    local name=$1
    shift
    compile whole "$nvcc" "$@"
    compile steps "$nvcc" "$@"
    compare "$name" "$@"
    [ -n "$(head_of)${empty:-}" ] || return 0
    rm -rf "$tmp/steps"
    make_head "$@"
    compile kept "$nvcc" "$@"
    mv "$tmp/kept" "$tmp/steps"
    compare "$name, head kept" "$@"
}

same_kinds() { # NAME ARGUMENT…
    local name=$1 kind
    shift
    for kind in "${kinds[@]}"; do
        local -n flags=$kind
        same "$name, $kind" "${flags[@]}" "$@"
    done
}

compare() { # NAME ARGUMENT…
    local name=$1 f
    shift
    for f in status words errors; do
        ok "$name: $f" cmp "$tmp/whole/$f" "$tmp/steps/$f"
    done
    if [ ! -e "$tmp/whole/out" ]; then
        ok "$name: nothing is made" [ ! -e "$tmp/steps/out" ]
    elif [ "$1" = -ptx ]; then
        ok "$name: PTX" cmp "$tmp/whole/out" "$tmp/steps/out"
    else
        object_text "$tmp/whole/out" >"$tmp/one"
        object_text "$tmp/steps/out" >"$tmp/other"
        ok "$name: object" cmp "$tmp/one" "$tmp/other"
    fi
}

# Each pass has read what is needed of its head, not the whole (grader/build/lean.h).
reads_lean() { # LAB
    local whole lean
    for lean in "$tmp/steps"/*.ii; do
        whole=$tmp/made/device.ii
        [[ $lean != *.cpp4.ii ]] || whole=$tmp/made/host.ii
        ok "$1: $(basename "$lean" | sed 's/.*cpp/cpp/') is lean" [ $((3 * $(stat -c %s "$lean"))) -lt $((2 * $(stat -c %s "$whole"))) ]
    done
}

ptx=(-ptx -lineinfo)
object=(-c -O1 -lineinfo -cudart shared -Xcompiler "-g1,-gstatement-frontiers,-fsanitize=thread,--param=tsan-instrument-func-entry-exit=0,-Wno-tsan")

kernel_labs=(lab06_scan) host_labs=(lab05_streams) kinds=(object)
[ "${FULL:-0}" = 0 ] || kernel_labs+=(lab07_grid_barrier lab08_pipeline) host_labs+=(lab09_two_gpus lab10_bugs_that_shipped) kinds+=(ptx)
for lab in "${kernel_labs[@]}"; do
    cp solutions/$lab/kernel.cu "$tmp/kernel.cu"
    same $lab "${ptx[@]}" -arch=compute_90
    reads_lean $lab
done
for lab in "${host_labs[@]}"; do
    cp solutions/$lab/kernel.cu "$tmp/kernel.cu"
    same $lab "${ptx[@]}" -arch=compute_90
    same $lab "${object[@]}" -arch=compute_90
    ok "$lab: cudafe++ need not ask what is constant in its head" [ -z "$(grep -l __builtin_constant_p "$tmp/steps"/*.cpp4.ii)" ]
    ok "$lab: the precompiled header is taken" grep -q '^#include "/' "$tmp/steps"/*.cudafe1.cpp
    reads_lean $lab
done
cat >"$tmp/kernel.cu" <<'END'
namespace { __device__ int hidden; __global__ void kernel(int *p) { *p = hidden; } }
extern "C" void go(int *p) { kernel<<<1, 1>>>(p); }
END
compile steps "$nvcc" "${object[@]}" -arch=compute_90
shared='_ZN[0-9]*_GLOBAL__N_.*_9_kernel_cu_.*kernelEPi'
ok "names that no other file sees" [ "$(nm "$tmp/steps/out" | grep -o " T $shared$")" = " T $(strings "$tmp/steps/out" | grep -x "$shared" | head -n 1)" ]

# Whoever waits for the two passes hears when the host's compiler alone is left; not where a pass has failed.
compile told "$nvcc" "${object[@]}" -arch=compute_90
ok "the passes' end is told" cmp "$tmp/told/words" <(echo)
ok "and the object is made" [ -s "$tmp/told/out" ]
echo 'int f() { return x; }' >"$tmp/kernel.cu"
compile told "$nvcc" "${object[@]}" -arch=compute_90
ok "a pass that fails has no such end" [ ! -s "$tmp/told/words" ]

# The first step that fails is told, in nvcc's order, and what the steps before it said.
while IFS='|' read -r name text; do
    echo "$text" >"$tmp/kernel.cu"
    same_kinds "$name" -arch=compute_90
done <<'END'
an unknown name on the host|int f() { return x; }
an unknown name on the device|__device__ int f() { return x; }
one on each|int f() { return x; } __device__ int g() { return y; }
the preprocessor|#error no
a missing file|#include <nothing_of_that_name>
a warning and an error|int f() { int unused; } int g() { return x; }
a bad constraint|__global__ void k(int *p) { asm("mov.u32 %0, 1;" : "=q"(*p)); }
no instruction|__global__ void k() { asm("nonsense;"); }
the host's compiler|int f() { asm("nonsense"); return 0; }
nothing wrong|__global__ void k(int *p) { *p = 1; }
END

# Where nothing is included the head is what nvcc begins with.
cp solutions/lab01_bitonic_sort/kernel.cu "$tmp/kernel.cu"
empty=1 same "nothing included" "${ptx[@]}" -arch=compute_90
reads_lean "nothing included"
echo '__global__ void k(int *p) { *p = atomicAdd(p, threadIdx.x) + __shfl_sync(~0u, *p, 1); } int go(int *p) { k<<<1, dim3(1)>>>(p); return cudaDeviceSynchronize(); }' >"$tmp/kernel.cu"
empty=1 same_kinds "a launch with nothing included" -arch=compute_90
reads_lean "a launch with nothing included"

# The same behind a head; and macros of it, of the compiler's and of its own, as the rest sees them.
while IFS='|' read -r name text; do
    printf '// one\n#include <cstddef>\n\n#include <cstdint> // two\n%b\n' "$text" >"$tmp/kernel.cu"
    same_kinds "behind a head: $name" -arch=compute_75
done <<'END'
an unknown name on the host|int f() { return x; }
an unknown name on the device|__device__ int f()\n{\n    return x; }
one on each|int f() { return x; } __device__ int g() { return y; }
the preprocessor|#error no
a missing file|int x;\n#include <nothing_of_that_name>
no instruction|__global__ void k() { asm("nonsense;"); }
the host's compiler|int f() { asm("nonsense"); return 0; }
macros|#ifndef __CUDACC__\n#error a\n#endif\n#ifdef linux\n#error b\n#endif\n__global__ void k(size_t *p) { *p = SIZE_MAX + INT32_C(7) + offsetof(uint3, z) + __LINE__ + (NULL == p); }\nconst char *file() { return __FILE__; }
its own|#define N 3 +\\\n    4\n#undef SIZE_MAX\n#define SIZE_MAX N\n__global__ void k(size_t *p) { *p = SIZE_MAX; }\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750\n__device__ int x = __CUDACC_VER_MAJOR__;\n#endif
a guess of its own|template <class T> constexpr int twice(T x) { return __builtin_constant_p(x) && x == 1 ? 3 : 2 * x; }\nint one() { return twice(1) + __builtin_constant_p ( 7 ); }
another file of the system's|int a;\n#include <vector>\nstd::vector<int> x; __global__ void k(int *p) { *p = 1; }
an assertion|#include <cassert>\n__global__ void k(int *p) { assert(*p); }
a word too much|__global__ void k(int *p) { *p = 1 1; }
END

# What is no list of steps that is known is nvcc's.
echo '__global__ void k(int *p) { *p = 1; }' >"$tmp/kernel.cu"
same "code for a device" -c -arch=sm_75
same "a host's file" -c -x c++
same "no such flag" -ptx --no-such-flag

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
