// Fences that order shared memory only (.sync_restrict, PTX ISA 9.7.13.4): they are taken for whole ones, which a line of kind
// incomplete says. Each beside its twin without one.
//
// arch compute_90
//
// case released_restricted expect=silent incomplete=sync_restrict
// case released_not expect=data-race
// case bulk_restricted expect=silent incomplete=sync_restrict
// case bulk_not_fenced expect=data-race says=fence.proxy.async
// case whole_fences expect=silent complete
#include <cstring>
#include <cuda_runtime.h>

enum { N = 32 };

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/** Each block reads what the other has stored in its shared memory. */
__global__ void __cluster_dims__(2) meet(int *out, int fence)
{
    __shared__ int value;
    unsigned rank, other;
    int got;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(at(&value)), "r"(rank ^ 1));
    value = 40 + (int)rank;
    if (fence == 1)
        asm volatile("fence.release.sync_restrict::shared::cta.cluster;" ::: "memory");
    if (fence == 2)
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive.relaxed;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(got) : "r"(other) : "memory"); // released_not
    if (fence == 1)
        asm volatile("fence.acquire.sync_restrict::shared::cluster.cluster;" ::: "memory");
    asm volatile("barrier.cluster.arrive;" ::: "memory");
    asm volatile("barrier.cluster.wait;" ::: "memory");
    out[rank] = got;
}

__global__ void bulk(int *out, bool fence)
{
    __shared__ __align__(128) int tile[N];
    tile[threadIdx.x] = (int)threadIdx.x;
    if (fence)
        asm volatile("fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out), "r"(at(tile)), "r"((int)sizeof tile) : "memory"); // bulk_not_fenced
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

int main(int argc, char **argv)
{
    auto is = [&](const char *n) { return strcmp(argv[1], n) == 0; };
    int *out, host[N];
    cudaMalloc(&out, sizeof host);
    cudaMemset(out, 0, sizeof host);
    if (is("released_restricted") || is("released_not") || is("whole_fences"))
        meet<<<2, 1>>>(out, is("released_not") ? 0 : is("whole_fences") ? 2 : 1);
    else
        bulk<<<1, N>>>(out, is("bulk_restricted"));
    cudaError_t e = cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    bool right = is("bulk_restricted") ? host[N - 1] == N - 1 : is("released_not") || is("bulk_not_fenced") || (host[0] == 41 && host[1] == 40);
    return e || !right;
}
