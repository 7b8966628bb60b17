// Copies of pixels by maps of cuTensorMapEncodeIm2col: judged like boxes, pixel by pixel. Each mistake beside its right twin.
//
// nvcc: -std=c++17 -lcuda -w
// arch compute_90a
//
// case waited expect=silent
// case not_waited expect=data-race says=wait.for.the.copy
// case stage_reused expect=silent
// case stage_reused_early expect=data-race
// case changed_and_fenced expect=silent
// case changed_no_fence expect=data-race says=fence.proxy.async
// case writes_beside_the_pixels expect=silent
// case writes_a_pixel expect=data-race
// case writes_a_pixel_of_the_next_row expect=data-race
// case stored expect=silent
// case stored_no_fence expect=data-race says=fence.proxy.async
// case stores_apart expect=silent
// case stores_meet expect=data-race
// case sums_meet expect=silent
// case read_back_early expect=data-race
// case to_both_blocks expect=silent
// case begins_outside expect=out-of-bounds says=outside.of.the.tensor.map.s.bounds
// case store_bound_before expect=out-of-bounds says=only.a.load.may
// case box_by_it expect=trap says=needs..im2col
// case it_by_a_box expect=trap says=not.of.cuTensorMapEncodeIm2col
// case map_changed expect=unsupported says=cuTensorMapEncodeIm2col
#include <cstdio>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

enum { C = 8, W = 6, H = 4, N = 2, PIXELS = 6, BYTES = PIXELS * C * 2 };
typedef unsigned short u16;
typedef unsigned long long bar_t;

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ void expect(bar_t *bar)
{
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(bar)) : "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(at(bar)), "r"((int)BYTES) : "memory");
}

__device__ void wait(bar_t *bar)
{
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;\n}" ::"r"(at(bar)) : "memory");
}

#define LOAD(mode, how, map, s, bar, x, y, n, dx, dy)                                                                                \
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global" mode ".mbarrier::complete_tx::bytes [%0], [%1, {%3, %4, %5, %6}], [%2]" how \
                 ";" ::"r"(at(s)), "l"(&map), "r"(at(bar)), "r"(0), "r"(x), "r"(y), "r"(n), "h"((u16)dx), "h"((u16)dy) : "memory")
#define LOAD_PIXELS(...) LOAD(".im2col", ", {%7, %8}", __VA_ARGS__)

#define SHARED                                                                                                                       \
    __shared__ alignas(128) u16 s[PIXELS * C];                                                                                       \
    __shared__ alignas(8) bar_t bar, second

/** Six pixels from (4, 1) of picture 0 on: two of this row, then those of the next. */
__global__ void fetch(const __grid_constant__ CUtensorMap map, u16 *out, bool waits, int reuse)
{
    SHARED;
    if (threadIdx.x == 0) {
        expect(&bar);
        LOAD_PIXELS(map, s, &bar, 4, 1, 0, 0, 0); // not_waited
    }
    __syncthreads();
    if (waits)
        wait(&bar);
    out[threadIdx.x] = s[threadIdx.x]; // stage_reused_early
    if (reuse > 1)
        __syncthreads();
    if (reuse && threadIdx.x == 0) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        expect(&second);
        LOAD_PIXELS(map, s, &second, 0, 0, 1, 1, 1);
        wait(&second);
    }
}

__global__ void change_and_fetch(const __grid_constant__ CUtensorMap map, u16 *tensor, u16 *out, bool fences)
{
    SHARED;
    if (threadIdx.x == 0) {
        expect(&bar);
        tensor[C * (2 * W + 1)] = 7;
        if (fences)
            asm volatile("fence.proxy.async.global;" ::: "memory");
        LOAD_PIXELS(map, s, &bar, 4, 1, 0, 0, 0); // changed_no_fence
        wait(&bar);
        *out = s[0];
    }
}

/** Block 0 fetches; block 1 writes a pixel meanwhile. */
__global__ void beside(const __grid_constant__ CUtensorMap map, u16 *tensor, u16 *out, int pixel)
{
    SHARED;
    if (threadIdx.x)
        return;
    if (blockIdx.x) {
        tensor[C * pixel + 3] = 7;
        return;
    }
    expect(&bar);
    LOAD_PIXELS(map, s, &bar, 4, 1, 0, 0, 0); // writes_a_pixel writes_a_pixel_of_the_next_row
    wait(&bar);
    *out = s[0];
}

/** Each block stores, or adds, six pixels from (x0 + step * block, 0) on; reads a pixel of its own then, unless told to wait first. */
__global__ void put(const __grid_constant__ CUtensorMap map, u16 *tensor, int x, int y, bool add, bool fences, bool reads)
{
    SHARED;
    s[threadIdx.x] = threadIdx.x;
    if (fences)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x)
        return;
    x *= blockIdx.x;
    y *= blockIdx.x;
    if (add)
        asm volatile("cp.reduce.async.bulk.tensor.4d.global.shared::cta.add.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map),
                     "r"(at(s)), "r"(0), "r"(x), "r"(y), "r"(0) : "memory");
    else
        asm volatile("cp.async.bulk.tensor.4d.global.shared::cta.im2col_no_offs.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(&map), "r"(at(s)),
                     "r"(0), "r"(x), "r"(y), "r"(0) : "memory"); // stored_no_fence stores_meet read_back_early store_bound_before
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    if (reads)
        tensor[N * W * H * C] = tensor[C];
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/** Block 0 of a cluster fetches for both, once the other has its barrier. */
__global__ void __cluster_dims__(2, 1, 1) for_both(const __grid_constant__ CUtensorMap map, u16 *out)
{
    SHARED;
    if (threadIdx.x == 0)
        expect(&bar);
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
    if (blockIdx.x == 0 && threadIdx.x == 0)
        asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes.multicast::cluster [%0], "
                     "[%1, {%3, %4, %5, %6}], [%2], {%7, %8}, %9;" ::"r"(at(s)), "l"(&map), "r"(at(&bar)), "r"(0), "r"(4), "r"(1), "r"(0),
                     "h"((u16)1), "h"((u16)0), "h"((u16)3) : "memory");
    wait(&bar);
    out[blockIdx.x * PIXELS * C + threadIdx.x] = s[threadIdx.x];
    asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

__global__ void wrong(const __grid_constant__ CUtensorMap map, int what)
{
    SHARED;
    expect(&bar);
    if (what == 0)
        LOAD_PIXELS(map, s, &bar, -1, 0, 0, 1, 0); // begins_outside
    else if (what == 1)
        LOAD(".tile", "", map, s, &bar, 0, 0, 0, 0, 0); // box_by_it
    else
        LOAD_PIXELS(map, s, &bar, 0, 0, 0, 0, 0); // it_by_a_box
    wait(&bar);
}

__device__ alignas(128) CUtensorMap own;
__global__ void replace(const __grid_constant__ CUtensorMap map, const void *to)
{
    for (int i = 0; i < 16; i++)
        ((unsigned long long *)&own)[i] = ((const unsigned long long *)&map)[i];
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(&own), "l"(to) : "memory"); // map_changed
}

int main(int argc, char **argv)
{
    const char *name = argv[1];
    u16 *tensor, *out;
    alignas(64) CUtensorMap map, inner, boxes;
    cuuint64_t sizes[] = {C, W, H, N}, strides[] = {C * 2, W * C * 2, H * W * C * 2};
    cuuint32_t ones[] = {1, 1, 1, 1}, box[] = {C, PIXELS, 1, 1};
    int lower[] = {0, 0}, before[] = {-1, 0}, upper[] = {0, 0}, less[] = {-1, 0};
    const auto U16 = CU_TENSOR_MAP_DATA_TYPE_UINT16;
    cudaMalloc(&tensor, (N * W * H + 1) * C * 2);
    cudaMalloc(&out, 4096);
    cudaMemset(tensor, 1, (N * W * H + 1) * C * 2);
    auto encode = [&](CUtensorMap *m, const int *lower, const int *upper) {
        return cuTensorMapEncodeIm2col(m, strcmp(name, "sums_meet") ? U16 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 4, tensor, sizes, strides, lower, upper, C, PIXELS, ones, CU_TENSOR_MAP_INTERLEAVE_NONE,
                                       CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    };
    if (encode(&map, lower, upper) || encode(&inner, lower, less) ||
        cuTensorMapEncodeTiled(&boxes, U16, 4, tensor, sizes, strides, box, ones, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                               CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        return 1;
    auto is = [&](const char *n) { return strcmp(name, n) == 0; };
    if (is("waited") || is("not_waited"))
        fetch<<<1, PIXELS * C>>>(map, out, is("waited"), 0);
    else if (is("stage_reused") || is("stage_reused_early"))
        fetch<<<1, PIXELS * C>>>(map, out, true, 1 + is("stage_reused"));
    else if (is("changed_and_fenced") || is("changed_no_fence"))
        change_and_fetch<<<1, 32>>>(map, tensor, out, is("changed_and_fenced"));
    else if (is("writes_beside_the_pixels")) // within the six by count, but behind the bound of their row
        beside<<<2, 32>>>(inner, tensor, out, W + 5);
    else if (is("writes_a_pixel"))
        beside<<<2, 32>>>(map, tensor, out, W + 5);
    else if (is("writes_a_pixel_of_the_next_row"))
        beside<<<2, 32>>>(inner, tensor, out, 2 * W + 4);
    else if (is("stored") || is("stored_no_fence") || is("read_back_early"))
        put<<<1, PIXELS * C>>>(map, tensor, 0, 0, false, !is("stored_no_fence"), is("read_back_early"));
    else if (is("stores_apart")) // five of the row and the first of the next, from row 0 and from row 2
        put<<<2, PIXELS * C>>>(inner, tensor, 0, 2, false, true, false);
    else if (is("stores_meet")) // the sixth is the first of row 1
        put<<<2, PIXELS * C>>>(inner, tensor, 0, 1, false, true, false);
    else if (is("to_both_blocks"))
        for_both<<<2, PIXELS * C>>>(map, out);
    else if (is("sums_meet"))
        put<<<2, PIXELS * C>>>(inner, tensor, 0, 1, true, true, false);
    else if (is("store_bound_before")) {
        encode(&map, before, upper);
        put<<<1, PIXELS * C>>>(map, tensor, 0, 0, false, true, false);
    } else if (is("map_changed"))
        replace<<<1, 1>>>(map, tensor);
    else
        wrong<<<1, 1>>>(is("it_by_a_box") ? boxes : map, is("begins_outside") ? 0 : is("box_by_it") ? 1 : 2);
    cudaError_t e = cudaDeviceSynchronize();
    if (is("to_both_blocks")) { // pixel (5, 1), what lies outside, (0, 2) with its offset, …
        u16 got[2][PIXELS * C];
        const int want[PIXELS] = {0x101, 0, 0x101, 0x101, 0x101, 0x101};
        cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
        for (int i = 0; i < 2 * PIXELS; i++)
            if (got[i / PIXELS][i % PIXELS * C + 7] != want[i % PIXELS])
                return 1;
    }
    printf("%s\n", cudaGetErrorName(e));
    cudaFree(tensor);
    cudaFree(out);
    return e != cudaSuccess && !is("begins_outside") && !is("store_bound_before") && !is("box_by_it") && !is("it_by_a_box") && !is("map_changed");
}
