// The same for two lanes of a warp.
__device__ volatile int x, y;
__global__ void k(int *data) // <<<1, 2>>>
{
    int &a = data[0], &b = data[1];
    if (threadIdx.x == 0) {
        SNIPPET 1
    } else {
        SNIPPET 2
    }
}
