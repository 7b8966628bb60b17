// rounds.cu: where a barrier is advised that is missing between a loop's turns. The lines are the text's own: keep them.
//
// case read_in_branch expect=data-race says=after.line.19.and.before.the.branch.on.line.15,.where.the.loop.comes.round,.reached.by.all.threads
// case read_in_branch_waits expect=silent
// case unrolled expect=data-race says=__syncthreads\(\).after.line.31,.before.the.loop.comes.to.line.29.again
// case unrolled_waits expect=silent
#include <cstring>
#include <cuda_runtime.h>

__global__ void in_branches(int *out, volatile int *turns, bool waits)
{
    __shared__ int s[64];
    s[threadIdx.x] = 0, __syncthreads();
    for (int r = 0; r < turns[0]; r++) {
        if (threadIdx.x & 1)
            s[threadIdx.x ^ 1] = r;
        __syncthreads();
        if (r < turns[1])
            out[threadIdx.x] = s[threadIdx.x & ~1]; // read_in_branch
        if (waits)
            __syncthreads();
    }
}

template <bool waits> __global__ void plain_rounds(int *out, int turns)
{
    int mine = out[threadIdx.x];
    for (int r = 0; r < turns; r++) {
        out[threadIdx.x] = mine;
        if (waits) __syncthreads();
        mine = out[threadIdx.x ^ 33] + 1; // unrolled
        if (waits) __syncthreads();
    }
    out[threadIdx.x + 64] = mine;
}

int main(int argc, char **argv)
{
    int *out, *turns, counts[] = {4, 4};
    bool waits = argc > 1 && strstr(argv[1], "_waits");
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMemset(out, 0, 128 * sizeof *out);
    cudaMalloc(&turns, sizeof counts);
    cudaMemcpy(turns, counts, sizeof counts, cudaMemcpyHostToDevice);
    if (argc > 1 && strstr(argv[1], "read_in_branch"))
        in_branches<<<1, 64>>>(out, turns, waits);
    else
        waits ? plain_rounds<true><<<1, 64>>>(out, 5) : plain_rounds<false><<<1, 64>>>(out, 5);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(turns);
}
