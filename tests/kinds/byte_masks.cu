// Bulk copies by a mask of bytes: a byte that the mask leaves out is neither read nor written. Each mistake beside its
// right twin.
//
// nvcc: -std=c++17 -w
// arch compute_100
//
// case mask_leaves_out expect=silent options=--device=b200
// case mask_takes_in expect=data-race options=--device=b200
// case masks_beside expect=silent options=--device=b200
// case masks_meet expect=data-race options=--device=b200
// case unwritten_left_out expect=silent options=--device=b200
// case unwritten_taken_in expect=uninitialized-read level=warning options=--device=b200
// case end_left_out expect=silent options=--device=b200
// case end_taken_in expect=out-of-bounds options=--device=b200
// case mask_odd expect=misaligned options=--device=b200
// case mask_no_fence expect=data-race says=fence.proxy.async options=--device=b200
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__device__ void copy(void *to, const void *from, unsigned bytes, unsigned short mask)
{
    unsigned shared = (unsigned)__cvta_generic_to_shared(from);
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%0], [%1], %2, %3;" ::"l"(to), "r"(shared), "r"(bytes), "h"(mask) : "memory"); // mask_takes_in masks_meet end_taken_in mask_odd mask_no_fence
    asm volatile("cp.async.bulk.commit_group;\n\tcp.async.bulk.wait_group 0;" ::: "memory");
}

struct how {
    unsigned short mask, second;
    int store, written, offset;
    bool fence;
};

__global__ void work(unsigned char *out, how h)
{
    __shared__ alignas(16) unsigned char s[32], t[16];
    if ((int)threadIdx.x < h.written)
        s[threadIdx.x] = (unsigned char)threadIdx.x;
    if (threadIdx.x < 16)
        t[threadIdx.x] = (unsigned char)(100 + threadIdx.x);
    if (h.fence)
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
        copy(out + h.offset, s, 32, h.mask);
    if (threadIdx.x == 1 && h.second)
        copy(out, t, 16, h.second);
    if (threadIdx.x == 2 && h.store >= 0)
        out[h.store] = 9;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        how how;
    } cases[] = {
        {"mask_leaves_out", {0x7fff, 0, 15, 32, 0, true}},   {"mask_takes_in", {0xffff, 0, 15, 32, 0, true}},
        {"masks_beside", {0x0f0f, 0xf0f0, -1, 32, 0, true}}, {"masks_meet", {0x0f0f, 0xf0f8, -1, 32, 0, true}},
        {"unwritten_left_out", {0x3fff, 0, -1, 30, 0, true}}, {"unwritten_taken_in", {0x7fff, 0, -1, 30, 0, true}},
        {"end_left_out", {0x0fff, 0, -1, 32, 32, true}},     {"end_taken_in", {0x1fff, 0, -1, 32, 32, true}},
        {"mask_odd", {0x00ff, 0, -1, 32, 8, true}},          {"mask_no_fence", {0x7fff, 0, -1, 32, 0, false}},
    };
    unsigned char *out, back[60];
    int sum = 0;
    cudaMalloc(&out, sizeof back);
    cudaMemset(out, 0, sizeof back);
    for (const auto &c : cases)
        if (argc > 1 && !strcmp(c.name, argv[1]))
            work<<<1, 32>>>(out, c.how);
    if (cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost) == cudaSuccess)
        for (int i = 0; i < 60; i++)
            sum = sum * 31 + back[i] * (back[i] > 99 ? 2 : 1);
    printf("%d\n", sum);
    for (int i = 0; i < 60; i++)
        if (back[i] > 200)
            puts("large");
    cudaFree(out);
    return 0;
}
