// Compiled for a debugger NVIDIA's atomicAdd() of bfloat16 is a function: its plain look is no finding there, either; the program's own is.
// nvcc: -G
//
// case added expect=silent
// case added_pairs expect=silent
// case added_by_own_loop expect=data-race
// case added_and_stored expect=data-race
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_runtime.h>

__global__ void add(__nv_bfloat16 *sum)
{
    atomicAdd(sum, __float2bfloat16(1.0f));
}

__global__ void add_pairs(__nv_bfloat162 *sum)
{
    atomicAdd(sum, __floats2bfloat162_rn(1.0f, 2.0f));
}

__global__ void add_by_own_loop(unsigned *word)
{
    unsigned old = *word, assumed; // added_by_own_loop
    do {
        assumed = old;
        old = atomicCAS(word, assumed, assumed + 1);
    } while (old != assumed);
}

__global__ void add_and_store(__nv_bfloat16 *sum)
{
    if (blockIdx.x)
        *sum = __float2bfloat16(1.0f); // added_and_stored
    else
        atomicAdd(sum, __float2bfloat16(1.0f));
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    void *sum;
    cudaMalloc(&sum, 4);
    cudaMemset(sum, 0, 4);
    if (!strcmp(name, "added"))
        add<<<2, 32>>>((__nv_bfloat16 *)sum);
    else if (!strcmp(name, "added_pairs"))
        add_pairs<<<2, 32>>>((__nv_bfloat162 *)sum);
    else if (!strcmp(name, "added_by_own_loop"))
        add_by_own_loop<<<2, 32>>>((unsigned *)sum);
    else
        add_and_store<<<2, 1>>>((__nv_bfloat16 *)sum);
    cudaDeviceSynchronize();
    cudaFree(sum);
    return 0;
}
