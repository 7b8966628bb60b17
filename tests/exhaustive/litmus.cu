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
/* Load buffering: 1, 1 would need a promise, which softgpu leaves out. */
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

#define RUN(kernel, grid, block)                                                                   \
    do {                                                                                           \
        cudaMemset(x, 0, 16);                                                                      \
        cudaMemset(r, 0, 16);                                                                      \
        kernel<<<grid, block>>>(x, r);                                                             \
        if (cudaDeviceSynchronize() != cudaSuccess)                                                \
            return 1;                                                                              \
    } while (0)

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
    RUN(sb_lanes, 1, 2);
    RUN(sb_lanes_sync, 1, 2);
    RUN(sb_block, 1, 64);
    RUN(tickets, 3, 1);
    RUN(tickets_cta, 2, 1);
    RUN(cas_once, 2, 1);
    RUN(rmw_between, 2, 1);
    RUN(rmw_between_fences, 2, 1);
    cudaFree(x);
    cudaFree(r);
    return 0;
}
