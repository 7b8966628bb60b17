/*
 * Programs whose accesses the race checker has much to remember of: many readers of one word, many messages
 * seen by one thread, many threads that poll. `make bench` runs each at several sizes; what a size means
 * stands beside its task.
 *
 *   PROGRAM TASK SIZE
 *
 * Prints the line of bench.h's programs; exit status 1 where a result is wrong.
 */
#include <cooperative_groups.h>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>

#include "bench.h"

#define BINS 256
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(e_));                            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

/* ---- A histogram: every thread reads from all bins' chains ---- */

__global__ void count_bytes(const unsigned char *in, int n, unsigned *bins)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&bins[in[i]], 1);
}

__global__ void count_bytes_shared(const unsigned char *in, int n, unsigned *bins)
{
    __shared__ unsigned mine[BINS];
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        mine[i] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&mine[in[i]], 1);
    __syncthreads();
    for (int i = threadIdx.x; i < BINS; i += blockDim.x)
        atomicAdd(&bins[i], mine[i]);
}

static int histogram(size_t bytes, bool shared, unsigned blocks)
{
    unsigned char *in = (unsigned char *)malloc(bytes), *device_in;
    unsigned want[BINS] = {0}, got[BINS], *bins, x = 1;
    for (size_t i = 0; i < bytes; i++) {
        x = x * 1664525u + 1013904223u;
        in[i] = (unsigned char)(x >> 24);
        want[in[i]]++;
    }
    CHECK(cudaMalloc(&device_in, bytes));
    CHECK(cudaMalloc(&bins, sizeof got));
    CHECK(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bins, 0, sizeof got));
    if (shared)
        count_bytes_shared<<<blocks, 256>>>(device_in, (int)bytes, bins);
    else
        count_bytes<<<blocks, 256>>>(device_in, (int)bytes, bins);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(got, bins, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(bins));
    free(in);
    return !memcmp(want, got, sizeof got);
}

static int run_histogram(size_t bytes)
{
    return histogram(bytes, false, 64);
}

static int run_histogram_wide(size_t bytes)
{
    return histogram(bytes, false, (unsigned)((bytes + 255) / 256));
}

static int run_histogram_shared(size_t bytes)
{
    return histogram(bytes, true, 64);
}

/* ---- A library's reduction ---- */

static int run_reduce(size_t count)
{
    int *in = (int *)malloc(count * sizeof *in), *device_in, want = 0;
    for (size_t i = 0; i < count; i++)
        want += in[i] = (int)(i % 7);
    CHECK(cudaMalloc(&device_in, count * sizeof *in));
    CHECK(cudaMemcpy(device_in, in, count * sizeof *in, cudaMemcpyHostToDevice));
    int got = thrust::reduce(thrust::device, device_in, device_in + count, 0);
    CHECK(cudaFree(device_in));
    free(in);
    return want == got;
}

/* ---- A product of matrices: each element is read by a row and a column of threads ---- */

__global__ void multiply(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    if (row >= n || column >= n)
        return;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}

static int run_matmul(size_t n)
{
    size_t bytes = n * n * sizeof(float);
    float *host = (float *)malloc(bytes), *a, *b, *c;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    for (size_t i = 0; i < n * n; i++)
        host[i] = (float)(i % n % 3);
    CHECK(cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(b, host, bytes, cudaMemcpyHostToDevice));
    unsigned blocks = (unsigned)((n + 15) / 16);
    multiply<<<dim3(blocks, blocks), dim3(16, 16)>>>(a, b, c, (int)n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, c, bytes, cudaMemcpyDeviceToHost));
    int right = 1;
    for (size_t i = 0; i < n * n && right; i += 1 + n / 2) {
        double want = 0;
        for (size_t k = 0; k < n; k++)
            want += (double)(k % 3) * (double)(i % n % 3);
        right = host[i] == want;
    }
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    free(host);
    return right;
}

/* ---- Threads that wait ---- */

__device__ int data, flag;

/** The last block sets the flag; every thread of every other block polls it. */
__global__ void wait_for_flag(int *out)
{
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == 0) {
            data = 42;
            __threadfence();
            atomicExch(&flag, 1);
        }
        return;
    }
    while (*(volatile int *)&flag == 0)
        ;
    __threadfence();
    out[blockIdx.x * blockDim.x + threadIdx.x] = data;
}

static int run_spin(size_t blocks)
{
    size_t count = blocks * 1024;
    int *out, zero = 0, *host = (int *)malloc(count * sizeof *host), right = 1;
    CHECK(cudaMemcpyToSymbol(flag, &zero, sizeof zero));
    CHECK(cudaMalloc(&out, count * sizeof *out));
    wait_for_flag<<<(unsigned)blocks, 1024>>>(out);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(host, out, (count - 1024) * sizeof *host, cudaMemcpyDeviceToHost));
    for (size_t i = 0; i < count - 1024; i++)
        right &= host[i] == 42;
    CHECK(cudaFree(out));
    free(host);
    return right;
}

__device__ int lock, counter;

/** One thread a block takes a lock by compare-and-swap. */
__global__ void take_lock(int turns)
{
    for (int i = 0; i < turns; i++) {
        if (threadIdx.x == 0) {
            while (atomicCAS(&lock, 0, 1) != 0)
                ;
            __threadfence();
            counter++;
            __threadfence();
            atomicExch(&lock, 0);
        }
        __syncthreads();
    }
}

static int run_lock(size_t blocks)
{
    int zero = 0, got;
    CHECK(cudaMemcpyToSymbol(counter, &zero, sizeof zero));
    take_lock<<<(unsigned)blocks, 64>>>(10);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyFromSymbol(&got, counter, sizeof got));
    return got == (int)blocks * 10;
}

__device__ double total;

/** Each block adds, and every thread reads the sum, in turns between barriers of the grid. */
__global__ void add_in_turns(int turns, double *out)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int i = 0; i < turns; i++) {
        if (threadIdx.x == 0)
            atomicAdd(&total, 1.0);
        grid.sync();
        out[grid.thread_rank()] = total;
        grid.sync();
        if (grid.thread_rank() == 0)
            total = 0;
        grid.sync();
    }
}

static int run_turns(size_t blocks)
{
    double *out, zero = 0, got = 0;
    int turns = 10;
    void *args[] = {&turns, &out};
    CHECK(cudaMemcpyToSymbol(total, &zero, sizeof zero));
    CHECK(cudaMalloc(&out, blocks * 512 * sizeof *out));
    CHECK(cudaLaunchCooperativeKernel((void *)add_in_turns, (unsigned)blocks, 512, args, 0, 0));
    CHECK(cudaMemcpy(&got, out + blocks * 512 - 1, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(out));
    return got == (double)blocks;
}

/* ---- Neighbours: each element is read by the threads around it, in rows that no warp fills ---- */

template <class T> __global__ void blur(const T *in, T *out, int n)
{
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, sum = 0;
    if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2)
        return;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
            sum += in[(y + i) * n + x + j];
    out[y * n + x] = (T)(sum / 25);
}

template <class T> static int run_blur(size_t n)
{
    T *in, *out, got;
    unsigned rows = (unsigned)n;
    CHECK(cudaMalloc(&in, n * n * sizeof *in));
    CHECK(cudaMalloc(&out, n * n * sizeof *out));
    CHECK(cudaMemset(in, 1, n * n * sizeof *in));
    CHECK(cudaMemset(out, 0, n * n * sizeof *out));
    blur<<<dim3((rows + 31) / 32, (rows + 7) / 8), dim3(32, 8)>>>(in, out, (int)n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&got, out + n * (n / 2) + n / 2, sizeof got, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
    return got == (T)(sizeof(T) == 1 ? 1 : 0x01010101);
}

/* ---- The same work, more of it ---- */

/** Each thread reads words of the whole input that others read too, and adds to one of 64 counters. */
__global__ void mixed(const int *in, int n, int *sums, int rounds)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x, v = 0;
    for (int r = 0; r < rounds; r++) {
        v += in[(id + r * 97) % n];
        if (r % 8 == 0)
            atomicAdd(&sums[(id + r) % 64], 1);
    }
    if (v == -1)
        sums[0] = 0;
}

static int run_mixed(size_t accesses)
{
    enum { THREADS = 2048 };
    int n = 4096, sums[64], *device_in, *device_sums, total = 0;
    int rounds = (int)((accesses + THREADS - 1) / THREADS);
    CHECK(cudaMalloc(&device_in, n * sizeof(int)));
    CHECK(cudaMalloc(&device_sums, sizeof sums));
    CHECK(cudaMemset(device_in, 0, n * sizeof(int)));
    CHECK(cudaMemset(device_sums, 0, sizeof sums));
    mixed<<<THREADS / 128, 128>>>(device_in, n, device_sums, rounds);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 64; i++)
        total += sums[i];
    CHECK(cudaFree(device_in));
    CHECK(cudaFree(device_sums));
    return total == THREADS * ((rounds + 7) / 8);
}

static const struct {
    const char *name;
    int (*run)(size_t size);
} tasks[] = {
    {"histogram", run_histogram},               /* bytes, 64 blocks of 256 */
    {"histogram-wide", run_histogram_wide},     /* bytes, a thread each */
    {"histogram-shared", run_histogram_shared}, /* bytes, a histogram a block first */
    {"reduce", run_reduce},                     /* ints */
    {"matmul", run_matmul},                     /* rows */
    {"blur", run_blur<int>},                    /* rows */
    {"blur-bytes", run_blur<unsigned char>},    /* rows */
    {"spin", run_spin},                         /* blocks of 1,024 threads */
    {"lock", run_lock},                         /* blocks */
    {"turns", run_turns},                       /* blocks of 512 threads */
    {"mixed", run_mixed},                       /* reads, by 2,048 threads */
};

int main(int argc, char **argv)
{
    struct task t;
    memset(&t, 0, sizeof t);
    size_t size = argc == 3 ? (size_t)atol(argv[2]) : 0;
    for (size_t i = 0; size && i < sizeof tasks / sizeof *tasks; i++) {
        if (strcmp(tasks[i].name, argv[1]))
            continue;
        int right = 1;
        CHECK(cudaFree(0));
        for (int l = 0; l < LAUNCHES; l++) {
            task_start(&t, l);
            right &= tasks[i].run(size);
            task_stop(&t, l);
        }
        return task_report(&t, right);
    }
    fprintf(stderr, "usage: %s TASK SIZE\n", argv[0]);
    return 2;
}
