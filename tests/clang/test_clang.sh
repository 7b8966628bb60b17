#!/usr/bin/env bash
# Kernels by clang (docs/clang.md): each call of CUDA's becomes the instruction that nvcc makes of it; programs run; labs get the verdicts that
# they get with nvcc: of each lab the solution and a wrong variant, with FULL=1 all files; what clang has not is told.
# LABS='labs/lab07_grid_barrier' judges those only, LABS= none.
# Without clang nothing of it can be tested, and that is said.
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
out=$BUILD/tests/clang
rm -rf "$out"
mkdir -p "$out"
passed=0 failed=0
ok() { passed=$((passed + 1)); }
fail() { failed=$((failed + 1)); echo "FAIL: $*"; }
nvcc=clang/bin/nvcc
if ! $nvcc --version >"$out/version" 2>&1; then
    echo "skipped: $(cat "$out/version")"
    echo "1 passed, 0 failed"
    exit
fi
tail -n 1 "$out/version"

# The instructions: one kernel a row, and the body of each searched as one line.
declare -a statement pattern
{
    printf '#include <assert.h>\n#include <cuda/atomic>\n#include <cooperative_groups.h>\n'
    printf 'using dev = cuda::atomic_ref<int, cuda::thread_scope_device>;\nusing blk = cuda::atomic_ref<int, cuda::thread_scope_block>;\n'
    printf 'using sys = cuda::atomic_ref<int>;\n'
    for o in relaxed acquire release acq_rel seq_cst; do printf 'constexpr auto %s = cuda::memory_order_%s;\n' $o $o; done
} >"$out/calls.cu"
n=0
while IFS='|' read -r call want; do
    printf 'extern "C" __global__ void k%d(int *p, unsigned *u, unsigned long long *q, float *f, double *d, volatile int *v, int x, unsigned m) { %s; }\n' \
        $n "$call" >>"$out/calls.cu"
    statement[n]=$call pattern[n]=$want
    n=$((n + 1))
done < <(grep -v '^#' tests/clang/calls.def)
if $nvcc -ptx -lineinfo -arch=compute_75 -o "$out/calls.ptx" "$out/calls.cu"; then
    for ((i = 0; i < n; i++)); do
        body=$(sed -n "/^\.visible \.entry k$i(/,/^}/p" "$out/calls.ptx" | grep -v '^[[:space:]]*//' | tr '\n' ' ')
        case ${pattern[i]} in
        'not '*) [[ -n $body && ! $body =~ ${pattern[i]#not } ]] && ok || fail "${statement[i]}: has ${pattern[i]#not }" ;;
        *) [[ $body =~ ${pattern[i]} ]] && ok || fail "${statement[i]}: no ${pattern[i]}" ;;
        esac
    done
else
    fail "calls.cu does not compile"
fi

# The lines of kernel.cu, not of the headers.
if grep '^[[:space:]]*\.loc[[:space:]]' "$out/calls.ptx" | awk '{ print $2 }' | sort -u | grep -vqx 1; then
    fail "instructions have lines of other files than calls.cu"
else
    ok
fi

# What clang's headers have not: one line that says so.
for header in cuda/std/atomic cub/cub.cuh cuda_fp16.h mma.h; do
    printf '#include <%s>\nextern "C" __global__ void k() {}\n' "$header" >"$out/not_here.cu"
    if $nvcc -ptx -o "$out/not_here.ptx" "$out/not_here.cu" 2>"$out/not_here.log"; then
        fail "<$header> compiles"
    elif [ "$(grep -c "not_here.cu:1:10: fatal error: <$header> .*CC_CUDA=nvcc" "$out/not_here.log")" -eq 1 ]; then
        ok
    else
        fail "<$header>: $(cat "$out/not_here.log")"
    fi
done
printf '__global__ void __cluster_dims__(2, 1, 1) k() {}\n' >"$out/not_here.cu"
$nvcc -ptx -o "$out/k.ptx" "$out/not_here.cu" 2>&1 | grep -q 'not_here.cu:1:17: error: __cluster_dims__: .*CC_CUDA=nvcc' && ok || fail "__cluster_dims__"
$nvcc -ptx -rdc=true -o "$out/k.ptx" "$out/calls.cu" 2>&1 | grep -q 'error: -rdc=true: not known' && ok || fail "-rdc=true is taken"

# A program: <<<>>>, printf's like, managed memory, and the functions that clang brings none of.
$nvcc -cudart shared -lineinfo -arch=compute_75 -o "$out/functions" tests/clang/functions.cu &&
    "$BUILD/bin/softgpu" --check none "$out/functions" >"$out/functions.log" 2>&1 && ok || fail "functions.cu: $(head -n 5 "$out/functions.log")"
cat >"$out/hello.cu" <<'EOF'
#include <cassert>
#include <cstdio>
template <class T> __global__ void hello(T *x)
{
    extern __shared__ int turn[];
    turn[threadIdx.x] = threadIdx.x;
    __syncthreads();
    assert(x);
    printf("%d of %d\n", turn[threadIdx.x], blockDim.x);
    atomicAdd(x, 1);
}
int main()
{
    int *x, n = 0;
    cudaMalloc(&x, sizeof *x);
    cudaMemset(x, 0, sizeof *x);
    hello<<<1, 3, 3 * sizeof(int)>>>(x);
    cudaMemcpy(&n, x, sizeof n, cudaMemcpyDeviceToHost);
    cudaFree(x);
    printf("%d, %s\n", n, cudaGetErrorString(cudaGetLastError()));
}
EOF
$nvcc -cudart shared -lineinfo -o "$out/hello" "$out/hello.cu" && "$BUILD/bin/softgpu" "$out/hello" >"$out/hello.log" 2>&1
[ "$(cat "$out/hello.log")" = $'0 of 3\n1 of 3\n2 of 3\n3, no error' ] && ok || fail "hello.cu: $(cat "$out/hello.log")"

# Cooperative groups and libcu++ give the numbers that they give with nvcc's headers, with and without mbarriers.
numbers() { # FILE ARCHITECTURE
    $nvcc -cudart shared -lineinfo -arch="$2" -o "$out/$1" "tests/clang/$1.cu" &&
        "$BUILD/bin/softgpu" --device h200 "$out/$1" >"$out/$1.log" 2>&1 && cmp -s "$out/$1.log" "tests/clang/$1.expected" && ok ||
        fail "$1.cu, $2: $(diff "$out/$1.log" "tests/clang/$1.expected" | head -n 5)"
}
numbers groups compute_90
numbers library compute_75
numbers library compute_90

# The verdicts, by one seed, so that the same commit has the same result; SEED= draws them.
seed=${SEED-b1ade5}
judge() { # LAB FILE
    if FENCEPOST_CUDA=$PWD/clang ./grade dev check ${seed:+--seed "$seed"} "$1" --file "$2" --color never >"$out/verdict.txt" 2>&1; then
        ok
    else
        fail "$2: $(sed -n '/FAIL\|????/,$p' "$out/verdict.txt" | head -n 6)"
    fi
}
FENCEPOST_CUDA=$PWD/clang ./grade --version | grep -q '^kernels by clang [0-9.]* (headers ' && ok || fail "--version does not name clang"
# A loop that does nothing but wait for a plain flag, which clang would leave out; code that is twice as long as nvcc's.
judge lab06_scan solutions/lab06_scan/wrong/chain_plain_flag.cu
judge lab01_bitonic_sort solutions/lab01_bitonic_sort/alternatives/odd_even.cu
# A load that clang would move to where its value is used, and with it the finding's line.
judge lab10_bugs_that_shipped solutions/lab10_bugs_that_shipped/wrong/launched_early_one_waits.cu
for lab in ${LABS-labs/lab*_*}; do
    lab=${lab#labs/}
    judge "$lab" "solutions/$lab/kernel.cu"
    wrong=(solutions/"$lab"/wrong/*.cu)
    if [ "${FULL:-0}" = 0 ]; then # the middle one
        wrong=("${wrong[${#wrong[@]} / 2]}")
    else
        wrong+=(solutions/"$lab"/alternatives/*.cu)
    fi
    for file in "${wrong[@]}"; do judge "$lab" "$file"; done
done
echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
