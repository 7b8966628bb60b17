// What the host reads and writes by one instruction, beside a kernel that runs: it has seen what was there. And as much of memory as it
// writes counts, not as much as changes.
//
// also --remote
//
// case locked expect=silent
// case locked_unfenced expect=missing-release
// case counted expect=silent
// case counted_unfenced expect=missing-release
// case exchanged expect=silent
// case exchanged_unfenced expect=missing-release
// case narrow expect=silent
// case wide expect=stream-race
#include "check.h"
#include <cstring>
#include <cuda_runtime.h>

enum { LOCK, DATA = 16, COUNT = 32, WORD = 48 };

__global__ void lock(int *words, bool fence)
{
    while (atomicCAS_system(&words[LOCK], 0, 1))
        ;
    __threadfence_system();
    words[DATA] += 1; // locked_unfenced
    if (fence)
        __threadfence_system();
    atomicExch_system(&words[LOCK], 0);
}
__global__ void count(int *words, bool fence)
{
    words[DATA] = 5; // counted_unfenced exchanged_unfenced
    if (fence)
        __threadfence_system();
    atomicAdd_system(&words[COUNT], 1);
}
__global__ void store_byte(char *word)
{
    word[2] = 7; // wide
}

static int *words;

static void host_locks()
{
    for (int free = 0; !__atomic_compare_exchange_n(&words[LOCK], &free, 1, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED); free = 0)
        ;
    words[DATA] += 1;
    __atomic_store_n(&words[LOCK], 0, __ATOMIC_RELEASE);
}
static void host_counts()
{
    while ((__atomic_fetch_add(&words[COUNT], 2, __ATOMIC_ACQ_REL) & 1) == 0)
        ;
    words[DATA]++;
}
static void host_exchanges()
{
    while (__atomic_exchange_n(&words[COUNT], 0, __ATOMIC_ACQ_REL) == 0)
        ;
    words[DATA]++;
}

static bool run(const char *name)
{
    bool fence = !strstr(name, "_unfenced");
    if (!strncmp(name, "locked", 6))
        lock<<<1, 1>>>(words, fence), host_locks();
    else if (!strncmp(name, "counted", 7))
        count<<<1, 1>>>(words, fence), host_counts();
    else if (!strncmp(name, "exchanged", 9))
        count<<<1, 1>>>(words, fence), host_exchanges();
    else if (!strcmp(name, "narrow"))
        store_byte<<<1, 1>>>((char *)&words[WORD]), *(volatile char *)&words[WORD] = 1;
    else
        store_byte<<<1, 1>>>((char *)&words[WORD]), *(volatile int *)&words[WORD] = 0x070001;
    return true;
}

int main(int argc, char **argv)
{
    CHECK(argc == 2 && cudaMallocManaged(&words, 256) == cudaSuccess);
    memset(words, 0, 256);
    CHECK(run(argv[1]));
    CHECK(cudaDeviceSynchronize() == cudaSuccess);
    cudaFree(words);
    return 0;
}
