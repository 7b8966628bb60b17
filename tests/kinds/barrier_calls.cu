// Where a barrier is advised if one access stands in a function that the compiler has put inline, or in a loop that it has unrolled. The lines are the text's
// own: keep them.
//
// case inlined expect=data-race says=between.line.22.and.line.25 nor=loop.comes|line.1[0-9]
// case inlined_waits expect=silent
// case sweep expect=data-race says=after.the.branch.that.begins.on.line.37,.reached.by.all.threads nor=after.line.[34]
// case sweep_waits expect=silent
#include <cstring>
#include <cuda_runtime.h>

__device__ int sum_of(const int *s, int t)
{
    int sum = s[t];
    if (t >= 33)
        sum += s[t - 33]; // inlined
    return sum;
}

template <bool waits> __global__ void calls(int *out)
{
    __shared__ int s[128];
    s[threadIdx.x] = threadIdx.x;
    if (waits)
        __syncthreads();
    out[threadIdx.x] = sum_of(s, threadIdx.x);
}

// The way down of a scan: each turn stands in a branch.
template <bool waits> __global__ void down(int *out)
{
    __shared__ int s[128];
    int t = threadIdx.x, offset = 128;
    s[2 * t] = s[2 * t + 1] = 1;
    __syncthreads();
    for (int d = 1; d < 128; d *= 2) {
        offset /= 2;
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = s[a];
            s[a] = s[b]; // sweep
            s[b] += v;
        }
        if (waits)
            __syncthreads();
    }
    __syncthreads();
    out[t] = s[t];
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out;
    cudaMalloc(&out, 128 * sizeof *out);
    if (!strncmp(name, "inlined", 7))
        (strcmp(name, "inlined") ? calls<true> : calls<false>)<<<1, 128>>>(out);
    else
        (strcmp(name, "sweep") ? down<true> : down<false>)<<<1, 64>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
