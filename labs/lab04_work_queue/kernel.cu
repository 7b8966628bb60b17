// lab04: a queue of work items in global memory, from which blocks fetch.
//
// Do the TODOs in order, delete each when it is done, and run ./grade lab04 after it. README.md has the background.

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

// Part A: the next item of the queue, the same for all threads of the block, who call it together;
// none() when there are no more.
__device__ item fetch(queue *q)
{
    __shared__ item next;
    // TODO 1 (part A): thread 0 takes the next number from the queue and the item that belongs to
    // it, or none() when the number is past the end. Two blocks must never get the same.
    // TODO 2 (part A): how do the other threads get the item? And who might still be reading the
    // last one when thread 0 comes here again?
    if (threadIdx.x == 0)
        next = none();
    __syncthreads();
    return next;
}

extern "C" __global__ void work(queue *q, const int *in, long long *sums, unsigned *times)
{
    for (item it = fetch(q); it.slot != NO_SLOT; it = fetch(q)) {
        process(it, in, &sums[it.slot]);
        if (threadIdx.x == 0)
            atomicAdd(&times[it.slot], 1);
    }
}

// Part B: makes the queue empty. Launched with one thread before fill.
extern "C" __global__ void reset(queue *q)
{
    // TODO 3 (part B)
}

// Part B: adds item{i, bounds[i], bounds[i + 1] - bounds[i]} to the queue for each i < n whose count
// is not 0. The order does not matter.
extern "C" __global__ void fill(queue *q, const unsigned *bounds, unsigned n)
{
    // TODO 4 (part B): for any grid and any n; the threads of all blocks share the ranges.
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
    // TODO 5 (part C): a place of its own for each item; then the item; then its flag. Whoever sees
    // the flag up must see the item.
}

// Takes an item; called by one thread. Waits while there is none but some may still come.
__device__ item take(growing_queue *q)
{
    // TODO 6 (part C): none() once nothing is pending. Otherwise take a number below tail, if there
    // is one, so that nobody else gets it; wait for its flag; only then read the item.
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
            // TODO 7 (part C): add two items, one for each half. When must they begin to count as
            // pending, so that nobody leaves too early?
        } else {
            process(it, in, &sums[it.slot]);
            if (threadIdx.x == 0)
                atomicAdd(&elements[it.slot], it.count);
        }
        if (threadIdx.x == 0)
            atomicSub(&q->pending, 1);
    }
}
