// A block pushes an item to one that takes it as it should.
struct queue {
    int tail, items[8];
    unsigned ready[8];
};
__global__ void k(int *data) // <<<2, 1>>>
{
    queue *q = (queue *)data;
    int i = 0, it = 42;
    if (blockIdx.x == 0) {
        SNIPPET
    } else {
        while (*(volatile unsigned *)&q->ready[0] == 0) {
        }
        __threadfence();
        data[100] = q->items[0];
    }
}
