// What nvcc makes of the language's corners: the source of nvcc_*.ptx.
#include <cstdio>
#include <cassert>

struct record { int a; double b; char c[5]; };
__device__ int grid[3][4] = {{1, 2}, {3}, {4, 5, 6, 7}};
__constant__ float coefficient[8] = {1.0f, 2.5f};
__managed__ int managed;
__device__ double real = 3.25;
__device__ const char *text = "hello\n";
__device__ int *inner = &grid[1][2];
__device__ int one(int x) { return x + 1; }
__device__ int two(int x) { return x * 2; }
typedef int (*function)(int);
__device__ function table[2] = {one, two};

struct base { int q; __device__ virtual int go(int x) { return x; } };
struct derived : base { __device__ int go(int x) override { return x * q; } };

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

template <int N> __device__ __forceinline__ int weighted(int x)
{
    int s = 0;
    for (int i = 0; i < N; i++)
        s += x * i ^ s;
    return s;
}

extern __shared__ int dynamic[];

__global__ __launch_bounds__(128, 2) void corners(record s, int *p, const float *__restrict__ q, int n)
{
    __shared__ int sums[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x & 31] = fibonacci(i) + s.a + s.c[n & 3];
    dynamic[threadIdx.x] = i;
    __syncthreads();
    float4 v = ((const float4 *)q)[i];
    p[i] = sums[(threadIdx.x + 1) & 31] + table[n & 1](i) + weighted<4>(i) +
           (int)(v.x + v.y * v.z + v.w) + __shfl_xor_sync(~0u, i, 3) + (int)coefficient[n];
    atomicAdd(p, 1);
    printf("%d %s\n", i, text);
    assert(n > 0);
    derived w;
    w.q = n;
    base *b = &w;
    if (n > 5)
        p[2] = b->go(n);
    int local[16];
    for (int j = 0; j < 16; j++)
        local[j] = p[j] * n;
    p[3] = local[n & 15] + *inner;
    managed = 3;
    for (int k = 0; k < 2; k++)
        asm volatile("{\n.reg .pred P1;\nAGAIN:\nsetp.ne.s32 P1, %1, 0;\n@P1 bra.uni DONE;\n"
                     "bra.uni AGAIN;\nDONE:\nmov.b32 %0, 1;\n}\n"
                     : "=r"(p[10 + k]) : "r"(p[12 + k]));
    void *m = malloc(16);
    free(m);
    if (n == 77)
        __trap();
    p[20] = (int)real + __syncthreads_count(n > 3) + __popc(__ballot_sync(~0u, n > i));
    __threadfence();
}
