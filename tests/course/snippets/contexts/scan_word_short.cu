// The word's store without the line that makes the reference.
#include <cuda/atomic>
typedef unsigned long long word;
#define AGGREGATE 1u
__global__ void k(int *data) // <<<2, 1>>>
{
    word *state = (word *)data;
    unsigned tile = 3, sum = 17;
    cuda::atomic_ref<word, cuda::thread_scope_device> mine(state[tile]);
    if (blockIdx.x == 0) {
        SNIPPET
    } else {
        word seen = mine.load(cuda::memory_order_relaxed);
        while (seen >> 32 != AGGREGATE)
            seen = mine.load(cuda::memory_order_relaxed);
        data[100] = (int)(unsigned)seen - (int)sum;
    }
}
