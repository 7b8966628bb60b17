// The sender of a message to a receiver that does its half.
__global__ void k(int *memory) // <<<2, 1>>>
{
    int *data = memory, *flag = memory + 1;
    if (blockIdx.x == 0) {
        SNIPPET
    } else {
        while (*(volatile int *)flag == 0) {
        }
        __threadfence();
        memory[2] = *data;
    }
}
