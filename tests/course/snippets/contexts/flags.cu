// Each of 32 blocks stores, raises its flag and polls all flags with its first warp.
__global__ void k(int *data) // <<<32, 64>>>
{
    volatile int *flags = data + 128;
    int lane = threadIdx.x % 32, first = 0;
    if (threadIdx.x == 0) {
        data[blockIdx.x] = 1;
        __threadfence();
        flags[blockIdx.x] = 1;
    }
    SNIPPET
    if (threadIdx.x == 63)
        data[64 + blockIdx.x] = data[(blockIdx.x + 1) % 32];
}
