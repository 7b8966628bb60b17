// verdict: wrong-result
// A warp's sum is that of the threads which happen to be together: behind a loop that not all leave in the same turn, not the whole warp.

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdint>

namespace cg = cooperative_groups;

// The sum over the threads of a warp, in its lane 0. `lanes` of the 32 exist.
__device__ long long warp_sum(long long value, unsigned lanes)
{
    auto c = cg::coalesced_threads();
    return cg::reduce(c, value, cg::plus<long long>());
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
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence(); // release: my partial sum is out before my ticket
        last = atomicAdd(counter, 1) == gridDim.x - 1;
        __threadfence(); // acquire: I saw all tickets, so I see what was out before them
    }
    __syncthreads(); // and so does my block
    return last;
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
