// nvcc: -std=c++17 -w -arch=compute_90
// Tensor maps and copies of boxes: 1 to 5 dimensions, elements outside of the tensor, steps, swizzles, stores and
// reductions. What must come out is computed from the tensor's definition.
#include <cuda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "check.cuh"

typedef decltype(&cuTensorMapEncodeTiled) encode_fn;
static encode_fn encode;
typedef unsigned long long bar_t;
enum { MOST = 8192 };

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

/** Copies the box at `c` into shared memory, and from there, as it lies, to `out`. */
template <int RANK> __global__ void fetch(const __grid_constant__ CUtensorMap map, int4 c, int c4, int bytes, unsigned char *out)
{
    __shared__ alignas(1024) unsigned char s[MOST];
    __shared__ bar_t bar;
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(bytes) : "memory");
#define LOAD(dim, coordinates)                                                                                         \
    asm volatile("cp.async.bulk.tensor." dim ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {" coordinates \
                 "}], [%2];" ::"r"(at(s)), "l"(&map), "r"(at(&bar)), "r"(c.x), "r"(c.y), "r"(c.z), "r"(c.w), "r"(c4)   \
                 : "memory")
        if (RANK == 1)
            LOAD("1d", "%3");
        else if (RANK == 2)
            LOAD("2d", "%3, %4");
        else if (RANK == 3)
            LOAD("3d", "%3, %4, %5");
        else if (RANK == 4)
            LOAD("4d", "%3, %4, %5, %6");
        else
            LOAD("5d", "%3, %4, %5, %6, %7");
    }
    __syncthreads();
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;\n}" ::"r"(at(&bar))
                 : "memory");
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        out[i] = s[i];
}

/** Stores, or with `add` adds, numbers from 1 on to the box at (x, y). */
__global__ void put(const __grid_constant__ CUtensorMap map, int x, int y, int count, bool add)
{
    __shared__ alignas(128) int s[MOST / 4];
    for (int i = threadIdx.x; i < count; i += blockDim.x)
        s[i] = i + 1;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
        if (add)
            asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map),
                         "r"(x), "r"(y), "r"(at(s)) : "memory");
        else
            asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
                         "r"(y), "r"(at(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;" ::: "memory");
        asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    }
}

struct tensor {
    int rank, element;
    cuuint64_t size[5], stride[5]; // stride[0]: bytes of an element
    cuuint32_t box[5], step[5];
    CUtensorMapSwizzle swizzle;
};

static CUtensorMap make(const tensor &t, CUtensorMapDataType type, void *address,
                        CUtensorMapFloatOOBfill fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)
{
    alignas(64) CUtensorMap map;
    CHECK(encode(&map, type, t.rank, address, t.size, t.stride + 1, t.box, t.step, CU_TENSOR_MAP_INTERLEAVE_NONE, t.swizzle,
                 CU_TENSOR_MAP_L2_PROMOTION_NONE, fill) == CUDA_SUCCESS);
    return map;
}

/** Fetches the box at `corner` and compares each byte. */
static void fetched(const tensor &t, CUtensorMapDataType type, const int *corner)
{
    static unsigned char host[1 << 16], got[MOST], want[MOST];
    unsigned char *in, *out;
    int count[5] = {1, 1, 1, 1, 1}, bytes = t.element;
    for (int i = 0; i < t.rank; i++)
        bytes *= count[i] = i ? (t.box[i] + t.step[i] - 1) / t.step[i] : t.box[0];
    for (int i = 0; i < 1 << 16; i++)
        host[i] = i * 7 + i / 256 * 3 + 1;
    OK(cudaMalloc(&in, sizeof host));
    OK(cudaMalloc(&out, MOST));
    OK(cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice));
    CUtensorMap map = make(t, type, in);
    int c[5] = {0};
    for (int i = 0; i < t.rank; i++)
        c[i] = corner[i];
    void (*kernels[])(CUtensorMap, int4, int, int, unsigned char *) = {fetch<1>, fetch<2>, fetch<3>, fetch<4>, fetch<5>};
    kernels[t.rank - 1]<<<1, 128>>>(map, make_int4(c[0], c[1], c[2], c[3]), c[4], bytes, out);
    OK(cudaMemcpy(got, out, bytes, cudaMemcpyDeviceToHost));
    memset(want, 0xee, sizeof want);
    for (int i = 0; i < bytes / t.element; i++) {
        long from = 0;
        bool inside = true;
        for (int d = 0, rest = i; d < t.rank; rest /= count[d++]) {
            long index = c[d] + (long)(rest % count[d]) * (d ? t.step[d] : 1);
            inside &= index >= 0 && index < (long)t.size[d];
            from += index * (long)t.stride[d];
        }
        for (int b = 0; b < t.element; b++) {
            int to = i * t.element + b, span = t.swizzle ? (1 << t.swizzle) - 1 : 0;
            want[to ^ (to >> 7 & span) << 4] = inside ? host[from + b] : 0;
        }
    }
    for (int i = 0; i < bytes; i++)
        if (got[i] != want[i]) {
            fprintf(stderr, "rank %d swizzle %d: byte %d of %d is %d, not %d\n", t.rank, t.swizzle, i, bytes, got[i], want[i]);
            exit(1);
        }
    OK(cudaFree(in));
    OK(cudaFree(out));
}

static void loads()
{
    const CUtensorMapSwizzle none = CU_TENSOR_MAP_SWIZZLE_NONE;
    tensor one = {1, 4, {100}, {4}, {32}, {1}, none};
    tensor two = {2, 4, {20, 30}, {4, 96}, {8, 5}, {1, 1}, none};
    tensor steps = {2, 4, {20, 30}, {4, 96}, {8, 12}, {1, 3}, none};
    tensor three = {3, 2, {24, 10, 6}, {2, 64, 1024}, {16, 3, 4}, {1, 1, 1}, none};
    tensor four = {4, 1, {40, 5, 4, 3}, {1, 48, 256, 2048}, {16, 2, 3, 2}, {1, 1, 2, 1}, none};
    tensor five = {5, 8, {6, 4, 3, 3, 2}, {8, 48, 192, 576, 1728}, {2, 2, 2, 2, 2}, {1, 1, 1, 1, 1}, none};
    tensor rows128 = {2, 2, {64, 64}, {2, 128}, {64, 32}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_128B};
    tensor rows64 = {2, 4, {16, 64}, {4, 64}, {16, 32}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_64B};
    tensor rows32 = {2, 4, {16, 64}, {4, 64}, {8, 32}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_32B};
    int zero[5] = {0}, inner[5] = {16, 2, 1, 1, 1}, over[5] = {16, 27, 4, 2, 1}, before[5] = {-16, -2, -1, 1, -1};
    int far[5] = {1024, 1000, 1000, 1000, 1000};
    for (const int *corner : {zero, inner, over, before, far}) {
        fetched(one, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, corner);
        fetched(two, CU_TENSOR_MAP_DATA_TYPE_INT32, corner);
        fetched(steps, CU_TENSOR_MAP_DATA_TYPE_UINT32, corner);
        fetched(three, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, corner);
        fetched(four, CU_TENSOR_MAP_DATA_TYPE_UINT8, corner);
        fetched(five, CU_TENSOR_MAP_DATA_TYPE_FLOAT64, corner);
        fetched(rows128, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, corner);
        fetched(rows64, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, corner);
        fetched(rows32, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, corner);
    }
}

static void stores()
{
    enum { W = 20, H = 12 };
    // Rows of 72 bytes end within a piece of 16 bytes, which a GPU stores whole; so two columns more.
    tensor t = {2, 4, {W - 2, H}, {4, W * 4}, {8, 4}, {1, 1}, CU_TENSOR_MAP_SWIZZLE_NONE};
    int host[W * H], *x;
    OK(cudaMalloc(&x, sizeof host));
    for (int add = 0; add < 2; add++) {
        for (int i = 0; i < W * H; i++)
            host[i] = 1000;
        OK(cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice));
        put<<<1, 32>>>(make(t, CU_TENSOR_MAP_DATA_TYPE_INT32, x), 12, 10, 32, add);
        OK(cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost));
        for (int i = 0; i < W * H; i++) {
            int u = i % W - 12, v = i / W - 10;
            bool inside = u >= 0 && u < 8 && v >= 0 && v < 4;
            CHECK(host[i] == (inside ? v * 8 + u + 1 + (add ? 1000 : 0) : 1000));
        }
    }
    OK(cudaFree(x));
}

/** What outside elements are with the other filling. */
static void nans()
{
    tensor t = {1, 4, {10}, {4}, {16}, {1}, CU_TENSOR_MAP_SWIZZLE_NONE};
    float *in, got[16];
    unsigned char *out;
    OK(cudaMalloc(&in, 40));
    OK(cudaMalloc(&out, 64));
    OK(cudaMemset(in, 0, 40));
    fetch<1><<<1, 32>>>(make(t, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, in, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA),
                        make_int4(0, 0, 0, 0), 0, 64, out);
    OK(cudaMemcpy(got, out, 64, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 16; i++)
        CHECK(i < 10 ? got[i] == 0 : got[i] != got[i]);
    OK(cudaFree(in));
    OK(cudaFree(out));
}

static void refused()
{
    alignas(64) CUtensorMap map;
    void *x;
    OK(cudaMalloc(&x, 4096));
    auto with = [&](cuuint32_t rank, char *address, cuuint64_t size, cuuint64_t stride, cuuint32_t box, cuuint32_t step,
                    CUtensorMapSwizzle swizzle) {
        cuuint64_t sizes[] = {size, 8}, strides[] = {stride};
        cuuint32_t boxes[] = {box, 4}, steps[] = {1, step};
        return encode(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, rank, address, sizes, strides, boxes, steps,
                      CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle, CU_TENSOR_MAP_L2_PROMOTION_NONE,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    char *a = (char *)x;
    CHECK(with(2, a, 8, 32, 4, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_SUCCESS);
    CHECK(with(0, a, 8, 32, 4, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(6, a, 8, 32, 4, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a + 4, 8, 32, 4, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a, 0, 32, 4, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a, 8, 40, 4, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a, 8, 32, 3, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a, 8, 32, 4, 9, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a, 8, 32, 512, 1, CU_TENSOR_MAP_SWIZZLE_NONE) == CUDA_ERROR_INVALID_VALUE);
    CHECK(with(2, a, 8, 32, 16, 1, CU_TENSOR_MAP_SWIZZLE_32B) == CUDA_ERROR_INVALID_VALUE);
    OK(cudaFree(x));
}

int main()
{
    cudaDriverEntryPointQueryResult found;
    OK(cudaFree(0));
    OK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found));
    CHECK(found == cudaDriverEntryPointSuccess);
    loads();
    stores();
    nans();
    refused();
    puts("tensors ok");
    return 0;
}
