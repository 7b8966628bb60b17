// Atomics of system scope, in managed memory that a kernel and the host use at the same time: none is lost. Host and kernel go on until
// both have begun. (In pinned memory a GPU behind PCIe loses some: tests/gpu/host_atomics.cu.)
#include "check.cuh"
#include <cuda/atomic>

#define BLOCKS 4
#define THREADS 32
#define TIMES 200 // of each thread of the kernel

struct shared {
    int begun, enough;
    unsigned sum, inc, lowest, swaps;
    unsigned long long wide;
    float real;
};
static const float STEP = 0.25f; // sums of it are exact

__global__ void both(shared *s)
{
    unsigned me = blockIdx.x * blockDim.x + threadIdx.x;
    cuda::atomic_ref<int> begun(s->begun), enough(s->enough);
    cuda::atomic_ref<unsigned> swaps(s->swaps);
    begun.store(1, cuda::memory_order_relaxed);
    while (!enough.load(cuda::memory_order_relaxed))
        ;
    for (int i = 0; i < TIMES; i++) {
        atomicAdd_system(&s->sum, 1);
        atomicInc_system(&s->inc, 0xffffffff);
        atomicMin_system(&s->lowest, 1000 + me);
        atomicAdd_system(&s->wide, 1ull << 33);
        atomicAdd_system(&s->real, STEP);
        unsigned seen = swaps.load(cuda::memory_order_relaxed), old;
        while ((old = atomicCAS_system(&s->swaps, seen, seen + 1)) != seen)
            seen = old;
    }
}

static void by_host(shared *s)
{
    __atomic_fetch_add(&s->sum, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->inc, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->wide, 1ull << 33, __ATOMIC_RELAXED);
    __atomic_fetch_add(&s->swaps, 1, __ATOMIC_RELAXED);
    float seen, next;
    __atomic_load(&s->real, &seen, __ATOMIC_RELAXED);
    do
        next = seen + STEP;
    while (!__atomic_compare_exchange(&s->real, &seen, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

static void in_memory(shared *s)
{
    const unsigned kernel = BLOCKS * THREADS * TIMES;
    unsigned host = 0;
    memset(s, 0, sizeof *s);
    s->lowest = 0xffffffff;
    both<<<BLOCKS, THREADS>>>(s);
    while (!__atomic_load_n(&s->begun, __ATOMIC_RELAXED))
        ;
    __atomic_store_n(&s->enough, 1, __ATOMIC_RELAXED);
    do // until the kernel has done a part of its own, or sums come near 2^24 steps, beyond which they are not exact
        for (int i = 0; i < 20; i++, host++)
            by_host(s);
    while (host < 1u << 23 && __atomic_load_n(&s->sum, __ATOMIC_RELAXED) - host < kernel / 2);
    OK(cudaDeviceSynchronize());
    CHECK(s->sum == kernel + host);
    CHECK(s->inc == kernel + host);
    CHECK(s->swaps == kernel + host);
    CHECK(s->wide == (unsigned long long)(kernel + host) << 33);
    CHECK(s->lowest == 1000);
    CHECK(s->real == STEP * (kernel + host));
}

int main()
{
    shared *s;
    OK(cudaMallocManaged(&s, sizeof *s));
    in_memory(s);
    OK(cudaFree(s));
    puts("host atomics ok");
}
