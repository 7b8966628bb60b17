// The receiver of a message from a sender that does its half.
__global__ void k(int *memory) // <<<2, 1>>>
{
    int *data = memory, *flag = memory + 1, *out = memory + 2;
    if (blockIdx.x == 0) {
        *data = 42;
        __threadfence();
        *(volatile int *)flag = 1;
    } else {
        SNIPPET
    }
}
