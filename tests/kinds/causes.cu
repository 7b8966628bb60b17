// What findings say: the cause that is one, and advice that mends.
//
// arch compute_90
//
// case cluster_counts expect=data-race also=cluster-misuse says=cluster.sync
// case cluster_counts_synced expect=silent
// case cluster_cleared expect=data-race says=cluster.sync
// case cluster_cleared_late expect=data-race says=cluster.sync.*between.line.[0-9]+.and.line nor=after.line.[0-9]+.and.before
// case cluster_set_early expect=data-race also=cluster-misuse says=cluster.sync.*between.line.[0-9]+.and.line nor=after.line.[0-9]+.and.before
// case cluster_set_synced expect=silent
// case crowd_synced expect=silent
// case crowd_set_early expect=data-race says=between.line.[0-9]+.and.line
// case crowd_read_early expect=data-race says=between.line.[0-9]+.and.line
// case cluster_flag expect=data-race says=volatile
// case endless_behind_barrier expect=deadlock also=data-race says=only.once
// case volatile_behind_barrier expect=silent
// case last_without_fence expect=ordering says=older.value.changed.the.result
// case last_with_fence expect=silent
#include <cooperative_groups.h>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

enum { N = 64 };

// Few places, many turns: the blocks add to what others have added to. That is no signal, whatever its barriers.
template <bool SET, bool COUNTED>
__global__ void __cluster_dims__(4) crowd(int *out, const int *in, int n)
{
    __shared__ int bins[4];
    auto cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < 4; i += blockDim.x)
        bins[i] = 0;
    if (SET)
        cluster.sync();
    else
        __syncthreads();
    for (int i = cluster.thread_rank() + blockIdx.x / 4 * 4 * blockDim.x; i < n; i += gridDim.x * blockDim.x) {
        int v = (in[i % N] + i * i) % 251 % 16;
        atomicAdd(cluster.map_shared_rank(bins, v / 4) + v % 4, 1); // crowd_set_early crowd_read_early
    }
    if (COUNTED)
        cluster.sync();
    else
        __syncthreads();
    for (int i = threadIdx.x; i < 4; i += blockDim.x)
        atomicAdd(&out[cluster.block_rank() * 4 + i], bins[i]);
    if (!COUNTED)
        cluster.sync();
}

// Blocks of a cluster count into each other's shared memory: no atomic is missing, but their barrier.
template <bool CLEARED, bool COUNTED>
__global__ void __cluster_dims__(2) count(int *out, const int *in)
{
    __shared__ int bins[N];
    auto cluster = cg::this_cluster();
    bins[threadIdx.x] = 0;                              // cluster_cleared
    if (CLEARED)
        cluster.sync();
    else
        __syncthreads();
    int v = in[blockIdx.x * N + threadIdx.x] % (2 * N);
    atomicAdd(cluster.map_shared_rank(bins, v / N) + v % N, 1);
    if (COUNTED)
        cluster.sync();
    else
        __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = bins[threadIdx.x]; // cluster_counts
}

// A block sets what another one adds to, before or after: the barrier is missing between the two, whichever came first in the run.
template <bool SYNCED>
__global__ void __cluster_dims__(4) set_and_add(int *out, const int *in, int n)
{
    __shared__ int bins[N / 4];
    auto cluster = cg::this_cluster();
    for (int i = threadIdx.x; i < N / 4; i += blockDim.x)
        bins[i] = 0;
    if (SYNCED)
        cluster.sync();
    else
        __syncthreads();
    for (int i = cluster.thread_rank(); i < n; i += cluster.num_threads()) {
        int v = (in[i] + i * i) % N;
        atomicAdd(cluster.map_shared_rank(bins, v / (N / 4)) + v % (N / 4), 1); // cluster_set_early
    }
    cluster.sync();
    for (int i = threadIdx.x; i < N / 4; i += blockDim.x)
        out[cluster.block_rank() * (N / 4) + i] = bins[i];
}

// What a block reads of its own another one overwrites then.
__global__ void __cluster_dims__(2) cleared_late(int *out, const int *in)
{
    __shared__ int last[N];
    auto cluster = cg::this_cluster();
    last[threadIdx.x] = in[threadIdx.x];
    cluster.sync();
    int v = last[threadIdx.x];
    __syncthreads();
    cluster.map_shared_rank(last, cluster.block_rank() ^ 1)[threadIdx.x] = 0; // cluster_cleared_late
    cluster.sync();
    out[blockIdx.x * N + threadIdx.x] = v;
}

// A plain store, and a loop that waits for it: here the store is at fault.
__global__ void __cluster_dims__(2) flag(int *out)
{
    __shared__ int ready;
    auto cluster = cg::this_cluster();
    ready = 0;
    cluster.sync();
    if (threadIdx.x == 0 && cluster.block_rank() == 0)
        *cluster.map_shared_rank(&ready, 1) = 1;        // cluster_flag
    if (threadIdx.x == 0 && cluster.block_rank() == 1)
        while (*(volatile int *)&ready == 0)
            ;
    cluster.sync();
    out[blockIdx.x * N + threadIdx.x] = 1;
}

// The loop reads its flag only once, as compiled: so thread 0 never comes to the barrier, which stands right for all.
template <class FLAG>
__global__ void wait_for_all(int *out, FLAG *arrived)
{
    if (threadIdx.x == 0) {
        atomicAdd((int *)arrived, 1);
        while (*arrived < (int)gridDim.x)               // endless_behind_barrier
            ;
        __threadfence();
    }
    __syncthreads();
    out[blockIdx.x * N + threadIdx.x] = 1;
}

// The published guard with volatile partials: what the last block may miss shows where its own fence comes before all others', though it draws last.
template <bool FENCED>
__global__ void last_sums(int *out, volatile int *partial)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[1 + blockIdx.x] = blockIdx.x + 1;
        __threadfence();
        last = atomicInc((unsigned *)partial, gridDim.x - 1) == gridDim.x - 1;
        if (FENCED)
            __threadfence();
    }
    __syncthreads();
    if (last)
        for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x)
            atomicAdd(out, partial[1 + i]);
}

static int *p, *q;

#define CASE(name) else if (!strcmp(way, name))
static bool run(const char *way)
{
    if (!*way) return false;
    CASE("cluster_counts") count<true, false><<<2, N>>>(p, q);
    CASE("cluster_counts_synced") count<true, true><<<2, N>>>(p, q);
    CASE("cluster_cleared") count<false, true><<<2, N>>>(p, q);
    CASE("cluster_cleared_late") cleared_late<<<2, N>>>(p, q);
    CASE("crowd_synced") crowd<true, true><<<8, N>>>(p, q, 3000);
    CASE("crowd_set_early") crowd<false, true><<<8, N>>>(p, q, 3000);
    CASE("crowd_read_early") crowd<true, false><<<8, N>>>(p, q, 3000);
    CASE("cluster_set_early") set_and_add<false><<<4, N>>>(p, q, 8 * N);
    CASE("cluster_set_synced") set_and_add<true><<<4, N>>>(p, q, 8 * N);
    CASE("cluster_flag") flag<<<2, N>>>(p);
    CASE("endless_behind_barrier") wait_for_all<int><<<4, N>>>(p, q);
    CASE("volatile_behind_barrier") wait_for_all<volatile int><<<4, N>>>(p, q);
    CASE("last_without_fence") last_sums<false><<<100, N>>>(p, q);
    CASE("last_with_fence") last_sums<true><<<100, N>>>(p, q);
    else return false;
    return true;
}

int main(int argc, char **argv)
{
    cudaMalloc(&p, 8 * N * sizeof(int));
    cudaMalloc(&q, 8 * N * sizeof(int));
    cudaMemset(p, 0, 8 * N * sizeof(int));
    cudaMemset(q, 0, 8 * N * sizeof(int));
    if (!run(argc > 1 ? argv[1] : ""))
        return 2;
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(q);
    return 0;
}
