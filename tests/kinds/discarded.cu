// discard.L2: a weak write, of 128 bytes, of a value that is no value: whoever reads them before they are written again reads
// something undefined, and whoever accesses them with no order between races with it. Each mistake beside its right twin.
//
// arch compute_80
//
// case discard_written_again expect=silent
// case discard_read expect=uninitialized-read
// case discard_beside expect=silent
// case discard_variable_read expect=uninitialized-read
// case discard_read_before expect=silent
// case discard_while_read expect=data-race
// case discard_generic expect=uninitialized-read
// case discard_odd expect=misaligned
// case discard_past_end expect=out-of-bounds
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64, LINE = 32 }; // words; of 128 bytes

__device__ __align__(128) int variable[N];

__device__ void discard(int *p)
{
    asm volatile("discard.global.L2 [%0], 128;" ::"l"(p) : "memory"); // discard_while_read discard_odd discard_past_end
}
__device__ void discard_anywhere(int *p) { asm volatile("discard.L2 [%0], 128;" ::"l"(p) : "memory"); }

/** Of the second line, what `from` on reads. */
__global__ void use(int *data, int *out, int from, bool writes, bool generic)
{
    if (threadIdx.x == 0 && generic)
        discard_anywhere(data + LINE);
    else if (threadIdx.x == 0)
        discard(data + LINE);
    __syncthreads();
    if (writes)
        data[LINE + threadIdx.x] = (int)threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = data[from + threadIdx.x] + 1;
}

__global__ void use_variable(int *out)
{
    if (threadIdx.x == 0)
        discard(variable);
    __syncthreads();
    out[threadIdx.x] = variable[threadIdx.x] + 1;
}

/** The first warp reads, the second discards. */
__global__ void meet(int *data, int *out, bool waits)
{
    if (threadIdx.x < LINE)
        out[threadIdx.x] = data[threadIdx.x] + 1;
    if (waits)
        __syncthreads();
    if (threadIdx.x == LINE)
        discard(data);
}

__global__ void wrong(int *p) { discard(p); }

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *s) { return !strcmp(name, s); };
    int *data, *out;
    cudaMalloc(&data, N * sizeof *data);
    cudaMalloc(&out, N * sizeof *out);
    cudaMemset(data, 0, N * sizeof *data);
    cudaMemset(out, 0, N * sizeof *out);
    if (is("discard_written_again"))
        use<<<1, LINE>>>(data, out, LINE, true, false);
    if (is("discard_read"))
        use<<<1, LINE>>>(data, out, LINE, false, false);
    if (is("discard_generic"))
        use<<<1, LINE>>>(data, out, LINE, false, true);
    if (is("discard_beside"))
        use<<<1, LINE>>>(data, out, 0, false, false);
    if (is("discard_variable_read"))
        use_variable<<<1, LINE>>>(out);
    if (is("discard_read_before"))
        meet<<<1, N>>>(data, out, true);
    if (is("discard_while_read"))
        meet<<<1, N>>>(data, out, false);
    if (is("discard_odd"))
        wrong<<<1, 1>>>(data + 1);
    if (is("discard_past_end"))
        wrong<<<1, 1>>>(data + N);
    cudaDeviceSynchronize();
    static int host[N];
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDefault);
    cudaFree(data);
    cudaFree(out);
    return 0;
}
