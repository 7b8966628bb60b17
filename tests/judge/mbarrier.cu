// Small kernels with mbarriers, of which every execution is asked as of any other: what threads do beside the objects, and what only these order.
// arch compute_80
#include "judge.cuh"

typedef unsigned long long object;

/** Flags, read and written as they stand. */
#define F ((volatile unsigned *)flag)

#define BEGIN(count)                                                                               \
    __shared__ object b;                                                                           \
    unsigned at = (unsigned)__cvta_generic_to_shared(&b);                                          \
    if (threadIdx.x == 0)                                                                          \
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "r"(count) : "memory");       \
    __syncthreads();                                                                               \
    if (threadIdx.x % 32)                                                                          \
        return

static __device__ __forceinline__ void arrive(unsigned at)
{
    asm volatile("{ .reg .b64 s; mbarrier.arrive.shared.b64 s, [%0]; }" ::"r"(at) : "memory");
}

static __device__ __forceinline__ bool is_past(unsigned at, unsigned parity)
{
    unsigned p;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(at), "r"(parity) : "memory");
    return p;
}

// case: object_lost_update block=64 expect=ordering@1
// Two warps count by a load and a store.
KERNEL(object_lost_update)
{
    BEGIN(2);
    F[0] = F[0] + 1; // @1
}

// case: object_update block=64 expect=silent
KERNEL(object_update)
{
    BEGIN(2);
    atomicAdd(&flag[0], 1);
}

// case: object_update_in_turn block=64 expect=silent
// The second counts when the first has.
KERNEL(object_update_in_turn)
{
    BEGIN(1);
    if (threadIdx.x) {
        while (!is_past(at, 0))
            ;
    }
    F[0] = F[0] + 1;
    if (!threadIdx.x)
        arrive(at);
}

// case: object_store_buffer block=64 expect=ordering@1@2
// An arrival keeps no store before a load of something else.
KERNEL(object_store_buffer)
{
    BEGIN(2);
    unsigned me = threadIdx.x / 32;
    F[me * 32] = 1; // @1
    arrive(at);
    y[me] = F[(1 - me) * 32]; // @2
}

// case: object_store_buffer_fence block=64 expect=silent
KERNEL(object_store_buffer_fence)
{
    BEGIN(2);
    unsigned me = threadIdx.x / 32;
    F[me * 32] = 1;
    arrive(at);
    __threadfence();
    y[me] = F[(1 - me) * 32];
}

// case: object_store_buffer_wait block=64 expect=silent
// Both have arrived before either looks.
KERNEL(object_store_buffer_wait)
{
    BEGIN(2);
    unsigned me = threadIdx.x / 32;
    F[me * 32] = 1;
    arrive(at);
    while (!is_past(at, 0))
        ;
    y[me] = F[(1 - me) * 32];
}

// case: copied_lost_update block=64 expect=ordering@1
// Beside an asynchronous copy, which the model is not asked about, runs are drawn.
KERNEL(copied_lost_update)
{
    __shared__ int tile[2];
    if (threadIdx.x % 32)
        return;
    unsigned me = threadIdx.x / 32;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[me])), "l"(x + me) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    F[0] = F[0] + 1; // @1
    y[me] = tile[me];
}

// case: copied_update block=64 expect=silent
KERNEL(copied_update)
{
    __shared__ int tile[2];
    if (threadIdx.x % 32)
        return;
    unsigned me = threadIdx.x / 32;
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((unsigned)__cvta_generic_to_shared(&tile[me])), "l"(x + me) : "memory");
    asm volatile("cp.async.wait_all;" ::: "memory");
    atomicAdd(&flag[0], 1);
    y[me] = tile[me];
}
