// writers.cu: one line that all blocks write by: a value of their own, or one that is read there first.
//
// case stores expect=data-race says=let.only.one.thread.write.on.line
// case stores_of_one expect=silent
// case updates expect=data-race says=an.atomic.on.line.*between.a.plain.load.and.its.store.another.block
// case updates_by_atomic expect=silent
// case same_elements expect=data-race says=look.at.the.index
// case own_elements expect=silent
#include <cstring>
#include <cuda_runtime.h>

__global__ void all_store(int *x, bool one)
{
    if (!one || (blockIdx.x == 0 && threadIdx.x == 5))
        *x = threadIdx.x; // stores
}

__global__ void all_update(int *x)
{
    if (threadIdx.x == 0)
        *x += blockIdx.x; // updates
}

__global__ void all_add(int *x)
{
    if (threadIdx.x == 0)
        atomicAdd(x, blockIdx.x);
}

__global__ void by_thread(int *x, bool own)
{
    x[threadIdx.x + (own ? blockIdx.x * blockDim.x : 0)] = blockIdx.x; // same_elements
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *x, got[64];
    cudaMalloc(&x, sizeof got);
    cudaMemset(x, 0, sizeof got);
    if (!strcmp(name, "stores") || !strcmp(name, "stores_of_one"))
        all_store<<<2, 32>>>(x, !strcmp(name, "stores_of_one"));
    else if (!strcmp(name, "updates"))
        all_update<<<2, 32>>>(x);
    else if (!strcmp(name, "updates_by_atomic"))
        all_add<<<2, 32>>>(x);
    else
        by_thread<<<2, 32>>>(x, !strcmp(name, "own_elements"));
    cudaError_t done = cudaMemcpy(got, x, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(x);
    return done != cudaSuccess;
}
