// nvcc: -std=c++17 -w -gencode arch=compute_100,code=compute_100 -gencode arch=compute_120,code=compute_120
// Ordinary CUDA C++, compiled for compute capability 10 and 12: warps, groups, atomics, shared memory, asynchronous copies, tensor
// cores, clusters, whole grids, C++, the standard library, textures. Run on `--device b200` and `rtx5090`; nothing is to be found in it.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cstring>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/complex>
#include <cuda/std/span>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>

#include "check.cuh"

namespace cg = cooperative_groups;
enum { ALL = -1 };

static void *allocated[64];
static int allocations;

template <class T> static T *memory(size_t n)
{
    T *p;
    OK(cudaMallocManaged(&p, n * sizeof(T)));
    memset((void *)p, 0, n * sizeof(T));
    allocated[allocations++] = p;
    return p;
}

#define RUN(blocks, threads, kernel, ...)                                                                              \
    do {                                                                                                               \
        kernel<<<blocks, threads>>>(__VA_ARGS__);                                                                      \
        OK(cudaGetLastError());                                                                                        \
        OK(cudaDeviceSynchronize());                                                                                   \
    } while (0)

/* ---- warps and groups ---- */

__global__ void warp(int *o)
{
    int t = threadIdx.x, same;
    o[t] = __shfl_xor_sync(ALL, t, 3) + 100 * __shfl_up_sync(ALL, t, 2) + 10000 * __shfl_sync(ALL, t, 5);
    o[t + 32] = __popc(__ballot_sync(ALL, t & 1)) + __any_sync(ALL, t == 4) + __all_sync(ALL, t < 99) + __popc(__match_any_sync(ALL, t / 4));
    o[t + 64] = __reduce_add_sync(ALL, t) + __reduce_max_sync(ALL, t) + __reduce_and_sync(ALL, t | 8);
    __match_all_sync(ALL, 7, &same);
    o[t + 96] = same + __popc(__activemask());
    auto w = cg::tiled_partition<32>(cg::this_thread_block());
    o[t + 128] = cg::reduce(w, t, cg::plus<int>()) + cg::inclusive_scan(w, t) + cg::exclusive_scan(w, t, cg::plus<int>());
    auto third = cg::labeled_partition(cg::coalesced_threads(), t % 3);
    o[t + 160] = cg::reduce(third, 1, cg::plus<int>()) + 100 * cg::binary_partition(w, t < 5).size();
}

static void warps()
{
    int *o = memory<int>(192);
    RUN(1, 32, warp, o);
    for (int t = 0; t < 32; t++) {
        CHECK(o[t] == (t ^ 3) + 100 * (t < 2 ? t : t - 2) + 50000);
        CHECK(o[t + 32] == 16 + 1 + 1 + 4);
        CHECK(o[t + 64] == 496 + 31 + 8);
        CHECK(o[t + 96] == 1 + 32);
        CHECK(o[t + 128] == 496 + t * (t + 1) / 2 + t * (t - 1) / 2);
        CHECK(o[t + 160] == (t % 3 == 2 ? 10 : 11) + 100 * (t < 5 ? 5 : 27));
    }
}

/* ---- atomics ---- */

__global__ void atomics(int *i, unsigned long long *l, float *f, double *d, __half2 *h, __nv_bfloat162 *b, float4 *v, unsigned __int128 *q)
{
    int t = threadIdx.x;
    atomicAdd(i, t);
    atomicSub(i + 1, t);
    atomicMin(i + 2, -t);
    atomicMax(i + 3, t);
    atomicAnd(i + 4, ~(1 << (t & 31)));
    atomicOr(i + 5, 1 << (t & 31));
    atomicXor(i + 6, t);
    atomicInc((unsigned *)i + 7, 16);
    atomicAdd_block(i + 8, 1);
    atomicAdd_system(i + 9, 1);
    atomicAdd(l, t);
    atomicMax(l + 1, (unsigned long long)t << 40);
    atomicAdd(f, 1.5f);
    atomicAdd(d, .5);
    atomicAdd(h, __floats2half2_rn(1, 2));
    atomicAdd(b, __floats2bfloat162_rn(1, 2));
    atomicAdd(v, make_float4(1, 2, 3, 4));
    cuda::atomic_ref<int, cuda::thread_scope_device> r(i[10]);
    r.fetch_add(2, cuda::memory_order_acq_rel);
    cuda::atomic_ref<unsigned long long, cuda::thread_scope_block> block(l[2]);
    block.fetch_max(t, cuda::memory_order_relaxed);
    for (int seen = 0; !cuda::atomic_ref<int, cuda::thread_scope_device>(i[11]).compare_exchange_weak(seen, seen + 3);)
        ;
    if (t == 0)
        atomicCAS(q, (unsigned __int128)0, (unsigned __int128)1 << 100);
}

static void all_atomics()
{
    int *i = memory<int>(32);
    auto l = memory<unsigned long long>(4);
    auto f = memory<float>(1);
    auto d = memory<double>(1);
    auto h = memory<__half2>(1);
    auto b = memory<__nv_bfloat162>(1);
    auto v = memory<float4>(1);
    auto q = memory<unsigned __int128>(1);
    i[4] = -1;
    RUN(1, 64, atomics, i, l, f, d, h, b, v, q);
    const int want[] = {2016, -2016, -63, 63, 0, -1, 0, 64 % 17, 64, 64, 128, 192};
    for (int k = 0; k < 12; k++)
        CHECK(i[k] == want[k]);
    CHECK(l[0] == 2016 && l[1] == 63ull << 40 && l[2] == 63 && *f == 96 && *d == 32 && v->x == 64 && v->w == 256);
    CHECK(__low2float(*h) == 64 && __high2float(*h) == 128 && __low2float(*b) == 64 && (int)(*q >> 100) == 1);
}

/* ---- blocks: shared memory, asynchronous copies, tensor cores ---- */

__global__ void sum(int *o)
{
    extern __shared__ int s[];
    int t = threadIdx.x;
    s[t] = t;
    __syncthreads();
    for (int d = blockDim.x / 2; d; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    int odd = __syncthreads_count(t & 1), any = __syncthreads_or(t == 3);
    if (t == 0)
        *o = s[0] + odd + any;
}

__global__ void stages(const int *in, int *o, int n)
{
    __shared__ alignas(16) int s[2][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    auto p = cuda::make_pipeline(block, &state);
    int sum = 0;
    for (int k = 0, next = 0; k < n; k++) {
        for (; next < n && next < k + 2; next++) {
            p.producer_acquire();
            cuda::memcpy_async(block, s[next % 2], in + next * 64, cuda::aligned_size_t<16>(256), p);
            p.producer_commit();
        }
        p.consumer_wait();
        sum += s[k % 2][63 - threadIdx.x];
        p.consumer_release();
    }
    o[threadIdx.x] = sum;
}

__global__ void one_copy(const int *in, int *o)
{
    __shared__ alignas(16) int s[64];
    __shared__ cuda::barrier<cuda::thread_scope_block> bar;
    if (threadIdx.x == 0)
        init(&bar, blockDim.x);
    __syncthreads();
    cuda::memcpy_async(cg::this_thread_block(), s, in, cuda::aligned_size_t<16>(sizeof s), bar);
    bar.arrive_and_wait();
    o[threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void product(const __half *a, const __half *b, float *c)
{
    using namespace nvcuda::wmma;
    fragment<matrix_a, 16, 16, 16, __half, row_major> x;
    fragment<matrix_b, 16, 16, 16, __half, col_major> y;
    fragment<accumulator, 16, 16, 16, float> z;
    fill_fragment(z, 1.f);
    load_matrix_sync(x, a, 16);
    load_matrix_sync(y, b, 16);
    mma_sync(z, x, y, z);
    store_matrix_sync(c, z, 16, mem_row_major);
}

static void blocks()
{
    int *in = memory<int>(512), *o = memory<int>(64);
    for (int i = 0; i < 512; i++)
        in[i] = i;
    sum<<<1, 128, 512>>>(o);
    OK(cudaDeviceSynchronize());
    CHECK(*o == 8128 + 64 + 1);
    RUN(1, 64, stages, in, o, 8);
    for (int i = 0; i < 64; i++)
        CHECK(o[i] == 8 * (63 - i) + 64 * 28);
    RUN(1, 64, one_copy, in, o);
    for (int i = 0; i < 64; i++)
        CHECK(o[i] == 63 - i);
    auto h = memory<__half>(256);
    auto f = memory<float>(256);
    for (int i = 0; i < 256; i++)
        h[i] = __float2half(i % 16);
    RUN(1, 32, product, h, h, f);
    for (int i = 0; i < 256; i++)
        CHECK(f[i] == 1 + 1240);
}

/* ---- grids, clusters, last blocks ---- */

__global__ void whole_grid(int *x)
{
    auto g = cg::this_grid();
    x[g.thread_rank()] = g.thread_rank();
    g.sync();
    if (g.thread_rank() == 0)
        for (int i = 0; i < 128; i++)
            x[128] += x[i];
}

__global__ void __cluster_dims__(2, 1, 1) cluster(int *o)
{
    __shared__ int s[32];
    auto c = cg::this_cluster();
    s[threadIdx.x] = c.block_rank() * 100 + threadIdx.x;
    c.sync();
    o[blockIdx.x * 32 + threadIdx.x] = c.map_shared_rank(s, c.block_rank() ^ 1)[threadIdx.x];
    c.sync();
}

__device__ unsigned tickets;
__global__ void last_block(int *part, int *o)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = blockIdx.x;
        __threadfence();
        last = atomicAdd(&tickets, 1) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x == 0)
        for (int i = 0; i < gridDim.x; i++)
            *o += part[i];
}

__global__ void dependent(int *x)
{
    cudaTriggerProgrammaticLaunchCompletion();
    cudaGridDependencySynchronize();
    x[threadIdx.x]++;
}

static void grids()
{
    int *x = memory<int>(256);
    void *args[] = {&x};
    OK(cudaLaunchCooperativeKernel((void *)whole_grid, 4, 32, args, 0, 0));
    OK(cudaDeviceSynchronize());
    CHECK(x[128] == 8128);
    RUN(4, 32, cluster, x);
    CHECK(x[0] == 100 && x[33] == 1 && x[127] == 31);
    x[200] = 0;
    RUN(8, 32, last_block, x, x + 200);
    CHECK(x[200] == 28);
    cudaLaunchConfig_t config = {};
    cudaLaunchAttribute early = {};
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = 1, config.blockDim = 32, config.attrs = &early, config.numAttrs = 1;
    for (int i = 0; i < 32; i++)
        x[i] = 0;
    for (int i = 0; i < 3; i++)
        OK(cudaLaunchKernelEx(&config, dependent, x));
    OK(cudaDeviceSynchronize());
    CHECK(x[0] == 3 && x[31] == 3);
}

/* ---- C++ and its library, constants, textures ---- */

struct shape {
    __device__ virtual int area() const = 0;
    __device__ virtual ~shape() {}
};
struct square : shape {
    int a;
    __device__ square(int x) : a(x) {}
    __device__ int area() const override { return a * a; }
};
struct twice : shape {
    int a;
    __device__ twice(int x) : a(x) {}
    __device__ int area() const override { return 2 * a; }
};
__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ int plus(int a, int b) { return a + b; }
__device__ int times(int a, int b) { return a * b; }
__device__ int (*operations[2])(int, int) = {plus, times};
__constant__ int table[16];
__managed__ int managed;

template <int COUNT> __global__ void language(int *o)
{
    int i = threadIdx.x, local[20], sum = 0;
    shape *s = i & 1 ? (shape *)new square(i) : (shape *)new twice(i);
    o[i] = s->area() + fibonacci(i % 8) + operations[i & 1](i, 3);
    delete s;
    for (int k = 0; k < 20; k++)
        local[k] = k * i;
    o[i] += local[i * 7 % 20];
#pragma unroll
    for (int k = 0; k < COUNT; k++)
        sum += table[k];
    o[i] += sum;
    cuda::std::array<int, 4> a{1, 2, 3, i};
    for (int v : cuda::std::span<int>(a.data(), 4))
        o[i] += v;
    cuda::std::complex<float> z(i, 1), w = z * z;
    o[i] += (int)w.real() + (int)w.imag();
    if (i == 0)
        managed = COUNT;
}

__global__ void texels(cudaTextureObject_t t, float *o) { o[threadIdx.x] = tex2D<float>(t, threadIdx.x + .5f, 2.5f); }

static void language_and_textures()
{
    int *o = memory<int>(32), numbers[16], fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
    for (int i = 0; i < 16; i++)
        numbers[i] = i;
    OK(cudaMemcpyToSymbol(table, numbers, sizeof numbers));
    RUN(1, 32, language<8>, o);
    for (int i = 0; i < 32; i++)
        CHECK(o[i] == (i & 1 ? i * i : 2 * i) + fib[i % 8] + (i & 1 ? 3 * i : i + 3) + i * 7 % 20 * i + 28 + 6 + i + (i * i - 1) + 2 * i);
    CHECK(managed == 8);
    float *f = memory<float>(32), host[8][32];
    for (int i = 0; i < 256; i++)
        host[0][i] = i;
    cudaArray_t array;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
    OK(cudaMallocArray(&array, &format, 32, 8));
    OK(cudaMemcpy2DToArray(array, 0, 0, host, 128, 128, 8, cudaMemcpyHostToDevice));
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    what.resType = cudaResourceTypeArray;
    what.res.array.array = array;
    OK(cudaCreateTextureObject(&t, &what, &how, NULL));
    RUN(1, 32, texels, t, f);
    CHECK(f[0] == 64 && f[31] == 95);
    OK(cudaDestroyTextureObject(t));
    OK(cudaFreeArray(array));
}

int main()
{
    warps();
    all_atomics();
    blocks();
    grids();
    language_and_textures();
    while (allocations)
        OK(cudaFree(allocated[--allocations]));
    puts("ordinary_blackwell ok");
    return 0;
}
