/**
 * The classic litmus tests. Thread b is block b unless the name says otherwise; x holds the shared
 * words, r what the readers saw. The expected table stands in litmus.expect.
 */
#include <stdio.h>

#define VOL(p) (*(volatile unsigned *)&(p))
#define KERNEL(name) extern "C" __global__ void name(unsigned *x, unsigned *r)
#define ME blockIdx.x

/* Store buffering: both may read 0 unless fence.sc stands between. */
KERNEL(sb) { VOL(x[ME]) = 1; r[ME] = VOL(x[1 - ME]); }
KERNEL(sb_sc) { VOL(x[ME]) = 1; __threadfence(); r[ME] = VOL(x[1 - ME]); }
/* A fence of block scope does not reach the other block. */
KERNEL(sb_sc_cta) { VOL(x[ME]) = 1; __threadfence_block(); r[ME] = VOL(x[1 - ME]); }
/* fence.acq_rel is not enough for store buffering. */
KERNEL(sb_acq_rel)
{
    VOL(x[ME]) = 1;
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    r[ME] = VOL(x[1 - ME]);
}
KERNEL(sb_sc_one_side)
{
    VOL(x[ME]) = 1;
    if (ME == 0)
        __threadfence();
    r[ME] = VOL(x[1 - ME]);
}

/* Message passing: data x[0], flag x[1]; the outcome 1, 0 is the stale read. */
KERNEL(mp)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
        VOL(x[1]) = 1;
    } else {
        r[0] = VOL(x[1]);
        r[1] = VOL(x[0]);
    }
}
KERNEL(mp_fences)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
        __threadfence();
        VOL(x[1]) = 1;
    } else {
        r[0] = VOL(x[1]);
        __threadfence();
        r[1] = VOL(x[0]);
    }
}
KERNEL(mp_release_only)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
        __threadfence();
        VOL(x[1]) = 1;
    } else {
        r[0] = VOL(x[1]);
        r[1] = VOL(x[0]);
    }
}
KERNEL(mp_release_acquire)
{
    if (ME == 0) {
        x[0] = 1;
        asm volatile("st.release.gpu.u32 [%0], 1;" ::"l"(x + 1) : "memory");
    } else {
        unsigned f;
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(f) : "l"(x + 1) : "memory");
        r[0] = f;
        r[1] = f ? VOL(x[0]) : 9;
    }
}
/* The flag passes through a read-modify-write of a third thread: the release sequence goes on. */
KERNEL(mp_through_rmw)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
        __threadfence();
        atomicAdd(&x[1], 1);
    } else if (ME == 1) {
        atomicAdd(&x[1], 2);
    } else {
        r[0] = VOL(x[1]);
        __threadfence();
        r[1] = VOL(x[0]);
    }
}

/* Coherence: a thread that has read the new value does not read the old one again. */
KERNEL(corr)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
    } else {
        r[0] = VOL(x[0]);
        r[1] = VOL(x[0]);
    }
}
/* 2+2W: the final values 1, 1 need both words' writes in the order against the program's. */
KERNEL(w2_2) { VOL(x[ME]) = 1; VOL(x[1 - ME]) = 2; }
KERNEL(w2_2_sc) { VOL(x[ME]) = 1; __threadfence(); VOL(x[1 - ME]) = 2; }

/* Independent reads of independent writes: 1, 0, 1, 0 is the disagreement. */
KERNEL(iriw)
{
    if (ME < 2) {
        VOL(x[ME]) = 1;
    } else {
        r[2 * (ME - 2)] = VOL(x[ME - 2]);
        r[2 * (ME - 2) + 1] = VOL(x[3 - ME]);
    }
}
KERNEL(iriw_sc)
{
    if (ME < 2) {
        VOL(x[ME]) = 1;
    } else {
        r[2 * (ME - 2)] = VOL(x[ME - 2]);
        __threadfence();
        r[2 * (ME - 2) + 1] = VOL(x[3 - ME]);
    }
}
/* Load buffering: both may read 1. */
KERNEL(lb) { r[ME] = VOL(x[ME]); VOL(x[1 - ME]) = 1; }

/* Two lanes of one warp are two threads. */
KERNEL(sb_lanes) { VOL(x[threadIdx.x]) = 1; r[threadIdx.x] = VOL(x[1 - threadIdx.x]); }
/* __syncwarp orders them. */
KERNEL(sb_lanes_sync) { VOL(x[threadIdx.x]) = 1; __syncwarp(3); r[threadIdx.x] = VOL(x[1 - threadIdx.x]); }
/* A barrier orders a block's shared memory. */
KERNEL(sb_block)
{
    __shared__ unsigned s[2];
    if (threadIdx.x % 32 == 0) {
        s[threadIdx.x / 32] = 1;
    }
    __syncthreads();
    if (threadIdx.x % 32 == 0)
        r[threadIdx.x / 32] = s[1 - threadIdx.x / 32];
}
/* Tickets: each thread gets its own. */
KERNEL(tickets) { r[ME] = atomicAdd(x, 1); }

/* At block scope they are not atomic towards each other: two may get the same one. */
KERNEL(tickets_cta) { r[ME] = atomicAdd_block(x, 1); }
/* Only one compare-and-swap of two wins; a failed one may read the old value only where it wrote. */
KERNEL(cas_once) { r[ME] = atomicCAS(x, 0, ME + 1); }
/* An exchange that has seen the flag may still come before the data in coherence order… */
KERNEL(rmw_between)
{
    if (ME == 0) {
        VOL(x[0]) = 2;
        VOL(x[1]) = 1;
    } else {
        r[0] = VOL(x[1]);
        r[1] = atomicExch(x, 1);
    }
}
/* … but not where release and acquire order the two. */
KERNEL(rmw_between_fences)
{
    if (ME == 0) {
        VOL(x[0]) = 2;
        __threadfence();
        VOL(x[1]) = 1;
    } else {
        r[0] = VOL(x[1]);
        __threadfence();
        r[1] = atomicExch(x, 1);
    }
}

/* ---- By name: what enumeration by runs once got wrong ---- */

#define WEAK(p, v) asm volatile("st.weak.global.u32 [%0], %1;" ::"l"(&(p)), "r"(v) : "memory")
#define STORE(order, p, v) asm volatile("st." order ".global.u32 [%0], %1;" ::"l"(&(p)), "r"(v) : "memory")
#define LOAD(order, p)                                                                                   \
    ({                                                                                                   \
        unsigned v_;                                                                                     \
        asm volatile("ld." order ".global.u32 %0, [%1];" : "=r"(v_) : "l"(&(p)) : "memory");             \
        v_;                                                                                              \
    })
#define FENCE(order) asm volatile("fence." order ";" ::: "memory")

/* A release, then a strong write of the same location: who reads that one is synchronised with, too. */
KERNEL(release_then_strong)
{
    if (ME == 0) {
        WEAK(x[1], 1);
        STORE("release.sys", x[0], 1);
        STORE("relaxed.sys", x[0], 2);
    } else {
        r[0] = LOAD("relaxed.sys", x[0]);
        FENCE("acq_rel.sys");
        r[1] = LOAD("weak", x[1]);
    }
}
/* RWC by read-modify-writes. */
KERNEL(rwc_rmw)
{
    if (ME == 0) {
        atomicAdd(&x[0], 1);
    } else if (ME == 1) {
        r[0] = atomicAdd(&x[0], 0);
        r[1] = atomicAdd(&x[1], 0);
    } else {
        r[2] = atomicAdd(&x[1], 1);
        r[3] = atomicAdd(&x[0], 0);
    }
}
KERNEL(rwc_rmw_sc)
{
    if (ME == 0) {
        atomicAdd(&x[0], 1);
    } else if (ME == 1) {
        r[0] = atomicAdd(&x[0], 0);
        __threadfence();
        r[1] = atomicAdd(&x[1], 0);
    } else {
        r[2] = atomicAdd(&x[1], 1);
        __threadfence();
        r[3] = atomicAdd(&x[0], 0);
    }
}
/* A reduction releases, and acquires nothing. */
KERNEL(red_releases)
{
    if (ME == 0) {
        WEAK(x[1], 1);
        asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(x) : "memory");
    } else {
        r[0] = LOAD("acquire.gpu", x[0]);
        r[1] = LOAD("weak", x[1]);
    }
}
KERNEL(red_acquires_nothing)
{
    if (ME == 0) {
        WEAK(x[1], 1);
        STORE("release.gpu", x[0], 1);
    } else {
        asm volatile("red.relaxed.gpu.global.add.u32 [%0], 1;" ::"l"(x) : "memory");
        FENCE("acq_rel.gpu");
        r[1] = LOAD("weak", x[1]);
        r[0] = LOAD("relaxed.gpu", x[0]);
    }
}
/* A thread's own weak reads, while somebody else writes. */
KERNEL(weak_reads_after_own_writes)
{
    if (ME == 0) {
        WEAK(x[0], 1);
        WEAK(x[0], 2);
        r[0] = LOAD("weak", x[0]);
        r[1] = LOAD("weak", x[0]);
    } else {
        WEAK(x[0], 3);
    }
}
/* Three threads write one location at three scopes; blocks 0, 0, 1. */
KERNEL(three_scopes)
{
    if (ME == 1 && threadIdx.x == 1)
        return;
    if (ME == 1)
        STORE("relaxed.sys", x[0], 3);
    else if (threadIdx.x == 0)
        STORE("relaxed.cta", x[0], 1);
    else
        STORE("relaxed.gpu", x[0], 2);
    if (ME == 1)
        r[0] = LOAD("relaxed.sys", x[0]);
}
/* A lock is handed on among three threads: each finds what the one before it left. */
KERNEL(lock_three)
{
    while (atomicCAS(&x[0], 0, 1) != 0)
        ;
    __threadfence();
    r[ME] = x[1];
    x[1] = r[ME] + 1;
    __threadfence();
    atomicExch(&x[0], 0);
}
/* Without the fence that acquires, an older count may come back. */
KERNEL(lock_two_no_acquire)
{
    while (atomicCAS(&x[0], 0, 1) != 0)
        ;
    r[ME] = VOL(x[1]);
    VOL(x[1]) = r[ME] + 1;
    __threadfence();
    atomicExch(&x[0], 0);
}
/* A barrier for two warps, at which three arrive: a pair passes, the third waits for ever. */
KERNEL(barrier_one_passes)
{
    asm volatile("bar.sync 1, 64;" ::: "memory");
    if (threadIdx.x % 32 == 0)
        r[threadIdx.x / 32] = 1;
}
/* Both look for 0 and want to be first, but the second look is at what the first left weakly. */
KERNEL(cas_and_weak_store)
{
    if (ME == 0) {
        r[0] = atomicCAS(&x[0], 0, 1);
    } else {
        WEAK(x[0], 2);
        r[1] = LOAD("weak", x[0]);
    }
}

/* A load that the compiler has moved to where all execute it, and whose value it drops: none of the program's. Whether it is one may rest
   on what was read, */
static __device__ unsigned load_if(const unsigned *p, unsigned taken)
{
    unsigned value;
    asm volatile("{ .reg .pred taken; ld.u32 %0, [%1]; setp.ne.u32 taken, %2, 0; selp.u32 %0, %0, 7, taken; }" : "=&r"(value) : "l"(p), "r"(taken) : "memory");
    return value;
}
KERNEL(dropped_by_value)
{
    if (ME == 0) {
        r[0] = VOL(x[0]);
        r[1] = load_if(&x[1], r[0]);
        VOL(x[2]) = 1;
    } else {
        r[2] = VOL(x[2]);
        VOL(x[1]) = 5;
        VOL(x[0]) = 1;
    }
}
KERNEL(dropped_by_thread) /* or on the thread */
{
    if (ME == 0) VOL(x[1]) = 5;
    else r[ME] = load_if(&x[1], ME == 2);
}

#define RUN(kernel, grid, block)                                                                   \
    do {                                                                                           \
        cudaMemset(x, 0, 16);                                                                      \
        cudaMemset(r, 0, 16);                                                                      \
        kernel<<<grid, block>>>(x, r);                                                             \
        if (cudaDeviceSynchronize() != cudaSuccess)                                                \
            return 1;                                                                              \
    } while (0)

/* A lock by tickets among three threads: each finds what the one before it left, */
KERNEL(ticket_three)
{
    unsigned ticket = atomicAdd(&x[0], 1);
    while (VOL(x[2]) != ticket)
        ;
    __threadfence();
    r[ME] = x[1];
    x[1] = r[ME] + 1;
    __threadfence();
    VOL(x[2]) = ticket + 1;
}
/* if each that is served acquires: of those before it, it may find what any left. */
KERNEL(ticket_three_no_acquire)
{
    unsigned ticket = atomicAdd(&x[0], 1);
    while (VOL(x[2]) != ticket)
        ;
    r[ME] = VOL(x[1]);
    VOL(x[1]) = r[ME] + 1;
    __threadfence();
    VOL(x[2]) = ticket + 1;
}

/* A lock that is looked at before it is swapped, and while that fails: two loops, by both of which a thread may come back. It ends. */
KERNEL(lock_looked_at)
{
    do
        while (VOL(x[0]))
            ;
    while (atomicExch(&x[0], 1));
    r[ME] = 1;
    VOL(x[0]) = 0;
}
/* Each element of a vector is an access of its own: what is stored rests on x[0] alone, so that x[1] may come from it... */
KERNEL(lb_vector)
{
    if (ME == 0) {
        uint2 both = *(uint2 *)x;
        *(uint2 *)(x + 2) = make_uint2(both.x + 1, both.y);
        r[0] = both.y;
    } else {
        x[1] = x[2];
    }
}
/* ...and not where that is passed on. */
KERNEL(lb_vector_thin_air)
{
    if (ME == 0) {
        uint2 both = *(uint2 *)x;
        *(uint2 *)(x + 2) = make_uint2(both.x, both.y + 1);
        r[0] = both.y;
    } else {
        x[1] = x[3];
    }
}
/* What an atomic returns does not rest on its operand, so that the first look may see what comes of it... */
KERNEL(lb_returned)
{
    if (ME == 0) {
        unsigned seen = VOL(x[0]);
        VOL(x[2]) = atomicExch(&x[1], seen) + 1;
        r[0] = seen;
    } else {
        VOL(x[0]) = VOL(x[2]);
        r[1] = VOL(x[1]);
    }
}
/* ...but not what rests on what it leaves. */
KERNEL(lb_left)
{
    if (ME == 0) {
        unsigned seen = VOL(x[0]);
        atomicExch(&x[1], seen + 1);
        r[0] = seen;
    } else {
        VOL(x[0]) = VOL(x[1]);
    }
}

int main(void)
{
    unsigned *x, *r;
    if (cudaMalloc(&x, 16) != cudaSuccess || cudaMalloc(&r, 16) != cudaSuccess)
        return 1;
    RUN(sb, 2, 1);
    RUN(sb_sc, 2, 1);
    RUN(sb_sc_cta, 2, 1);
    RUN(sb_acq_rel, 2, 1);
    RUN(sb_sc_one_side, 2, 1);
    RUN(mp, 2, 1);
    RUN(mp_fences, 2, 1);
    RUN(mp_release_only, 2, 1);
    RUN(mp_release_acquire, 2, 1);
    RUN(mp_through_rmw, 3, 1);
    RUN(corr, 2, 1);
    RUN(w2_2, 2, 1);
    RUN(w2_2_sc, 2, 1);
    RUN(iriw, 4, 1);
    RUN(iriw_sc, 4, 1);
    RUN(lb, 2, 1);
    RUN(lb_vector, 2, 1);
    RUN(lb_vector_thin_air, 2, 1);
    RUN(lb_returned, 2, 1);
    RUN(lb_left, 2, 1);
    RUN(sb_lanes, 1, 2);
    RUN(sb_lanes_sync, 1, 2);
    RUN(sb_block, 1, 64);
    RUN(tickets, 3, 1);
    RUN(tickets_cta, 2, 1);
    RUN(cas_once, 2, 1);
    RUN(rmw_between, 2, 1);
    RUN(rmw_between_fences, 2, 1);
    RUN(release_then_strong, 2, 1);
    RUN(rwc_rmw, 3, 1);
    RUN(rwc_rmw_sc, 3, 1);
    RUN(red_releases, 2, 1);
    RUN(red_acquires_nothing, 2, 1);
    RUN(weak_reads_after_own_writes, 2, 1);
    RUN(three_scopes, 2, 2);
    RUN(lock_three, 3, 1);
    RUN(ticket_three, 3, 1);
    RUN(ticket_three_no_acquire, 3, 1);
    RUN(lock_two_no_acquire, 2, 1);
    RUN(cas_and_weak_store, 2, 1);
    RUN(dropped_by_value, 2, 1);
    RUN(dropped_by_thread, 3, 1);
    RUN(lock_looked_at, 2, 1);
    cudaMemset(r, 0, 16);
    barrier_one_passes<<<1, 96>>>(x, r);
    (void)cudaDeviceSynchronize(); /* never comes */
    cudaFree(x);
    cudaFree(r);
    return 0;
}
