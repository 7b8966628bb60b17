// verdict: data-race @1 @2 in one_block
// A barrier of the warp where the block has to wait: the other warps take what lies there before the item has come.

// A piece of work: add up in[first] … in[first + count - 1] for result `slot`.
struct item {
    unsigned slot, first, count;
};

#define NO_SLOT 0xffffffffu

// The item that means "no more work".
__device__ item none()
{
    return item{NO_SLOT, 0, 0};
}

// Parts A and B: items[0] … items[total - 1], of which those below `current` have been taken.
struct queue {
    item *items;
    unsigned total, current;
};

// The sum of a warp's values, in its lane 0. The block's last warp may have fewer than 32 lanes.
__device__ long long warp_sum(long long value)
{
    unsigned lane = threadIdx.x % 32, lanes = min(32u, blockDim.x - (threadIdx.x - lane));
    for (unsigned distance = 16; distance > 0; distance /= 2) {
        long long other = __shfl_down_sync(~0u >> (32 - lanes), value, distance);
        value += lane + distance < lanes ? other : 0;
    }
    return value;
}

// Adds up an item by all threads of the block, and each warp's sum to *sum by an atomic: a block's
// warps, and in part C several blocks, add to the same sum.
__device__ void process(const item &it, const int *in, long long *sum)
{
    long long mine = 0;
    for (unsigned i = threadIdx.x; i < it.count; i += blockDim.x)
        mine += in[it.first + i];
    mine = warp_sum(mine);
    if (threadIdx.x % 32 == 0)
        atomicAdd((unsigned long long *)sum, (unsigned long long)mine);
}

__device__ item fetch(queue *q)
{
    __shared__ item next;
    __syncthreads(); // everyone has read the last item
    if (threadIdx.x == 0) {
        unsigned i = atomicAdd(&q->current, 1);
        next = i < q->total ? q->items[i] : none(); // @1
    }
    __syncwarp(); // the new one is there
    return next;
}

extern "C" __global__ void work(queue *q, const int *in, long long *sums, unsigned *times)
{
    for (item it = fetch(q); it.slot != NO_SLOT; it = fetch(q)) { // @2
        process(it, in, &sums[it.slot]);
        if (threadIdx.x == 0)
            atomicAdd(&times[it.slot], 1);
    }
}

extern "C" __global__ void reset(queue *q)
{
    q->total = 0;
    q->current = 0;
}

extern "C" __global__ void fill(queue *q, const unsigned *bounds, unsigned n)
{
    unsigned stride = gridDim.x * blockDim.x;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
        unsigned count = bounds[i + 1] - bounds[i];
        if (count > 0)
            q->items[atomicAdd(&q->total, 1)] = item{i, bounds[i], count};
    }
}

// Part C: items[i] may be read when ready[i] is up. `head` is the next to take, `tail` the next free
// place, `pending` the number of items that were added and are not finished.
struct growing_queue {
    item *items;
    unsigned *ready;
    unsigned capacity, head, tail, pending;
};

#define LEAF 64

// Adds an item; called by one thread.
__device__ void push(growing_queue *q, item it)
{
    unsigned i = atomicAdd(&q->tail, 1);
    q->items[i] = it;
    __threadfence(); // release: the item before its flag
    *(volatile unsigned *)&q->ready[i] = 1;
}

// Takes an item; called by one thread. Waits while there is none but some may still come.
__device__ item take(growing_queue *q)
{
    volatile unsigned *head = &q->head, *tail = &q->tail, *pending = &q->pending;
    while (*pending > 0) {
        unsigned i = *head;
        if (i >= *tail || atomicCAS(&q->head, i, i + 1) != i)
            continue;
        while (*(volatile unsigned *)&q->ready[i] == 0) {
        }
        __threadfence(); // acquire: the item after its flag
        return q->items[i];
    }
    return none();
}

extern "C" __global__ void split(growing_queue *q, const int *in, long long *sums,
                                 unsigned *elements)
{
    __shared__ item it;
    for (;;) {
        __syncthreads(); // everyone has read the last item
        if (threadIdx.x == 0)
            it = take(q);
        __syncthreads(); // the new one is there
        if (it.slot == NO_SLOT)
            return;
        if (it.count > LEAF) {
            if (threadIdx.x == 0) {
                unsigned half = it.count / 2;
                atomicAdd(&q->pending, 2); // before this one is finished
                push(q, item{it.slot, it.first, half});
                push(q, item{it.slot, it.first + half, it.count - half});
            }
        } else {
            process(it, in, &sums[it.slot]);
            if (threadIdx.x == 0)
                atomicAdd(&elements[it.slot], it.count);
        }
        if (threadIdx.x == 0)
            atomicSub(&q->pending, 1);
    }
}
