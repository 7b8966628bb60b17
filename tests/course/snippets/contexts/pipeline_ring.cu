#include <cuda_pipeline.h>
// A tile is an element of each thread; a result is made of its neighbour's.
#define STAGES 4
__global__ void k(int *data) // <<<1, 64>>>
{
    __shared__ int stages[STAGES][64];
    unsigned tiles = 7;
    auto ask = [&](unsigned k) {
        if (k < tiles)
            __pipeline_memcpy_async(&stages[k % STAGES][threadIdx.x], &data[64 * k + threadIdx.x], 4);
        __pipeline_commit();
    };
    auto compute = [&](unsigned k) {
        data[512 + 64 * k + threadIdx.x] = stages[k % STAGES][63 - threadIdx.x];
    };
    for (unsigned k = 0; k < STAGES - 1; k++)
        ask(k);
    SNIPPET
}
