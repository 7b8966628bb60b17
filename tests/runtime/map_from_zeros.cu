// nvcc: -std=c++17 -gencode arch=compute_90a,code=compute_90a -w
// A tensor map that a kernel makes of 128 zero bytes, setting its fields: in shared memory with tensormap.cp_fenceproxy, as Triton
// does, and in global memory with a fence. What nobody sets is zero: no swizzle, zeros outside. The box that it brings is the tensor's.
#include <cstdint>

#include "check.cuh"

enum { ROWS = 12, COLUMNS = 32, BOX = 8 };

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

#define SET(SPACE, FIELD, SIZE, KIND, AT, VALUE) \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024." SIZE " [%0], %1;" ::"l"(AT), KIND(VALUE) : "memory")
#define SET_ORD(SPACE, FIELD, SIZE, KIND, AT, ORD, VALUE) \
    asm volatile("tensormap.replace.tile." FIELD "." SPACE ".b1024." SIZE " [%0], " ORD ", %1;" ::"l"(AT), KIND(VALUE) : "memory")
#define SET_ALL(SPACE, AT, FROM)                                                                                                \
    SET(SPACE, "global_address", "b64", "l", AT, FROM);                                                                         \
    SET(SPACE, "rank", "b32", "n", AT, 1);                                                                                      \
    SET_ORD(SPACE, "box_dim", "b32", "r", AT, "0", BOX);                                                                        \
    SET_ORD(SPACE, "box_dim", "b32", "r", AT, "1", BOX);                                                                        \
    SET_ORD(SPACE, "global_dim", "b32", "r", AT, "0", COLUMNS);                                                                 \
    SET_ORD(SPACE, "global_dim", "b32", "r", AT, "1", ROWS);                                                                    \
    SET_ORD(SPACE, "global_stride", "b64", "l", AT, "0", (long long)COLUMNS * 4);                                               \
    SET_ORD(SPACE, "element_stride", "b32", "r", AT, "0", 1);                                                                   \
    SET_ORD(SPACE, "element_stride", "b32", "r", AT, "1", 1);                                                                   \
    SET(SPACE, "elemtype", "b32", "n", AT, 3)

/** One warp. */
__global__ void fetch(const int *from, uint4 *map, int x, int y, bool in_shared, int *out)
{
    __shared__ alignas(128) uint4 made[8];
    __shared__ alignas(128) int box[BOX * BOX];
    __shared__ alignas(8) uint64_t bar;
    if (threadIdx.x < 8)
        (in_shared ? made : map)[threadIdx.x] = make_uint4(0, 0, 0, 0);
    __syncwarp();
    if (threadIdx.x == 0 && in_shared) {
        uint64_t where = at(made);
        SET_ALL("shared::cta", where, from);
    } else if (threadIdx.x == 0) {
        uint64_t where = __cvta_generic_to_global(map);
        SET_ALL("global", where, from);
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    }
    __syncwarp();
    if (in_shared)
        asm volatile("tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%0], [%1], 128;"
                     ::"l"(__cvta_generic_to_global(map)), "r"(at(made)) : "memory");
    if (threadIdx.x == 0) {
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(BOX * BOX * 4) : "memory");
        asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
                     ::"r"(at(box)), "l"(map), "r"(x), "r"(y), "r"(at(&bar)) : "memory");
        asm volatile("{.reg .pred p; L: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0; @!p bra L;}" ::"r"(at(&bar)) : "memory");
        for (int i = 0; i < BOX * BOX; i++)
            out[i] = box[i];
    }
}

int main()
{
    static int host[ROWS * COLUMNS], got[BOX * BOX];
    int *from, *out;
    uint4 *map;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        host[i] = i + 1;
    OK(cudaMalloc(&from, sizeof host));
    OK(cudaMalloc(&out, sizeof got));
    OK(cudaMalloc(&map, 128));
    OK(cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice));
    for (int shared = 0; shared < 2; shared++) {
        int x = 28, y = 2;
        fetch<<<1, 32>>>(from, map, x, y, shared, out);
        OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
        for (int r = 0; r < BOX; r++)
            for (int c = 0; c < BOX; c++)
                CHECK(got[r * BOX + c] == (x + c < COLUMNS && y + r < ROWS ? host[(y + r) * COLUMNS + x + c] : 0));
    }
    OK(cudaFree(map));
    OK(cudaFree(out));
    OK(cudaFree(from));
    puts("ok");
}
