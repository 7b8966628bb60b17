// The published queue, its two errors of types mended, and fetched from twice.
// replace: size_t itemIdx = atomicAdd(current,1); => unsigned itemIdx = atomicAdd(&current, 1);
// replace: … => item = gItems[itemIdx];
struct WorkItem {
    int first;
};
struct Queue {
    WorkItem *gItems;
    unsigned totalSize, current;
    SNIPPET
};
__global__ void k(int *data) // <<<1, 64>>>
{
    __shared__ Queue q;
    if (threadIdx.x == 0)
        q = Queue{(WorkItem *)data, 8, 0};
    __syncthreads();
    data[64 + threadIdx.x] = q.fetch().first;
    data[64 + threadIdx.x] += q.fetch().first;
}
