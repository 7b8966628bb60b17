// @LAB@: contiguous elements for each thread instead of strided ones.
extern "C" __global__ void doubled(const int *in, int *out, unsigned n)
{
    unsigned threads = gridDim.x * blockDim.x, me = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned share = (n + threads - 1) / threads;
    for (unsigned k = 0; k < share; k++) {
        unsigned i = me * share + k;
        if (i < n)
            out[i] = in[i] + in[i];
    }
}
