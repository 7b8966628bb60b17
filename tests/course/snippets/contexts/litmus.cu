// Up to four threads in blocks of their own; x and y are 0 at first, registers go to the first words of data.
// replace: fence; => __threadfence();
__device__ volatile int x, y;
__global__ void k(int *data) // <<<4, 1>>>
{
    int &a = data[0], &b = data[1], &c = data[2], &d = data[3];
    if (blockIdx.x == 0) {
        SNIPPET 1
    } else if (blockIdx.x == 1) {
        SNIPPET 2
    } else if (blockIdx.x == 2) {
        SNIPPET 3
    } else {
        SNIPPET 4
    }
    (void)&a, (void)&b, (void)&c, (void)&d;
}
