// Pointers to shared memory and to local variables that are used elsewhere, or later: by another block, or by the next launch.
//
// arch compute_75 compute_90
//
// case other_block expect=out-of-bounds says=another.block's.shared.memory
// case other_block_stores expect=out-of-bounds says=another.block's.shared.memory
// case other_block_atomic expect=out-of-bounds says=another.block's.shared.memory
// case other_block_converted expect=out-of-bounds says=another.block's.shared.memory
// case other_block_dynamic expect=out-of-bounds says=another.block's.shared.memory
// case own_block expect=silent
// case own_block_converted expect=silent
// case own_dynamic expect=silent
// case compared expect=silent
// case copied_by_value expect=silent
// case next_launch_shared expect=out-of-bounds says=earlier.launch
// case next_launch_local expect=out-of-bounds says=earlier.launch
// case eighth_launch_shared expect=out-of-bounds says=earlier.launch
// case eighth_launch_local expect=out-of-bounds says=earlier.launch
// case next_launch_own expect=silent
// case next_launch_global expect=silent
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

enum { THREADS = 32, BLOCKS = 4 };

__device__ int *kept[BLOCKS * THREADS];
__device__ int stored[THREADS];
extern __shared__ int dynamic[];

__global__ void hand_on(int how, int *out, volatile int *flag)
{
    __shared__ int own[THREADS];
    int t = (int)threadIdx.x, b = (int)blockIdx.x;
    own[t] = dynamic[t] = t + b;
    __syncthreads();
    if (t == 0 && (b == 0 || how >= 5)) {
        kept[b] = how == 4 || how == 7 ? dynamic : own;
        __threadfence();
        flag[b] = 1;
    }
    if (t == 0 && b == 1 && how < 5)
        while (!flag[0])
            ;
    if (t == 0)
        __threadfence();
    __syncthreads();
    int from = how >= 5 ? b : 0, *p = kept[from];
    if ((b == 1 && how < 5) || how >= 5) {
        if (how == 0)
            out[b * THREADS + t] = p[t]; // other_block
        if (how == 1)
            p[t] = 1; // other_block_stores
        if (how == 2)
            atomicAdd(&p[t], 1); // other_block_atomic
        if (how == 3 || how == 6) {
            unsigned v, at = (unsigned)__cvta_generic_to_shared(p + t); // other_block_converted
            asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"(at) : "memory");
            out[b * THREADS + t] = (int)v;
        }
        if (how == 4)
            out[b * THREADS + t] = p[t]; // other_block_dynamic
        if (how == 5 || how == 7)
            out[b * THREADS + t] = p[THREADS - 1 - t];
        if (how == 8)
            out[b * THREADS + t] = p == own && p != (int *)flag && __isShared(p);
        if (how == 9)
            stored[t] = p[t];
    }
    __syncthreads();
    out[b * THREADS + t] += own[t];
}

__global__ void keep(int how, int n, int *out)
{
    __shared__ int own[THREADS];
    int t = (int)threadIdx.x, local[4];
    for (int i = 0; i < 4; i++)
        local[i] = n + i;
    own[t] = t;
    __syncthreads();
    kept[t] = how == 0 ? own : how == 1 ? local : &stored[t];
    out[t] = local[n & 3] + own[t ^ 1];
}
__global__ void between(int *out)
{
    out[threadIdx.x]++;
}
__global__ void use(int how, int n, int *out)
{
    __shared__ int own[THREADS];
    int t = (int)threadIdx.x, local[4];
    for (int i = 0; i < 4; i++)
        local[i] = n + i;
    own[t] = t;
    __syncthreads();
    if (how == 2)
        kept[t] = t & 1 ? own : local;
    out[t] = local[n & 3] + own[t ^ 1];
    out[t] += *kept[t]; // next_launch_shared next_launch_local
}

int main(int argc, char **argv)
{
    static const char *const names[] = {"other_block", "other_block_stores", "other_block_atomic", "other_block_converted", "other_block_dynamic",
                                        "own_block", "own_block_converted", "own_dynamic", "compared", "copied_by_value"};
    static const char *const later[] = {"next_launch_shared", "next_launch_local", "next_launch_own", "next_launch_global"};
    const char *name = argc > 1 ? argv[1] : "";
    int *out, *flag, how = -1;
    CHECK(!cudaMalloc(&out, 4096) && !cudaMemset(out, 0, 4096) && !cudaMalloc(&flag, 64) && !cudaMemset(flag, 0, 64));
    for (int i = 0; i < 10; i++)
        if (!strcmp(name, names[i]))
            how = i;
    if (how >= 0)
        hand_on<<<how == 9 ? 1 : 2, THREADS, THREADS * sizeof(int)>>>(how, out, flag);
    for (int i = 0; i < 4; i++)
        if (!strcmp(name, later[i])) {
            keep<<<1, THREADS>>>(i, 3, out);
            use<<<1, THREADS>>>(i, 3, out);
            how = i;
        }
    for (int i = 0; i < 2; i++)
        if (!strcmp(name, i ? "eighth_launch_local" : "eighth_launch_shared")) {
            keep<<<1, THREADS>>>(i, 3, out);
            for (int j = 0; j < 6; j++)
                between<<<1, THREADS>>>(out);
            use<<<1, THREADS>>>(i, 3, out);
            how = i;
        }
    if (how < 0)
        return 2;
    CHECK(!cudaDeviceSynchronize() && !cudaFree(out) && !cudaFree(flag));
    return 0;
}
