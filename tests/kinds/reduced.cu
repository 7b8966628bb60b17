// Bulk copies of several blocks that add to the same words: whoever has waited for one has not waited for the others. Each mistake beside its right
// twin.
//
// arch compute_90
//
// case all_awaited expect=silent
// case one_elsewhere expect=data-race
// case sums_complete expect=silent
// case sums_read expect=data-race
// case last_complete expect=data-race
#include <cooperative_groups.h>
#include <cuda/ptx>

#include <cstring>

#include "check.h"

#define N 32
#define BLOCKS 4
#define BYTES (N * (int)sizeof(int))

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
enum what { ALL, ELSEWHERE, COMPLETE, READ, LAST };
static const char *const names[] = {"all_awaited", "one_elsewhere", "sums_complete", "sums_read", "last_complete"};

/** Each block of a cluster adds its row to the first one's, and tells that one's barrier. ELSEWHERE: one tells a barrier that nobody asks. */
template <what W> __global__ void __cluster_dims__(BLOCKS) to_first(int *out)
{
    __shared__ alignas(16) int sum[N], mine[N];
    __shared__ uint64_t full, other;
    auto all = cg::this_cluster();
    int t = threadIdx.x, rank = all.block_rank();
    sum[t] = 0;
    mine[t] = rank + t;
    if (t == 0) {
        ptx::mbarrier_init(&full, 1);
        ptx::mbarrier_init(&other, 1);
        if (rank == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, &full, (W == ELSEWHERE ? BLOCKS - 1 : BLOCKS) * BYTES);
    }
    ptx::fence_proxy_async();
    all.sync();
    if (t == 0) {
        uint64_t *told = W == ELSEWHERE && rank == 2 ? &other : &full;
        ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, ptx::op_add, all.map_shared_rank(sum, 0), mine, BYTES, // one_elsewhere
                                  all.map_shared_rank(told, 0));
    }
    if (rank == 0) {
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &full, 0))
            ;
        out[t] = sum[t]; // one_elsewhere
    }
    all.sync();
}

/** Blocks add to one row, and the last looks at it. READ: none waits for more than that its row is free. LAST: only that block does. */
template <what W> __global__ void last_block(int *sum, unsigned *done, int *out)
{
    __shared__ alignas(16) int mine[N];
    __shared__ bool last;
    int t = threadIdx.x;
    mine[t] = blockIdx.x + t;
    ptx::fence_proxy_async(ptx::space_shared);
    __syncthreads();
    if (t == 0) {
        ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, sum, mine, BYTES); // sums_read, last_complete
        ptx::cp_async_bulk_commit_group();
        if (W == COMPLETE)
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
        else
            ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
        __threadfence();
        last = atomicAdd(done, 1) == gridDim.x - 1;
        __threadfence();
        if (W == LAST && last)
            ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
    }
    __syncthreads();
    if (last)
        out[t] = sum[t]; // sums_read, last_complete
}

int main(int argc, char **argv)
{
    int *sum, *out, which = 0;
    unsigned *done;
    while (argc < 2 || strcmp(argv[1], names[which]))
        which++;
    CHECK(!cudaMalloc(&sum, BYTES) && !cudaMalloc(&out, BYTES) && !cudaMalloc(&done, sizeof *done));
    cudaMemset(sum, 0, BYTES);
    cudaMemset(done, 0, sizeof *done);
    if (which <= ELSEWHERE)
        (which == ALL ? to_first<ALL> : to_first<ELSEWHERE>)<<<BLOCKS, N>>>(out);
    else
        (which == COMPLETE ? last_block<COMPLETE> : which == READ ? last_block<READ> : last_block<LAST>)<<<BLOCKS, N>>>(sum, done, out);
    int got[N];
    CHECK(!cudaMemcpy(got, out, BYTES, cudaMemcpyDeviceToHost));
    for (int i = 0; i < N && (which == ALL || which == COMPLETE); i++)
        CHECK(got[i] == 6 + BLOCKS * i);
    cudaFree(sum);
    cudaFree(out);
    cudaFree(done);
    return 0;
}
