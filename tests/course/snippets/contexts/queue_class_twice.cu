// The published class, its two errors of types mended, and fetched from twice.
// replace: class WorkQueue { => class WorkQueue { public:
// replace: size_t current; => unsigned current;
// replace: size_t itemIdx = atomicAdd(current,1); => unsigned itemIdx = atomicAdd(&current, 1);
// replace: … => item = gItems[itemIdx];
struct WorkItem {
    int first;
};
SNIPPET
};
__global__ void k(int *data) // <<<1, 64>>>
{
    __shared__ WorkQueue q;
    if (threadIdx.x == 0) {
        q.gItems = (WorkItem *)data;
        q.current = 0;
    }
    __syncthreads();
    data[64 + threadIdx.x] = q.fetch().first;
    data[64 + threadIdx.x] += q.fetch().first;
}
