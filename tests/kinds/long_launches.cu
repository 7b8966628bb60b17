// From the last to the first others come on between two strong stores of a thread, also where it waits at barriers in between. Launches of more than
// a million warp instructions are run but once more, and so.
//
// case hands_over_and_waits expect=silent
// case hands_over_at_once expect=data-race
// case long_hands_over_and_waits expect=silent
// case long_hands_over_at_once expect=data-race
#include <cstring>
#include <cuda_runtime.h>

enum { THREADS = 64, TURNS = 4, SHORT = 1000, LONG = 300000 };

__device__ unsigned given, taken;

__device__ unsigned look(const unsigned *flag)
{
    unsigned seen;
    asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(seen) : "l"(flag) : "memory");
    return seen;
}

__device__ void raise(unsigned *flag, unsigned to)
{
    asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(flag), "r"(to) : "memory");
}

__device__ unsigned work(unsigned seed, int steps)
{
    for (int i = 0; i < steps; i++) {
        seed = seed * 1664525u + 1013904223u;
        asm volatile("" : "+r"(seed));
    }
    return seed;
}

template <bool WAITS>
__global__ void hand_over(unsigned *data, unsigned *out, int steps)
{
    unsigned sum = work(threadIdx.x, steps);
    for (unsigned turn = 0; turn < TURNS; turn++) {
        if (threadIdx.x == 0 && WAITS)
            while (blockIdx.x == 0 && look(&taken) < turn) {
            }
        if (threadIdx.x == 0)
            while (blockIdx.x == 1 && look(&given) < turn + 1) {
            }
        __syncthreads();
        if (blockIdx.x == 0)
            data[threadIdx.x] = turn; // hands_over_at_once long_hands_over_at_once
        else
            sum += data[threadIdx.x ^ 1];
        __syncthreads();
        if (threadIdx.x == 0)
            raise(blockIdx.x ? &taken : &given, turn + 1);
    }
    out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    unsigned *data, *out;
    cudaMalloc(&data, THREADS * sizeof *data);
    cudaMalloc(&out, 2 * THREADS * sizeof *out);
    cudaMemset(data, 0, THREADS * sizeof *data);
    int steps = strncmp(name, "long_", 5) ? SHORT : LONG;
    if (strstr(name, "hands_over_and_waits"))
        hand_over<true><<<2, THREADS>>>(data, out, steps);
    else
        hand_over<false><<<2, THREADS>>>(data, out, steps);
    cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(out);
    return 0;
}
