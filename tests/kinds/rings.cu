// Rings of stages that bulk and tensor copies fill, in a block and across a cluster, by libcu++'s PTX wrappers: each mistake beside its right twin.
//
// arch compute_90
//
// case ring_of_three expect=silent
// case ring_given_back_early expect=data-race
// case ring_never_flips expect=deadlock also=data-race
// case ring_expects_late expect=silent
// case ring_overrun expect=deadlock also=data-race says=phases.have.ended.before.this.one.*wait.for.this.thread.first
// case two_boxes expect=silent
// case two_boxes_one_expected expect=data-race also=deadlock
// case one_waits expect=silent
// case one_waits_alone expect=data-race
// case through_shared expect=silent
// case through_shared_fence_first expect=data-race
// case through_shared_fence_of_global expect=data-race
// case sums expect=silent
// case sums_read_back expect=data-race
// case sums_source_kept expect=silent
// case sums_source_reused expect=data-race
// case bar_as_data expect=silent
// case bar_as_data_valid expect=mbarrier-misuse
// case to_peer expect=silent
// case to_peer_unwaited expect=data-race
// case to_peer_source_reused expect=data-race
// case multicast expect=silent
// case multicast_uninitialised expect=mbarrier-misuse also=cluster-misuse
// case words_to_peer expect=silent
// case words_to_peer_early expect=data-race
// case words_given_back expect=silent
// case words_not_given_back expect=data-race also=deadlock
// case counts_in_peers expect=silent
// case counts_left expect=cluster-misuse
// case counts_not_zeroed expect=data-race
// case arrives_behind_store expect=silent
// case arrives_before_store expect=data-race
#include <cooperative_groups.h>
#include <cstdint>
#include <cstring>
#include <cuda/barrier>
#include <cuda/ptx>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
enum { N = 128, STAGES = 3, ROUNDS = 7, BYTES = N * sizeof(int) };

#define CASES(X) \
    X(ring_of_three) X(ring_given_back_early) X(ring_never_flips) X(ring_expects_late) X(ring_overrun) X(two_boxes) X(two_boxes_one_expected) X(one_waits) \
    X(one_waits_alone) X(through_shared) X(through_shared_fence_first) X(through_shared_fence_of_global) X(sums) X(sums_read_back) \
    X(sums_source_kept) X(sums_source_reused) X(bar_as_data) X(bar_as_data_valid) X(to_peer) X(to_peer_unwaited) X(to_peer_source_reused) \
    X(multicast) X(multicast_uninitialised) X(words_to_peer) X(words_to_peer_early) X(words_given_back) X(words_not_given_back) \
    X(counts_in_peers) X(counts_left) X(counts_not_zeroed) X(arrives_behind_store) X(arrives_before_store)
#define ENUM(x) x,
#define NAME(x) #x,
enum what { CASES(ENUM) COUNT };
static const char *const names[] = {CASES(NAME)};

__device__ void wait(uint64_t *bar, uint32_t parity)
{
    while (!ptx::mbarrier_try_wait_parity(bar, parity))
        ;
}
__device__ void load(int *to, const int *from, uint32_t bytes, uint64_t *bar)
{
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, bytes, bar);
}
__device__ void expect(uint64_t *bar, uint32_t bytes)
{
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, bar, bytes);
}
__device__ void store_and_wait(int *to, const int *from, bool add)
{
    if (add)
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, to, from, BYTES);
    else
        ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, to, from, BYTES);
    ptx::cp_async_bulk_commit_group();
}

/** One block, one producer lane of the last warp, the others consume. */
template <what W> __global__ void ring(int *in, int *out)
{
    __shared__ __align__(128) int s[STAGES][N];
    __shared__ uint64_t full[STAGES], empty[STAGES];
    int t = threadIdx.x, sum = 0, consumers = blockDim.x - 32;
    if (t == 0)
        for (int i = 0; i < STAGES; i++) {
            ptx::mbarrier_init(&full[i], 1);
            ptx::mbarrier_init(&empty[i], consumers);
        }
    __syncthreads();
    if (t == consumers)
        for (int i = 0; i < ROUNDS; i++) {
            int at = i % STAGES, turn = i / STAGES;
            if (turn && W != ring_overrun)
                wait(&empty[at], (turn - 1) & 1);
            if (W != ring_expects_late)
                expect(&full[at], BYTES);
            load(s[at], in + i * N, BYTES, &full[at]);
            if (W == ring_expects_late)
                expect(&full[at], BYTES);
        }
    if (t < consumers)
        for (int i = 0; i < ROUNDS; i++) {
            int at = i % STAGES, turn = i / STAGES;
            wait(&full[at], W == ring_never_flips ? 0 : turn & 1);
            if (W == ring_given_back_early)
                ptx::mbarrier_arrive(&empty[at]);
            sum += s[at][t]; // ring_given_back_early
            if (W != ring_given_back_early)
                ptx::mbarrier_arrive(&empty[at]);
        }
    if (t < consumers)
        out[t] = sum;
}

/** Blocks of 64 threads by themselves. */
template <what W> __global__ void alone(int *in, int *out)
{
    __shared__ __align__(128) int s[2][N];
    __shared__ __align__(16) uint64_t bar[2];
    int t = threadIdx.x, sum = 0;
    if (t == 0)
        ptx::mbarrier_init(&bar[0], 1);
    __syncthreads();
    if constexpr (W == two_boxes || W == two_boxes_one_expected) {
        if (t == 0) {
            expect(&bar[0], W == two_boxes ? 2 * BYTES : BYTES);
            load(s[0], in, BYTES, &bar[0]);
            load(s[1], in + N, BYTES, &bar[0]); // two_boxes_one_expected
        }
        wait(&bar[0], 0);
        sum = s[0][t] + s[1][t];
    }
    if constexpr (W == one_waits || W == one_waits_alone) {
        if (t == 0) {
            expect(&bar[0], BYTES);
            load(s[0], in, BYTES, &bar[0]);
            wait(&bar[0], 0);
        }
        if (W == one_waits)
            __syncthreads();
        sum = s[0][t]; // one_waits_alone
    }
    if constexpr (W == through_shared || W == through_shared_fence_first || W == through_shared_fence_of_global) {
        if (W == through_shared_fence_first)
            ptx::fence_proxy_async(ptx::space_shared);
        s[0][t] = in[t]; // through_shared_fence_first through_shared_fence_of_global
        s[0][t + 64] = in[t + 64];
        if (W == through_shared)
            ptx::fence_proxy_async(ptx::space_shared);
        if (W == through_shared_fence_of_global)
            ptx::fence_proxy_async(ptx::space_global);
        __syncthreads();
        if (t == 0) {
            store_and_wait(out + N, s[0], false);
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
    }
    if constexpr (W == sums || W == sums_read_back || W == sums_source_kept || W == sums_source_reused) {
        s[0][t] = in[t];
        s[0][t + 64] = in[t + 64];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0) {
            store_and_wait(out + N, s[0], true);
            if (W == sums)
                ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
            else if (W != sums_source_reused)
                ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
            if (W == sums || W == sums_read_back)
                sum = out[N + 5]; // sums_read_back
            if (W == sums_source_kept || W == sums_source_reused)
                s[0][5] = 4; // sums_source_reused
            if (W == sums_source_reused)
                ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        }
    }
    if constexpr (W == bar_as_data || W == bar_as_data_valid) {
        if (t == 0) {
            expect(&bar[0], BYTES);
            load(s[0], in, BYTES, &bar[0]);
        }
        wait(&bar[0], 0);
        __syncthreads();
        if (t == 0) {
            if (W == bar_as_data)
                asm volatile("mbarrier.inval.shared.b64 [%0];" ::"r"((uint32_t)__cvta_generic_to_shared(&bar[0])) : "memory");
            bar[0] = 17;
            if (W == bar_as_data)
                ptx::mbarrier_init(&bar[0], 1);
        }
        __syncthreads();
        if (t == 0)
            ptx::mbarrier_arrive(&bar[0]);
        wait(&bar[0], 0);
        sum = s[0][t];
    }
    out[t] = sum;
}

/** Clusters of two blocks of 64 threads. */
template <what W> __global__ void __cluster_dims__(2) both(int *in, int *out)
{
    __shared__ __align__(128) int s[2][N];
    __shared__ __align__(16) uint64_t bar, back;
    auto cluster = cg::this_cluster();
    int t = threadIdx.x, sum = 0;
    unsigned rank = cluster.block_rank(), peer = rank ^ 1;
    if (t == 0) {
        ptx::mbarrier_init(&bar, W == arrives_behind_store || W == arrives_before_store ? 64 : 1);
        ptx::mbarrier_init(&back, 64);
        if (W == to_peer || W == to_peer_unwaited || W == to_peer_source_reused || W == multicast || W == words_to_peer || W == words_to_peer_early ||
            W == words_given_back || W == words_not_given_back)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, W == words_to_peer || W == words_to_peer_early || W == words_given_back || W == words_not_given_back ? 64 * 4 : BYTES);
        if (W == multicast_uninitialised)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, BYTES);
    }
    if (W != multicast_uninitialised)
        cluster.sync();
    uint64_t *their_bar = cluster.map_shared_rank(&bar, peer), *their_back = cluster.map_shared_rank(&back, peer);
    int *theirs = cluster.map_shared_rank(s[1], peer);
    if constexpr (W == to_peer || W == to_peer_unwaited || W == to_peer_source_reused) {
        s[0][t] = in[t];
        s[0][t + 64] = in[t + 64];
        ptx::fence_proxy_async(ptx::space_shared);
        __syncthreads();
        if (t == 0)
            ptx::cp_async_bulk(ptx::space_cluster, ptx::space_shared, theirs, s[0], BYTES, their_bar);
        if (W == to_peer_source_reused)
            s[0][t] = 9; // to_peer_source_reused
        if (W != to_peer_unwaited)
            wait(&bar, 0);
        sum = s[1][t]; // to_peer_unwaited
        cluster.sync();
        if (W == to_peer)
            s[0][t] = 9;
    }
    if constexpr (W == multicast || W == multicast_uninitialised) {
        if (t == 0 && rank == 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
                             "r"((uint32_t)__cvta_generic_to_shared(s[0])), "l"(in), "r"((int)BYTES), "r"((uint32_t)__cvta_generic_to_shared(&bar)),
                         "h"((uint16_t)3) // multicast_uninitialised
                         : "memory");
        wait(&bar, 0);
        sum = s[0][t];
        cluster.sync();
    }
    if constexpr (W == words_to_peer || W == words_to_peer_early || W == words_given_back || W == words_not_given_back) {
        ptx::st_async(&theirs[t], in[t], their_bar);
        if (W != words_to_peer_early)
            wait(&bar, 0);
        sum = s[1][63 - t]; // words_to_peer_early words_not_given_back
        if (W == words_given_back || W == words_not_given_back) { // a second round of the same stage
            if (W == words_given_back)
                ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, their_back);
            if (t == 0)
                ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 64 * 4);
            if (W == words_given_back)
                while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &back, 0))
                    ;
            else
                __syncthreads();
            ptx::st_async(&theirs[t], in[t + 64], their_bar);
            wait(&bar, 1);
            sum += s[1][63 - t];
        }
        cluster.sync();
    }
    if constexpr (W == counts_in_peers || W == counts_left || W == counts_not_zeroed) {
        s[0][t] = 0;
        if (W != counts_not_zeroed)
            cluster.sync();
        int *bins = cluster.map_shared_rank(s[0], in[t] & 1);
        atomicAdd(&bins[in[t + 1] & 63], 1); // counts_not_zeroed counts_left
        if (W == counts_left) {
            if (rank == 0)
                return;
            __syncthreads();
        } else {
            cluster.sync();
        }
        sum = s[0][t];
    }
    if constexpr (W == arrives_behind_store || W == arrives_before_store) {
        if (W == arrives_before_store)
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, their_bar);
        theirs[t] = in[t]; // arrives_before_store
        if (W == arrives_behind_store)
            ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, their_bar);
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, 0))
            ;
        sum = s[1][63 - t];
        cluster.sync();
    }
    out[64 * rank + t] = sum;
}

typedef void (*kernel_t)(int *, int *);
template <int W> static kernel_t pick(int which)
{
    if (W == which)
        return W < two_boxes ? ring<(what)W> : W < to_peer ? alone<(what)W> : both<(what)W>;
    return pick<W + 1>(which);
}
template <> kernel_t pick<COUNT>(int) { return nullptr; }

int main(int argc, char **argv)
{
    int *in, *out, which = 0;
    while (which < COUNT && (argc < 2 || strcmp(argv[1], names[which])))
        which++;
    if (which == COUNT)
        return 2;
    cudaMalloc(&in, ROUNDS * BYTES);
    cudaMalloc(&out, 2 * BYTES);
    cudaMemset(in, 0, ROUNDS * BYTES);
    cudaMemset(out, 0, 2 * BYTES);
    pick<0>(which)<<<which < to_peer ? 1 : 2, which < two_boxes ? 96 : 64>>>(in, out);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    return 0;
}
