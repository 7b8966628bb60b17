/**
 * @file im2col.cuh
 * Kernels that copy by maps of cuTensorMapEncodeIm2col, and what they brought or left, in one line (im2col_facts.cu).
 */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

#include "apart.cuh"

enum { MOST = 32768, GAP = 0xee };
typedef unsigned short u16;

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

struct place {
    int at[5];
    u16 off[3];
};

#define LOAD3(mode, how)                                                                                               \
    asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global." mode ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5}], [%2]" how \
                 ";" ::"r"(at(s)), "l"(&map), "r"(at(&bar)), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "h"(p.off[0]) : "memory")
#define LOAD4(mode, how)                                                                                               \
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global." mode                                               \
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2]" how ";" ::"r"(at(s)), "l"(&map),  \
                 "r"(at(&bar)), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "h"(p.off[0]), "h"(p.off[1]) : "memory")
#define LOAD5(mode, how)                                                                                               \
    asm volatile("cp.async.bulk.tensor.5d.shared::cluster.global." mode                                               \
                 ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6, %7}], [%2]" how ";" ::"r"(at(s)), "l"(&map), \
                 "r"(at(&bar)), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "r"(p.at[4]), "h"(p.off[0]), \
                 "h"(p.off[1]), "h"(p.off[2]) : "memory")

/** Loads at `p`; `tile`: by the instruction for boxes. out[MOST]: whether the bytes came. */
template <int RANK> __global__ void fetch(const __grid_constant__ CUtensorMap map, place p, int bytes, bool tile, unsigned char *out)
{
    __shared__ alignas(1024) unsigned char s[MOST];
    __shared__ unsigned long long bar;
    for (int i = threadIdx.x; i < MOST; i += blockDim.x)
        s[i] = GAP;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    int came = 1;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(bytes) : "memory");
        if (RANK == 3 && tile)
            LOAD3("tile", "");
        else if (RANK == 3)
            LOAD3("im2col", ", {%6}");
        else if (RANK == 4 && tile)
            LOAD4("tile", "");
        else if (RANK == 4)
            LOAD4("im2col", ", {%7, %8}");
        else if (tile)
            LOAD5("tile", "");
        else
            LOAD5("im2col", ", {%8, %9, %10}");
        came = 0;
        for (int i = 0; i < 2000 && !came; i++)
            asm volatile("{\n.reg .pred p;\nmbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\nselp.b32 %0, 1, 0, p;\n}"
                         : "=r"(came) : "r"(at(&bar)) : "memory");
    }
    __syncthreads();
    for (int i = threadIdx.x; i < MOST; i += blockDim.x)
        out[i] = s[i];
    if (!threadIdx.x)
        out[MOST] = came;
}

#define PUT(dim, coordinates, mode)                                                                                    \
    asm volatile("cp." OP ".bulk.tensor." dim ".global.shared::cta." SUM mode ".bulk_group [%0, {" coordinates "}], [%1];" ::"l"(&map), \
                 "r"(at(s)), "r"(p.at[0]), "r"(p.at[1]), "r"(p.at[2]), "r"(p.at[3]), "r"(p.at[4]) : "memory")
#define ALL(mode)                                                                                                      \
    if (rank == 3)                                                                                                     \
        PUT("3d", "%2, %3, %4", mode);                                                                                 \
    else if (rank == 4)                                                                                                \
        PUT("4d", "%2, %3, %4, %5", mode);                                                                             \
    else                                                                                                               \
        PUT("5d", "%2, %3, %4, %5, %6", mode)

/** Stores, or adds, numbers from 1 on. */
__global__ void put(const __grid_constant__ CUtensorMap map, place p, int rank, bool add, bool tile)
{
    __shared__ alignas(1024) u16 s[MOST / 2];
    for (int i = threadIdx.x; i < MOST / 2; i += blockDim.x)
        s[i] = i + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
#define OP "async"
#define SUM ""
        if (!add && tile) {
            ALL("tile");
        } else if (!add) {
            ALL("im2col_no_offs");
        }
#undef OP
#undef SUM
#define OP "reduce.async"
#define SUM "add."
        if (add) {
            ALL("im2col_no_offs");
        }
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
    }
}

/** A tensor of C channels and (W, H, D) pixels in N images, of 16-bit elements that count from 1 on, and a way through it. */
struct way {
    int rank;
    int size[5];              // C, W, H, D, N as far as there are
    int lower[3], upper[3];   // as the program gives them: W, H, D in the order of `reversed`
    int channels, pixels;
    int step[5];
    CUtensorMapSwizzle swizzle;
    CUtensorMapDataType type;
    CUtensorMapFloatOOBfill fill;
};

static CUresult encode(CUtensorMap *map, const way &w, void *address)
{
    cuuint64_t sizes[5], strides[5];
    cuuint32_t steps[5];
    cuuint64_t bytes = 2;
    for (int i = 0; i < w.rank; i++) {
        sizes[i] = w.size[i];
        steps[i] = w.step[i] ? w.step[i] : 1;
        bytes *= w.size[i];
        strides[i] = bytes;
    }
    return cuTensorMapEncodeIm2col(map, w.type, w.rank, address, sizes, strides, w.lower, w.upper, w.channels, w.pixels, steps,
                                   CU_TENSOR_MAP_INTERLEAVE_NONE, w.swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE, w.fill);
}

static unsigned digest(const unsigned char *p, int bytes)
{
    unsigned h = 2166136261u;
    for (int i = 0; i < bytes; i++)
        h = (h ^ p[i]) * 16777619u;
    return h;
}

static const char *name(const way &w, const place &p, const char *what)
{
    static char text[512];
    int n = snprintf(text, sizeof text, "%s [", what);
    for (int i = 0; i < w.rank; i++)
        n += snprintf(text + n, sizeof text - n, i ? " %d" : "%d", w.size[i]);
    n += snprintf(text + n, sizeof text - n, "] box");
    for (int i = 0; i < w.rank - 2; i++)
        n += snprintf(text + n, sizeof text - n, " %d..%d", w.lower[i], w.upper[i]);
    n += snprintf(text + n, sizeof text - n, " %dx%d step", w.channels, w.pixels);
    for (int i = 0; i < w.rank; i++)
        n += snprintf(text + n, sizeof text - n, " %d", w.step[i] ? w.step[i] : 1);
    n += snprintf(text + n, sizeof text - n, " swizzle %d fill %d at", w.swizzle, w.fill);
    for (int i = 0; i < w.rank; i++)
        n += snprintf(text + n, sizeof text - n, " %d", p.at[i]);
    n += snprintf(text + n, sizeof text - n, " off");
    for (int i = 0; i < w.rank - 2; i++)
        n += snprintf(text + n, sizeof text - n, " %d", p.off[i]);
    return text;
}

static u16 host[MOST];
static unsigned char got[MOST + 1], *out;
static u16 *tensor;

static void begin_im2col()
{
    cudaMalloc(&tensor, sizeof host);
    cudaMalloc(&out, sizeof got);
    for (int i = 0; i < MOST; i++)
        host[i] = i + 1;
    cudaMemcpy(tensor, host, sizeof host, cudaMemcpyHostToDevice);
}

/** One load: the first element of each pixel, "." for zero, "-" for what nothing was written to, and a digest of all bytes. */
static void load(const way &w, const place &p, bool tile = false)
{
    alignas(64) CUtensorMap map;
    if (!is_next())
        return;
    int row = w.channels * 2, pitch = w.swizzle ? 16 << w.swizzle : row;
    printf("%s:", name(w, p, tile ? "tiled load" : "load"));
    CUresult r = encode(&map, w, tensor);
    if (r) {
        printf(" encode %d\n", r);
        return;
    }
    auto kernel = w.rank == 3 ? fetch<3> : w.rank == 4 ? fetch<4> : fetch<5>;
    kernel<<<1, 128>>>(map, p, row * w.pixels, tile, out);
    cudaError_t e = cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    if (e) {
        printf(" %s\n", cudaGetErrorName(e));
        go_on_elsewhere();
    }
    printf("%s", got[MOST] ? "" : " never complete");
    for (int i = 0; i < w.pixels && (i + 1) * pitch <= MOST; i++) {
        int piece = w.swizzle ? (i * pitch >> 7) & ((1 << w.swizzle) - 1) : 0;
        u16 v;
        memcpy(&v, got + i * pitch + piece * 16, 2);
        if (v == 0)
            printf(" .");
        else if (v == GAP * 257)
            printf(" -");
        else
            printf(" %d", v);
    }
    printf(" %08x\n", digest(got, MOST));
}

static void store(const way &w, const place &p, bool add, bool tile = false)
{
    alignas(64) CUtensorMap map;
    if (!is_next())
        return;
    static u16 back[MOST];
    printf("%s:", name(w, p, tile ? "tiled store" : add ? "add" : "store"));
    cudaMemset(tensor, 0, sizeof host);
    CUresult r = encode(&map, w, tensor);
    if (r) {
        printf(" encode %d\n", r);
        return;
    }
    put<<<1, 128>>>(map, p, w.rank, add, tile);
    cudaError_t e = cudaMemcpy(back, tensor, sizeof back, cudaMemcpyDeviceToHost);
    if (e) {
        printf(" %s\n", cudaGetErrorName(e));
        go_on_elsewhere();
    }
    for (int i = 0, c = w.size[0]; i < MOST; i += c)
        for (int k = 0; k < c; k++)
            if (back[i + k]) {
                printf(" %d=%d", i / c, back[i + k]);
                break;
            }
    printf(" %08x\n", digest((unsigned char *)back, sizeof back));
    cudaMemcpy(tensor, host, sizeof host, cudaMemcpyHostToDevice);
}
