// Small faulty programs whose findings must show how they came about. Argument: which one.
#include <cstdlib>
#include <cuda_runtime.h>

__device__ int out;

// The published guard: nothing acquires after the ticket.
__global__ void guard(int *partial, unsigned *count)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = (int)blockIdx.x + 97; // first
        __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 3) {
        int v = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            v += partial[i]; // second
        out = v;
    }
}

// Volatile on both sides: no race, but no order either, and the sum depends on it.
__global__ void relied_on(volatile int *partial, unsigned *count)
{
    if (threadIdx.x)
        return;
    partial[blockIdx.x] = (int)blockIdx.x + 97; // first
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        int v = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            v += partial[i]; // second
        out = v;
    }
}

// The same reads, but no value that they may return makes a difference.
__global__ void not_relied_on(volatile int *partial, unsigned *count)
{
    if (threadIdx.x)
        return;
    partial[blockIdx.x] = (int)blockIdx.x + 97; // first
    if (atomicAdd(count, 1) == gridDim.x - 1) {
        int v = 0;
        for (unsigned i = 0; i < gridDim.x; i++)
            v += partial[i] > 1000; // second
        out = v;
    }
}

// A flag polled by plain code after many polls: the interleaving stays short.
__global__ void message(int *data, volatile unsigned *flag)
{
    if (blockIdx.x == 0) {
        data[0] = 42; // first
        *flag = 1;
    } else {
        while (*flag == 0)
            ;
        out = data[0]; // second
    }
}

// Data and signal stored by one line.
__global__ void one_line(volatile int *data, volatile unsigned *flag)
{
    if (blockIdx.x == 0) {
        data[0] = 42; *flag = 7; // first
    } else {
        unsigned seen = *flag;
        int v = data[0]; // second
        out = seen ? v : 1;
    }
}

// Neighbours within a block, no barrier.
__global__ void shifted(int *data, unsigned *)
{
    __shared__ int s[64];
    s[threadIdx.x] = data[threadIdx.x] + 1; // first
    data[threadIdx.x] = s[(threadIdx.x + 32) % 64]; // second
}

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 0, *data;
    unsigned *count;
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMalloc(&count, sizeof *count);
    cudaMemset(data, 0, 64 * sizeof *data);
    cudaMemset(count, 0, sizeof *count);
    switch (which) {
    case 0: guard<<<8, 32>>>(data, count); break;
    case 1: relied_on<<<8, 32>>>(data, count); break;
    case 2: not_relied_on<<<8, 32>>>(data, count); break;
    case 3: message<<<2, 1>>>(data, count); break;
    case 4: one_line<<<2, 1>>>(data, count); break;
    default: shifted<<<1, 64>>>(data, count);
    }
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(data);
    cudaFree(count);
    return e != cudaSuccess;
}
