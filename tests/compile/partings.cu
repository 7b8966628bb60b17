/*
 * Lanes part and meet again in many ways, with accesses on the way that checkers hear of at once and some that are told one by one, right and wrong ones: what is found, and where lanes are said to have parted,
 * is the same interpreted and compiled (test_engines.sh).
 */
#include <cstdio>

#define THREADS 256

/* Lanes leave a loop one after another. */
__global__ void loops(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, v = 0;
    s[t] = t * seed;
    __syncthreads();
    for (int i = 0; i < (t * 7 + seed) % 23; i++) {
        if ((t ^ i) & 1)
            v += s[(t + i) % THREADS];
        else if (i % 3 == seed % 3)
            s[t] = v, v ^= i;
        else if (t & 4)
            v += 3;
        if (v > 100000)
            break;
    }
    __syncthreads();
    out[blockIdx.x * THREADS + t] = v + s[THREADS - 1 - t];
}

/* Branches within branches, and an atomic where some lanes wait. */
__global__ void nested(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, v = seed;
    s[t] = t;
    __syncthreads();
    if (t & 1) {
        if (t & 2) {
            if (t & 4)
                v += s[t];
            else
                s[t] = v;
        } else if (t & 8)
            s[t] += 2;
        v++;
    } else if (t & 16)
        for (int i = 0; i < (t & 3); i++)
            s[t] += i;
    __syncthreads();
    if (t % 5 == 0) {
        atomicAdd(&out[t], s[t]);
        if (t % 10 == 0)
            v += out[THREADS - 1 - t];
    }
    out[blockIdx.x * THREADS + t] = v;
}

/* Two lanes of a warp write one word, in branches. */
__global__ void racy(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = 0;
    __syncthreads();
    if (t & 1) {
        if (t & 2)
            s[t ^ 2] = t;
        else
            s[t] = t;
    }
    if (t % 3 == seed % 3)
        s[(t + 1) % THREADS] += 1;
    __syncthreads();
    out[blockIdx.x * THREADS + t] = s[t];
}

/* Some read in a branch what another warp may not have written yet: a barrier is advised before it. */
__global__ void apart(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, v = seed;
    s[t] = t;
    if (t % 4 < 2) {
        if (t & 1)
            v = s[(t + 32) % THREADS];
        else
            v += t;
    }
    out[blockIdx.x * THREADS + t] = v;
}

/* A barrier in each branch. */
__global__ void divided(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t + seed;
    if (t & 1) {
        if (t & 2)
            s[t] = 5;
        __syncthreads();
    } else {
        __syncthreads();
    }
    out[blockIdx.x * THREADS + t] = s[t ^ 1];
}

/* Some end before the barrier, and some between others. */
__global__ void early(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = t;
    if (t > 200 + seed)
        return;
    __syncthreads();
    if (t & 1) {
        if (t & 2)
            return;
        s[t] = 3;
    }
    out[blockIdx.x * THREADS + t] = s[t % 128];
}

/* A branch hangs on what nobody has written, where some lanes wait. */
__global__ void undefined(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    if (t & 1)
        s[t] = t + seed;
    __syncthreads();
    if (t & 2) {
        if (s[t] > 3)
            out[t] = 1;
        else if (t & 4)
            out[t] = 2;
    }
}

/* The bitonic sort: right if seed is 0, else a barrier is missing. */
__global__ void sort(int *out, int seed)
{
    __shared__ int s[THREADS];
    unsigned t = threadIdx.x;
    s[t] = (int)(t * 7919u % 1009);
    __syncthreads();
    for (unsigned k = 2; k <= THREADS; k <<= 1)
        for (unsigned j = k / 2; j; j >>= 1) {
            unsigned x = t ^ j;
            if (x > t) {
                int a = s[t], b = s[x];
                if ((t & k) ? a < b : a > b)
                    s[t] = b, s[x] = a;
            }
            if (j != (unsigned)seed)
                __syncthreads();
        }
    out[blockIdx.x * THREADS + t] = s[t];
}

/* A warp's lanes have met again, where by the text others may wait, and read what nobody has written: from there on it is interpreted, long enough that the block's other warp,
 * which has half the lanes, comes to the barrier before it, and goes on in a turn of its own. */
__global__ void handed(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, v = seed;
    if (t < 32) {
        if (t & 1)
            asm volatile("add.s32 %0, %0, 3;" : "+r"(v)); // so that it is a branch
        v += s[t + 128];
#pragma unroll 1
        for (int i = 0; i < 70000; i++)
            asm volatile("add.s32 %0, %0, 3;" : "+r"(v));
    } else
        s[t] = t;
    __syncthreads();
    out[blockIdx.x * THREADS + t] = t < 32 ? t : v;
}

/* A warp reads in a branch what another one has written: a barrier is advised before the branch. */
__global__ void behind(int *out, int seed)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x, v = seed;
    s[t] = t;
    if ((t + seed) % 5 < 2)
        v += s[(t + THREADS - 32) % THREADS];
    out[blockIdx.x * THREADS + t] = v;
}

int main()
{
    enum { BLOCKS = 4, WORDS = BLOCKS * THREADS };
    struct {
        const char *name;
        void (*run)(int *, int);
        int blocks, threads;
    } all[] = {{"loops", loops, BLOCKS, THREADS}, {"nested", nested, BLOCKS, THREADS}, {"racy", racy, BLOCKS, THREADS}, {"apart", apart, BLOCKS, THREADS},
               {"divided", divided, BLOCKS, THREADS}, {"early", early, BLOCKS, THREADS}, {"undefined", undefined, BLOCKS, THREADS}, {"sort", sort, BLOCKS, THREADS},
               {"handed", handed, 1, 48}, {"behind", behind, BLOCKS, THREADS}};
    static int host[WORDS];
    int *out;
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    for (auto &one : all)
        for (int seed = 0; seed < 3; seed++) {
            one.run<<<one.blocks, one.threads>>>(out, seed);
            cudaError_t e = cudaDeviceSynchronize();
            cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
            unsigned sum = 0;
            for (int v : host)
                sum = sum * 31 + (unsigned)v;
            printf("%s %d: %u %s\n", one.name, seed, sum, cudaGetErrorString(e));
        }
    return 0;
}
