// A tile's word, state and sum in one, from a block that publishes it to one that looks: 42 where they do not belong together.
#include <cuda/atomic>
typedef unsigned long long word;
#define AGGREGATE 1u
__global__ void k(int *data) // <<<2, 1>>>
{
    word *state = (word *)data;
    unsigned tile = 3, sum = 17;
    if (blockIdx.x == 0) {
        SNIPPET
    } else {
        cuda::atomic_ref<word, cuda::thread_scope_device> its(state[tile]);
        word seen = its.load(cuda::memory_order_relaxed);
        while (seen >> 32 != AGGREGATE)
            seen = its.load(cuda::memory_order_relaxed);
        data[100] = (int)(unsigned)seen - (int)sum;
    }
}
