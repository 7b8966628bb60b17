// A block draws the number of its tile; what all threads see is what one drew.
__global__ void k(int *data) // <<<3, 32>>>
{
    unsigned *ticket = (unsigned *)data;
    __shared__ unsigned tile;
    SNIPPET
    data[1 + tile * 32 + threadIdx.x] = 1;
}
