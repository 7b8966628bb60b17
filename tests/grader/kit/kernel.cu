// The stand-in's skeleton: TODO everything.
extern "C" __global__ void k(int *out)
{
    *out = 1;
    *out = *out + 1;
}
__device__ int fake_wrong = 1;
