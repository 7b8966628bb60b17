#!/usr/bin/env bash
# nvcc's steps side by side (grader/build/steps.h): what they make and say is what nvcc itself makes and says.
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
        [ "$how" = whole ] || set -- "$grade" --nvcc-steps "$@"
        "$@" -o out kernel.cu >words 2>errors
        echo $? >status
        sed -i 's,[^ ]*tmpxft_[0-9a-f_]*,tmpxft,' errors
    )
    mv "$tmp/at" "$tmp/$how"
}

# What an object does: its code, its functions and what it holds for the device; not the name of the module, which is made anew each time.
object_text() {
    {
        objdump -d --no-show-raw-insn "$1" | sed 1,3d
        nm "$1"
        objcopy -O binary -j .nv_fatbin "$1" "$tmp/fatbin"
        base64 "$tmp/fatbin"
    } | sed 's/_[0-9a-f]*_9_kernel_cu_[0-9a-f]*/_kernel_cu/g'
}

same() { # NAME ARGUMENT…
    local name=$1 f
    shift
    compile whole "$nvcc" "$@"
    compile steps "$nvcc" "$@"
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

ptx=(-ptx -lineinfo)
object=(-c -g -O2 -lineinfo -cudart shared -Xcompiler "-fsanitize=thread,--param=tsan-instrument-func-entry-exit=0,-Wno-tsan")

cp solutions/lab06_scan/kernel.cu "$tmp/kernel.cu"
same "a kernel lab" "${ptx[@]}" -arch=compute_75
cp solutions/lab05_streams/kernel.cu "$tmp/kernel.cu"
same "a host-code lab" "${object[@]}" -arch=compute_75
ok "its code is there" grep -q cudaMemcpyAsync "$tmp/steps/out"
cat >"$tmp/kernel.cu" <<'END'
namespace { __device__ int hidden; __global__ void kernel(int *p) { *p = hidden; } }
extern "C" void go(int *p) { kernel<<<1, 1>>>(p); }
END
compile steps "$nvcc" "${object[@]}" -arch=compute_90
shared='_ZN[0-9]*_GLOBAL__N_.*_9_kernel_cu_.*kernelEPi'
ok "names that no other file sees" [ "$(nm "$tmp/steps/out" | grep -o " T $shared$")" = " T $(strings "$tmp/steps/out" | grep -x "$shared" | head -n 1)" ]

# The first step that fails is told, in nvcc's order, and what the steps before it said.
while IFS='|' read -r name text; do
    echo "$text" >"$tmp/kernel.cu"
    same "$name, PTX" "${ptx[@]}" -arch=compute_90
    same "$name, object" "${object[@]}" -arch=compute_90
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

# What is no list of steps that is known is nvcc's.
echo '__global__ void k(int *p) { *p = 1; }' >"$tmp/kernel.cu"
same "code for a device" -c -arch=sm_75
same "a host's file" -c -x c++
same "no such flag" -ptx --no-such-flag

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
