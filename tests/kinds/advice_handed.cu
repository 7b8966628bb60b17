// What is advised where a fence would not mend it: a check and a store whose threads have heard of each other by chance; and where an atomic would
// only hide it: two threads that have come past one wait.
//
// case found_plainly expect=data-race also=missing-release says=an.atomic.on.lines nor=before.the.branch
// case found_by_swap expect=silent
// case found_across expect=missing-release also=data-race says=an.atomic.on.line nor=__threadfence
// case found_across_by_swap expect=silent
// case behind_ticket expect=missing-release says=__threadfence...right.before.the.signal nor=an.atomic
// case behind_ticket_ordered expect=silent
// case turn_unfenced expect=data-race also=deadlock says=__threadfence...between.line.[0-9]+.and.line.[0-9]+ nor=an.atomic
// case turn_fenced expect=silent
// case node_unfenced expect=data-race says=__threadfence...between.line.[0-9]+.and.line.[0-9]+ nor=an.atomic
// case node_fenced expect=silent
// case turn_for_two expect=data-race also=deadlock says=an.atomic.on.line
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
    cudaMemcpy(value, turns || strncmp(name, "node", 4) == 0 || strncmp(name, "behind", 6) == 0 ? b : a, is("found_plainly") ? 20 : 4, cudaMemcpyDeviceToHost);
    cudaFree(a), cudaFree(b), cudaFree(count);
    return 0;
}
