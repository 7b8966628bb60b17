// One of two blocks that mirror each other.
__device__ int words[2];
__global__ void k(int *data) // <<<2, 1>>>
{
    int &a = data[0], &b = data[1], *x = words, *y = words + 1;
    if (blockIdx.x == 0) {
        SNIPPET
    } else {
        *(volatile int *)y = 1;
        __threadfence();
        b = *(volatile int *)x;
    }
}
