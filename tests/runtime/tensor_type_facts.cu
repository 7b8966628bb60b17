// nvcc: -std=c++17 -arch=compute_90 -lcuda -w
// Copies by element type: what becomes of f32 bit patterns on their way into shared memory, back, and in sums, and what elements
// outside of a tensor are; one fact a line: the same program runs on a real GPU and on softgpu (tensor_type_facts.gpu.txt).
//
//   nvcc -std=c++17 -arch=compute_90 -cudart shared -lcuda -o tensor_type_facts tensor_type_facts.cu && ./tensor_type_facts
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#define N 64
static const unsigned patterns[] = {
    0x3f800000, 0x3f800fff, 0x3f801000, 0x3f801001, 0x3f802000, 0x3f802fff, 0x3f803000, 0x3f803001, 0xbf801000, 0xbf803000, 0x3fffffff,
    0x7f7fffff, 0x7f7ff000, 0x7f7fefff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001, 0x7f801000, 0x7fffffff, 0xffc01234,
    0x00000001, 0x00000fff, 0x00001000, 0x00001001, 0x00003000, 0x007fffff, 0x00400000, 0x80000001, 0x80001000, 0x807fffff, 0x00800000,
    0x00800fff, 0x00801000, 0x00000000, 0x80000000, 0x40490fdb, 0xc2f6e979};
#define COUNT (sizeof patterns / sizeof *patterns)

__device__ unsigned in_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void load(const __grid_constant__ CUtensorMap map, unsigned *out)
{
    __shared__ alignas(128) unsigned s[N];
    __shared__ alignas(8) unsigned long long bar;
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(in_shared(&bar)) : "memory");
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(in_shared(&bar)), "r"(N * 4) : "memory");
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];" ::"r"(in_shared(s)),
                 "l"(&map), "r"(0), "r"(in_shared(&bar)) : "memory");
    asm volatile("{ .reg .pred p;\n again: mbarrier.try_wait.parity.shared.b64 p, [%0], 0;\n @!p bra again; }" ::"r"(in_shared(&bar)) : "memory");
    for (int i = 0; i < N; i++)
        out[i] = s[i];
}

__global__ void store(const __grid_constant__ CUtensorMap map, const unsigned *in, int way)
{
    __shared__ alignas(128) unsigned s[N];
    for (int i = 0; i < N; i++)
        s[i] = in[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    if (way == 0)
        asm volatile("cp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%0, {%1}], [%2];" ::"l"(&map), "r"(0), "r"(in_shared(s)) : "memory");
    else
        asm volatile("cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.bulk_group [%0, {%1}], [%2];" ::"l"(&map), "r"(0), "r"(in_shared(s)) : "memory");
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
}

__global__ void add(unsigned *out, const unsigned *in)
{
    __shared__ alignas(128) unsigned s[N];
    for (int i = 0; i < N; i++)
        s[i] = in[i];
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" ::"l"(out), "r"(in_shared(s)), "r"(N * 4) : "memory");
    asm volatile("cp.async.bulk.commit_group;\n cp.async.bulk.wait_group 0;" ::: "memory");
}

static CUtensorMap map;
static CUresult encode(CUtensorMapDataType type, unsigned *at, unsigned count, CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
                       unsigned elements = N)
{
    cuuint64_t size[1] = {count}, strides[1] = {0};
    cuuint32_t box[1] = {elements}, steps[1] = {1};
    return cuTensorMapEncodeTiled(&map, type, 1, at, size, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                  CU_TENSOR_MAP_L2_PROMOTION_NONE, fill);
}

int main()
{
    unsigned host[N] = {0}, got[N], *a, *b;
    memcpy(host, patterns, sizeof patterns);
    cudaMalloc(&a, sizeof host), cudaMalloc(&b, sizeof host);
    for (int type : {7, 10, 11, 12}) { // float, float that flushes, tf32, tf32 that flushes
        cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
        cudaMemset(b, 0, sizeof host);
        printf("type %d: encode %d\n", type, (int)encode((CUtensorMapDataType)type, a, N));
        load<<<1, 1>>>(map, b);
        printf("load: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
        for (unsigned i = 0; i < COUNT; i++)
            printf("type %d loads %08x as %08x\n", type, host[i], got[i]);
        for (int way = 0; way < 2; way++) {
            cudaMemset(b, 0, sizeof host);
            encode((CUtensorMapDataType)type, b, N);
            store<<<1, 1>>>(map, a, way);
            printf("way %d: %s\n", way, cudaGetErrorName(cudaDeviceSynchronize()));
            cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
            for (unsigned i = 0; i < COUNT; i++)
                printf("type %d %s %08x as %08x\n", type, way ? "adds" : "stores", host[i], got[i]);
        }
        for (int fill = 0; fill < 2; fill++) {
            printf("encode %d\n", (int)encode((CUtensorMapDataType)type, a, 8, (CUtensorMapFloatOOBfill)fill));
            load<<<1, 1>>>(map, b);
            printf("load: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
            cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
            printf("type %d fills %d with %08x\n", type, fill, got[9]);
        }
    }
    for (int type : {6, 9, 8}) {
        printf("type %d: encode %d\n", type, (int)encode((CUtensorMapDataType)type, a, 8, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA, type == 8 ? N / 2 : N * 2));
        load<<<1, 1>>>(map, b);
        printf("load: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
        cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
        printf("type %d fills with %08x %08x\n", type, got[20], got[21]);
    }
    cudaMemset(b, 0, sizeof host);
    add<<<1, 1>>>(b, a);
    printf("add: %s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < COUNT; i++)
        printf("a bulk copy adds %08x as %08x\n", host[i], got[i]);
}
