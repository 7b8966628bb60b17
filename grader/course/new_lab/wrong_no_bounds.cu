// verdict: out-of-bounds @1
// Every thread writes, also those past the end.
extern "C" __global__ void doubled(const int *in, int *out, unsigned n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = 2 * in[i]; // @1
}
