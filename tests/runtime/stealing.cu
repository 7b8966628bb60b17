// nvcc: -std=c++17 -w -gencode arch=compute_100f,code=compute_100f -gencode arch=compute_120f,code=compute_120f
// Blocks that do the work of others of their grid which have not begun: libcu++'s loop in one to three dimensions, in a grid that fits and in one
// that does not, and whole clusters by hand, with one answer for all blocks of a cluster. Each block's work is done exactly once.
#include <cooperative_groups.h>
#include <cuda/ptx>
#include <cuda/work_stealing>

#include "check.cuh"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

__device__ int begun; /* blocks that were not taken over */

template <int D> __global__ void count(int *done)
{
    if (threadIdx.x == 0)
        atomicAdd(&begun, 1);
    cuda::for_each_canceled_block<D>([=](dim3 b) {
        unsigned block = D == 1 ? b.x : D == 2 ? b.y * gridDim.x + b.x : (b.z * gridDim.y + b.y) * gridDim.x + b.x;
        done[block * blockDim.x + threadIdx.x] += block + 1;
    });
}

template <int D> static void counted(dim3 grid, int *done, bool some_taken)
{
    int blocks = (int)(grid.x * grid.y * grid.z), zero = 0, ran;
    memset(done, 0, blocks * 32 * sizeof *done);
    OK(cudaMemcpyToSymbol(begun, &zero, sizeof zero));
    count<D><<<grid, 32>>>(done);
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpyFromSymbol(&ran, begun, sizeof ran));
    CHECK(ran >= 1 && ran <= blocks && (!some_taken || ran < blocks));
    for (int i = 0; i < blocks * 32; i++)
        CHECK(done[i] == i / 32 + 1);
}

/* One thread of a cluster's first block asks for all of them; each block waits at its own barrier. */
__global__ void __cluster_dims__(2, 2, 1) pairs(int *done, int *answers)
{
    __shared__ alignas(16) unsigned long long answer[2];
    __shared__ uint64_t bar;
    cg::cluster_group cluster = cg::this_cluster();
    dim3 inside = cluster.block_index(), first(blockIdx.x - inside.x, blockIdx.y - inside.y);
    if (threadIdx.x == 0) {
        ptx::mbarrier_init(&bar, 1);
        ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    }
    cluster.sync();
    for (int phase = 0;; phase ^= 1) {
        if (threadIdx.x == 0)
            ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &bar, 16);
        cluster.sync();
        if (cluster.block_rank() == 0 && threadIdx.x == 0)
            asm volatile("clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.multicast::cluster::all.b128 [%0], [%1];" ::"r"(
                             (unsigned)__cvta_generic_to_shared(answer)),
                         "r"((unsigned)__cvta_generic_to_shared(&bar))
                         : "memory");
        done[((first.y + inside.y) * gridDim.x + first.x + inside.x) * blockDim.x + threadIdx.x]++;
        while (!ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &bar, phase))
            ;
        int yes, x, y, z;
        asm volatile("{\n.reg .pred p;\n.reg .b128 q;\nmov.b128 q, {%4, %5};\n"
                     "clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 p, q;\nselp.s32 %0, 1, 0, p;\n"
                     "@p clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%1, %2, %3, _}, q;\n}"
                     : "=r"(yes), "=r"(x), "=r"(y), "=r"(z) : "l"(answer[0]), "l"(answer[1]));
        if (threadIdx.x == 0)
            atomicAdd(answers + yes, 1);
        if (!yes)
            break;
        first = dim3(x, y);
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        cluster.sync();
    }
    cluster.sync();
}

int main()
{
    int *done, *answers;
    const int many = 6000;
    OK(cudaMallocManaged(&done, many * 32 * sizeof *done));
    OK(cudaMallocManaged(&answers, 2 * sizeof *answers));
    counted<1>(7, done, false);
    counted<2>(dim3(5, 3), done, false);
    counted<3>(dim3(3, 2, 4), done, false);
    counted<1>(many, done, true); /* more than there is room for */

    memset(done, 0, 8 * 6 * 32 * sizeof *done);
    answers[0] = answers[1] = 0;
    pairs<<<dim3(8, 6), 32>>>(done, answers);
    cudaError_t e = cudaDeviceSynchronize();
    if (e == cudaSuccess) {
        for (int i = 0; i < 8 * 6 * 32; i++)
            CHECK(done[i] == 1);
        CHECK(answers[0] + answers[1] == 48);
    }
    OK(e);
    OK(cudaFree(done));
    OK(cudaFree(answers));
    puts("stealing: ok");
}
