// wgmma: what it reads in shared memory, and the registers that it fills. Each mistake beside its right twin.
//
// arch compute_90a
//
// case right expect=silent
// case right expect=silent options=--schedules=24
// case no_proxy_fence expect=data-race says=fence.proxy.async.*the.product.of.line
// case no_barrier expect=data-race says=before.the.product.of.line
// case not_waited expect=uninitialized-read says=wait_group
// case waited_for_too_few expect=uninitialized-read says=wait_group
// case waited_for_enough expect=silent
// case chained expect=silent
// case operand_overwritten expect=uninitialized-read says=still.reads
// case reused expect=silent
// case reused_early expect=data-race says=wgmma.wait_group
// case reused_after_own_wait expect=silent
// case reused_after_own_wait expect=silent options=--schedules=24
// case reused_by_a_fifth_warp expect=data-race
// case three_warps_wait expect=deadlock says=warp.group
// case tile_undefined expect=uninitialized-read
// case past_the_end expect=out-of-bounds
// case a_warp_left expect=warp-mask says=128.threads
// case no_fence expect=uninitialized-read says=wgmma.fence
// case sum_unset expect=uninitialized-read says=has.not.set
// case sum_begun expect=silent
// case half_a_warp expect=warp-mask also=deadlock
// case half_a_warp expect=warp-mask also=deadlock options=--schedules=24
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

enum way {
    RIGHT, NO_PROXY_FENCE, NO_BARRIER, NOT_WAITED, TOO_FEW, ENOUGH, CHAINED, OVERWRITTEN, REUSED, REUSED_EARLY, UNDEFINED, PAST_END,
    WARP_LEFT, HALF_A_WARP, NO_FENCE, OWN_WAIT, FIFTH_WARP, THREE_WARPS
};

__device__ uint64_t descriptor(const void *tile)   // no swizzle: leading 128 bytes, stride 256
{
    return (uint64_t)(256 / 16) << 32 | (uint64_t)(128 / 16) << 16 | ((uint32_t)__cvta_generic_to_shared(tile) & 0x3ffff) >> 4;
}

__device__ __forceinline__ void product(float d[4], uint64_t a, uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "l"(a), "l"(b) : "memory");
}
__device__ __forceinline__ void product(float d[4], const uint32_t a[4], uint64_t b)
{
    asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, {%4,%5,%6,%7}, %8, 1, 1, 1, 0;"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b) : "memory");
}
__device__ __forceinline__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ __forceinline__ void commit() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
template <int LEFT> __device__ __forceinline__ void wait() { asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(LEFT) : "memory"); }

// The first product of a sum leaves out what d holds (scale-d), as CUTLASS's do: nobody need have set it.
__global__ void sum(const uint32_t *in, float *out, int adds)
{
    __shared__ __align__(128) uint32_t a[512], b[64];
    float d[4];
    for (int i = threadIdx.x; i < 512; i += 128)
        a[i] = in[i];
    if (threadIdx.x < 64)
        b[threadIdx.x] = in[threadIdx.x];
    asm volatile("fence.proxy.async;" ::: "memory");
    __syncthreads();
    fence();
    for (int i = 0; i < 2; i++)
        asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.b32 p, %6, 0;\n\t"
                     "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, p, 1, 1, 0, 0;\n\t}"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "l"(descriptor(a)), "l"(descriptor(b)), "r"(adds + i) : "memory");
    commit();
    asm volatile("wgmma.wait_group.sync.aligned 0;" : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])::"memory");
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}

template <way WAY>
__global__ void kernel(const uint32_t *in, float *out)
{
    __shared__ __align__(128) uint32_t a[512], b[64];
    float d[4] = {0}, e[4] = {0};
    uint32_t x[4] = {in[0], in[1], in[2], in[3]};
    for (int i = threadIdx.x; i < 512; i += 128)
        if (WAY != UNDEFINED || i < 500)
            a[i] = in[i];
    if (threadIdx.x < 64)
        b[63 - threadIdx.x] = in[threadIdx.x];
    if (WAY != NO_PROXY_FENCE)
        asm volatile("fence.proxy.async;" ::: "memory");
    if (WAY != NO_BARRIER)
        __syncthreads();
    if (WAY == WARP_LEFT && threadIdx.x >= 96)
        return;
    if (WAY == HALF_A_WARP && threadIdx.x % 32 >= 16) {
        out[threadIdx.x] = 1;
        return;
    }
    if (WAY == FIFTH_WARP && threadIdx.x >= 128) {
        a[threadIdx.x] = 0;
        return;
    }
    if (WAY == THREE_WARPS && threadIdx.x >= 96)
        __syncthreads();
    if (WAY != NO_FENCE)
        fence();
    if (WAY == OVERWRITTEN)
        product(d, x, descriptor(b));
    else
        product(d, descriptor(a), descriptor(b) + (WAY == PAST_END ? 1 << 12 : 0));
    if (WAY == CHAINED)
        product(d, descriptor(a), descriptor(b));
    commit();
    if (WAY == TOO_FEW || WAY == ENOUGH) {
        product(e, descriptor(a), descriptor(b));
        commit();
        wait<1>();
        out[256 + threadIdx.x] = d[0] + d[1];
        if (WAY == TOO_FEW)
            out[384 + threadIdx.x] = e[0] + e[1];
        wait<0>();
        if (WAY == ENOUGH)
            out[384 + threadIdx.x] = e[0] + e[1];
    }
    if (WAY == NOT_WAITED)
        out[128 + threadIdx.x] = d[0] + d[1];
    if (WAY == OVERWRITTEN)
        asm volatile("add.u32 %0, %0, 1;" : "+r"(x[0]));
    if (WAY == REUSED_EARLY)
        a[threadIdx.x] = 0;
    wait<0>();
    if (WAY == REUSED) {
        __syncthreads();
        a[threadIdx.x] = 0;
    }
    if (WAY == OWN_WAIT) {
        for (int i = threadIdx.x; i < 512; i += 128) // rows of all four warps
            a[i] = 0;
        if (threadIdx.x < 64)
            b[threadIdx.x] = 0;
    }
    if (WAY == THREE_WARPS && threadIdx.x < 96)
        __syncthreads();
    out[threadIdx.x] = d[0] + d[1] + d[2] + d[3] + x[0];
}

int main(int argc, char **argv)
{
    static const struct { const char *name; void (*kernel)(const uint32_t *, float *); } cases[] = {
        {"right", kernel<RIGHT>}, {"no_proxy_fence", kernel<NO_PROXY_FENCE>}, {"no_barrier", kernel<NO_BARRIER>},
        {"not_waited", kernel<NOT_WAITED>}, {"waited_for_too_few", kernel<TOO_FEW>}, {"waited_for_enough", kernel<ENOUGH>},
        {"chained", kernel<CHAINED>}, {"operand_overwritten", kernel<OVERWRITTEN>}, {"reused", kernel<REUSED>},
        {"reused_early", kernel<REUSED_EARLY>}, {"tile_undefined", kernel<UNDEFINED>}, {"past_the_end", kernel<PAST_END>},
        {"a_warp_left", kernel<WARP_LEFT>}, {"half_a_warp", kernel<HALF_A_WARP>},
        {"no_fence", kernel<NO_FENCE>}, {"reused_after_own_wait", kernel<OWN_WAIT>}, {"reused_by_a_fifth_warp", kernel<FIFTH_WARP>},
        {"three_warps_wait", kernel<THREE_WARPS>}};
    static uint32_t host[512];
    uint32_t *in;
    float *out;
    for (int i = 0; i < 512; i++)
        host[i] = 0x3c003c00 + i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, 512 * sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    for (auto &c : cases)
        if (argc > 1 && !strcmp(argv[1], c.name))
            c.kernel<<<1, c.kernel == kernel<FIFTH_WARP> ? 160 : 128>>>(in, out);
    if (argc > 1 && !strncmp(argv[1], "sum_", 4))
        sum<<<1, 128>>>(in, out, !strcmp(argv[1], "sum_unset"));
    cudaError_t e = cudaDeviceSynchronize();
    if (e != cudaSuccess)
        printf("%s\n", cudaGetErrorString(e));
    cudaFree(in);
    cudaFree(out);
    return 0;
}
