// verdict: not-as-asked in blocks | not-as-asked in many_blocks
// One thread adds up everything, in both kernels.

extern "C" __global__ void block_sums(const int *in, unsigned n, long long *partial)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    for (unsigned b = 0; b < gridDim.x; b++)
        partial[b] = 0;
    for (unsigned i = 0; i < n; i++)
        partial[i / blockDim.x % gridDim.x] += in[i];
}

extern "C" __global__ void sum(const int *in, unsigned n, long long *partial, unsigned *counter,
                               long long *out)
{
    if (blockIdx.x > 0 || threadIdx.x > 0)
        return;
    long long total = 0;
    for (unsigned i = 0; i < n; i++)
        total += in[i];
    *out = total;
}
