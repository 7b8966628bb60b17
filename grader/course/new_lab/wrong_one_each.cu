// verdict: wrong-result
// One element a thread: the rest is never written.
extern "C" __global__ void doubled(const int *in, int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2 * in[i];
}
