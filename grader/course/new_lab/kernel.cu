// @LAB@: write twice each element of in to out; any grid, any block size, any n.
extern "C" __global__ void doubled(const int *in, int *out, unsigned n)
{
    // TODO 1: the element of this thread. TODO 2: more elements than threads.
}
