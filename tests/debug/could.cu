// Loads for which the model allows more than one value, and loads for which it does not: `could` lists all that have
// been written so far, and what comes later in the run (docs/debugger.md).
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

// What other blocks write later: nothing orders any of it behind block 0's load, or a release and an acquire do.
__global__ void ahead(int *x, int *flags, int *seen)
{
    gpu_int word(*x), released(flags[0]), relaxed_only(flags[1]);
    if (blockIdx.x == 0) {
        seen[0] = word.load(relaxed); // ahead: the load
        relaxed_only.store(1, relaxed);
        released.store(1, cuda::std::memory_order_release); // ahead: the signal
    } else if (blockIdx.x == 1) {
        word.store(7, relaxed); // ahead: free
    } else if (blockIdx.x == 2) {
        while (!released.load(cuda::std::memory_order_acquire)) {
        }
        word.store(8, relaxed);
    } else if (blockIdx.x == 3) {
        while (!relaxed_only.load(relaxed)) {
        }
        word.store(9, relaxed); // ahead: heard of it
    }
}

// Tickets: what is added behind this thread's own cannot be seen before it, though nothing acquires.
__global__ void tickets(int *x, int *seen)
{
    gpu_int word(*x);
    if (blockIdx.x == 0)
        seen[0] = word.load(relaxed); // tickets: the load
    word.fetch_add(1, relaxed);
}

// A barrier stands between the load and the write, or not.
__global__ void in_block(int *seen)
{
    __shared__ int apart, ordered;
    if (threadIdx.x == 0)
        apart = ordered = 0;
    __syncthreads();
    if (threadIdx.x == 0)
        seen[0] = ordered; // in_block: behind it a barrier
    if (threadIdx.x == 0)
        seen[1] = apart; // in_block: nothing
    if (threadIdx.x == 40)
        apart = 5;
    __syncthreads();
    if (threadIdx.x == 40)
        ordered = 6;
}

// Too far away.
__global__ void far(int *x, int *seen)
{
    if (blockIdx.x == 0) {
        seen[0] = gpu_int(*x).load(relaxed); // far: the load
    } else {
        for (int i = 0; i < 400000; i++)
            seen[1] = i ^ seen[1] << 1;
        gpu_int(*x).store(1, relaxed);
    }
}

int main(int argc, char **)
{
    int *data, seen[8];
    cudaMalloc(&data, 64 * sizeof *data);
    cudaMemset(data, 0, 64 * sizeof *data);
    four<<<2, 1>>>(data, data + 8);
    released<<<2, 1>>>(data + 1, data + 2, data + 10);
    two_writers<<<4, 1>>>(data + 3, data + 4, data + 16);
    ahead<<<4, 1>>>(data + 24, data + 25, data + 28);
    tickets<<<3, 1>>>(data + 32, data + 33);
    in_block<<<1, 64>>>(data + 36);
    if (argc > 1)
        far<<<2, 1>>>(data + 40, data + 41);
    cudaMemcpy(seen, data + 8, sizeof seen, cudaMemcpyDeviceToHost);
    printf("%d\n", seen[0] != 7);
}
