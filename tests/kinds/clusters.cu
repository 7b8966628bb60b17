// Clusters of blocks: distributed shared memory and the cluster's barrier, each mistake beside its right twin.
//
// arch compute_90
//
// case read_peer expect=silent
// case read_peer_no_sync expect=data-race says=cluster.sync
// case read_peer_block_sync expect=data-race says=cluster.sync
// case read_peer_relaxed expect=data-race
// case read_peer_relaxed_fence expect=silent
// case read_peer_relaxed_block_fence expect=data-race
// case strangers expect=data-race says=lock.[01]
// case no_strangers expect=silent
// case write_peer expect=silent
// case write_peer_both expect=data-race
// case rewrite expect=silent
// case rewrite_early expect=data-race says=cluster.sync
// case leave_late expect=silent
// case leave_early expect=cluster-misuse says=cluster.sync...after.line
// case leave_store_early expect=cluster-misuse
// case leave_after_flag expect=silent
// case begun expect=silent
// case not_begun expect=cluster-misuse says=has.begun
// case begun_by_flag expect=silent
// case count expect=silent
// case count_block_scope expect=data-race says=cluster.scope
// case count_cluster_scope expect=silent
// case message_cluster expect=silent
// case message_block expect=data-race
// case message_no_acquire expect=missing-acquire
// case message_other_cluster expect=data-race also=missing-release,missing-acquire
// case message_device expect=silent
// case arrive_twice expect=cluster-misuse says=arrives.at.its.cluster
// case wait_first expect=cluster-misuse says=has.not.arrived
// case split_barrier expect=silent
// case warps_behind_barrier expect=silent options=--engine=compile
// case split_barrier_early expect=data-race
// case some_never_come expect=deadlock
// case aligned_together expect=silent
// case aligned_apart expect=barrier-divergence
// case sync_in_branch expect=barrier-divergence level=warning
// case sync_in_both_ways expect=silent
// case warps_leave_out expect=barrier-divergence level=warning says=of.the.same.block.has.left.out
// case warps_go_early expect=silent
// case warps_in_both_ways expect=silent
// case warps_leave_out_aligned expect=barrier-divergence level=warning says=cluster.sync
// case block_leaves_out expect=barrier-divergence level=warning says=of.block.[13].has.left.out
// case block_goes_early expect=silent
// case blocks_in_both_ways expect=silent
// case block_turns expect=barrier-divergence level=warning says=out.of.the.branch.or.the.loop
// case blocks_turn_alike expect=silent
// case past_end expect=out-of-bounds says=another.block
// case no_such_block expect=out-of-bounds says=ranks.begin.at.0
// case peer_not_initialised expect=uninitialized-read
// case remote_arrive expect=silent
// case remote_arrive_block_scope expect=data-race
// case remote_arrive_relaxed expect=data-race
// case remote_arrive_block_fence expect=data-race
// case remote_arrive_block_barrier expect=data-race
// case remote_arrive_cluster_fence expect=silent
// case remote_init_unordered expect=mbarrier-misuse also=cluster-misuse
// case inits_published expect=silent
// case inits_publish_data expect=data-race
// case inits_and_data_fenced expect=silent
// case inits_unfenced expect=data-race
// case store_async expect=silent
// case store_async_not_waited expect=data-race
// case add_async expect=silent
// case copy_to_peer expect=silent
// case copy_to_peer_not_waited expect=data-race
// case copy_to_peer_no_proxy_fence expect=data-race says=fence.proxy.async
// case multicast expect=silent
// case multicast_not_waited expect=data-race
// case multicast_tensor expect=silent
// case multicast_tensor_not_waited expect=data-race
// case multicast_tensor_one_block expect=deadlock status=86
// case relaxed_message expect=silent
// case relaxed_message_relaxed expect=ordering says=cluster.sync
// case relaxed_message_relaxed_fence expect=silent
// case relaxed_message_block_fence expect=ordering says=cluster.sync
// case buffering_fence expect=silent
// case buffering expect=ordering says=__threadfence
// case sync_alone expect=silent
// case sync_alone_missing expect=data-race
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda/atomic>
#include <cuda_runtime.h>
namespace cg = cooperative_groups;

enum { N = 32 };
typedef unsigned long long bar_t;

#define CLUSTER auto cluster = cg::this_cluster(); unsigned rank = cluster.block_rank(), peer = rank ^ 1; int t = (int)threadIdx.x; (void)peer, (void)t
#define OUT out[blockIdx.x * N + threadIdx.x]

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }
__device__ unsigned mapped(const void *p, unsigned rank)
{
    unsigned a;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(a) : "r"(at(p)), "r"(rank));
    return a;
}
__device__ void arrive_relaxed() { asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory"); }
__device__ void arrive() { asm volatile("barrier.cluster.arrive.release;" ::: "memory"); }
__device__ void wait() { asm volatile("barrier.cluster.wait.acquire;" ::: "memory"); }
__device__ void fence_cluster() { asm volatile("fence.acq_rel.cluster;" ::: "memory"); }
__device__ void fence_block() { asm volatile("fence.acq_rel.cta;" ::: "memory"); }

/* ---- data and the barrier ---- */

template <int HOW> __global__ void read_peer_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    s[t] = 100 * (int)rank + t; // read_peer_no_sync read_peer_block_sync read_peer_relaxed read_peer_relaxed_block_fence
    if (HOW == 0)
        cluster.sync();
    if (HOW == 2)
        __syncthreads();
    if (HOW == 4)
        fence_cluster();
    if (HOW == 5)
        fence_block();
    if (HOW >= 3) {
        arrive_relaxed();
        wait();
    }
    OUT = cluster.map_shared_rank(s, peer)[N - 1 - t];
    cluster.sync();
}

template <bool BOTH> __global__ void write_peer_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    s[t] = 0;
    cluster.sync();
    cluster.map_shared_rank(s, peer)[t] = (int)rank; // write_peer_both
    if (BOTH)
        s[t] = 5;
    cluster.sync();
    OUT = s[t];
}

template <bool EARLY> __global__ void rewrite_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        s[t] = i + t; // rewrite_early
        cluster.sync();
        sum += cluster.map_shared_rank(s, peer)[t];
        if (!EARLY)
            cluster.sync();
    }
    cluster.sync();
    OUT = sum;
}

/* ---- the life of a block's shared memory ---- */

template <bool EARLY> __global__ void leave_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    s[t] = t;
    cluster.sync();
    OUT = cluster.map_shared_rank(s, peer)[t]; // leave_early
    if (!EARLY)
        cluster.sync();
}

template <bool FLAG> __global__ void leave_store_kernel(int *out, int *flag)
{
    __shared__ int s[N];
    CLUSTER;
    s[t] = t;
    cluster.sync();
    if (rank == 0)
        cluster.map_shared_rank(s, 1)[t] = 7; // leave_store_early
    cuda::atomic_ref<int, cuda::thread_scope_device> f(flag[t]);
    if (FLAG && rank == 0)
        f.store(1, cuda::memory_order_release);
    if (FLAG && rank == 1)
        while (!f.load(cuda::memory_order_acquire))
            ;
    OUT = t;
}

template <int HOW> __global__ void begin_kernel(int *out, int *flag)
{
    __shared__ int s[N];
    CLUSTER;
    cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
    if (HOW == 0)
        cluster.sync();
    if (HOW == 2 && rank == 1 && t == 0)
        f.store(1, cuda::memory_order_release);
    if (HOW == 2 && rank == 0 && t == 0)
        while (!f.load(cuda::memory_order_acquire))
            ;
    if (rank == 0 && t == 0)
        *cluster.map_shared_rank(s, 1) = 3; // not_begun
    cluster.sync();
    if (rank == 1 && t == 0)
        OUT = s[0];
}

/* ---- scopes ---- */

template <int SCOPE> __global__ void count_kernel(int *out)
{
    __shared__ int n;
    CLUSTER;
    if (t == 0)
        n = 0;
    cluster.sync();
    int *p = cluster.map_shared_rank(&n, 0);
    if (SCOPE == 0)
        atomicAdd(p, 1);
    else if (SCOPE == 1)
        atomicAdd_block(p, 1); // count_block_scope
    else
        asm volatile("red.relaxed.cluster.add.u32 [%0], 1;" ::"l"(p) : "memory");
    cluster.sync();
    OUT = n;
}

template <int HOW> __global__ void message_kernel(int *out, int *data, int *flag)
{
    unsigned from = 0, to = HOW == 3 ? 2 : 1, v;
    if (threadIdx.x)
        return;
    if (blockIdx.x == from) {
        *data = 42;
        if (HOW == 1)
            asm volatile("st.release.cta.u32 [%0], 1;" ::"l"(flag) : "memory");
        else if (HOW == 4)
            asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(flag) : "memory");
        else
            asm volatile("st.release.cluster.u32 [%0], 1;" ::"l"(flag) : "memory"); // message_no_acquire
    }
    if (blockIdx.x == to) {
        do {
            if (HOW == 2)
                asm volatile("ld.relaxed.cluster.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
            else if (HOW == 4)
                asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
            else
                asm volatile("ld.acquire.cluster.u32 %0, [%1];" : "=r"(v) : "l"(flag) : "memory");
        } while (!v);
        out[0] = *data;
    }
}

/* ---- the barrier's turns ---- */

__global__ void arrive_twice_kernel(int *)
{
    arrive();
    arrive(); // arrive_twice
    wait();
}

__global__ void wait_first_kernel(int *)
{
    wait(); // wait_first
}

// A lane alone, a barrier of the block, and at once the cluster's.
__global__ void warps_behind_barrier_kernel(int *out)
{
    __shared__ int s[2 * N];
    __shared__ unsigned long long object;
    CLUSTER;
    s[threadIdx.x] = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"((unsigned)__cvta_generic_to_shared(&object)) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    cluster.map_shared_rank(s, peer)[threadIdx.x] = (int)threadIdx.x;
    asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
    out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x ^ 1];
}

template <bool EARLY> __global__ void split_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    s[t] = t; // split_barrier_early
    cluster.barrier_arrive();
    int own = s[t];
    int v = EARLY ? cluster.map_shared_rank(s, peer)[t] : 0;
    cluster.barrier_wait();
    if (!EARLY)
        v = cluster.map_shared_rank(s, peer)[t];
    cluster.sync();
    OUT = v + own;
}

__global__ void some_never_come_kernel(int *out)
{
    CLUSTER;
    if (rank == 0)
        cluster.sync();
    else
        asm volatile("barrier.sync 1, 64;" ::: "memory");
    OUT = t;
}

template <bool APART> __global__ void aligned_kernel(int *out)
{
    CLUSTER;
    if (APART && t < 8) { // aligned_apart
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
        OUT = 1;
    } else {
        OUT = 2;
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
    }
    asm volatile("barrier.cluster.wait;" ::: "memory");
}

/** A part of each block; all, from two places. */
template <bool BOTH> __global__ void in_branch_kernel(int *out)
{
    CLUSTER;
    if (t % 2 == 0) { // sync_in_branch
        OUT = 1;
        cluster.sync();
    } else if (BOTH)
        cluster.sync();
    OUT += 2;
}

/** Whole warps, or whole blocks: 0: some leave the barrier out; 1: they leave the kernel; 2: all come, to two places; 3: as 0, aligned. */
template <int HOW, bool WARPS> __global__ void whole_kernel(int *out)
{
    CLUSTER;
    bool others = WARPS ? t >= 32 : rank == 1;
    int *mine = out + blockIdx.x * 2 * N + t;
    *mine = 1;
    if (others) {
        *(volatile int *)mine = 3;
        if (HOW == 1)
            return;
        if (HOW == 2)
            cluster.sync();
    } else if (HOW == 3) {
        asm volatile("barrier.cluster.arrive.aligned;" ::: "memory"); // warps_leave_out_aligned
        wait();
    } else {
        *mine += 1;
        cluster.sync();
    }
    *mine += 2;
}

/** In a loop that blocks go round as often as each other, or not. */
template <bool ALIKE> __global__ void turns_kernel(int *out)
{
    CLUSTER;
    for (unsigned i = 0; i < 2 + (ALIKE ? 0 : rank); i++) {
        OUT += 1;
        cluster.sync();
    }
    OUT += 2;
}

/* ---- what is not there ---- */

template <int HOW> __global__ void past_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    s[t] = t;
    cluster.sync();
    if (HOW == 0)
        OUT = cluster.map_shared_rank(s, peer)[N + t]; // past_end
    else
        OUT = cluster.map_shared_rank(s, 2)[t]; // no_such_block
    cluster.sync();
}

__global__ void undefined_kernel(int *out)
{
    __shared__ int s[N];
    CLUSTER;
    if (out[0] == 77)
        s[t] = 1;
    cluster.sync();
    if (cluster.map_shared_rank(s, peer)[t] == 3) // peer_not_initialised
        out[1] = 1;
    cluster.sync();
}

/* ---- barriers in another block's shared memory ---- */

__device__ void init(bar_t *b, int n) { asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(n) : "memory"); }
__device__ void wait_phase(bar_t *b, unsigned parity)
{
    asm volatile("{\n .reg .pred p;\nW: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], %1;\n @!p bra W;\n}" ::"r"(at(b)), "r"(parity)
                 : "memory");
}

__device__ void wait_phase_relaxed(bar_t *b, unsigned parity)
{
    asm volatile("{\n .reg .pred p;\nW: mbarrier.try_wait.parity.relaxed.cluster.shared::cta.b64 p, [%0], %1;\n @!p bra W;\n}" ::"r"(at(b)), "r"(parity)
                 : "memory");
}

/** From 4 on all is relaxed, and what another block has released needs a fence that reaches it. */
template <int HOW> __global__ void remote_arrive_kernel(int *out)
{
    __shared__ int s[N];
    __shared__ bar_t b;
    CLUSTER;
    if (t == 0)
        init(&b, N);
    if (HOW != 3)
        cluster.sync();
    if (rank == 0) {
        cluster.map_shared_rank(s, 1)[t] = t; // remote_arrive_block_scope remote_arrive_relaxed remote_arrive_block_fence remote_arrive_block_barrier
        if (HOW >= 4)
            asm volatile("fence.acq_rel.cluster;" ::: "memory");
        if (HOW == 1)
            asm volatile("mbarrier.arrive.release.cta.shared::cluster.b64 _, [%0];" ::"r"(mapped(&b, 1)) : "memory");
        else if (HOW == 2 || HOW >= 4)
            asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(&b, 1)) : "memory");
        else
            asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(&b, 1)) : "memory");
    } else {
        if (HOW >= 4)
            wait_phase_relaxed(&b, 0);
        else
            wait_phase(&b, 0);
        if (HOW == 4)
            __threadfence_block();
        else if (HOW == 5)
            __syncthreads();
        else if (HOW == 6)
            asm volatile("fence.acq_rel.cluster;" ::: "memory");
        OUT = s[N - 1 - t];
    }
    if (HOW == 3)
        cluster.sync();
}

/** fence.mbarrier_init lets the relaxed arrival pass on the initialisation, and no data. */
template <int HOW> __global__ void inits_kernel(int *out)
{
    __shared__ int s[1];
    __shared__ bar_t b;
    CLUSTER;
    if (t == 0) {
        init(&b, N); // inits_unfenced
        s[0] = 7; // inits_publish_data
        if (HOW != 3)
            asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
        if (HOW == 2)
            fence_cluster();
    }
    arrive_relaxed();
    wait();
    if (HOW == 1 || HOW == 2)
        OUT = cluster.map_shared_rank(s, peer)[0];
    asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(mapped(&b, peer)) : "memory");
    wait_phase(&b, 0);
    cluster.sync();
}

/* ---- asynchronous stores and copies ---- */

__device__ void expect(bar_t *b, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 _, [%0], %1;" ::"r"(at(b)), "r"(bytes) : "memory");
}

template <int HOW> __global__ void store_async_kernel(int *out)
{
    __shared__ int s[N];
    __shared__ bar_t b;
    CLUSTER;
    s[t] = 10;
    if (t == 0) {
        init(&b, 1);
        expect(&b, 4 * N);
    }
    cluster.sync();
    if (HOW == 2)
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" ::"r"(mapped(&s[t], peer)),
                     "r"(t), "r"(mapped(&b, peer)) : "memory");
    else
        asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(mapped(&s[t], peer)),
                     "r"(t), "r"(mapped(&b, peer)) : "memory"); // store_async_not_waited
    if (HOW != 1)
        wait_phase(&b, 0);
    OUT = s[N - 1 - t];
    cluster.sync();
}

template <int HOW> __global__ void copy_kernel(int *out)
{
    __shared__ __align__(16) int s[N], d[N];
    __shared__ bar_t b;
    CLUSTER;
    s[t] = 100 * (int)rank + t; // copy_to_peer_no_proxy_fence
    if (HOW != 2)
        asm volatile("fence.proxy.async;" ::: "memory");
    if (t == 0) {
        init(&b, 1);
        expect(&b, 4 * N);
    }
    cluster.sync();
    if (t == 0)
        asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(mapped(d, peer)),
                     "r"(at(s)), "r"(4 * N), "r"(mapped(&b, peer)) : "memory"); // copy_to_peer_not_waited
    if (HOW != 1)
        wait_phase(&b, 0);
    OUT = d[t];
    cluster.sync();
}

template <bool WAITS> __global__ void multicast_kernel(int *out, const int *in)
{
    __shared__ __align__(16) int d[N];
    __shared__ bar_t b;
    CLUSTER;
    if (t == 0) {
        init(&b, 1);
        expect(&b, 4 * N);
    }
    cluster.sync();
    if (rank == 0 && t == 0)
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::"r"(at(d)),
                     "l"(in), "r"(4 * N), "r"(at(&b)), "h"((unsigned short)3) : "memory"); // multicast_not_waited
    if (WAITS || rank == 0)
        wait_phase(&b, 0);
    OUT = d[t];
    cluster.sync();
}

/** The same with a box of a tensor; with `TO` 1 it is copied to the first block alone, and the other waits for ever. */
template <bool WAITS, int TO> __global__ void multicast_tensor_kernel(int *out, const __grid_constant__ CUtensorMap map)
{
    __shared__ __align__(128) int d[N];
    __shared__ bar_t b;
    CLUSTER;
    if (t == 0) {
        init(&b, 1);
        expect(&b, 4 * N);
    }
    cluster.sync();
    if (rank == 0 && t == 0)
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster "
                     "[%0], [%1, {%3, %3}], [%2], %4;" ::"r"(at(d)), "l"(&map), "r"(at(&b)), "r"(0),
                     "h"((unsigned short)TO) : "memory"); // multicast_tensor_not_waited
    if (WAITS || rank == 0)
        wait_phase(&b, 0);
    OUT = d[t];
    cluster.sync();
}

static CUtensorMap map_of(int *in)
{
    alignas(64) CUtensorMap map = {};
    decltype(&cuTensorMapEncodeTiled) encode;
    cudaDriverEntryPointQueryResult found;
    cuuint64_t sizes[] = {8, N / 8}, strides[] = {32};
    cuuint32_t box[] = {8, N / 8}, steps[] = {1, 1};
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found);
    encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, in, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
           CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    return map;
}

/* ---- strong accesses, so that there is no race ---- */

__device__ void store_relaxed(int *p, int v) { asm volatile("st.relaxed.cluster.u32 [%0], %1;" ::"l"(p), "r"(v) : "memory"); }
__device__ int load_relaxed(int *p)
{
    int v;
    asm volatile("ld.relaxed.cluster.u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory");
    return v;
}

/** All blocks look, twice; then the last one stores. Their scope reaches its neighbour only. */
__global__ void strangers_kernel(int *out, int *flag)
{
    if (blockIdx.x == gridDim.x - 1) {
        if (threadIdx.x == 0)
            store_relaxed(flag, 1); // strangers
    } else {
        int v = load_relaxed(flag);
        OUT = v + load_relaxed(flag);
    }
}

/** Block 0 stores, block 1 loads behind the cluster's barrier. */
template <int HOW> __global__ void relaxed_message_kernel(int *out, int *flag)
{
    CLUSTER;
    if (rank == 0 && t == 0)
        store_relaxed(flag, 1); // relaxed_message_relaxed relaxed_message_block_fence
    if (HOW == 2)
        fence_cluster();
    if (HOW == 3)
        fence_block();
    if (HOW == 0)
        arrive();
    else
        arrive_relaxed();
    wait();
    if (rank == 1 && t == 3)
        out[0] = load_relaxed(flag); // relaxed_message_relaxed relaxed_message_block_fence
}

/** Each block stores its own word and loads the other's. */
template <bool FENCE> __global__ void buffering_kernel(int *out, int *flag)
{
    CLUSTER;
    if (t)
        return;
    store_relaxed(&flag[rank], 1); // buffering
    if (FENCE)
        asm volatile("fence.sc.cluster;" ::: "memory");
    out[rank] = load_relaxed(&flag[peer]); // buffering
}

/* ---- a launch without clusters: each block is one ---- */

template <bool SYNC> __global__ void alone_kernel(int *out)
{
    __shared__ int s[2 * N];
    s[threadIdx.x] = (int)threadIdx.x; // sync_alone_missing
    if (SYNC)
        cg::this_cluster().sync();
    out[threadIdx.x] = s[2 * N - 1 - threadIdx.x];
}

static int threads = N;

template <typename... A> static void launch(void (*k)(A...), int blocks, int cluster, A... args)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim = {(unsigned)cluster, 1, 1};
    c.gridDim = blocks;
    c.blockDim = threads;
    c.attrs = &a;
    c.numAttrs = 1;
    if (cudaError_t e = cudaLaunchKernelEx(&c, k, args...))
        printf("%s\n", cudaGetErrorName(e));
}

int main(int, char **argv)
{
    const char *name = argv[1];
    int *out, *in, *flag;
    cudaMalloc(&out, 4096);
    cudaMalloc(&in, 4096);
    cudaMalloc(&flag, 4096);
    cudaMemset(out, 0, 4096);
    cudaMemset(in, 1, 4096);
    cudaMemset(flag, 0, 4096);
#define CASE(word, ...) if (!strcmp(name, #word)) launch(__VA_ARGS__)
    CASE(read_peer, read_peer_kernel<0>, 4, 2, out);
    CASE(read_peer_no_sync, read_peer_kernel<1>, 4, 2, out);
    CASE(read_peer_block_sync, read_peer_kernel<2>, 4, 2, out);
    CASE(read_peer_relaxed, read_peer_kernel<3>, 4, 2, out);
    CASE(read_peer_relaxed_fence, read_peer_kernel<4>, 4, 2, out);
    CASE(read_peer_relaxed_block_fence, read_peer_kernel<5>, 4, 2, out);
    CASE(strangers, strangers_kernel, 4, 2, out, flag);
    CASE(no_strangers, strangers_kernel, 2, 2, out, flag);
    CASE(write_peer, write_peer_kernel<false>, 4, 2, out);
    CASE(write_peer_both, write_peer_kernel<true>, 4, 2, out);
    CASE(rewrite, rewrite_kernel<false>, 4, 2, out);
    CASE(rewrite_early, rewrite_kernel<true>, 4, 2, out);
    CASE(leave_late, leave_kernel<false>, 4, 2, out);
    CASE(leave_early, leave_kernel<true>, 4, 2, out);
    CASE(leave_store_early, leave_store_kernel<false>, 2, 2, out, flag);
    CASE(leave_after_flag, leave_store_kernel<true>, 2, 2, out, flag);
    CASE(begun, begin_kernel<0>, 2, 2, out, flag);
    CASE(not_begun, begin_kernel<1>, 2, 2, out, flag);
    CASE(begun_by_flag, begin_kernel<2>, 2, 2, out, flag);
    CASE(count, count_kernel<0>, 4, 2, out);
    CASE(count_block_scope, count_kernel<1>, 4, 2, out);
    CASE(count_cluster_scope, count_kernel<2>, 4, 2, out);
    CASE(message_cluster, message_kernel<0>, 4, 2, out, in, flag);
    CASE(message_block, message_kernel<1>, 4, 2, out, in, flag);
    CASE(message_no_acquire, message_kernel<2>, 4, 2, out, in, flag);
    CASE(message_other_cluster, message_kernel<3>, 4, 2, out, in, flag);
    CASE(message_device, message_kernel<4>, 4, 2, out, in, flag);
    CASE(arrive_twice, arrive_twice_kernel, 2, 2, out);
    CASE(wait_first, wait_first_kernel, 2, 2, out);
    CASE(split_barrier, split_kernel<false>, 4, 2, out);
    CASE(split_barrier_early, split_kernel<true>, 4, 2, out);
    if (!strcmp(name, "warps_behind_barrier"))
        threads = 2 * N;
    CASE(warps_behind_barrier, warps_behind_barrier_kernel, 2, 2, out);
    CASE(some_never_come, some_never_come_kernel, 2, 2, out);
    CASE(aligned_together, aligned_kernel<false>, 2, 2, out);
    CASE(aligned_apart, aligned_kernel<true>, 2, 2, out);
    CASE(sync_in_branch, in_branch_kernel<false>, 2, 2, out);
    CASE(sync_in_both_ways, in_branch_kernel<true>, 2, 2, out);
    CASE(block_leaves_out, whole_kernel<0, false>, 4, 2, out);
    CASE(block_goes_early, whole_kernel<1, false>, 4, 2, out);
    CASE(blocks_in_both_ways, whole_kernel<2, false>, 4, 2, out);
    CASE(block_turns, turns_kernel<false>, 4, 2, out);
    CASE(blocks_turn_alike, turns_kernel<true>, 4, 2, out);
    if (!strncmp(name, "warps_", 6))
        threads = 2 * N;
    CASE(warps_leave_out, whole_kernel<0, true>, 4, 2, out);
    CASE(warps_go_early, whole_kernel<1, true>, 4, 2, out);
    CASE(warps_in_both_ways, whole_kernel<2, true>, 4, 2, out);
    CASE(warps_leave_out_aligned, whole_kernel<3, true>, 4, 2, out);
    CASE(relaxed_message, relaxed_message_kernel<0>, 2, 2, out, flag);
    CASE(relaxed_message_relaxed, relaxed_message_kernel<1>, 2, 2, out, flag);
    CASE(relaxed_message_relaxed_fence, relaxed_message_kernel<2>, 2, 2, out, flag);
    CASE(relaxed_message_block_fence, relaxed_message_kernel<3>, 2, 2, out, flag);
    CASE(buffering, buffering_kernel<false>, 2, 2, out, flag);
    CASE(buffering_fence, buffering_kernel<true>, 2, 2, out, flag);
    CASE(past_end, past_kernel<0>, 2, 2, out);
    CASE(no_such_block, past_kernel<1>, 2, 2, out);
    CASE(peer_not_initialised, undefined_kernel, 2, 2, out);
    CASE(remote_arrive, remote_arrive_kernel<0>, 2, 2, out);
    CASE(remote_arrive_block_scope, remote_arrive_kernel<1>, 2, 2, out);
    CASE(remote_arrive_relaxed, remote_arrive_kernel<2>, 2, 2, out);
    CASE(remote_arrive_block_fence, remote_arrive_kernel<4>, 2, 2, out);
    CASE(remote_arrive_block_barrier, remote_arrive_kernel<5>, 2, 2, out);
    CASE(remote_arrive_cluster_fence, remote_arrive_kernel<6>, 2, 2, out);
    CASE(remote_init_unordered, remote_arrive_kernel<3>, 2, 2, out);
    CASE(inits_published, inits_kernel<0>, 2, 2, out);
    CASE(inits_publish_data, inits_kernel<1>, 2, 2, out);
    CASE(inits_and_data_fenced, inits_kernel<2>, 2, 2, out);
    CASE(inits_unfenced, inits_kernel<3>, 2, 2, out);
    CASE(store_async, store_async_kernel<0>, 2, 2, out);
    CASE(store_async_not_waited, store_async_kernel<1>, 2, 2, out);
    CASE(add_async, store_async_kernel<2>, 2, 2, out);
    CASE(copy_to_peer, copy_kernel<0>, 2, 2, out);
    CASE(copy_to_peer_not_waited, copy_kernel<1>, 2, 2, out);
    CASE(copy_to_peer_no_proxy_fence, copy_kernel<2>, 2, 2, out);
    CASE(multicast, multicast_kernel<true>, 2, 2, out, (const int *)in);
    CASE(multicast_not_waited, multicast_kernel<false>, 2, 2, out, (const int *)in);
    CASE(multicast_tensor, multicast_tensor_kernel<true, 3>, 2, 2, out, map_of(in));
    CASE(multicast_tensor_not_waited, multicast_tensor_kernel<false, 3>, 2, 2, out, map_of(in));
    CASE(multicast_tensor_one_block, multicast_tensor_kernel<true, 1>, 2, 2, out, map_of(in));
    if (!strcmp(name, "sync_alone"))
        alone_kernel<true><<<1, 2 * N>>>(out);
    if (!strcmp(name, "sync_alone_missing"))
        alone_kernel<false><<<1, 2 * N>>>(out);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(out), cudaFree(in), cudaFree(flag);
    return e != cudaSuccess && false;
}
