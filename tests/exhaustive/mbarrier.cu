/**
 * Litmus tests of mbarriers: arrivals release, waits acquire, and what an arrival returns tells who came before it. Warp w's first lane
 * is a thread; x holds the shared words, r what the readers saw. The expected table stands in mbarrier.expect.
 */
#define VOL(p) (*(volatile unsigned *)&(p))
#define KERNEL(name) extern "C" __global__ void name(unsigned *x, unsigned *r)
#define ME (threadIdx.x / 32)
#define LEAD (threadIdx.x % 32 == 0)

typedef unsigned long long object;

__device__ __forceinline__ unsigned at(object *b)
{
    return (unsigned)__cvta_generic_to_shared(b);
}

__device__ __forceinline__ void init(object *b, unsigned count)
{
    if (threadIdx.x == 0)
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at(b)), "r"(count) : "memory");
}

__device__ __forceinline__ object arrive(object *b)
{
    object state;
    asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at(b)) : "memory");
    return state;
}

__device__ __forceinline__ unsigned pending(object state)
{
    unsigned n;
    asm("mbarrier.pending_count.b64 %0, %1;" : "=r"(n) : "l"(state));
    return n;
}

__device__ __forceinline__ unsigned passes(object *b, object state)
{
    unsigned p;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(at(b)), "l"(state) : "memory");
    return p;
}

__device__ __forceinline__ unsigned is_past(object *b, unsigned parity)
{
    unsigned p;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(at(b)), "r"(parity) : "memory");
    return p;
}

__device__ __forceinline__ void wait(object *b, unsigned parity)
{
    while (!is_past(b, parity))
        ;
}

#define BEGIN(count)                                                                               \
    __shared__ object b;                                                                           \
    init(&b, count);                                                                               \
    __syncthreads();                                                                               \
    if (!LEAD)                                                                                     \
        return

/* Message passing: who sees the phase past sees the data. */
KERNEL(mp)
{
    BEGIN(1);
    if (ME == 0) {
        VOL(x[0]) = 1;
        arrive(&b);
    } else {
        r[0] = is_past(&b, 0);
        r[1] = VOL(x[0]);
    }
}

/* A relaxed arrival does not release. */
KERNEL(mp_relaxed)
{
    BEGIN(1);
    if (ME == 0) {
        VOL(x[0]) = 1;
        asm volatile("mbarrier.arrive.relaxed.cta.shared.b64 _, [%0];" ::"r"(at(&b)) : "memory");
    } else {
        r[0] = is_past(&b, 0);
        r[1] = VOL(x[0]);
    }
}

/* Nor does a relaxed wait acquire. */
KERNEL(mp_relaxed_wait)
{
    BEGIN(1);
    if (ME == 0) {
        VOL(x[0]) = 1;
        arrive(&b);
    } else {
        unsigned p;
        asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.relaxed.cta.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }" : "=r"(p) : "r"(at(&b)) : "memory");
        r[0] = p;
        r[1] = VOL(x[0]);
    }
}

/* Plain data behind a wait in a loop. */
KERNEL(mp_wait)
{
    BEGIN(1);
    if (ME == 0) {
        x[0] = 1;
        arrive(&b);
    } else {
        wait(&b, 0);
        r[0] = 1 + x[0];
    }
}

/* The second of two to arrive completes the phase, and has the first one's data if it looks by a wait. */
KERNEL(two)
{
    BEGIN(2);
    VOL(x[ME]) = 1;
    object state = arrive(&b);
    r[ME] = pending(state);
    if (passes(&b, state))
        r[2 + ME] = 1 + VOL(x[1 - ME]);
}

/* An arrival alone acquires nothing. */
KERNEL(two_no_wait)
{
    BEGIN(2);
    VOL(x[ME]) = 1;
    r[ME] = pending(arrive(&b));
    r[2 + ME] = VOL(x[1 - ME]);
}

/* One of the two leaves the later phases. */
KERNEL(drop)
{
    BEGIN(2);
    if (ME == 0) {
        asm volatile("mbarrier.arrive_drop.shared.b64 _, [%0];" ::"r"(at(&b)) : "memory");
    } else {
        arrive(&b);
        wait(&b, 0);
        r[0] = pending(arrive(&b));
        r[1] = is_past(&b, 1);
    }
}

/* Bytes that are expected hold a phase until they have been said to come. */
KERNEL(bytes)
{
    BEGIN(1);
    if (ME == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 16;" ::"r"(at(&b)) : "memory");
        r[0] = is_past(&b, 0);
    } else {
        asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], 16;" ::"r"(at(&b)) : "memory");
        r[1] = is_past(&b, 0);
    }
}

/* Two phases of one object. */
KERNEL(phases)
{
    BEGIN(2);
    for (unsigned i = 0; i < 2; i++) {
        VOL(x[ME]) = i + 1;
        arrive(&b);
        wait(&b, i & 1);
        r[2 * i + ME] = VOL(x[1 - ME]);
    }
}

/* What one wait acquired another arrival passes on. */
KERNEL(chain)
{
    __shared__ object c;
    init(&c, 1);
    BEGIN(1);
    if (ME == 0) {
        x[0] = 7;
        arrive(&b);
    } else if (ME == 1) {
        wait(&b, 0);
        arrive(&c);
    } else {
        wait(&c, 0);
        r[0] = x[0];
    }
}

/* Nothing keeps a store before a load of something else. */
KERNEL(sb)
{
    BEGIN(2);
    VOL(x[ME]) = 1;
    arrive(&b);
    r[ME] = VOL(x[1 - ME]);
}

/* Nobody completes the phase. */
KERNEL(never)
{
    BEGIN(2);
    if (ME == 0) {
        r[0] = 1;
        arrive(&b);
    } else {
        wait(&b, 0);
        r[1] = 1;
    }
}

/* Two arrive, of whom one is another block of the cluster. Both are counted, whatever scopes they name: who finds the phase complete has seen both, and
   where none is written the other block's data, too. An arrival of the block's scope from afar releases nothing. */
#define FROM_AFAR(name, near, far)                                                                 \
    extern "C" __global__ void __cluster_dims__(2, 1, 1) name(unsigned *x, unsigned *r)            \
    {                                                                                              \
        __shared__ object b;                                                                       \
        init(&b, 2);                                                                               \
        CLUSTER_SYNC();                                                                            \
        if (blockIdx.x == 0) {                                                                     \
            asm volatile("mbarrier.arrive" near ".shared.b64 _, [%0];" ::"r"(at(&b)) : "memory");  \
            r[0] = is_past(&b, 0);                                                                 \
            r[1] = VOL(x[0]);                                                                      \
        } else {                                                                                   \
            VOL(x[0]) = 1;                                                                         \
            asm volatile("{ .reg .b32 a; mapa.shared::cluster.u32 a, %0, 0; mbarrier.arrive" far ".shared::cluster.b64 _, [a]; }" ::"r"(at(&b)) : "memory"); \
        }                                                                                          \
        CLUSTER_SYNC();                                                                            \
    }
#define CLUSTER_SYNC() asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory")
FROM_AFAR(afar, "", "")
FROM_AFAR(afar_of_cluster, ".release.cta", ".release.cluster")
FROM_AFAR(afar_of_block, "", ".release.cta")

#define RUN(name, warps)                                                                           \
    do {                                                                                           \
        cudaMemset(x, 0, 16);                                                                      \
        cudaMemset(r, 0, 16);                                                                      \
        name<<<1, 32 * (warps)>>>(x, r);                                                           \
        cudaDeviceSynchronize();                                                                   \
    } while (0)
#define RUN_AFAR(name)                                                                             \
    do {                                                                                           \
        cudaMemset(x, 0, 16);                                                                      \
        cudaMemset(r, 0, 16);                                                                      \
        name<<<2, 1>>>(x, r);                                                                      \
        cudaDeviceSynchronize();                                                                   \
    } while (0)

int main(void)
{
    unsigned *x, *r;
    if (cudaMalloc(&x, 16) != cudaSuccess || cudaMalloc(&r, 16) != cudaSuccess)
        return 1;
    RUN(mp, 2);
    RUN(mp_relaxed, 2);
    RUN(mp_relaxed_wait, 2);
    RUN(mp_wait, 2);
    RUN(two, 2);
    RUN(two_no_wait, 2);
    RUN(drop, 2);
    RUN(bytes, 2);
    RUN(phases, 2);
    RUN(chain, 3);
    RUN(sb, 2);
    RUN_AFAR(afar);
    RUN_AFAR(afar_of_cluster);
    RUN_AFAR(afar_of_block);
    RUN(never, 2);
    return 0;
}
