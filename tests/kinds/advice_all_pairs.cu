// What is advised where one finding stands for many pairs of threads: lanes of a warp, warps of a block, blocks. What the furthest need is said, and
// of a loop without any barrier both that it lacks.
//
// case chain_bare expect=missing-release says=__threadfence...right.before.the.signal.on.line.[0-9]+ nor=__threadfence_block
// case chain_of_block expect=missing-release says=__threadfence_block...right.before.the.signal.on.line.[0-9]+
// case chain_fenced expect=silent
// case chain_too_near expect=missing-release says=behind.a.fence.that.is.for.its.own.block.only
// case chain_half_near expect=missing-acquire says=the.fence.of.block.[01].after.it.saw.the.signal..line.[0-9]+..is.for.its.own.block.only
// case edges_met expect=data-race says=a.barrier.of.the.whole.grid nor=__sync
// case edges_of_one expect=data-race says=__syncthreads..
// case edges_apart expect=silent
// case warps_meet expect=data-race says=__syncthreads...between.line nor=__syncwarp
// case lanes_meet expect=data-race says=__syncwarp..
// case warps_wait expect=silent
// case no_barrier expect=data-race says=__syncthreads...after.line.[0-9]+,.before.the.loop.*Also:.__syncthreads...between|__syncthreads...between.*Also:.__syncthreads...after
// case one_barrier expect=data-race says=__syncthreads...after.line.[0-9]+,.before.the.loop nor=Also
// case two_barriers expect=silent
// case two_readers expect=missing-release says=__threadfence...right.before.the.signal nor=__threadfence_block
// case one_reader expect=missing-release says=__threadfence_block...right.before.the.signal
// case two_readers_fenced expect=silent
#include <cstring>
#include <cuda_runtime.h>

#include "check.h"

// Each thread hands on to the one before it, which may be of another block: more of them are not.
enum fences { NONE, NEAR, HALF_NEAR, FENCED };
template <fences fences> __global__ void chain(int *data, volatile int *flag, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + 1) % (gridDim.x * blockDim.x);
    data[i] = i;
    if (fences >= HALF_NEAR)
        __threadfence();
    else if (fences == NEAR)
        __threadfence_block();
    flag[i] = 1;
    while (!flag[next])
        ;
    if (fences == FENCED)
        __threadfence();
    else if (fences)
        __threadfence_block();
    out[i] = data[next]; // chain_bare chain_of_block chain_too_near chain_half_near
}

__global__ void edges(int *data, int *out, int part)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, next = (i + 1) % (gridDim.x * blockDim.x);
    if (part != 1)
        data[i] = i;
    if (part != 0)
        out[i] = data[next]; // edges_met edges_of_one
}

__global__ void neighbours(int *out, int width, bool waits)
{
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    if (waits)
        __syncthreads();
    out[threadIdx.x] = s[threadIdx.x / width * width + (threadIdx.x + 1) % width]; // warps_meet lanes_meet
}

template <bool behind_store, bool behind_load> __global__ void turns(int *out)
{
    __shared__ int s[64];
    int v = threadIdx.x;
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
        s[threadIdx.x] = v;
        if (behind_store)
            __syncthreads();
        v += s[(threadIdx.x + 33) % 64]; // no_barrier one_barrier
        if (behind_load)
            __syncthreads();
    }
    out[threadIdx.x] = v;
}

// One signal for two data: a thread of the block reads the one, another block's the other.
__global__ void readers(int *near, int *far, volatile int *flag, int *out, bool fenced)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        near[0] = 1;
        far[0] = 2;
        if (fenced)
            __threadfence();
        flag[0] = 1;
    } else if (blockIdx.x == 0 && threadIdx.x == 32) {
        while (!flag[0])
            ;
        if (fenced)
            __threadfence();
        out[0] = near[0]; // two_readers one_reader
    } else if (threadIdx.x == 0) {
        while (!flag[0])
            ;
        if (fenced)
            __threadfence();
        out[1] = far[0]; // two_readers
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *a, *b, *c, *d;
    CHECK(!cudaMalloc(&a, 4096) && !cudaMalloc(&b, 4096) && !cudaMalloc(&c, 4096) && !cudaMalloc(&d, 4096));
    CHECK(!cudaMemset(a, 0, 4096) && !cudaMemset(b, 0, 4096) && !cudaMemset(c, 0, 4096) && !cudaMemset(d, 0, 4096));
    if (!strncmp(name, "chain_", 6)) {
        int blocks = strcmp(name, "chain_of_block") ? 2 : 1;
        auto kernel = !strcmp(name, "chain_fenced")      ? chain<FENCED>
                      : !strcmp(name, "chain_too_near")  ? chain<NEAR>
                      : !strcmp(name, "chain_half_near") ? chain<HALF_NEAR>
                                                         : chain<NONE>;
        kernel<<<blocks, 512>>>(a, b, c);
    } else if (!strcmp(name, "edges_apart")) {
        edges<<<2, 512>>>(a, c, 0);
        edges<<<2, 512>>>(a, c, 1);
    } else if (!strncmp(name, "edges_", 6)) {
        edges<<<strcmp(name, "edges_met") ? 1 : 2, 512>>>(a, c, 2);
    } else if (!strcmp(name, "warps_meet") || !strcmp(name, "lanes_meet") || !strcmp(name, "warps_wait")) {
        neighbours<<<1, 64>>>(c, strcmp(name, "lanes_meet") ? 64 : 32, !strcmp(name, "warps_wait"));
    } else if (strstr(name, "_reader")) {
        readers<<<strcmp(name, "one_reader") ? 2 : 1, 64>>>(a, b, c, d, !strcmp(name, "two_readers_fenced"));
    } else {
        auto kernel = !strcmp(name, "no_barrier") ? turns<false, false> : !strcmp(name, "one_barrier") ? turns<true, false> : turns<true, true>;
        kernel<<<1, 64>>>(c);
    }
    CHECK(!cudaDeviceSynchronize());
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(d);
    return 0;
}
