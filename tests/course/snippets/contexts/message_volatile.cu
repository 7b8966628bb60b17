// A message whose receiver has volatile accesses, too, and no fence.
__global__ void k(int *memory) // <<<2, 1>>>
{
    int *data = memory, *flag = memory + 1;
    if (blockIdx.x == 0) {
        SNIPPET
    } else {
        while (*(volatile int *)flag == 0) {
        }
        memory[2] = *(volatile int *)data;
    }
}
