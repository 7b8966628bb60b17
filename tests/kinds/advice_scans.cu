// What is advised where a line updates what another thread has updated in another turn, where a kernel's flag is there and the host comes too late, and where a pointer
// was never set.
//
// case sweep expect=data-race also=uninitialized-read says=__syncthreads...after.the.branch.that.begins.on.line nor=let.only.one.thread
// case sweep_rolled expect=data-race also=uninitialized-read says=__syncthreads...after.the.branch.that.begins.on.line nor=let.only.one.thread
// case sweep_met expect=silent
// case neighbours expect=data-race says=__syncthreads...after.line nor=let.only.one.thread
// case shared_by_two expect=data-race says=let.only.one.thread.do.line.[0-9]+,.or.use.an.atomic
// case by_value expect=data-race says=let.only.one.thread.do.line.[0-9]+,.or.use.an.atomic
// case by_rows expect=data-race says=let.only.one.thread.do.line.[0-9]+,.or.use.an.atomic
// case by_value_atomic expect=silent
// case flag_before expect=stream-race says=before.it.sets.what.the.kernel.waits.for.on.line nor=let.the.kernel.raise.a.flag
// case flag_behind expect=silent
// case pointer_unset expect=out-of-bounds also=uninitialized-read says=read.from.memory.that.nobody.has.written nor=cudaMalloc
// case pointer_of_nonsense expect=out-of-bounds says=no.address:.a.pointer.that.was.never.set nor=cudaMalloc
// case pointer_of_host expect=out-of-bounds says=a.host.pointer,.or.one
// case pointer_set expect=silent
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

#define CASE(name) if (!strcmp(argv[1], name))

enum { N = 64 };

template <int UNROLL> __global__ void sweep(int *out, const int *in, bool meet)
{
    __shared__ int s[2 * N];
    int t = (int)threadIdx.x, offset = 1;
    s[t] = in[t];
    s[t + N] = in[t + N];
    __syncthreads();
#pragma unroll UNROLL
    for (int d = N; d > 0; d >>= 1) {
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            s[b] += s[a]; // sweep sweep_rolled
        }
        if (meet)
            __syncthreads();
        offset *= 2;
    }
    __syncthreads();
    out[t] = s[t];
}

__global__ void neighbours(int *out, const int *in)
{
    __shared__ int s[2 * N];
    s[threadIdx.x] = s[threadIdx.x + N] = 0;
    __syncthreads();
    for (int i = 0; i < 4; i++)
        s[threadIdx.x + i] += in[threadIdx.x]; // neighbours
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void shared_by_two(int *out, const int *in)
{
    __shared__ int s[N];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 4; i++)
        s[threadIdx.x / 2 + i] += in[threadIdx.x]; // shared_by_two
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void by_value(int *out, const int *in, bool right)
{
    __shared__ int s[N];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 2; i++)
        if (right)
            atomicAdd(&s[in[threadIdx.x + i * N] % 5], 1);
        else
            s[in[threadIdx.x + i * N] % 5] += 1; // by_value
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}

__global__ void by_rows(int *out, const int *in) // rows of threads with the same columns
{
    __shared__ int s[N];
    if (threadIdx.y == 0)
        s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = 0; i < 4; i++)
        s[threadIdx.x + i] += in[threadIdx.x + 16 * threadIdx.y]; // by_rows
    __syncthreads();
    if (threadIdx.y == 0)
        out[threadIdx.x] = s[threadIdx.x];
}

__global__ void ask(int *desk, int *out)
{
    *(volatile int *)&desk[0] = 7;
    __threadfence_system();
    *(volatile int *)&desk[1] = 1;
    while (*(volatile int *)&desk[2] == 0) {
    }
    __threadfence_system();
    *out = desk[3];
}

__global__ void through(int **from, bool set, int *to)
{
    __shared__ int *kept[N];
    if (set || threadIdx.x == 0)
        kept[threadIdx.x] = to + threadIdx.x;
    __syncthreads();
    *(from ? from[threadIdx.x] : kept[threadIdx.x]) = 1; // pointer_unset pointer_of_nonsense pointer_of_host
}

static void answer(int *desk, int *out, bool before)
{
    volatile int *words = desk;
    ask<<<1, 1>>>(desk, out);
    while (words[1] == 0) {
    }
    if (before)
        words[2] = 1;
    words[3] = words[0] + 1; // flag_before
    words[2] = 1;
    cudaDeviceSynchronize();
}

int main(int argc, char **argv)
{
    int *out, *in, *desk, *pointers, kept[N];
    if (argc < 2)
        return 2;
    cudaMalloc(&out, N * sizeof(int));
    cudaMalloc(&in, 2 * N * sizeof(int));
    cudaMallocManaged(&pointers, N * sizeof(int *));
    cudaMallocHost(&desk, 4 * sizeof(int));
    memset(desk, 0, 4 * sizeof(int));
    int numbers[2 * N];
    for (int i = 0; i < 2 * N; i++)
        numbers[i] = i + 1;
    cudaMemcpy(in, numbers, sizeof numbers, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, N * sizeof(int));
    int **places = (int **)pointers;
    CASE("sweep") sweep<8><<<1, N>>>(out, in, false);
    CASE("sweep_rolled") sweep<1><<<1, N>>>(out, in, false);
    CASE("sweep_met") sweep<8><<<1, N>>>(out, in, true);
    CASE("neighbours") neighbours<<<1, N>>>(out, in);
    CASE("shared_by_two") shared_by_two<<<1, N>>>(out, in);
    CASE("by_value") by_value<<<1, N>>>(out, in, false);
    CASE("by_value_atomic") by_value<<<1, N>>>(out, in, true);
    CASE("by_rows") by_rows<<<1, dim3(16, 4)>>>(out, in);
    CASE("flag_before") answer(desk, out, true);
    CASE("flag_behind") answer(desk, out, false);
    CASE("pointer_unset") through<<<1, N>>>(nullptr, false, out);
    CASE("pointer_set") through<<<1, N>>>(nullptr, true, out);
    for (int i = 0; i < N; i++)
        places[i] = !strcmp(argv[1], "pointer_of_host") ? &kept[i] : (int *)(0x3ff0000000000000ull + 8 * (unsigned)i);
    if (strstr(argv[1], "_of_"))
        through<<<1, N>>>(places, false, out);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(in);
    cudaFree(pointers);
    cudaFreeHost(desk);
    return 0;
}
