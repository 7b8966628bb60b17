// Are a kernel's atomics of system scope atomic together with the host's? In pinned, registered and managed memory both add, exchange and
// compare-and-swap at the same time, and the updates that got lost are counted.
//     nvcc -O2 -arch=native -o host_atomics tests/gpu/host_atomics.cu && ./host_atomics
// tests/gpu/host_atomics_h200.txt holds what an H200 behind PCIe gave.
#include <cstdlib>
#include <cstring>

#include "bench.h"

enum { BLOCKS = 4, THREADS = 32, TIMES = 500 };

struct shared {
    int begun, enough, over;
    unsigned sum, swaps, stored;
    unsigned long long wide;
};

__global__ void both(volatile shared *s)
{
    shared *p = (shared *)s;
    s->begun = 1;
    while (!s->enough)
        ;
    for (int i = 0; i < TIMES; i++) {
        atomicAdd_system(&p->sum, 1);
        atomicAdd_system(&p->wide, 1ull << 33);
        unsigned seen = s->swaps, old;
        while ((old = atomicCAS_system(&p->swaps, seen, seen + 1)) != seen)
            seen = old;
        atomicAdd_system(&p->stored, 0); // leaves what the host stores
    }
    __threadfence_system();
    atomicAdd_system(&p->over, 1);
}

static void in_memory(const char *name, shared *s)
{
    const unsigned kernel = BLOCKS * THREADS * TIMES;
    unsigned host = 0, undone = 0;
    memset(s, 0, sizeof *s);
    both<<<BLOCKS, THREADS>>>(s);
    while (!__atomic_load_n(&s->begun, __ATOMIC_RELAXED))
        ;
    __atomic_store_n(&s->enough, 1, __ATOMIC_RELAXED);
    while (__atomic_load_n(&s->over, __ATOMIC_RELAXED) < BLOCKS * THREADS / 2 && host < 100000) {
        __atomic_fetch_add(&s->sum, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&s->wide, 1ull << 33, __ATOMIC_RELAXED);
        __atomic_fetch_add(&s->swaps, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&s->stored, ++host, __ATOMIC_RELAXED);
        for (int i = 0; i < 50 && __atomic_load_n(&s->stored, __ATOMIC_RELAXED) == host; i++)
            ;
        undone += __atomic_load_n(&s->stored, __ATOMIC_RELAXED) != host;
    }
    CHECK(cudaDeviceSynchronize());
    printf("%-10s kernel %u, host %u, lost: add %u, add of 64 bits %llu, compare-and-swap %u; host's stores undone by add of 0: %u\n", name, kernel,
           host, kernel + host - s->sum, (unsigned long long)kernel + host - (s->wide >> 33), kernel + host - s->swaps, undone);
}

int main()
{
    shared *s;
    int native = -1;
    CHECK(cudaDeviceGetAttribute(&native, cudaDevAttrHostNativeAtomicSupported, 0));
    printf("hostNativeAtomicSupported %d\n", native);
    for (int i = 0; i < 3; i++) {
        CHECK(cudaMallocHost(&s, sizeof *s));
        in_memory("pinned", s);
        CHECK(cudaFreeHost(s));
        s = (shared *)aligned_alloc(4096, 4096);
        CHECK(cudaHostRegister(s, 4096, cudaHostRegisterDefault));
        in_memory("registered", s);
        CHECK(cudaHostUnregister(s));
        free(s);
        CHECK(cudaMallocManaged(&s, sizeof *s));
        in_memory("managed", s);
        CHECK(cudaFree(s));
    }
}
