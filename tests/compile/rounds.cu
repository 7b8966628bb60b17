// Blocks whose warps go round from barrier to barrier in compiled code, and what ends a round: the order in which warps act is the interpreter's.
#include <cstdio>

static const int LOG = 1 << 14;
__device__ int order[LOG], used;

// Who is here, in the order of the schedule.
__device__ void note(int what)
{
    int at = threadIdx.x % 32 ? LOG : atomicAdd(&used, 1);
    if (at < LOG)
        order[at] = what + 100 * (threadIdx.x / 32) + 10000 * blockIdx.x;
}

__global__ void plain(int steps)
{
    for (int i = 0; i < steps; i++) {
        if (steps < 100 || i % 100 == 0)
            note(i % 100);
        __syncthreads();
    }
}

// Some warps leave before the others, one lane of each before its warp.
__global__ void leaving(int steps)
{
    if (threadIdx.x % 32 == 31)
        return;
    for (int i = 0; i < steps; i++) {
        if (threadIdx.x / 32 == 2 && i == 3)
            return;
        note(i);
        __syncthreads();
    }
}

// The same barrier from two lines, by warp.
__global__ void lines(int steps, int *out)
{
    int warp = threadIdx.x / 32;
    for (int i = 0; i < steps; i++) {
        note(i);
        if (warp & 1) {
            out[threadIdx.x] += i;
            asm volatile("barrier.sync 0;" ::: "memory");
            out[threadIdx.x] ^= warp;
        } else {
            out[threadIdx.x] -= i;
            asm volatile("barrier.sync 0;" ::: "memory");
        }
        note(50 + i);
    }
}

// Barriers with counts and arrivals between those of all.
__global__ void named(int steps, int *out)
{
    int warp = threadIdx.x / 32;
    for (int i = 0; i < steps; i++) {
        __syncthreads();
        note(i);
        if (warp == 0)
            asm volatile("bar.arrive 3, 64;" ::: "memory");
        if (warp == 1)
            asm volatile("bar.sync 3, 64;" ::: "memory");
        if (warp >= 2)
            asm volatile("bar.sync 4, %0;" ::"r"(blockDim.x - 64) : "memory");
        out[threadIdx.x] += i;
        asm volatile("bar.sync 5;" ::: "memory");
        note(60 + i);
    }
}

// Lanes part between the barriers; a count comes with one of them; one warp's lane writes far outside in the end.
__global__ void parting(int steps, int *out)
{
    for (int i = 0; i < steps; i++) {
        int v = out[threadIdx.x];
        if ((threadIdx.x ^ i) & 1)
            v = v * 3 + 1;
        else
            while (v > 4 + (int)(threadIdx.x & 3))
                v /= 2;
        out[threadIdx.x] = v + __syncthreads_count(v & 1);
        note(i);
        __syncthreads();
    }
    if (threadIdx.x == 70)
        out[1ll << 40] = 1;
}

// Clocks at barriers; waiting for a flag that another warp sets before the next barrier.
__global__ void timed(int steps, long long *out)
{
    __shared__ volatile int flag;
    if (threadIdx.x == 0)
        flag = -1;
    __syncthreads();
    for (int i = 0; i < steps; i++) {
        long long begin = clock64();
        if (threadIdx.x == blockDim.x - 1)
            flag = i;
        if (threadIdx.x == 0)
            while (flag != i)
                ;
        __syncthreads();
        out[threadIdx.x] += clock64() - begin;
        note(i);
    }
}

// One warp leaves while the others go on to a barrier; in the end all leave, some with an arrival for which others wait, or nobody does.
__global__ void ending(int steps, int who, int *out)
{
    int warp = threadIdx.x / 32;
    for (int i = 0; i < steps; i++) {
        if (warp == who && i == steps / 2)
            return;
        out[threadIdx.x] += i;
        __syncthreads();
    }
    out[threadIdx.x] ^= warp;
    if (warp == 0 && who != 1)
        asm volatile("bar.arrive 3, 64;" ::: "memory");
    if (warp == 1 && who != 0)
        asm volatile("bar.sync 3, 64;" ::: "memory");
    if (warp == 2)
        asm volatile("bar.arrive 4, 64;" ::: "memory");
    note(warp);
}

// All end in one round, some elsewhere than others.
__global__ void apart(int *out)
{
    int warp = threadIdx.x / 32;
    __syncthreads();
    note(warp);
    if (warp % 3 == 1) {
        out[threadIdx.x] += warp;
        asm volatile("exit;");
    }
    if (warp % 3 == 2 && blockIdx.x == 1)
        asm volatile("exit;");
    out[threadIdx.x] ^= 5;
}

// A block runs where one before it has been, whose threads have left their own memory otherwise.
__global__ void before(int deep, int *out)
{
    int v = deep ? __shfl_sync(~0u, deep, 0) : 1;
    int *mine = (int *)alloca((v + 1 + threadIdx.x % 4) * sizeof *mine);
    for (int i = 0; i <= v; i++)
        mine[i] = i + blockIdx.x;
    out[threadIdx.x] += mine[v];
    note(v);
}

static unsigned long long mixed(const void *data, size_t bytes)
{
    unsigned long long h = 1;
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * 0x100000001b3ull;
    return h;
}

static void told(const char *name)
{
    static int log[LOG];
    int n = 0;
    cudaError_t end = cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(log, order, sizeof log);
    cudaMemcpyFromSymbol(&n, used, sizeof n);
    printf("%s: %s, %d notes, %016llx:", name, cudaGetErrorName(end), n, mixed(log, n < LOG ? n * sizeof *log : sizeof log));
    for (int i = 0; i < 24 && i < n; i++)
        printf(" %d", log[i]);
    printf("\n");
    n = 0;
    cudaMemcpyToSymbol(used, &n, sizeof n);
}

int main()
{
    int *out;
    long long *times;
    cudaMalloc(&out, 1024 * sizeof *out);
    cudaMemset(out, 0, 1024 * sizeof *out);
    cudaMalloc(&times, 1024 * sizeof *times);
    cudaMemset(times, 0, 1024 * sizeof *times);
    for (int threads : {32, 64, 100, 256}) {
        plain<<<3, threads>>>(9);
        told("plain");
        leaving<<<2, threads>>>(9);
        told("leaving");
        lines<<<2, threads>>>(9, out);
        told("lines");
        timed<<<2, threads>>>(9, times);
        told("timed");
    }
    for (int threads : {64, 96, 256})
        for (int who : {-1, 0, 1, threads / 32 - 1}) {
            ending<<<3, threads>>>(6, who, out);
            told("ending");
        }
    for (int threads : {96, 256}) {
        apart<<<4, threads>>>(out);
        told("apart");
    }
    before<<<20, 64>>>(5, out);
    plain<<<2, 64>>>(3);
    before<<<20, 64>>>(3, out);
    told("before");
    for (int threads : {128, 256}) {
        named<<<2, threads>>>(9, out);
        told("named");
    }
    plain<<<2, 64>>>(300000); // more than a block's turn
    told("long");
    static int got[1024];
    static long long clocks[1024];
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(clocks, times, sizeof clocks, cudaMemcpyDeviceToHost);
    printf("values %016llx, clocks %016llx\n", mixed(got, sizeof got), mixed(clocks, sizeof clocks));
    parting<<<2, 96>>>(9, out);
    cudaError_t end = cudaDeviceSynchronize();
    printf("parting: %s\n", cudaGetErrorName(end));
    return 0;
}
