// nvcc: -gencode arch=compute_90a,code=compute_90a
// A wgmma is one operation of the four warps of its group: a warp's wait ends when all have issued it, and all that it reads has been
// read. So a warp that has waited may overwrite what the others' rows are made of, too, as CUTLASS's kernels do whose result takes the place
// of the tiles. Here one warp comes late (by time; on a GPU the others' waits take as long), and each overwrites its share of both matrices.
#include <cstdint>
#include <cuda_runtime.h>

#include "check.cuh"

enum { THREADS = 128, WARPS = 4, A = 512, B = 64, PRODUCTS = 3, LATE = 20000 };

__device__ uint64_t descriptor(const void *tile) // no swizzle: leading 128 bytes, stride 256
{
    return (uint64_t)(256 / 16) << 32 | (uint64_t)(128 / 16) << 16 | ((uint32_t)__cvta_generic_to_shared(tile) & 0x3ffff) >> 4;
}

__device__ void come_late()
{
    for (long long t = clock64(); clock64() - t < LATE;)
        __nanosleep(100);
}

/** `left`: groups that the first wait leaves; then only tiles of the groups before them are overwritten, and the rest after the second. */
template <int LEFT> __global__ void multiply(const uint32_t *in, float *out, int late)
{
    __shared__ __align__(128) uint32_t a[PRODUCTS][A], b[PRODUCTS][B];
    float d[PRODUCTS][4] = {};
    for (int i = threadIdx.x; i < PRODUCTS * A; i += THREADS)
        a[0][i] = in[i % A];
    for (int i = threadIdx.x; i < PRODUCTS * B; i += THREADS)
        b[0][i] = in[i % B];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    if (threadIdx.x / 32 == late)
        come_late();
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#pragma unroll
    for (int i = 0; i < PRODUCTS; i++) {
        asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                     : "+f"(d[i][0]), "+f"(d[i][1]), "+f"(d[i][2]), "+f"(d[i][3])
                     : "l"(descriptor(a[i])), "l"(descriptor(b[i])) : "memory");
        asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    }
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory");
    for (int i = threadIdx.x; i < (PRODUCTS - LEFT) * A; i += THREADS)
        a[0][i] = 0;
    for (int i = threadIdx.x; i < (PRODUCTS - LEFT) * B; i += THREADS)
        b[0][i] = 0;
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    for (int i = threadIdx.x + (PRODUCTS - LEFT) * A; i < PRODUCTS * A; i += THREADS)
        a[0][i] = 0;
#pragma unroll
    for (int i = 0; i < PRODUCTS; i++)
        out[i * THREADS + threadIdx.x] = d[i][0] + d[i][1] + d[i][2] + d[i][3];
}

int main()
{
    static uint32_t host[A];
    static float sums[PRODUCTS * THREADS];
    uint32_t *in;
    float *out;
    for (int i = 0; i < A; i++)
        host[i] = 0x3c003c00; // two halves of 1
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMalloc(&out, sizeof sums));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    for (int late = 0; late <= WARPS; late++)
        for (int left = 0; left < 3; left++) {
            (left == 0 ? multiply<0> : left == 1 ? multiply<1> : multiply<2>)<<<1, THREADS>>>(in, out, late);
            OK(cudaMemcpy(sums, out, sizeof sums, cudaMemcpyDeviceToHost));
            for (int i = 0; i < PRODUCTS * THREADS; i++)
                if (sums[i] != 4 * 16) {
                    printf("warp %d late, %d groups left: thread %d has %g of product %d\n", late, left, i % THREADS, sums[i], i / THREADS);
                    return 1;
                }
        }
    OK(cudaFree(in));
    OK(cudaFree(out));
    printf("wgmma_together ok\n");
    return 0;
}
