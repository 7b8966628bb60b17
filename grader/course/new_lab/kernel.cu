// @LAB@: write twice each element of in to out; any grid, any block size, any n.
// Do the TODOs in order, delete each when it is done, and run ./grade @LAB@ after it.
extern "C" __global__ void doubled(const int *in, int *out, unsigned n)
{
    // TODO 1 (part A): the element of this thread.
    // TODO 2 (part B): more elements than threads.
}
