// A host that follows a kernel by a count of what is done, in memory that both share: it may read what it has been told of, and no more.
// When the host looks, the kernel has come no further than to the next count.
//
// also --remote
//
// case told expect=silent
// case ahead expect=stream-race
// case told_pinned expect=silent
// case ahead_pinned expect=stream-race
// case rows_told expect=silent
// case rows_ahead expect=stream-race
// case added_told expect=silent
// case added_ahead expect=stream-race
// case stored_strongly expect=silent
// case stored_plainly_ahead expect=stream-race
// case set_behind expect=stream-race
// case last_told expect=silent
// case last_ahead expect=stream-race
#include <cstring>
#include <cuda_runtime.h>

enum { STEPS = 24, COUNT = 2000, WORDS = 2048 };

__global__ void one_by_one(int *words)
{
    for (int i = 0; i < STEPS; i++) {
        words[i] = i + 1; // ahead ahead_pinned last_ahead
        __threadfence_system();
        *(volatile int *)&words[COUNT] = i + 1;
    }
}
__global__ void row_by_row(int *words)
{
    for (int i = 0; i < STEPS; i++) {
        words[i * 32 + threadIdx.x] = i + 1; // rows_ahead
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            *(volatile int *)&words[COUNT] = i + 1;
    }
}
__global__ void add_each(int *words)
{
    for (int i = 0; i < STEPS; i++) {
        words[i] = i + 1; // added_ahead
        __threadfence_system();
        atomicAdd_system(&words[COUNT], 1);
    }
}

/** Twice into what the host looks at. */
__global__ void store_twice(int *words, int plainly)
{
    *(volatile int *)&words[COUNT] = 1;
    __threadfence_system();
    if (plainly)
        words[COUNT] = 2; // stored_plainly_ahead
    else
        *(volatile int *)&words[COUNT] = 2;
}

static volatile int sink;

/** Reads `by` elements of `width` words more than it has been told of. */
static void follow(const int *words, int width, int by)
{
    for (int got = 0; got < STEPS;) {
        int told = __atomic_load_n(&words[COUNT], __ATOMIC_ACQUIRE);
        for (; got < told + by && got < STEPS; got++)
            for (int k = 0; k < width; k++)
                sink = words[got * width + k];
    }
}
/** Reads only the last element that has come. */
static void follow_last(const int *words, int by)
{
    for (int told = 0; told < STEPS;) {
        told = __atomic_load_n(&words[COUNT], __ATOMIC_ACQUIRE);
        int at = told - 1 + by;
        if (at >= 0 && at < STEPS)
            sink = words[at];
    }
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    int *words, by = strstr(name, "ahead") != nullptr;
    bool pinned = strstr(name, "pinned") != nullptr;
    if ((pinned ? cudaMallocHost(&words, sizeof(int[WORDS])) : cudaMallocManaged(&words, sizeof(int[WORDS]))) != cudaSuccess)
        return 2;
    memset(words, 0, sizeof(int[WORDS]));
    if (!strncmp(name, "rows", 4))
        row_by_row<<<1, 32>>>(words), follow(words, 32, by);
    else if (!strncmp(name, "added", 5))
        add_each<<<1, 1>>>(words), follow(words, 1, by);
    else if (!strncmp(name, "stored", 6))
        store_twice<<<1, 1>>>(words, by), sink = words[COUNT];
    else if (!strcmp(name, "set_behind"))
        store_twice<<<1, 1>>>(words, 0), cudaMemsetAsync(&words[COUNT], 0, sizeof(int)), sink = words[COUNT]; // set_behind
    else if (!strncmp(name, "last", 4))
        one_by_one<<<1, 1>>>(words), follow_last(words, by);
    else
        one_by_one<<<1, 1>>>(words), follow(words, 1, by);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 2;
    pinned ? cudaFreeHost(words) : cudaFree(words);
    return 0;
}
