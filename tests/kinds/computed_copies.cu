// Tiles that are filled in part and computed as a whole, and leave shared memory by bulk copies: what was computed from undefined
// values is told where such a copy takes it to global memory, and where somebody uses what a copy brought to another block.
//
// arch compute_90
//
// case stored_whole expect=uninitialized-read
// case stored_part expect=silent
// case added_whole expect=uninitialized-read
// case added_part expect=silent
// case box_whole expect=uninitialized-read
// case box_cut_off expect=silent
// case sent_whole expect=uninitialized-read
// case sent_part expect=silent
// case sent_over expect=silent
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

enum { ROW = 8, N = 64, PART = 40, BYTES = N * sizeof(int) };

__device__ unsigned at(const void *shared) { return (unsigned)__cvta_generic_to_shared(shared); }
__device__ void fence_proxy() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void finish() { asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory"); }
__device__ void cluster_sync() { asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory"); }

/** PART of the N numbers are there; all are computed. */
__device__ void compute(int *s, const int *in)
{
    int t = threadIdx.x;
    if (t < PART)
        s[t] = in[t];
    __syncthreads();
    s[t] = 2 * s[t]; // stored_whole added_whole box_whole sent_whole
    fence_proxy();
    __syncthreads();
}

__global__ void stores(const int *in, int *out, int bytes, bool add)
{
    __shared__ alignas(128) int s[N];
    compute(s, in);
    if (threadIdx.x)
        return;
    if (add)
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32 [%0], [%1], %2;" ::"l"(out), "r"(at(s)), "r"(bytes) : "memory");
    else
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(at(s)), "r"(bytes) : "memory");
    finish();
}

/** The map has as many rows as there are. */
__global__ void stores_box(const __grid_constant__ CUtensorMap map, const int *in)
{
    __shared__ alignas(128) int s[N];
    compute(s, in);
    if (threadIdx.x)
        return;
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%2, %2}], [%1];" ::"l"(&map), "r"(at(s)), "r"(0) : "memory");
    finish();
}

/** Each block of two sends its tile to the other, which keeps `count` numbers of it; `over`: and has computed there itself before. */
__global__ void __cluster_dims__(2) sends(const int *in, int *out, int count, bool over)
{
    __shared__ alignas(128) int s[N], d[N];
    __shared__ alignas(8) unsigned long long full;
    int t = threadIdx.x;
    if (over)
        compute(d, in);
    if (t == 0) {
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at(&full)) : "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&full)), "r"((int)BYTES) : "memory");
    }
    if (over) {
        s[t] = 3;
        fence_proxy();
        __syncthreads();
    } else {
        compute(s, in);
    }
    cluster_sync();
    if (t == 0) {
        unsigned to, bar;
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(to) : "r"(at(d)), "r"(blockIdx.x ^ 1));
        asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(bar) : "r"(at(&full)), "r"(blockIdx.x ^ 1));
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to), "r"(at(s)),
                     "r"((int)BYTES), "r"(bar) : "memory");
    }
    int passed = 0;
    while (!passed)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.s32 %0, 1, 0, p; }"
                     : "=r"(passed) : "r"(at(&full)) : "memory");
    if (t < count)
        out[blockIdx.x * N + t] = d[t];
    cluster_sync();
}

static bool is(const char *name, const char *other) { return !strcmp(name, other); }

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *in, *out;
    cudaMalloc(&in, BYTES);
    cudaMalloc(&out, 2 * BYTES);
    cudaMemset(in, 1, BYTES);
    cudaMemset(out, 0, 2 * BYTES);
    if (is(name, "box_whole") || is(name, "box_cut_off")) {
        alignas(64) CUtensorMap map = {};
        decltype(&cuTensorMapEncodeTiled) encode;
        cudaDriverEntryPointQueryResult found;
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
        cuuint64_t size[] = {ROW, (cuuint64_t)(is(name, "box_whole") ? N : PART) / ROW}, stride[] = {ROW * sizeof(int)};
        cuuint32_t box[] = {ROW, N / ROW}, step[] = {1, 1};
        encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, out, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
        stores_box<<<1, N>>>(map, in);
    } else if (is(name, "sent_whole") || is(name, "sent_part") || is(name, "sent_over")) {
        sends<<<2, N>>>(in, out, is(name, "sent_part") ? PART : N, is(name, "sent_over"));
    } else {
        bool whole = is(name, "stored_whole") || is(name, "added_whole");
        stores<<<1, N>>>(in, out, whole ? BYTES : PART * sizeof(int), is(name, "added_whole") || is(name, "added_part"));
    }
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
