// verdict: not-as-asked in full_block
// The sums are right, and one thread adds up everything: nothing of the exercise is done.

extern "C" __global__ void block_sum(const int *in, unsigned n, int *out)
{
    if (threadIdx.x == 0) {
        int sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += in[i];
        *out = sum;
    }
}
extern "C" __global__ void grid_sum(const int *in, unsigned n, int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        int sum = 0;
        for (unsigned i = 0; i < n; i++)
            sum += in[i];
        *out = sum;
    }
}
extern "C" __global__ void partial_sums(const int *in, unsigned n, int *out)
{
    if (threadIdx.x == 0 && blockIdx.x == 0) 
        for (unsigned b = 0; b < gridDim.x; b++) {
            int sum = 0;
            for (unsigned i = 0; i < n; i++)
                if (i / blockDim.x % gridDim.x == b)
                    sum += in[i];
            out[b] = sum;
        }
}
