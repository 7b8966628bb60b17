// Tensor maps that kernels change, and the fence of the tensormap proxy. Each mistake beside its right twin.
//
// nvcc: -gencode arch=compute_90a,code=compute_90a -lcuda
//
// case copied expect=silent
// case replaced expect=silent
// case not_released expect=data-race says=generic.release
// case not_acquired expect=data-race says=generic.acquire
// case other_acquired expect=data-race says=generic.acquire
// case copied_not_acquired expect=data-race says=generic.acquire
// case not_together expect=data-race
// case half_a_warp expect=warp-mask
// case between_blocks expect=silent
// case released_for_block expect=data-race says=generic.release
// case acquired_from_block expect=data-race says=generic.acquire
// case by_a_neighbour expect=silent
// case changed_again expect=data-race says=copy
// case changed_after_wait expect=silent
// case others_at_null expect=out-of-bounds level=warning says=no.global.memory
// case null_only expect=data-race also=out-of-bounds says=generic.acquire
// case at_nothing expect=out-of-bounds status=3 says=no.device.memory
// case no_map expect=unsupported says=no.tensor.map
// case odd_stride expect=unsupported says=do.not.fit
// case as_parameter expect=silent
// case as_copy expect=trap says=local.memory.*__grid_constant__ status=3
// case as_shared expect=trap says=shared.memory.*__grid_constant__ status=3
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__device__ alignas(128) CUtensorMap stage[2];
__device__ unsigned flag;
__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void put(CUtensorMap *to, const CUtensorMap *from)
{
    for (int i = 0; i < 16; i++)
        ((unsigned long long *)to)[i] = ((const unsigned long long *)from)[i];
}

__device__ void address_in_shared(CUtensorMap *map, const void *to)
{
    asm volatile("tensormap.replace.tile.global_address.shared::cta.b1024.b64 [%0], %1;" ::"l"(__cvta_generic_to_shared(map)), "l"(to)
                 : "memory");
}

__device__ void address_in_global(CUtensorMap *map, const void *to)
{
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(to) : "memory");
}

#define RELEASE(scope) asm volatile("fence.proxy.tensormap::generic.release." scope ";" ::: "memory")
#define ACQUIRE(scope, map) asm volatile("fence.proxy.tensormap::generic.acquire." scope " [%0], 128;" ::"l"(map) : "memory")
#define COPY(to, from)                                                                                                                \
    asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(to), \
                 "r"(at(from)) : "memory")

/** One thread's copy by `map`; waits for it, unless told not to. */
__device__ void fetch(const CUtensorMap *map, int *s, unsigned long long *bar, bool waits = true)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(bar)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 128;" ::"r"(at(bar)) : "memory");
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(at(s)),
                 "l"(map), "r"(0), "r"(at(bar)) : "memory"); // not_released not_acquired other_acquired copied_not_acquired null_only released_for_block acquired_from_block odd_stride
    while (waits) {
        int done;
        asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n selp.b32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at(bar)) : "memory");
        if (done)
            break;
    }
}

#define SHARED                                                                                                                        \
    __shared__ alignas(128) int s[32];                                                                                                \
    __shared__ alignas(128) CUtensorMap map;                                                                                          \
    __shared__ alignas(8) unsigned long long bar;                                                                                     \
    (void)map

/** In shared memory by one thread, to global memory by the warp. */
__global__ void through_shared(const __grid_constant__ CUtensorMap start, const int *in, int *out, bool together, int lanes, bool acquired)
{
    SHARED;
    if (threadIdx.x == 0) {
        put(&map, &start);
        address_in_shared(&map, in);
    }
    if (together)
        __syncwarp();
    if (threadIdx.x < lanes)
        COPY(&stage[0], &map); // not_together half_a_warp
    if (acquired)
        ACQUIRE("gpu", &stage[0]);
    if (threadIdx.x == 0) {
        fetch(&stage[0], s, &bar);
        *out = s[3];
    }
}

/** In global memory, by one thread. */
__global__ void in_global(const __grid_constant__ CUtensorMap start, const int *in, int *out, bool released, const CUtensorMap *acquired)
{
    SHARED;
    put(&stage[1], &start);
    put(&stage[0], &start);
    address_in_global(&stage[0], in);
    if (released)
        RELEASE("gpu");
    if (acquired)
        ACQUIRE("gpu", acquired);
    fetch(&stage[0], s, &bar);
    *out = s[3];
}

/** One block changes the map, another copies by it. */
template <int RELEASED, int ACQUIRED> __global__ void two_blocks(const __grid_constant__ CUtensorMap start, const int *in, int *out)
{
    SHARED;
    if (blockIdx.x == 0) {
        put(&stage[0], &start);
        address_in_global(&stage[0], in);
        if (RELEASED)
            RELEASE("gpu");
        else
            RELEASE("cta");
        __threadfence();
        atomicExch(&flag, 1);
    } else {
        while (!atomicAdd(&flag, 0))
            ;
        __threadfence();
        if (ACQUIRED)
            ACQUIRE("gpu", &stage[0]);
        else
            ACQUIRE("cta", &stage[0]);
        fetch(&stage[0], s, &bar);
        *out = s[3];
    }
}

/** One thread changes and releases it, a second acquires it, a third copies. */
__global__ void three_threads(const __grid_constant__ CUtensorMap start, const int *in, int *out)
{
    SHARED;
    if (threadIdx.x == 0) {
        put(&stage[0], &start);
        address_in_global(&stage[0], in);
        RELEASE("cta");
    }
    __syncthreads();
    if (threadIdx.x == 40)
        ACQUIRE("cta", &stage[0]);
    __syncthreads();
    if (threadIdx.x == 70) {
        fetch(&stage[0], s, &bar);
        *out = s[3];
    }
}

/** Only warp 0 has the map, and all acquire what they have (CUTLASS's grouped products): at null there is nothing to acquire, and a GPU
 *  goes on. What is no memory at all is left as a fault. */
__global__ void each_its_own(const __grid_constant__ CUtensorMap start, const int *in, int *out, const CUtensorMap *mine,
                             const CUtensorMap *others)
{
    SHARED;
    bool first = threadIdx.x < 32;
    if (threadIdx.x == 0) {
        put(&stage[0], &start);
        address_in_global(&stage[0], in);
        RELEASE("gpu");
    }
    if (first)
        __syncwarp();
    ACQUIRE("gpu", first ? mine : others); // others_at_null at_nothing
    if (threadIdx.x == 0) {
        fetch(&stage[0], s, &bar);
        *out = s[3];
    }
}

/** Twice; the first copy may still be reading the map. */
__global__ void again(const __grid_constant__ CUtensorMap start, const int *in, int *out, bool waits)
{
    SHARED;
    __shared__ alignas(8) unsigned long long second;
    put(&stage[0], &start);
    RELEASE("gpu");
    ACQUIRE("gpu", &stage[0]);
    fetch(&stage[0], s, &bar, waits);
    address_in_global(&stage[0], in); // changed_again
    RELEASE("gpu");
    ACQUIRE("gpu", &stage[0]);
    __shared__ alignas(128) int other[32];
    fetch(&stage[0], other, &second);
    *out = other[3];
}

__global__ void nothing_there(const int *in)
{
    SHARED;
    for (int i = 0; i < 16; i++)
        ((unsigned long long *)&map)[i] = 5;
    address_in_shared(&map, in); // no_map
}

__global__ void bad_stride(const __grid_constant__ CUtensorMap start, const int *in)
{
    SHARED;
    put(&stage[0], &start);
    asm volatile("tensormap.replace.tile.rank.global.b1024.b32 [%0], 1;" ::"l"(stage) : "memory");
    asm volatile("tensormap.replace.tile.box_dim.global.b1024.b32 [%0], 1, 1;" ::"l"(stage) : "memory");
    asm volatile("tensormap.replace.tile.element_stride.global.b1024.b32 [%0], 1, 1;" ::"l"(stage) : "memory");
    asm volatile("tensormap.replace.tile.global_stride.global.b1024.b64 [%0], 0, 40;" ::"l"(stage) : "memory");
    RELEASE("gpu");
    ACQUIRE("gpu", &stage[0]);
    fetch(&stage[0], s, &bar);
}

__global__ void as_parameter(const __grid_constant__ CUtensorMap given, int *out)
{
    SHARED;
    fetch(&given, s, &bar);
    *out = s[3];
}

/** A parameter whose address is taken is copied to local memory. */
__global__ void as_copy(const CUtensorMap given, int *out)
{
    SHARED;
    fetch(&given, s, &bar); // as_copy
    *out = s[3];
}

__global__ void as_shared(const __grid_constant__ CUtensorMap start, int *out)
{
    SHARED;
    put(&map, &start);
    fetch(&map, s, &bar); // as_shared
    *out = s[3];
}

int main(int argc, char **argv)
{
    const char *name = argv[1];
    int *memory, *out, host[64];
    alignas(64) CUtensorMap map;
    cuuint64_t size = 64, stride = 256;
    cuuint32_t box = 32, step = 1;
    for (int i = 0; i < 64; i++)
        host[i] = i;
    cudaMalloc(&memory, sizeof host);
    cudaMalloc(&out, 4);
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    if (cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 1, memory, &size, &stride, &box, &step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        return 1;
    auto is = [&](const char *n) { return strcmp(name, n) == 0; };
    CUtensorMap *maps;
    cudaGetSymbolAddress((void **)&maps, stage);
    const int *in = memory + 4;
    if (is("copied") || is("not_together") || is("half_a_warp") || is("copied_not_acquired"))
        through_shared<<<1, 32>>>(map, in, out, !is("not_together"), is("half_a_warp") ? 16 : 32, !is("copied_not_acquired"));
    else if (is("replaced") || is("not_released") || is("not_acquired") || is("other_acquired"))
        in_global<<<1, 1>>>(map, in, out, !is("not_released"), is("not_acquired") ? NULL : &maps[is("other_acquired")]);
    else if (is("between_blocks"))
        two_blocks<1, 1><<<2, 1>>>(map, in, out);
    else if (is("released_for_block"))
        two_blocks<0, 1><<<2, 1>>>(map, in, out);
    else if (is("acquired_from_block"))
        two_blocks<1, 0><<<2, 1>>>(map, in, out);
    else if (is("by_a_neighbour"))
        three_threads<<<1, 96>>>(map, in, out);
    else if (is("changed_again") || is("changed_after_wait"))
        again<<<1, 1>>>(map, in, out, is("changed_after_wait"));
    else if (is("others_at_null") || is("null_only") || is("at_nothing"))
        each_its_own<<<1, 64>>>(map, in, out, is("null_only") ? NULL : maps, (CUtensorMap *)(is("at_nothing") ? 1ull << 20 : 0));
    else if (is("as_parameter") || is("as_copy") || is("as_shared"))
        (is("as_parameter") ? as_parameter : is("as_copy") ? as_copy : as_shared)<<<1, 1>>>(map, out);
    else if (is("no_map"))
        nothing_there<<<1, 1>>>(in);
    else
        bad_stride<<<1, 1>>>(map, in);
    int got = 0;
    cudaError_t e = cudaMemcpy(&got, out, 4, cudaMemcpyDeviceToHost);
    printf("%s %d\n", cudaGetErrorName(e), got);
    cudaFree(memory);
    cudaFree(out);
    if (is("at_nothing"))
        return e == cudaErrorIllegalAddress ? 3 : 1;
    if (is("as_copy") || is("as_shared"))
        return e == cudaErrorIllegalInstruction ? 3 : 1;
    return e == cudaSuccess && !is("no_map") && !is("odd_stride") && got != (is("as_parameter") ? 3 : 7);
}
