// @LAB@: the reference.
extern "C" __global__ void doubled(const int *in, int *out, unsigned n)
{
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = in[i] * 2;
}
