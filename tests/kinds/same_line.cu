// same_line.cu: two calls of one function, whose store all threads of a warp make to one place: first of one value, then of their own. Both
// are one finding, an error; so it shows two values, not the pair that leaves the same.
//
// case same_then_own expect=data-race says=either.value.may.stay
// case own_then_same expect=data-race says=either.value.may.stay
// case same_twice expect=data-race level=warning says=the.same.value
// case one_each expect=silent
#include <cstring>
#include <cuda_runtime.h>

__device__ __forceinline__ void put(int *place, int value)
{
    *place = value; // same_then_own own_then_same same_twice
}

__global__ void twice(int *out, bool same_first, bool same_last)
{
    int t = threadIdx.x;
    put(&out[t / 32], same_first ? 1 : t);
    __syncthreads();
    put(&out[4 + t / 32], same_last ? 1 : t);
}

__global__ void each(int *out)
{
    int t = threadIdx.x;
    put(&out[t], 1);
    __syncthreads();
    put(&out[127 - t], t);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out;
    cudaMalloc(&out, 512);
    if (!strcmp(name, "one_each"))
        each<<<1, 128>>>(out);
    else
        twice<<<1, 128>>>(out, strcmp(name, "own_then_same"), strcmp(name, "same_then_own"));
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
