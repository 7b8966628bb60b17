// What is advised where a fence would not mend it: a check and a store whose threads have heard of each other by chance; and where an atomic would
// only hide it: two threads that have come past one wait.
//
// case found_plainly expect=data-race also=missing-release says=an.atomic.on.lines nor=before.the.branch
// case found_by_swap expect=silent
// case found_across expect=missing-release also=data-race says=an.atomic.on.line nor=__threadfence
// case found_across_by_swap expect=silent
// case behind_ticket expect=missing-release says=__threadfence...right.before.the.signal nor=an.atomic
// case behind_ticket_ordered expect=silent
// case handed_by_barrier expect=missing-release says=__threadfence...right.before.the.signal nor=needs.atomics
// case handed_by_barrier_ordered expect=silent
// case turn_unfenced expect=data-race also=deadlock,ordering says=__threadfence...between.line.[0-9]+.and.line.[0-9]+ nor=an.atomic
// case turn_fenced expect=silent
// case node_unfenced expect=data-race says=__threadfence...between.line.[0-9]+.and.line.[0-9]+ nor=an.atomic
// case node_fenced expect=silent
// case queued_unfenced expect=missing-acquire says=__threadfence...behind.the.loop nor=an.atomic
// case queued_fenced expect=silent
// case sequence_plain expect=data-race says=volatile.or.relaxed.atomic.accesses.on.lines
// case sequence_volatile expect=silent
// case lock_each expect=data-race says=one.lock.for.both nor=a.lock.that.orders
// case lock_one expect=silent
// case least_plainly expect=data-race also=missing-release says=is.plain nor=before.the.signal
// case least_volatile expect=silent
// case acked_early expect=data-race says=the.signal.on.line.[0-9]+.comes.before.line.[0-9]+ nor=reached.by.all.threads
// case acked_late expect=silent
// case acked_held expect=data-race says=the.signal.on.line.[0-9]+.comes.before.line.[0-9]+
// case acked_held_late expect=silent
// case turn_for_two expect=data-race also=deadlock,ordering says=an.atomic.on.line
#include <cuda_runtime.h>
#include <cstring>

#define DEGREE 3

/** Breadth first: each new neighbour is put into the next queue, once. */
template <bool SWAPS> __global__ void level(int *depth, int *next, int *count, int n)
{
    int u = blockIdx.x * blockDim.x + threadIdx.x;
    for (int e = 0; e < DEGREE; e++) {
        int v = (u / 2 + e) % n;
        if (SWAPS) {
            if (atomicCAS(&depth[v], 0, 1) == 0)
                next[atomicAdd(count, 1)] = v;
        } else if (depth[v] == 0) {
            depth[v] = 1; // found_plainly
            next[atomicAdd(count, 1)] = v;
        }
    }
}

/** The same steps by the last to come: here the ticket is what orders. */
template <bool FENCED> __global__ void last(int *depth, int *count, int *out)
{
    if (depth[blockIdx.x] == 0)
        depth[blockIdx.x] = (int)blockIdx.x + 1; // behind_ticket
    if (FENCED)
        __threadfence();
    if (atomicAdd(count, 1) != (int)gridDim.x - 1)
        return;
    __threadfence();
    int sum = 0;
    for (int i = 0; i < (int)gridDim.x; i++)
        sum += depth[i];
    *out = sum;
}

/** Thread 0 takes the block's ticket, and the block's barrier hands on what it saw: that is meant to order, though the others have not been there. */
template <bool FENCED> __global__ void last_of_bins(int *bins, int *count, int *out)
{
    __shared__ bool last;
    atomicAdd(&bins[threadIdx.x & 7], 1); // handed_by_barrier
    __syncthreads();
    if (threadIdx.x == 0) {
        if (FENCED)
            __threadfence();
        last = atomicAdd(count, 1) == (int)gridDim.x - 1;
        if (FENCED)
            __threadfence();
    }
    __syncthreads();
    if (last && threadIdx.x < 8)
        out[threadIdx.x] = bins[threadIdx.x];
}

/** Anderson's lock: a slot for each block, in turn. */
template <bool FENCED> __global__ void anderson(volatile int *slots, unsigned *tail, int *count, unsigned size)
{
    for (int i = 0; i < 3; i++) {
        unsigned at = atomicAdd(tail, 1) % size;
        if (FENCED)
            __threadfence();
        while (!slots[at])
            ;
        slots[at] = 0;
        __threadfence();
        *count += 1; // turn_unfenced turn_for_two
        __threadfence();
        slots[(at + 1) % size] = 1;
    }
}

/** The lock of Craig, Landin and Hagersten: each waits at the node of the one before. */
template <bool FENCED> __global__ void clh(volatile int *held, unsigned *tail, int *count)
{
    unsigned me = blockIdx.x + 1;
    for (int i = 0; i < 3; i++) {
        held[me] = 1;
        __threadfence();
        unsigned before = atomicExch(tail, me);
        if (FENCED)
            __threadfence();
        while (held[before])
            ;
        __threadfence();
        *count += 1; // node_unfenced
        __threadfence();
        held[me] = 0;
        me = before;
    }
}

/** The lock of Mellor-Crummey and Scott: who is first does not wait. */
template <bool FENCED> __global__ void mcs(volatile int *next, volatile int *held, int *tail, int *count)
{
    int me = (int)blockIdx.x + 1;
    next[me] = 0;
    held[me] = 1;
    __threadfence();
    int before = atomicExch(tail, me);
    __threadfence();
    if (before) {
        next[before] = me;
        while (held[me])
            ;
        if (FENCED)
            __threadfence();
    }
    *count += 1; // queued_unfenced
    __threadfence();
    if (!next[me]) {
        if (atomicCAS(tail, me, 0) == me)
            return;
        while (!next[me])
            ;
    }
    __threadfence();
    held[next[me]] = 0;
}

template <bool VOLATILE> __global__ void sequence(volatile unsigned *number, int *data, int *out)
{
    if (blockIdx.x == 0) {
        for (int i = 1; i < 3; i++) {
            *number = 2 * i - 1;
            __threadfence();
            if (VOLATILE)
                ((volatile int *)data)[0] = ((volatile int *)data)[1] = i;
            else
                data[0] = data[1] = i;
            __threadfence();
            *number = 2 * i;
        }
        return;
    }
    for (;;) {
        unsigned before = *number;
        if (before & 1)
            continue;
        __threadfence();
        int a, b;
        if (VOLATILE) {
            a = ((volatile int *)data)[0];
            b = ((volatile int *)data)[1];
        } else {
            a = data[0];
            b = data[1];
        }
        __threadfence();
        if (*number == before) {
            out[blockIdx.x] = a - b;
            return;
        }
    }
}

template <bool EACH> __global__ void locked(int *lock, int *count)
{
    int *mine = EACH ? lock + blockIdx.x : lock;
    while (atomicCAS(mine, 0, 1))
        ;
    __threadfence();
    *count += 1; // lock_each
    __threadfence();
    atomicExch(mine, 0);
}

/** Shortest ways: what is found is made less, and looked at by others. */
template <bool VOLATILE> __global__ void nearer(int *dist, int *again, int n)
{
    int u = threadIdx.x, mine;
    if (VOLATILE)
        mine = *(volatile int *)&dist[u];
    else
        mine = dist[u]; // least_plainly
    for (int e = 1; e < 4 && mine < 1000; e++)
        if (atomicMin(&dist[(u * e + 1) % n], mine + e) > mine + e)
            *(volatile int *)again = 1;
}

/** Two buffers that go to and fro between a thread each: the first two turns need not wait. */
template <bool EARLY> __global__ void buffers(volatile int *full, volatile int *empty, int *data, int *out, int n)
{
    if (threadIdx.x)
        return;
    for (int i = 0; i < n; i++) {
        if (blockIdx.x == 0) {
            if (i >= 2) {
                while (empty[i % 2] < i - 1)
                    ;
                __threadfence();
            }
            data[i % 2] = i;
            __threadfence();
            full[i % 2] = i + 1;
        } else {
            while (full[i % 2] < i + 1)
                ;
            __threadfence();
            if (EARLY)
                empty[i % 2] = i + 1;
            out[i] = data[i % 2]; // acked_early
            if (!EARLY) {
                __threadfence();
                empty[i % 2] = i + 1;
            }
        }
    }
}

/** Another block lets the reader go on behind its signal: the writer has written anew by then. */
template <bool EARLY> __global__ void held(volatile int *full, volatile int *empty, volatile int *go, int *data, int *out)
{
    if (blockIdx.x == 0) {
        *data = 1;
        __threadfence();
        *full = 1;
        while (*empty == 0)
            ;
        __threadfence();
        *data = 2;
    } else if (blockIdx.x == 1) {
        while (*full == 0)
            ;
        __threadfence();
        if (!EARLY)
            *out = *data;
        if (!EARLY)
            __threadfence();
        *empty = 1;
        while (*go == 0)
            ;
        if (EARLY)
            *out = *data; // acked_held
    } else {
        *go = 1;
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    auto is = [&](const char *word) { return strcmp(name, word) == 0; };
    int *a, *b, *count, one = 1, value[256];
    cudaMalloc(&a, 1024), cudaMalloc(&b, 4096), cudaMalloc(&count, 4);
    cudaMemset(a, 0, 1024), cudaMemset(b, 0, 4096), cudaMemset(count, 0, 4);
    bool turns = strncmp(name, "turn", 4) == 0;
    if (turns)
        cudaMemcpy(a, &one, 4, cudaMemcpyHostToDevice);
    if (is("found_plainly"))
        level<false><<<1, 32>>>(a, b, count, 20);
    else if (is("found_by_swap"))
        level<true><<<1, 32>>>(a, b, count, 20);
    else if (is("found_across"))
        level<false><<<8, 1>>>(a, b, count, 7);
    else if (is("found_across_by_swap"))
        level<true><<<8, 1>>>(a, b, count, 7);
    else if (is("behind_ticket"))
        last<false><<<4, 1>>>(a, count, b);
    else if (is("behind_ticket_ordered"))
        last<true><<<4, 1>>>(a, count, b);
    else if (is("handed_by_barrier"))
        last_of_bins<false><<<4, 64>>>(a, count, b);
    else if (is("handed_by_barrier_ordered"))
        last_of_bins<true><<<4, 64>>>(a, count, b);
    else if (is("queued_unfenced"))
        mcs<false><<<4, 1>>>(a, a + 64, count, b);
    else if (is("queued_fenced"))
        mcs<true><<<4, 1>>>(a, a + 64, count, b);
    else if (is("sequence_plain"))
        sequence<false><<<3, 1>>>((unsigned *)count, b + 8, b);
    else if (is("sequence_volatile"))
        sequence<true><<<3, 1>>>((unsigned *)count, b + 8, b);
    else if (is("lock_each"))
        locked<true><<<4, 1>>>(a, b);
    else if (is("lock_one"))
        locked<false><<<4, 1>>>(a, b);
    else if (is("least_plainly"))
        nearer<false><<<1, 64>>>(a, count, 64);
    else if (is("least_volatile"))
        nearer<true><<<1, 64>>>(a, count, 64);
    else if (is("acked_early"))
        buffers<true><<<2, 32>>>(a, a + 8, b + 64, b, 6);
    else if (is("acked_late"))
        buffers<false><<<2, 32>>>(a, a + 8, b + 64, b, 6);
    else if (is("acked_held"))
        held<true><<<3, 1>>>(a, a + 8, a + 16, b + 64, b);
    else if (is("acked_held_late"))
        held<false><<<3, 1>>>(a, a + 8, a + 16, b + 64, b);
    else if (is("turn_unfenced"))
        anderson<false><<<4, 1>>>(a, (unsigned *)count, b, 4);
    else if (is("turn_fenced"))
        anderson<true><<<4, 1>>>(a, (unsigned *)count, b, 4);
    else if (is("turn_for_two")) {
        cudaMemcpy(a + 1, &one, 4, cudaMemcpyHostToDevice);
        anderson<true><<<4, 1>>>(a, (unsigned *)count, b, 4);
    } else if (is("node_unfenced"))
        clh<false><<<4, 1>>>(a, (unsigned *)count, b);
    else if (is("node_fenced"))
        clh<true><<<4, 1>>>(a, (unsigned *)count, b);
    cudaMemcpy(value, turns || strncmp(name, "node", 4) == 0 || strncmp(name, "queued", 6) == 0 || strncmp(name, "acked", 5) == 0 || strncmp(name, "lock", 4) == 0 || strncmp(name, "behind", 6) == 0 ? b : a, is("found_plainly") ? 20 : 4, cudaMemcpyDeviceToHost);
    cudaFree(a), cudaFree(b), cudaFree(count);
    return 0;
}
