// What a finding advises where threads meet turn by turn, and a barrier of the turn is missing; and where a counter says who writes where.
//
// case too_early_unrolled expect=data-race says=after.line.[0-9]+,.before.the.threads.come.to.line.[0-9]+.again
// case in_time_unrolled expect=silent
// case too_early expect=data-race says=after.line.[0-9]+,.before.the.loop.comes.to.line.[0-9]+.again
// case in_time expect=silent
// case in_parts expect=data-race says=__syncthreads...between.line.[0-9]+.and.line
// case whole expect=silent
// case slot_twice expect=data-race says=line.[0-9]+.writes.where.the.atomic.on.line.[0-9]+.says
// case slot_once expect=silent
// case slot_of_block expect=data-race says=look.at.the.index
// case slot_of_all expect=silent
#include <cstdio>
#include <cstring>

template <bool unrolled>
__global__ void count(int *out, int turns, bool right)
{
    __shared__ int n;
    for (int turn = 0; turn < (unrolled ? 4 : turns); turn++) {
        if (threadIdx.x == 0)
            n = 0;
        __syncthreads();
        atomicAdd(&n, 1);
        __syncthreads();
        out[turn * 64 + threadIdx.x] = n; // too_early_unrolled too_early
        if (right)
            __syncthreads();
    }
}

/** Lanes that have parted in one turn need not go on together: that branch is not what the barrier is missing behind. */
template <bool right>
__global__ void parts(int *out, int turns)
{
    __shared__ int n;
    for (int turn = 0; turn < turns; turn++) {
        if (threadIdx.x == 0)
            n = 0;
        __syncthreads();
        atomicAdd(&n, 1);
        if (right)
            __syncthreads();
        out[turn * blockDim.x + threadIdx.x] = n; // in_parts
        __syncthreads();
    }
}

__global__ void slots(int *out, int turns, bool right)
{
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0;
    __syncthreads();
    for (int turn = 0; turn < turns; turn++) {
        if (threadIdx.x == 0)
            n = 0;
        if (right)
            __syncthreads();
        int slot = atomicAdd(&n, 1);
        out[turn * 64 + slot] = threadIdx.x; // slot_twice
        __syncthreads();
    }
}

__global__ void by_block(int *out, int *counter, bool right)
{
    __shared__ int n;
    if (threadIdx.x == 0)
        n = 0;
    __syncthreads();
    int slot = right ? atomicAdd(counter, 1) : atomicAdd(&n, 1);
    out[slot] = blockIdx.x * 32 + threadIdx.x; // slot_of_block
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *out;
    cudaMalloc(&out, 1024 * sizeof *out);
    cudaMemset(out, 0, 1024 * sizeof *out);
#define CASE(n) else if (!strcmp(name, #n))
    if (!*name)
        return 2;
    CASE(too_early_unrolled) count<true><<<1, 64>>>(out, 4, false);
    CASE(in_time_unrolled) count<true><<<1, 64>>>(out, 4, true);
    CASE(too_early) count<false><<<1, 64>>>(out, 4, false);
    CASE(in_time) count<false><<<1, 64>>>(out, 4, true);
    CASE(in_parts) parts<false><<<1, 64>>>(out, 4);
    CASE(whole) parts<true><<<1, 64>>>(out, 4);
    CASE(slot_twice) slots<<<1, 64>>>(out, 4, false);
    CASE(slot_once) slots<<<1, 64>>>(out, 4, true);
    CASE(slot_of_block) by_block<<<2, 32>>>(out, out + 512, false);
    CASE(slot_of_all) by_block<<<2, 32>>>(out, out + 512, true);
    else return 2;
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
