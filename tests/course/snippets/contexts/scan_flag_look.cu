// A look that acquires what was written before the flag.
#include <cuda/atomic>
__global__ void k(int *data) // <<<2, 1>>>
{
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> f(((unsigned *)data)[5]);
    if (blockIdx.x == 0) {
        data[0] = 42;
        f.store(1, cuda::memory_order_release);
    } else {
        SNIPPET
        data[100] = data[0];
    }
}
