/**
 * @file textbook_sort.h
 * The bitonic sort that lab01's reference is measured against, built like the one among NVIDIA's
 * samples (sortingNetworks): blocks of 512 threads sort 1,024 values in shared memory; then, merge
 * by merge, one launch for each step whose pairs are 1,024 or more apart, a pair a thread and 256
 * threads a block, and one launch in shared memory for the steps below. Written from that
 * description; the sample itself is not here. The sample sorts keys with a value each (PAIRS); keys
 * alone are half of its memory traffic, so they are the harder ones to beat.
 */
#ifndef TESTS_GPU_TEXTBOOK_SORT_H
#define TESTS_GPU_TEXTBOOK_SORT_H

#define TEXTBOOK_SIZE 1024u
#define TEXTBOOK_THREADS (TEXTBOOK_SIZE / 2)

/** A key and, with PAIRS, its value. */
template <bool PAIRS> struct textbook_array {
    int *keys, *values;

    __device__ void order(unsigned a, unsigned b, bool ascending) const
    {
        int low = keys[a], high = keys[b];
        if ((low > high) != ascending)
            return;
        keys[a] = high;
        keys[b] = low;
        if (PAIRS) {
            int value = values[a];
            values[a] = values[b];
            values[b] = value;
        }
    }

    __device__ void copy(unsigned to, const textbook_array &from, unsigned i) const
    {
        keys[to] = from.keys[i];
        if (PAIRS)
            values[to] = from.values[i];
    }
};

/** The lower place of thread `t`'s pair. */
__device__ inline unsigned textbook_place(unsigned t, unsigned j)
{
    return 2 * t - (t & (j - 1));
}

template <bool PAIRS>
__device__ void textbook_steps(const textbook_array<PAIRS> &shared, unsigned j, bool ascending)
{
    for (; j > 0; j /= 2) {
        __syncthreads();
        unsigned a = textbook_place(threadIdx.x, j);
        shared.order(a, a + j, ascending);
    }
}

/** Sorts each 1,024 values, up and down in turn (`k` 0), or does merge k's steps below 1,024. */
template <bool PAIRS> __global__ void textbook_shared(textbook_array<PAIRS> in, unsigned k)
{
    __shared__ int keys[TEXTBOOK_SIZE], values[PAIRS ? TEXTBOOK_SIZE : 1];
    textbook_array<PAIRS> shared = {keys, values};
    unsigned t = threadIdx.x, first = blockIdx.x * TEXTBOOK_SIZE + t;
    shared.copy(t, in, first);
    shared.copy(t + TEXTBOOK_THREADS, in, first + TEXTBOOK_THREADS);
    if (k == 0)
        for (unsigned size = 2; size < TEXTBOOK_SIZE; size *= 2)
            textbook_steps(shared, size / 2, (t & (size / 2)) == 0);
    bool ascending = k ? (first & k) == 0 : blockIdx.x % 2 == 0;
    textbook_steps(shared, TEXTBOOK_SIZE / 2, ascending);
    __syncthreads();
    in.copy(first, shared, t);
    in.copy(first + TEXTBOOK_THREADS, shared, t + TEXTBOOK_THREADS);
}

template <bool PAIRS>
__global__ void textbook_step(textbook_array<PAIRS> in, unsigned j, unsigned k)
{
    unsigned a = textbook_place(blockIdx.x * blockDim.x + threadIdx.x, j);
    in.order(a, a + j, (a & k) == 0);
}

/** Sorts n keys, a power of two and at least 1,024. */
template <bool PAIRS> static void textbook_sort(textbook_array<PAIRS> in, unsigned n)
{
    textbook_shared<PAIRS><<<n / TEXTBOOK_SIZE, TEXTBOOK_THREADS>>>(in, 0);
    for (unsigned k = 2 * TEXTBOOK_SIZE; k <= n; k *= 2) {
        for (unsigned j = k / 2; j >= TEXTBOOK_SIZE; j /= 2)
            textbook_step<PAIRS><<<n / 512, 256>>>(in, j, k);
        textbook_shared<PAIRS><<<n / TEXTBOOK_SIZE, TEXTBOOK_THREADS>>>(in, k);
    }
}

#endif
