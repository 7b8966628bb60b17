// The flag goes through __syncthreads_or().

#include <cstdint>

// The sum over the threads of a warp, in its lane 0. `lanes` of the 32 exist.
__device__ long long warp_sum(long long value, unsigned lanes)
{
    unsigned lane = threadIdx.x % 32, mask = lanes == 32 ? ~0u : (1u << lanes) - 1;
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        long long other = __shfl_down_sync(mask, value, distance);
        if (lane + distance < lanes)
            value += other;
    }
    return value;
}

// One barrier: one value a warp goes through shared memory, and the first warp adds those.
__device__ long long block_sum(long long value)
{
    __shared__ long long shared[32];
    unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    unsigned warps = (blockDim.x + 31) / 32;
    value = warp_sum(value, min(32u, blockDim.x - warp * 32));
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    if (warp == 0) {
        unsigned lanes = min(32u, blockDim.x);
        value = 0;
        for (unsigned i = lane; i < warps; i += lanes)
            value += shared[i];
        value = warp_sum(value, lanes);
    }
    return value;
}

// This thread's elements when they are dealt out one by one.
__device__ long long strided_sum(const int *in, unsigned n)
{
    long long sum = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x)
        sum += in[i];
    return sum;
}

__device__ long long quad_sum(int4 v)
{
    return (long long)v.x + v.y + v.z + v.w;
}

// This thread's elements when they are dealt out by fours. `in` is aligned to an int only: up to
// three elements come before the first whole 16 bytes, and up to three remain at the end.
__device__ long long thread_sum(const int *in, unsigned n)
{
    unsigned head = min(n, (unsigned)(-(uintptr_t)in / sizeof(int) % 4));
    const int4 *quads = (const int4 *)(in + head);
    size_t count = (n - head) / 4;
    size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    size_t stride = (size_t)gridDim.x * blockDim.x;
    long long sum = 0;
    size_t i = first;
    for (; i + 3 * stride < count; i += 4 * stride) {
        int4 a = quads[i], b = quads[i + stride];
        int4 c = quads[i + 2 * stride], d = quads[i + 3 * stride];
        sum += quad_sum(a) + quad_sum(b) + quad_sum(c) + quad_sum(d);
    }
    for (; i < count; i += stride)
        sum += quad_sum(quads[i]);
    for (size_t rest = first; rest < n - 4 * count; rest += stride)
        sum += in[rest < head ? rest : 4 * count + rest];
    return sum;
}

extern "C" __global__ void block_sums(const int *in, unsigned n, long long *partial)
{
    long long sum = block_sum(strided_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
}

__device__ bool last_block(unsigned *counter)
{
    int last = 0;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(counter, 1) == gridDim.x - 1;
        __threadfence();
    }
    return __syncthreads_or(last);
}

extern "C" __global__ void sum(const int *in, unsigned n, long long *partial, unsigned *counter,
                               long long *out)
{
    long long sum = block_sum(thread_sum(in, n));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = sum;
    if (!last_block(counter))
        return;
    long long total = 0;
    for (unsigned b = threadIdx.x; b < gridDim.x; b += blockDim.x)
        total += partial[b];
    total = block_sum(total);
    if (threadIdx.x == 0) {
        *out = total;
        *counter = 0;
    }
}
