// fence.proxy.async with a state space: it is for plain accesses of that space only. Each mistake beside its right twin.
//
// nvcc: -std=c++17 -arch=compute_90 -w
//
// case load_fence_global expect=silent
// case load_fence_all expect=silent
// case load_fence_both expect=silent
// case load_fence_shared expect=data-race says=for.another.state.space
// case load_no_fence expect=data-race says=no.fence.proxy.async.stands
// case load_fence_global_by_issuer expect=silent
// case load_fence_shared_by_issuer expect=data-race says=for.another.state.space
// case store_fence_shared expect=silent
// case store_fence_cluster expect=silent
// case store_fence_all expect=silent
// case store_fence_global expect=data-race
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum { N = 64, BYTES = N * sizeof(int) };
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

enum fence { NONE, ALL, GLOBAL, SHARED, CLUSTER, BOTH };
__device__ void fence_proxy(int which)
{
    if (which == ALL)
        asm volatile("fence.proxy.async;" ::: "memory");
    if (which == GLOBAL || which == BOTH)
        asm volatile("fence.proxy.async.global;" ::: "memory");
    if (which == SHARED || which == BOTH)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    if (which == CLUSTER)
        asm volatile("fence.proxy.async.shared::cluster;" ::: "memory");
}

/** Plain stores to global memory, a barrier, a bulk load of what they wrote. */
__global__ void load(int *memory, int *out, int before, int after)
{
    __shared__ alignas(16) int s[N];
    __shared__ alignas(8) unsigned long long bar;
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)) : "memory");
    __syncthreads();
    memory[threadIdx.x] = threadIdx.x;
    fence_proxy(before);
    __syncthreads();
    if (threadIdx.x == 0) {
        fence_proxy(after);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"((int)BYTES) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(at(s)), "l"(memory),
                     "r"((int)BYTES), "r"(at(&bar)) : "memory"); // load_fence_shared load_no_fence load_fence_shared_by_issuer
    }
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;\n}" ::"r"(at(&bar)) : "memory");
    out[threadIdx.x] = s[threadIdx.x];
}

/** Plain stores to shared memory, a barrier, a bulk store of what they wrote. */
__global__ void store(int *memory, int before)
{
    __shared__ alignas(16) int s[N];
    s[threadIdx.x] = threadIdx.x;
    fence_proxy(before);
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(memory), "r"(at(s)), "r"((int)BYTES) : "memory"); // store_fence_global
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        bool stores;
        int before, after;
    } cases[] = {{"load_fence_global", false, GLOBAL, NONE}, {"load_fence_all", false, ALL, NONE}, {"load_fence_both", false, BOTH, NONE},
                 {"load_fence_shared", false, SHARED, NONE}, {"load_no_fence", false, NONE, NONE},
                 {"load_fence_global_by_issuer", false, NONE, GLOBAL}, {"load_fence_shared_by_issuer", false, NONE, SHARED},
                 {"store_fence_shared", true, SHARED, NONE}, {"store_fence_cluster", true, CLUSTER, NONE},
                 {"store_fence_all", true, ALL, NONE}, {"store_fence_global", true, GLOBAL, NONE}};
    int *memory, *out;
    cudaMalloc(&memory, BYTES);
    cudaMalloc(&out, BYTES);
    for (auto &c : cases)
        if (!strcmp(c.name, argv[1]) && c.stores)
            store<<<1, N>>>(memory, c.before);
        else if (!strcmp(c.name, argv[1]))
            load<<<1, N>>>(memory, out, c.before, c.after);
    cudaError_t e = cudaDeviceSynchronize();
    cudaFree(memory);
    cudaFree(out);
    return e != cudaSuccess;
}
