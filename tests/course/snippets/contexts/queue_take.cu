// A block takes an item from one that pushes it as it should.
struct queue {
    int items[8];
    unsigned ready[8];
};
__global__ void k(int *data) // <<<2, 1>>>
{
    queue *q = (queue *)data;
    int i = 0, it;
    if (blockIdx.x == 0) {
        q->items[0] = 42;
        __threadfence();
        *(volatile unsigned *)&q->ready[0] = 1;
    } else {
        SNIPPET
        data[100] = it;
    }
}
