/**
 * @file tensor_corners.cu
 * At which coordinates a box may begin that a tensor copy loads or stores (cp.async.bulk.tensor): each case in a process of
 * its own, since what may not be ends it with an illegal instruction.
 *
 *     nvcc -std=c++17 -arch=sm_90 -o tensor_corners tests/gpu/tensor_corners.cu && ./tensor_corners
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda.h>
#include <cuda_runtime.h>

__device__ unsigned at(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__global__ void copy(const __grid_constant__ CUtensorMap map, bool stores, int x, int y, int bytes)
{
    __shared__ alignas(128) unsigned char s[4096];
    __shared__ unsigned long long bar;
    if (threadIdx.x)
        return;
    if (stores) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(&map), "r"(x),
                     "r"(y), "r"(at(s)) : "memory");
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
        return;
    }
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at(&bar)));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at(&bar)), "r"(bytes) : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
                     at(s)), "l"(&map), "r"(at(&bar)), "r"(x), "r"(y) : "memory");
    asm volatile("{\n.reg .pred p;\nW: mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra W;\n}" ::"r"(at(&bar))
                 : "memory");
}

/** One case: 20 rows of 32 elements, a box of 4 rows of 16 bytes or 16 elements. Exit status 0: it may begin there. */
static int one(bool stores, int element, int x, int y)
{
    static const CUtensorMapDataType types[] = {CU_TENSOR_MAP_DATA_TYPE_UINT8, CU_TENSOR_MAP_DATA_TYPE_UINT16,
                                                CU_TENSOR_MAP_DATA_TYPE_UINT32, CU_TENSOR_MAP_DATA_TYPE_UINT64};
    decltype(&cuTensorMapEncodeTiled) encode;
    cudaDriverEntryPointQueryResult found;
    void *tensor;
    if (cudaMalloc(&tensor, 20 * 256) ||
        cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", (void **)&encode, 12000, cudaEnableDefault, &found))
        return 2;
    alignas(64) CUtensorMap map;
    cuuint64_t sizes[] = {32, 20}, strides[] = {256};
    cuuint32_t box[] = {16, 4}, steps[] = {1, 1};
    if (encode(&map, types[element == 8 ? 3 : element / 2], 2, tensor, sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
               CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE))
        return 2;
    copy<<<1, 32>>>(map, stores, x, y, 64 * element);
    cudaError_t status = cudaDeviceSynchronize();
    return status == cudaSuccess ? 0 : status == cudaErrorIllegalInstruction ? 1 : 2;
}

int main(int argc, char **argv)
{
    static const char *const words[] = {"may", "illegal instruction", "another error"};
    if (argc == 5)
        return one(!strcmp(argv[1], "store"), atoi(argv[2]), atoi(argv[3]), atoi(argv[4]));
    for (const char *what : {"load", "store"})
        for (int element : {1, 2, 4, 8})
            for (int x : {-16, -8, -4, -3, -2, -1, 0, 1, 2, 3, 4, 8, 16, 24, 32})
                for (int y : {-1, 0, 18, 20}) {
                    char command[1024];
                    snprintf(command, sizeof command, "'%s' %s %d %d %d", argv[0], what, element, x, y);
                    int status = system(command);
                    printf("%s of elements of %d, from (%d, %d): %s\n", what, element, x, y,
                           words[status < 0 || status / 256 > 2 ? 2 : status / 256]);
                }
}
