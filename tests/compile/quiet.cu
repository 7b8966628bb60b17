// Shared memory that is only read between two barriers of the block: checkers need not be told of that, and must find what they find otherwise. Kernels whose
// names begin with `bad` have a finding, the others have none.
#include <cstdio>
#include <cstring>
#include <cuda_pipeline.h>

#define N 128
#define TURNS 6

__device__ void use(int *out, int v)
{
    out[blockIdx.x * N + threadIdx.x] = v;
}

__global__ void tiles(int *out, const int *in)
{
    __shared__ int a[N], b[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t] + i;
        b[t] = in[t] - i;
        __syncthreads();
        for (int k = 0; k < N; k++)
            sum += a[k] * b[(t + k) % N];
        __syncthreads();
    }
    use(out, sum);
}

__global__ void bad_next_tile(int *out, const int *in) // no barrier before the next turn's store
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t] + i;
        __syncthreads();
        for (int k = 0; k < N; k++)
            sum += a[k];
    }
    use(out, sum);
}

__global__ void bad_once(int *out, const int *in) // ... in one turn only
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t] + i;
        __syncthreads();
        for (int k = 0; k < N; k++)
            sum += a[k];
        if (i != 4)
            __syncthreads();
    }
    use(out, sum);
}

__global__ void bad_half(int *out, const int *in) // a barrier of half the warps
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    __syncthreads();
    for (int k = 0; k < N; k++)
        sum += a[k];
    if (t < N / 2)
        asm volatile("bar.sync 1, 64;" ::: "memory");
    if (t == 5)
        a[t + N / 2] = sum;
    __syncthreads();
    use(out, sum + a[t]);
}

__global__ void bad_fewer(int *out, const int *in) // a named barrier of fewer threads in place of the one that separates
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t] + i;
        __syncthreads();
        sum += a[(t + 1) % N] + a[(t + N / 2) % N];
        asm volatile("bar.sync %0, 64;" ::"r"(1 + t / (N / 2)) : "memory");
    }
    use(out, sum);
}

__global__ void bad_lines(int *out, const int *in) // two lines of one barrier, a store behind one of them
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    __syncthreads();
    if (t < N / 2) {
        __syncthreads();
        a[t] = 7;
    } else {
        __syncthreads();
        sum = a[t - N / 2] + a[t];
    }
    use(out, sum);
}

__global__ void bad_lines_apart(int *out, const int *in) // the same with a store where nobody reads: only that the lines differ is wrong
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    __syncthreads();
    if (t < N / 2) {
        __syncthreads();
        sum = a[t ^ 1];
    } else {
        __syncthreads();
        a[t] = 7;
    }
    __syncthreads();
    use(out, sum + a[N - 1 - t]);
}

__global__ void bad_hole(int *out, const int *in) // of one element nobody has written
{
    __shared__ int a[N], b[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        if (t != 77)
            a[t] = in[t];
        b[t] = in[t];
        __syncthreads();
        for (int k = 0; k < N; k++)
            sum += b[k];
        if (a[(t + i) % N] > sum)
            sum = 0;
        __syncthreads();
    }
    use(out, sum);
}

__global__ void bad_hole_seldom(int *out, const int *in, int turn) // ... and it is read in one turn only
{
    __shared__ int a[2 * N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t];
        __syncthreads();
        if (a[i == turn ? t + 1 : t] > sum)
            sum++;
        __syncthreads();
    }
    use(out, sum);
}

__global__ void padded(int *out, const int *in) // what nobody writes nobody reads
{
    __shared__ int a[16][17];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t / 16][t % 16] = in[t];
        a[t / 16 + 8][t % 16] = in[t];
        __syncthreads();
        sum += a[t % 16][t / 16] + a[t % 16][t / 16 + 8];
        __syncthreads();
    }
    use(out, sum);
}

template <bool waits> __device__ void copied(int *out, const int *in)
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        __pipeline_memcpy_async(&a[t], &in[t], sizeof(int));
        __pipeline_commit();
        if (waits)
            __pipeline_wait_prior(0);
        __syncthreads();
        sum += a[(t + 1) % N];
        __syncthreads();
    }
    __pipeline_wait_prior(0);
    use(out, sum);
}

__global__ void copies(int *out, const int *in) { copied<true>(out, in); }
__global__ void bad_copies(int *out, const int *in) { copied<false>(out, in); }

__global__ void two_buffers(int *out, const int *in)
{
    __shared__ int a[2][N];
    int t = threadIdx.x, sum = 0;
    a[0][t] = in[t];
    __syncthreads();
    for (int i = 0; i < TURNS; i++) {
        a[(i + 1) % 2][t] = in[t] + i;
        for (int k = 0; k < N; k++)
            sum += a[i % 2][k];
        __syncthreads();
    }
    for (int k = 0; k < N; k++)
        sum += a[0][k] ^ a[1][N - 1 - k];
    use(out, sum);
}

__global__ void bad_two_buffers(int *out, const int *in)
{
    __shared__ int a[2][N];
    int t = threadIdx.x, sum = 0;
    a[0][t] = in[t];
    __syncthreads();
    for (int i = 0; i < TURNS; i++) {
        a[(i + 1) / 2 % 2][t] = in[t] + i;
        for (int k = 0; k < N; k++)
            sum += a[i / 2 % 2][k];
        __syncthreads();
    }
    use(out, sum);
}

template <bool writes> __device__ void left(int *out, const int *in) // whole warps leave before
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    if (writes || t < N / 2)
        a[t] = in[t];
    if (t >= N / 2)
        return;
    __syncthreads();
    for (int k = 0; k < (writes ? N : N / 2); k++)
        sum += a[k];
    __syncthreads();
    a[t] = sum;
    __syncthreads();
    use(out, a[t ^ 1]);
}

__global__ void early_exit(int *out, const int *in) { left<false>(out, in); }
__global__ void bad_early_exit(int *out, const int *in) { left<true>(out, in); }

template <int last> __device__ void leaves(int *out, const int *in) // some threads leave once they have read; no barrier speaks for them
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    __syncthreads();
    for (int k = 0; k < last; k++)
        sum += a[(t + k) % N];
    use(out, sum);
    if (t < N / 2)
        return;
    __syncthreads();
    a[t] = sum;
}

__global__ void leaves_after(int *out, const int *in) { leaves<1>(out, in); }
__global__ void bad_leaves(int *out, const int *in) { leaves<N>(out, in); }

__global__ void bad_later(int *out, const int *in) // two that write, two intervals behind reads
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    __syncthreads();
    for (int k = 0; k < N; k++)
        sum += a[k];
    __syncthreads();
    sum += a[t ^ 3];
    __syncthreads();
    if (t % 50 == 7)
        a[9] = sum;
    __syncthreads();
    use(out, a[9]);
}

__device__ __noinline__ void put(int *at, int v) { *at = v; }

__global__ void bad_called(int *out, const int *in) // what is called stores
{
    __shared__ int a[N];
    int t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    int sum = a[(t + 1) % N];
    put(&a[t], sum);
    __syncthreads();
    use(out, a[t]);
}

__global__ void bad_anywhere(int *out, const int *in, int which) // the address does not say which memory it is
{
    __shared__ int a[N];
    int t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    int sum = a[(t + 1) % N], *at = which ? &a[t] : &out[blockIdx.x * N + t];
    *at = sum;
    __syncthreads();
    use(out, a[t]);
}

__global__ void bad_sum(int *out, const int *in) // an atomic, and a read
{
    __shared__ int a[N];
    int t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    int sum = a[(t + 1) % N];
    atomicAdd(&a[t], 1);
    __syncthreads();
    use(out, sum + a[N - 1 - t]);
}

__global__ void counted(int *out, const int *in)
{
    __shared__ int a[N];
    int t = threadIdx.x;
    a[t] = 0;
    __syncthreads();
    for (int i = 0; i < TURNS; i++)
        atomicAdd(&a[in[t + i] % N], 1);
    __syncthreads();
    use(out, a[N - 1 - t] + a[t / 2]);
}

__global__ void wide(double *out, const int *in) // pairs, and four at a time
{
    __shared__ double a[N];
    __shared__ float4 b[N];
    int t = threadIdx.x;
    double sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t];
        b[t] = make_float4(1, 2, 3, in[t]);
        __syncthreads();
        for (int k = 0; k < 16; k++) {
            float4 v = b[t / 16 * 16 + k], w = b[k];
            sum += a[(t + k) % N] + a[k] + v.x + v.w * w.w;
        }
        __syncthreads();
    }
    out[blockIdx.x * N + t] = sum;
}

__global__ void bad_wide(double *out, const int *in)
{
    __shared__ double a[N];
    __shared__ float4 b[N];
    int t = threadIdx.x;
    double sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t];
        if (t)
            b[t] = make_float4(1, 2, 3, in[t]);
        __syncthreads();
        float4 v = b[i == 5 ? t : t | 1];
        sum += a[N - 1 - t] > v.y;
        if (i != 3)
            __syncthreads();
    }
    out[blockIdx.x * N + t] = sum;
}

__global__ void parted(int *out, const int *in) // lanes part, and read
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < TURNS; i++) {
        a[t] = in[t] + i;
        __syncthreads();
        for (int k = 0; k < t % 7; k++)
            sum += a[(t * k) % N];
        if (t % 3)
            sum += a[t] - a[5];
        else
            sum ^= a[N - 1 - t];
        __syncthreads();
    }
    use(out, sum);
}

__global__ void bad_global(int *out, const int *in) // other memory races meanwhile
{
    __shared__ int a[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    __syncthreads();
    for (int k = 0; k < N; k++)
        sum += a[k] + out[k];
    use(out, sum);
}

__global__ void bad_outside(int *out, const int *in, int far) // of the variable, in the next one
{
    __shared__ int a[N], b[N];
    int t = threadIdx.x, sum = 0;
    a[t] = in[t];
    b[t] = in[t] + 1;
    __syncthreads();
    for (int k = 0; k < N; k++)
        sum += a[k] + b[k];
    sum += a[t + (t == 70 ? far : 0)];
    sum += b[t - (t == 71 ? far : 0)];
    use(out, sum);
}

__global__ void bad_beyond(int *out, const int *in, int far) // of all shared memory
{
    extern __shared__ int c[];
    int t = threadIdx.x;
    c[t] = in[t];
    __syncthreads();
    use(out, c[t + (t == 70 ? far : 0)]);
}

__global__ void bad_waits(int *out, const int *in) // for what nobody can write any more
{
    __shared__ int a[N];
    int t = threadIdx.x;
    a[t] = in[t];
    __syncthreads();
    while (a[t ^ 1] != -1)
        asm volatile("" ::: "memory"); /* it is read again */
    use(out, 1);
}

#define RUN(kernel, ...)                                                                                               \
    if (!only || !strcmp(only, #kernel)) {                                                                             \
        kernel<<<BLOCKS, N, N * sizeof(int)>>>(__VA_ARGS__);                                                           \
        printf("%s: %s\n", #kernel, cudaGetErrorName(cudaDeviceSynchronize()));                                        \
    }
#define BLOCKS 3

static void prepare(int **out, int **in)
{
    int values[2 * N];
    for (int i = 0; i < 2 * N; i++)
        values[i] = 3 * i;
    cudaMalloc(out, BLOCKS * N * sizeof(int));
    cudaMemset(*out, 0, BLOCKS * N * sizeof(int));
    cudaMalloc(in, sizeof values);
    cudaMemcpy(*in, values, sizeof values, cudaMemcpyHostToDevice);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : NULL; /* this kernel */
    int *out, *in;
    double *real;
    prepare(&out, &in);
    cudaMalloc(&real, BLOCKS * N * sizeof *real);
    RUN(tiles, out, in);
    RUN(bad_next_tile, out, in);
    RUN(bad_once, out, in);
    RUN(bad_half, out, in);
    RUN(bad_fewer, out, in);
    RUN(bad_lines, out, in);
    RUN(bad_lines_apart, out, in);
    RUN(bad_hole, out, in);
    RUN(bad_hole_seldom, out, in, 4);
    RUN(padded, out, in);
    RUN(copies, out, in);
    RUN(bad_copies, out, in);
    RUN(two_buffers, out, in);
    RUN(bad_two_buffers, out, in);
    RUN(early_exit, out, in);
    RUN(bad_early_exit, out, in);
    RUN(leaves_after, out, in);
    RUN(bad_leaves, out, in);
    RUN(bad_later, out, in);
    RUN(bad_called, out, in);
    RUN(bad_anywhere, out, in, 1);
    RUN(bad_sum, out, in);
    RUN(counted, out, in);
    RUN(wide, real, in);
    RUN(bad_wide, real, in);
    RUN(parted, out, in);
    RUN(bad_global, out, in);
    RUN(bad_outside, out, in, N);
    RUN(bad_beyond, out, in, 1 << 20);
    cudaDeviceReset();
    prepare(&out, &in);
    RUN(bad_waits, out, in);
}
