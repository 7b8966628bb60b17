// Ten kernels for the debugger's tests, one a run: `ten N`. Some are wrong on purpose: what reads see then depends
// on the schedule, which has to come out the same each time.
#include <cstdio>
#include <cstdlib>

__device__ int sum, flag, last_sum;
__device__ unsigned ticket;

__global__ void race(int n)
{
    int i = threadIdx.x;
    if (i < n)
        sum = sum + i;
}

__global__ void reduce(const int *in, int *out)
{
    __shared__ int cache[64];
    cache[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    for (int half = 32; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            cache[threadIdx.x] += cache[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        out[blockIdx.x] = cache[0];
}

__global__ void count(const int *in, int *out)
{
    atomicAdd(&out[in[blockIdx.x * 64 + threadIdx.x] % 16], 1);
}

__global__ void guard(const int *in, int *out)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        out[blockIdx.x] = in[blockIdx.x];
        __threadfence();
        last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int i = 0; i < gridDim.x; i++)
            last_sum += out[i];
}

__global__ void spin(int *out)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        // compiled to nothing
        *out = 7;
        __threadfence();
        *(volatile int *)&flag = 1;
    }
    if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (*(volatile int *)&flag == 0)
            ;
        out[1] = *out;
    }
}

__global__ void diverge(const int *in, int *out)
{
    int n = in[threadIdx.x] % 17, steps = 0;
    for (; n != 1 && steps < 50; steps++)
        n = n % 2 ? 3 * n + 1 : n / 2;
    out[threadIdx.x] = steps;
}

__device__ __noinline__ int fibonacci(int n)
{
    if (n < 2)
        return n;
    return fibonacci(n - 1) + fibonacci(n - 2);
}

__global__ void recurse(int *out)
{
    out[threadIdx.x] = fibonacci(threadIdx.x % 8);
}

__global__ void shuffle(const int *in, int *out)
{
    int v = in[threadIdx.x];
    for (int d = 16; d; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (threadIdx.x % 32 == 0)
        out[threadIdx.x / 32] = v;
}

__global__ void heap(int *out)
{
    int *own = (int *)malloc(4 * sizeof *own);
    own[threadIdx.x % 4] = threadIdx.x;
    out[threadIdx.x] = own[threadIdx.x % 4];
    free(own);
}

__global__ void mapped(int *host, int by)
{
    host[blockIdx.x * 64 + threadIdx.x] += by;
}

// The eleventh takes long.
__global__ void last(int *out, int n)
{
    int busy = 0;
    for (int i = 0; i < n; i++)
        busy += i ^ busy << 1;
    out[threadIdx.x] = busy;
}

int main(int argc, char **argv)
{
    int which = argc > 1 ? atoi(argv[1]) : 1, *in, *out, *host, first[256];
    cudaMalloc(&in, sizeof first);
    cudaMalloc(&out, sizeof first);
    cudaHostAlloc(&host, sizeof first, cudaHostAllocMapped);
    for (int i = 0; i < 256; i++)
        host[i] = first[i] = i * 37 % 101;
    cudaMemcpy(in, first, sizeof first, cudaMemcpyHostToDevice);
    // nothing either
    cudaMemset(out, 0, sizeof first);
    switch (which) {
    case 1: race<<<1, 64>>>(64); break;
    case 2: reduce<<<4, 64>>>(in, out); break;
    case 3: count<<<4, 64>>>(in, out); break;
    case 4: guard<<<4, 64>>>(in, out); break;
    case 5: spin<<<2, 32>>>(out); break;
    case 6: diverge<<<1, 96>>>(in, out); break;
    case 7: recurse<<<1, 32>>>(out); break;
    case 8: shuffle<<<1, 64>>>(in, out); break;
    case 9: heap<<<1, 64>>>(out); break;
    case 11:
        printf("it begins\n");
        fflush(stdout);
        last<<<1, 32>>>(out, 1 << 26);
        break;
    default: mapped<<<4, 64>>>(host, 1); mapped<<<4, 64>>>(host, 2); break;
    }
    cudaError_t e = cudaDeviceSynchronize();
    if (which == 10)
        e = host[3] == 3 * 37 % 101 + 3 ? e : cudaErrorUnknown;
    printf("%s\n", cudaGetErrorString(e));
    cudaFree(in);
    cudaFree(out);
    cudaFreeHost(host);
    return e != cudaSuccess;
}
