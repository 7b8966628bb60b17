// A flag that releases what was written before it.
#include <cuda/atomic>
__global__ void k(int *data) // <<<2, 1>>>
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(((unsigned *)data)[5]);
    if (blockIdx.x == 0) {
        data[0] = 42;
        SNIPPET
    } else {
        while (f.load(cuda::memory_order_acquire) == 0) {
        }
        data[100] = data[0];
    }
}
