// Allocation in stream order, and memory pools.
#include "check.cuh"

__global__ void add(int *x, int v) { x[threadIdx.x] += v; }

int main()
{
    cudaStream_t s;
    cudaMemPool_t pool, mine;
    OK(cudaStreamCreate(&s));
    for (int i = 0; i < 20; i++) {
        int *p, got[32];
        OK(cudaMallocAsync(&p, 32 * 4, s));
        OK(cudaMemsetAsync(p, 0, 32 * 4, s));
        add<<<1, 32, 0, s>>>(p, i);
        OK(cudaMemcpyAsync(got, p, 32 * 4, cudaMemcpyDeviceToHost, s));
        OK(cudaFreeAsync(p, s));
        OK(cudaStreamSynchronize(s));
        CHECK(got[31] == i);
        GIVES(cudaFreeAsync(p, s), cudaErrorInvalidValue);
    }
    OK(cudaDeviceGetDefaultMemPool(&pool, 0));
    unsigned long long used = 1, high = 0;
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
    OK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high));
    CHECK(used == 0 && high >= 128);
    used = ~0ull;
    OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &used));
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    OK(cudaMemPoolCreate(&mine, &props));
    int *p, got;
    OK(cudaMallocFromPoolAsync((void **)&p, 128, mine, s));
    OK(cudaMemsetAsync(p, 0, 128, s));
    add<<<1, 32, 0, s>>>(p, 3);
    OK(cudaMemcpyAsync(&got, p, 4, cudaMemcpyDeviceToHost, s));
    OK(cudaStreamSynchronize(s));
    CHECK(got == 3);
    OK(cudaMemPoolGetAttribute(mine, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(used == 128);
    OK(cudaFree(p)); // cudaFree takes it, too
    // An H200 goes on counting what was freed so, and not what cudaFreeAsync() has freed.
    OK(cudaMemPoolDestroy(mine));
    puts("pools ok");
    return 0;
}
