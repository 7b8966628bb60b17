// A message from one block to another, in plain memory.
// replace: strong load of flag => *(volatile int *)&flag
// replace: strong store: flag = 1; => *(volatile int *)&flag = 1;
// replace: fence; => __threadfence();
// replace: print data; => printed = data;
__global__ void k(int *memory) // <<<2, 1>>>
{
    int &data = memory[0], &flag = memory[1], &printed = memory[2];
    if (blockIdx.x == 0) {
        SNIPPET 1
    } else {
        SNIPPET 2
    }
}
