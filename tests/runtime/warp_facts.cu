// What a shuffle gives that reads from a lane which takes no part: PTX leaves it undefined, a GPU does
// something. The same program runs on a real GPU and on softgpu without checks, and the two outputs are
// compared (warp_facts.gpu.txt: recorded on the device named in its first line).
//
//   nvcc -arch=compute_75 -cudart shared -o warp_facts warp_facts.cu && ./warp_facts
#include <cstdio>

enum { DOWN, UP, XOR, IDX };

__device__ int shuffle(int mode, unsigned mask, int v, int by)
{
    switch (mode) {
    case DOWN:
        return __shfl_down_sync(mask, v, by);
    case UP:
        return __shfl_up_sync(mask, v, by);
    case XOR:
        return __shfl_xor_sync(mask, v, by);
    default:
        return __shfl_sync(mask, v, by);
    }
}

// Lanes that are not in `lanes` leave, or go another way and come later; the others shuffle.
__global__ void shuffles(int *out, unsigned lanes, bool leave, int mode, int by)
{
    bool in = lanes >> threadIdx.x & 1;
    int v = 100 + (int)threadIdx.x;
    out[threadIdx.x] = -1;
    if (leave && !in)
        return;
    if (in)
        out[threadIdx.x] = shuffle(mode, lanes, v, by);
    else
        out[threadIdx.x] = shuffle(mode, ~lanes, v + 100, by);
}

__global__ void reals(float *out, unsigned lanes, int by)
{
    out[threadIdx.x] = -1;
    if (lanes >> threadIdx.x & 1)
        out[threadIdx.x] = __shfl_down_sync(lanes, 1.5f + threadIdx.x, by);
}

int main()
{
    static const char *const names[] = {"down", "up", "xor", "idx"};
    static const unsigned masks[] = {0x0000ffff, 0x55555555, 0x80000001, 0xfffffffe};
    int *p, v[32];
    float *q, r[32];
    cudaMalloc(&p, sizeof v);
    cudaMalloc(&q, sizeof r);
    for (int leave = 0; leave < 2; leave++)
        for (int mode = DOWN; mode <= IDX; mode++)
            for (unsigned mask : masks)
                for (int by = 1; by < 32; by += 9) {
                    shuffles<<<1, 32>>>(p, mask, leave, mode, by);
                    cudaMemcpy(v, p, sizeof v, cudaMemcpyDeviceToHost);
                    printf("%s by %d, %08x %s:", names[mode], by, mask, leave ? "left by others" : "and the others");
                    for (int i : v)
                        printf(" %d", i);
                    printf("\n");
                }
    for (int by = 1; by < 32; by += 9) {
        reals<<<1, 20>>>(q, 0xfffff, by);
        cudaMemcpy(r, q, sizeof r, cudaMemcpyDeviceToHost);
        printf("down by %d, float, in a block of 20 threads:", by);
        for (int i = 0; i < 20; i++)
            printf(" %g", r[i]);
        printf("\n");
    }
    return cudaGetLastError() != cudaSuccess;
}
