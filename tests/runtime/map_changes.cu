// nvcc: -std=c++17 -gencode arch=compute_90a,code=compute_90a -lcuda -w
// Tensor maps that a kernel changes: what tensormap.replace makes of each field (PTX ISA 9.7.9.28), in shared memory with
// tensormap.cp_fenceproxy and in global memory with fences; and how swizzled boxes lie in shared memory. One box a line, each word
// the index of the element that came there. What is expected was recorded on an H200 (580.159.04, 2026-11-23), by
//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -lcuda -o map_changes map_changes.cu; for i in $(seq 0 40); do ./map_changes $i; done
// With a number, only that line and its twin in global memory: what a GPU does not take would end all that follows.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#define WORDS 2048

enum field { NOTHING, ADDRESS, RANK, BOX0, BOX1, DIM0, DIM1, STRIDE0, STRIDE1, STEP0, STEP1, TYPE, INTERLEAVE, SWIZZLE, FILL, ALL };

__device__ alignas(128) CUtensorMap stage[1];
__device__ unsigned in_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#define REPLACE(SPACE, SIZE, AT, FIELD, VALUE)                                                                                        \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024." SIZE " [%0], %1;" ::"l"(AT), "l"(VALUE) : "memory")
#define REPLACE_ORD(SPACE, SIZE, AT, FIELD, ORD, VALUE)                                                                               \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024." SIZE " [%0], " ORD ", %1;" ::"l"(AT), "l"(VALUE) : "memory")
#define REPLACE32(SPACE, AT, FIELD, VALUE)                                                                                            \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024.b32 [%0], %1;" ::"l"(AT), "r"((int)(VALUE)) : "memory")
#define REPLACE32_ORD(SPACE, AT, FIELD, ORD, VALUE)                                                                                   \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024.b32 [%0], " ORD ", %1;" ::"l"(AT), "r"((int)(VALUE)) : "memory")
#define REPLACE_NUMBER(SPACE, AT, FIELD, VALUE)                                                                                       \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024.b32 [%0], %1;" ::"l"(AT), "n"(VALUE) : "memory")
#define NUMBER(SPACE, AT, FIELD, N)                                                                                                   \
    case N:                                                                                                                           \
        REPLACE_NUMBER(SPACE, AT, FIELD, N);                                                                                          \
        break;

/** Fields whose values are written into the instruction. */
#define REPLACE_KIND(SPACE, AT, WHAT, V)                                                                                              \
    if (WHAT == TYPE)                                                                                                                 \
        switch (V) {                                                                                                                  \
            NUMBER(SPACE, AT, "elemtype", 0) NUMBER(SPACE, AT, "elemtype", 1) NUMBER(SPACE, AT, "elemtype", 2)                        \
            NUMBER(SPACE, AT, "elemtype", 3) NUMBER(SPACE, AT, "elemtype", 4) NUMBER(SPACE, AT, "elemtype", 5)                        \
            NUMBER(SPACE, AT, "elemtype", 6) NUMBER(SPACE, AT, "elemtype", 7) NUMBER(SPACE, AT, "elemtype", 8)                        \
            NUMBER(SPACE, AT, "elemtype", 9) NUMBER(SPACE, AT, "elemtype", 10) NUMBER(SPACE, AT, "elemtype", 11)                      \
            NUMBER(SPACE, AT, "elemtype", 12)                                                                                         \
        }                                                                                                                             \
    else if (WHAT == SWIZZLE)                                                                                                         \
        switch (V) {                                                                                                                  \
            NUMBER(SPACE, AT, "swizzle_mode", 0) NUMBER(SPACE, AT, "swizzle_mode", 1) NUMBER(SPACE, AT, "swizzle_mode", 2)            \
            NUMBER(SPACE, AT, "swizzle_mode", 3)                                                                                      \
        }                                                                                                                             \
    else if (WHAT == FILL)                                                                                                            \
        switch (V) {                                                                                                                  \
            NUMBER(SPACE, AT, "fill_mode", 0) NUMBER(SPACE, AT, "fill_mode", 1)                                                       \
        }

#define CHANGE(SPACE, AT, WHAT, V)                                                                                                    \
    switch (WHAT) {                                                                                                                   \
    case ADDRESS: REPLACE(SPACE, "b64", AT, "global_address", V); break;                                                              \
    case RANK: REPLACE32(SPACE, AT, "rank", V); break;                                                                                \
    case BOX0: REPLACE32_ORD(SPACE, AT, "box_dim", "0", V); break;                                                                    \
    case BOX1: REPLACE32_ORD(SPACE, AT, "box_dim", "1", V); break;                                                                    \
    case DIM0: REPLACE32_ORD(SPACE, AT, "global_dim", "0", V); break;                                                                 \
    case DIM1: REPLACE32_ORD(SPACE, AT, "global_dim", "1", V); break;                                                                 \
    case STRIDE0: REPLACE_ORD(SPACE, "b64", AT, "global_stride", "0", V); break;                                                      \
    case STRIDE1: REPLACE_ORD(SPACE, "b64", AT, "global_stride", "1", V); break;                                                      \
    case STEP0: REPLACE32_ORD(SPACE, AT, "element_stride", "0", V); break;                                                            \
    case STEP1: REPLACE32_ORD(SPACE, AT, "element_stride", "1", V); break;                                                            \
    case INTERLEAVE: REPLACE_NUMBER(SPACE, AT, "interleave_layout", 0); break;                                                        \
    default: REPLACE_KIND(SPACE, AT, WHAT, V)                                                                                         \
    }

__global__ void change(const __grid_constant__ CUtensorMap start, int what, long long v, bool shared, int rank, int x, int y, int bytes,
                       unsigned *out)
{
    __shared__ alignas(1024) unsigned s[WORDS];
    __shared__ alignas(128) CUtensorMap map;
    __shared__ alignas(8) unsigned long long bar;
    CUtensorMap *at = shared ? &map : stage;
    if (threadIdx.x == 0) {
        for (int i = 0; i < 16; i++)
            ((unsigned long long *)at)[i] = ((const unsigned long long *)&start)[i];
        if (shared) {
            CHANGE("shared::cta", __cvta_generic_to_shared(at), what, v)
        } else {
            CHANGE("global", at, what, v)
        }
        for (int i = 0; i < WORDS; i++)
            s[i] = ~0u;
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(in_shared(&bar)) : "memory");
    }
    __syncwarp();
    if (shared)
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;" ::"l"(stage),
                     "r"(in_shared(&map)) : "memory");
    else
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    __syncwarp();
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(stage) : "memory");
    if (threadIdx.x)
        return;
    asm volatile("fence.proxy.async;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(in_shared(&bar)), "r"(bytes) : "memory");
#define LOAD(dim, coordinates)                                                                                                        \
    asm volatile("cp.async.bulk.tensor." dim ".shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates "}], [%2];" \
                 ::"r"(in_shared(s)), "l"(stage), "r"(in_shared(&bar)), "r"(x), "r"(y) : "memory")
    if (rank == 1)
        LOAD("1d", "%3");
    else if (rank == 2)
        LOAD("2d", "%3, %4");
    else
        LOAD("3d", "%3, %4, %4");
    int done = 0;
    for (int i = 0; i < 100000 && !done; i++)
        asm volatile("{ .reg .pred p;\n mbarrier.try_wait.parity.shared.b64 p, [%1], 0;\n selp.b32 %0, 1, 0, p; }" : "=r"(done) : "r"(in_shared(&bar)) : "memory");
    out[0] = done;
    for (int i = 0; i < WORDS && done; i++)
        out[i + 1] = s[i];
}

static CUtensorMap map;
static unsigned *memory, *out;
static int only = -1, shown;

static void encode(CUtensorMapDataType type, unsigned rank, cuuint32_t box0, cuuint32_t box1,
                   CUtensorMapSwizzle swizzle = CU_TENSOR_MAP_SWIZZLE_NONE)
{
    cuuint64_t size[3] = {64, 32, 8}, stride[2] = {256, 8192};
    cuuint32_t box[3] = {box0, box1, 2}, step[3] = {1, 1, 1};
    CUresult r = cuTensorMapEncodeTiled(&map, type, rank, memory, size, stride, box, step, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                        swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    if (r)
        printf("encode: %d\n", (int)r);
}

static void show(const char *name, int what, long long v, int rank = 2, int bytes = 128, int x = 4, int y = 2)
{
    if (only >= 0 && shown++ != only)
        return;
    for (int shared = 1; shared >= 0; shared--) {
        static unsigned got[WORDS + 1];
        memset(got, 0, sizeof got);
        change<<<1, 32>>>(map, what, v, shared, rank, x, y, bytes, out);
        cudaError_t e = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        printf("%s%s: %s %s", name, shared ? "" : " in global memory", cudaGetErrorName(e), got[0] ? "" : "nothing came");
        int last = WORDS;
        while (last && got[last] == ~0u)
            last--;
        for (int i = 1; i <= last && got[0]; i++)
            printf(got[i] >> 16 ? " %x" : " %u", got[i]);
        printf("\n");
    }
}

int main(int argc, char **argv)
{
    if (argc > 1)
        only = atoi(argv[1]);
    static unsigned host[1 << 16];
    for (int i = 0; i < 1 << 16; i++)
        host[i] = i;
    cudaFree(0);
    cudaMalloc(&memory, sizeof host);
    cudaMalloc(&out, (WORDS + 1) * 4);
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);

    encode(CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, 8, 4);
    show("as encoded", NOTHING, 0);
    show("global_address", ADDRESS, (long long)(memory + 4096));
    show("box_dim 0 = 4", BOX0, 4, 2, 64);
    show("box_dim 1 = 2", BOX1, 2, 2, 64);
    show("global_dim 0 = 6", DIM0, 6);
    show("global_dim 1 = 4", DIM1, 4);
    show("global_stride 0 = 512", STRIDE0, 512);
    show("global_stride 1 = 512, of two dimensions", STRIDE1, 512);
    show("element_stride 0 = 2", STEP0, 2);
    show("element_stride 1 = 2", STEP1, 2, 2, 64);
    show("rank 0", RANK, 0, 1, 32);
    show("interleave_layout 0", INTERLEAVE, 0);
    for (int words = 8; words <= 32; words *= 2) {
        char line[64];
        encode(CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, words, 16);
        for (int mode = 1; mode <= 3; mode++) {
            sprintf(line, "swizzle_mode %d of %d words", mode, words);
            if (words * 4 <= 16 << mode)
                show(line, SWIZZLE, mode, 2, words * 64, 4, 0);
        }
        for (int mode = 1; mode <= 3; mode++) {
            sprintf(line, "encoded with swizzle %d of %d words", mode, words);
            if (words * 4 > 16 << mode)
                continue;
            encode(CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, words, 16, (CUtensorMapSwizzle)mode);
            show(line, NOTHING, 0, 2, words * 64, 4, 0);
        }
    }
    encode(CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, 8, 4);
    CUresult r = cuTensorMapReplaceAddress(&map, memory + 4096);
    CUresult odd = cuTensorMapReplaceAddress(&map, memory + 1);
    if (only <= 0)
        printf("cuTensorMapReplaceAddress: %d, to an odd address %d\n", (int)r, (int)odd);
    show("cuTensorMapReplaceAddress", NOTHING, 0);
    encode(CU_TENSOR_MAP_DATA_TYPE_UINT32, 2, 16, 2);
    show("elemtype 0", TYPE, 0, 2, 32, 16, 2);
    show("elemtype 1", TYPE, 1, 2, 64, 8, 2);
    show("elemtype 3", TYPE, 3, 2, 128);
    show("elemtype 4", TYPE, 4, 2, 256, 4, 2);
    show("elemtype 6", TYPE, 6, 2, 64, 8, 2);
    show("elemtype 9", TYPE, 9, 2, 256, 4, 2);
    show("elemtype 10", TYPE, 10, 2, 64, 8, 2);
    encode(CU_TENSOR_MAP_DATA_TYPE_UINT32, 3, 8, 4);
    show("three dimensions", NOTHING, 0, 3, 256);
    show("rank 1, of three", RANK, 1, 2, 128);
    show("global_stride 1 = 16384", STRIDE1, 16384, 3, 256);
    encode(CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, 8, 4);
    show("f32, before the tensor", NOTHING, 0, 2, 128, -4, -1);
    show("fill_mode 1, before the tensor", FILL, 1, 2, 128, -4, -1);
    show("fill_mode 0, before the tensor", FILL, 0, 2, 128, -4, -1);
    for (unsigned &word : host)
        word = 0x3f800000 + (&word - host) * 0x31; // 1.0 and a little more
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    show("f32", NOTHING, 0);
    show("elemtype 11", TYPE, 11);
    show("elemtype 12", TYPE, 12);
    cudaFree(memory);
    cudaFree(out);
}
