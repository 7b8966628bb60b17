// A number of this turn in volatile shared memory, one barrier a turn: who is ahead stores the next one before others have read, in launches that are
// too long for runs in which each lane goes alone, or whose result only the last turn changes. test_kinds.sh says what the list means.
//
// case one_block expect=ordering
// case one_block_twice expect=silent
// case full_block expect=ordering
// case full_block_twice expect=silent
// case even expect=ordering
// case even_twice expect=silent
// case four_blocks expect=ordering
// case four_blocks_twice expect=silent
// case same expect=silent
//
// arch compute_80 compute_90
#include <cstring>
#include <cuda_runtime.h>

/** Of each turn's window as many are marked as are left; all but the last are full. */
template <bool TWICE> __global__ void windows(int *out, int turns)
{
    __shared__ volatile int left;
    out += blockIdx.x * turns * blockDim.x;
    int rest = turns * blockDim.x - 5;
    for (int i = 0; i < turns; i++, rest -= blockDim.x) {
        if (threadIdx.x == 0)
            left = rest;
        __syncthreads();
        if (threadIdx.x < left)
            out[i * blockDim.x + threadIdx.x] = 1;
        if (TWICE)
            __syncthreads();
    }
}

/** What is stored is the same in every turn. */
__global__ void fills(int *out, int turns)
{
    __shared__ volatile int left;
    for (int i = 0; i < turns; i++) {
        if (threadIdx.x == 0)
            left = blockDim.x - 5;
        __syncthreads();
        if (threadIdx.x < left)
            out[i * blockDim.x + threadIdx.x] = 1;
    }
}

static const struct { const char *name; int blocks, turns, threads; } cases[] = {
    {"one_block", 1, 33, 64}, {"full_block", 1, 33, 256}, {"even", 1, 300, 64}, {"four_blocks", 4, 33, 64}, {"same", 1, 33, 256},
};

int main(int, char **argv)
{
    for (auto &c : cases) {
        if (strncmp(argv[1], c.name, strlen(c.name)))
            continue;
        int *out;
        size_t bytes = (size_t)c.blocks * c.turns * c.threads * sizeof *out;
        cudaMalloc(&out, bytes);
        cudaMemset(out, 0, bytes);
        if (!strcmp(c.name, "same"))
            fills<<<c.blocks, c.threads>>>(out, c.turns);
        else if (strstr(argv[1], "_twice"))
            windows<true><<<c.blocks, c.threads>>>(out, c.turns);
        else
            windows<false><<<c.blocks, c.threads>>>(out, c.turns);
        cudaDeviceSynchronize();
        cudaFree(out);
        return 0;
    }
    return 2;
}
