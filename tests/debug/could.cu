// Loads for which the model allows more than one value, and loads for which it does not: `could` lists all that have
// been written so far (docs/debugger.md).
#include <cuda/atomic>
#include <cstdio>

using gpu_int = cuda::atomic_ref<int, cuda::thread_scope_device>;
constexpr auto relaxed = cuda::std::memory_order_relaxed;

// Four writes without an order that another block knows of.
__global__ void four(int *x, int *seen)
{
    gpu_int word(*x);
    if (blockIdx.x == 0) {
        word.store(1, relaxed);
        word.store(2, relaxed);
        word.store(3, relaxed);
        word.store(4, relaxed);
    } else {
        seen[0] = word.load(relaxed); // four: all
        seen[1] = word.load(relaxed); // four: as new as that
    }
}

// The second write is released and acquired: the first cannot be read any more, the third need not be.
__global__ void released(int *x, int *flag, int *seen)
{
    gpu_int word(*x), signal(*flag);
    if (blockIdx.x == 0) {
        word.store(1, relaxed);
        word.store(2, relaxed);
        signal.store(1, cuda::std::memory_order_release);
        word.store(3, relaxed);
    } else {
        while (!signal.load(cuda::std::memory_order_acquire)) {
        }
        seen[0] = word.load(relaxed); // released: two
    }
}

// Each of two writers releases, and the reader acquires from the second alone.
__global__ void two_writers(int *x, int *flags, int *seen)
{
    gpu_int word(*x);
    if (blockIdx.x < 2) {
        word.store(10 + blockIdx.x, relaxed);
        gpu_int(flags[blockIdx.x]).store(1, cuda::std::memory_order_release);
    } else {
        while (!gpu_int(flags[blockIdx.x - 2]).load(cuda::std::memory_order_acquire)) {
        }
        seen[blockIdx.x] = word.load(relaxed); // two_writers
    }
}

int main()
{
    int *data, seen[8];
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    four<<<2, 1>>>(data, data + 8);
    released<<<2, 1>>>(data + 1, data + 2, data + 10);
    two_writers<<<4, 1>>>(data + 3, data + 4, data + 16);
    cudaMemcpy(seen, data + 8, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%d\n", seen[0] != 7);
}
