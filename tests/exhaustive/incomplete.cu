/**
 * What --exhaustive enumerates, and what it says that it does not: each kernel that it must not call complete has a twin beside it,
 * as near as possible, that it must. What is said of each stands in test_incomplete.sh.
 */
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_pipeline.h>
#include <stdio.h>
#include <string.h>

#define VOL(p) (*(volatile unsigned *)&(p))
#define KERNEL(name) extern "C" __global__ void name(unsigned *x, unsigned *r)
#define ME blockIdx.x
#define SECOND (blockIdx.x | threadIdx.x)

/* Accesses of different sizes to the same bytes by two threads: if they race, the axioms do not apply (PTX ISA 8.7). */
KERNEL(sizes_overlap)
{
    if (ME == 0)
        *(volatile unsigned long long *)x = 0x100000001ull;
    else
        r[0] = VOL(x[0]), r[1] = VOL(x[1]);
}
KERNEL(sizes_apart)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
        *(volatile unsigned long long *)(x + 2) = 0x100000001ull;
    } else {
        r[0] = VOL(x[0]);
        unsigned long long both = *(volatile unsigned long long *)(x + 2);
        r[1] = (unsigned)both, r[2] = (unsigned)(both >> 32);
    }
}
/* One thread's own accesses of two sizes are in order. */
KERNEL(sizes_of_one)
{
    if (ME == 0) {
        *(volatile unsigned long long *)(x + 2) = 0x100000001ull;
        VOL(x[3]) = 2;
        r[2] = (unsigned)(*(volatile unsigned long long *)(x + 2) >> 32);
        VOL(x[0]) = 1;
    } else {
        r[0] = VOL(x[0]);
    }
}
/* One thread's reads of two sizes beside another's write, however that shows: the byte is not as it was before the launch. */
#define BYTE(p) (*(volatile unsigned char *)&(p))
KERNEL(sizes_of_one_that_reads)
{
    if (ME == 0)
        r[0] = VOL(x[0]), r[1] = BYTE(x[0]);
    else
        VOL(x[0]) = 1;
}
KERNEL(sizes_of_one_that_reads_apart)
{
    if (ME == 0)
        r[0] = VOL(x[0]), r[1] = BYTE(x[1]);
    else
        VOL(x[0]) = 1;
}
KERNEL(sizes_of_one_that_waits)
{
    if (ME == 0) {
        while (!VOL(x[0]))
            ;
        r[1] = BYTE(x[0]);
    } else
        VOL(x[0]) = 1;
}
KERNEL(sizes_of_one_that_swaps)
{
    if (ME == 0) {
        while (atomicExch(&x[0], 1) != 2 && atomicExch(&x[0], 0) != 2)
            ;
        r[1] = BYTE(x[0]);
    } else
        r[0] = atomicExch(&x[0], 2);
}
/* Nobody writes: any sizes. */
KERNEL(sizes_of_reads)
{
    r[ME] = ME ? VOL(x[1]) : (unsigned)*(volatile unsigned long long *)x;
    VOL(x[2 + ME]) = 1;
    r[2 + ME] = VOL(x[3 - ME]);
}

/* Two addresses, whose memory is one or not: a write by one of them is a write of what the other one has. */
#define PART (2u << 20)
KERNEL(mapped_twice)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else
        r[0] = VOL(x[PART / 4]);
}
KERNEL(mapped_apart)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else
        r[0] = VOL(x[PART / 4]);
}
/* One thread alone finds what it has written. */
KERNEL(mapped_twice_for_one)
{
    if (ME == 0) {
        VOL(x[0]) = 1;
        VOL(x[64]) = 1;
        asm volatile("fence.proxy.alias;" ::: "memory");
        r[0] = VOL(x[PART / 4]);
    } else {
        r[1] = VOL(x[64]);
    }
}

/* 16 bytes at once. */
KERNEL(wide_atomic)
{
    asm volatile("{ .reg .b128 v, o; mov.b128 v, {%1, %1}; atom.relaxed.gpu.global.exch.b128 o, [%0], v; }" ::"l"(x), "l"(1ull + ME)
                 : "memory");
}
KERNEL(wide_vector) /* is four accesses of 4 bytes */
{
    if (ME == 0)
        asm volatile("st.volatile.v2.u32 [%0], {1, 1};" ::"l"(x) : "memory");
    else
        r[0] = VOL(x[0]), r[1] = VOL(x[1]);
}

/* More threads than an execution has; others that only pass a barrier are none. */
KERNEL(threads_too_many)
{
    VOL(x[0]) = 1 + SECOND + 64 * ME;
}
KERNEL(threads_that_wait)
{
    if (threadIdx.x == 0)
        VOL(x[ME]) = 1;
    __syncthreads();
    if (threadIdx.x == 0)
        r[ME] = VOL(x[1 - ME]);
}

/* Eight fences in four threads, each of which relates to six others. */
KERNEL(fences_eight)
{
    VOL(x[ME]) = 1;
    __threadfence();
    r[2 * ME] = VOL(x[(ME + 1) % 4]);
    __threadfence();
    r[2 * ME + 1] = VOL(x[(ME + 2) % 4]);
}
/* Eight reductions of one word. Sorted, the i-th of the four values is at least 2 i, for so many reductions have come before it: these are
   the parking functions of steps 1, 2, 2, 2, of which there are 1 * (1 + 4 * 2)^3. */
KERNEL(reductions_eight)
{
    atomicAdd(x, 1);
    atomicAdd(x, 1);
    r[ME] = VOL(x[0]);
}

/* With two reads each: 89,687 executions differ in what a read can see, 1,366,560 in all. How many reads saw half of the sum: what
   an interleaving of the reductions and reads of a word can give, counted by a program that tries these. */
KERNEL(reductions_and_reads)
{
    atomicAdd(x, 1);
    atomicAdd(x, 1);
    unsigned first = VOL(x[0]);
    unsigned second = VOL(x[0]);
    r[ME] = (first > 4) + (second > 4);
}
/* Sixteen of them: 63,063,000 orders. */
KERNEL(reductions_sixteen)
{
    atomicAdd(x, 1 + ME);
    atomicAdd(x, 2);
    atomicAdd(x, 3);
    atomicAdd(x, 4);
}
/* Largest values, too, and reductions in front of a barrier. */
KERNEL(reductions_largest)
{
    atomicMax(x, 1 + threadIdx.x);
    atomicMax(x, 9 - threadIdx.x);
    atomicMax(x, 5);
    __syncthreads();
    r[threadIdx.x] = VOL(x[0]);
}

/* Reductions of two words in four threads, mixed with reads. A read of one may see what its thread's later reduction of the other
   leads to. While such reads guessed values this took more than 20 s. */
KERNEL(reductions_of_two_words)
{
    unsigned *y = x + 1;
    if (ME == 0) {
        unsigned a = VOL(x[0]), b = VOL(x[0]);
        atomicAdd(x, 2);
        atomicAdd(y, 1);
        r[0] = (a > 2) + (b > 2);
    } else if (ME == 1) {
        atomicAdd(x, 2);
        unsigned a = VOL(y[0]), b = VOL(y[0]);
        atomicAdd(y, 1);
        r[1] = (a > 2) + (b > 2);
    } else if (ME == 2) {
        unsigned a = VOL(y[0]);
        atomicAdd(x, 2);
        atomicAdd(x, 2);
        atomicAdd(x, 1);
        r[2] = a > 2;
    } else {
        atomicAdd(y, 1);
        unsigned a = VOL(y[0]), b = VOL(x[0]), c = VOL(y[0]);
        r[3] = (a > 2) + (b > 2) + (c > 2);
    }
}

/* A read may see what its own thread's later store leads to: any of twenty values, or of eighty. */
template <int N> static __device__ void stores_up_to(unsigned *x, int from = 0)
{
    if constexpr (N > 1)
        stores_up_to<N - 1>(x, from);
    VOL(x[0]) = from + N;
}
KERNEL(circle_of_twenty)
{
    if (ME == 0) {
        r[0] = VOL(x[0]);
        VOL(x[1]) = 1;
    } else {
        r[1] = VOL(x[1]);
        stores_up_to<20>(x);
    }
}
KERNEL(circle_of_eighty)
{
    if (ME == 0) {
        r[0] = VOL(x[0]);
        VOL(x[1]) = 1;
        return;
    }
    if (ME == 1) {
        r[1] = VOL(x[1]);
        stores_up_to<20>(x);
    } else if (ME == 2)
        stores_up_to<20>(x, 20);
    else if (ME == 3)
        stores_up_to<20>(x, 40);
    else
        stores_up_to<20>(x, 60);
}

/* A wait of two looks a round: the first thread runs first, alone, and knows of nobody else who writes there. */
KERNEL(waits_with_two_looks)
{
    if (ME == 0)
        while (VOL(x[0]) != 2 && VOL(x[0]) != 1)
            ;
    else
        VOL(x[0]) = 1;
}
/* Of looks at two words, which ends whichever store to the second comes last. */
KERNEL(waits_for_two_words)
{
    if (ME == 0) {
        while ((VOL(x[0]) != 1 || VOL(x[1]) != 1) && VOL(x[1]) != 2)
            ;
        r[0] = VOL(x[1]);
    } else if (ME == 1) {
        VOL(x[1]) = 1;
    } else {
        VOL(x[0]) = 1;
        VOL(x[1]) = 2;
    }
}
/* Loops that change memory: executions without number. Through one location there are only interleavings, through two there are others. */
KERNEL(swaps_of_one)
{
    while (atomicExch(&x[0], 1 - ME) == ME)
        ;
}
KERNEL(swaps_of_two)
{
    while (atomicExch(&x[0], 1 - ME) == ME)
        ;
    VOL(x[1]) = ME;
}
/* A thread that changes what it waits for would do so for ever by itself, or until it has too many fences. */
#define TO_AND_FRO(at, until)                                                                                                      \
    while (atomicExch(&x[at], 1) != until && atomicExch(&x[at], 0) != until)
KERNEL(swaps_to_and_fro)
{
    if (ME == 0)
        TO_AND_FRO(0, 2);
    else
        r[0] = atomicExch(&x[0], 2);
}
KERNEL(swaps_by_cas)
{
    if (ME == 0)
        while (atomicCAS(&x[0], 0, 1) != 2 && atomicCAS(&x[0], 1, 0) != 2)
            ;
    else
        r[0] = atomicExch(&x[0], 2);
}
KERNEL(swaps_fenced)
{
    if (ME == 0)
        while (atomicExch(&x[0], 1) != 2 && (__threadfence(), atomicExch(&x[0], 0) != 2))
            __threadfence();
    else
        r[0] = atomicExch(&x[0], 2);
}
KERNEL(swaps_of_three)
{
    if (ME == 0)
        TO_AND_FRO(0, 2);
    else
        r[ME] = atomicExch(&x[0], 2);
}
/* Such a loop behind another thread's: what it waits for shows only there. */
KERNEL(swaps_behind_swaps)
{
    if (ME == 0)
        TO_AND_FRO(0, 2);
    else if (ME == 1) {
        r[0] = atomicExch(&x[0], 2);
        TO_AND_FRO(1, 2);
    } else
        r[1] = atomicExch(&x[1], 2);
}
/* Nobody else uses the word, and the loop is long. */
KERNEL(swaps_alone)
{
    if (ME == 0)
        for (unsigned i = 0; i < 2000000; i++)
            atomicExch(&x[0], i);
    else
        r[0] = atomicExch(&x[1], 2);
}
/* Each round is another state where they are counted. */
KERNEL(waits_and_counts)
{
    unsigned rounds = 0;
    if (ME == 0) {
        while (!VOL(x[0]))
            rounds++;
        r[0] = rounds;
    } else
        VOL(x[0]) = 1;
}

/* Eighty values, and whether there is a store may rest on another read. */
KERNEL(circle_of_eighty_decided)
{
    if (ME == 0) {
        r[0] = VOL(x[0]);
        VOL(x[1]) = 1;
    } else if (ME == 1) {
        unsigned seen = VOL(x[1]);
        stores_up_to<20>(x);
        if (seen == 7)
            VOL(x[2]) = 1;
    } else {
        stores_up_to<20>(x, 20 * (ME - 1));
    }
}
/* So it may in whether a compare-and-swap stores. */
KERNEL(circle_of_eighty_swapped)
{
    if (ME == 0) {
        r[0] = VOL(x[0]);
        VOL(x[1]) = 1;
    } else if (ME == 1) {
        r[1] = VOL(x[1]);
        stores_up_to<20>(x);
        atomicCAS(&x[2], 7, 1);
    } else {
        if (ME == 2)
            VOL(x[2]) = 7;
        stores_up_to<20>(x, 20 * (ME - 1));
    }
}

/* Which word is read rests on a value that the thread's own later store leads to, and that store does not: values are tried, but not
 * eighty. */
static __device__ unsigned read_by_index(unsigned *x, unsigned *unwritten)
{
    unsigned seen = VOL(*x);
    return seen + VOL(unwritten[seen >> 5 & 1]);
}
KERNEL(circle_of_twenty_indexed)
{
    if (ME == 0) {
        r[0] = read_by_index(x, x + 2);
        VOL(x[1]) = 1;
    } else if (VOL(x[1])) {
        stores_up_to<20>(x);
    }
}
KERNEL(circle_of_eighty_indexed)
{
    if (ME == 0) {
        r[0] = read_by_index(x, x + 2);
        VOL(x[1]) = 1;
    } else if (VOL(x[1])) {
        stores_up_to<20>(x, 20 * (ME - 1));
    }
}

#define ODD_BYTES 515
#define FAR_WORDS 66100
/* What is left in memory is compared wherever it lies, whatever its size. */
KERNEL(place_of_byte) { ((volatile unsigned char *)x)[2] = 1 + (unsigned char)ME; }
KERNEL(place_of_short) { ((volatile unsigned short *)x)[1] = 1 + (unsigned short)ME; }
KERNEL(place_of_last_byte) { ((volatile unsigned char *)x)[ODD_BYTES - 1] = 1 + (unsigned char)ME; }
KERNEL(place_of_wide) { ((volatile unsigned long long *)x)[63] = 0x100000000ull * (1 + ME); }
KERNEL(place_far) { VOL(x[300]) = 1 + ME; }
KERNEL(place_too_far) { VOL(x[66000]) = 1 + ME; }

KERNEL(reads_too_many)
{
    if (ME == 0)
        VOL(x[0]) = 1, VOL(x[1]) = 1;
    else
        for (int i = 0; i < 70; i++)
            r[0] += VOL(x[i % 2]);
}
KERNEL(reads_of_one)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else
        for (int i = 0; i < 70; i++)
            r[0] += VOL(x[0]);
}
KERNEL(reads_some)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else
        for (int i = 0; i < 20; i++)
            r[0] += VOL(x[0]);
}

KERNEL(locations_too_many)
{
    for (int i = 0; i < 8; i++)
        VOL(x[8 * ME + i]) = 1;
    unsigned sum = 0;
    for (int i = 0; i < 8; i++)
        sum += VOL(x[8 * ((ME + 1) % 9) + i]);
    r[ME] = sum;
}
KERNEL(locations_of_one)
{
    for (int i = 0; i < 33; i++)
        x[32 * 2 * ME + i] = 1;
    VOL(r[ME]) = 1;
    r[2 + ME] = VOL(r[1 - ME]);
}

/* A load past the caches that keep memory coherent is outside the model where others write: it may miss that, */
KERNEL(nc_of_written)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else
        r[0] = __ldg(x);
}
/* whatever lies between. */
KERNEL(nc_behind_barrier)
{
    if (threadIdx.x == 0)
        x[0] = 1;
    __syncthreads();
    if (threadIdx.x)
        r[0] = __ldg(x);
}
KERNEL(coherent_behind_barrier)
{
    if (threadIdx.x == 0)
        x[0] = 1;
    __syncthreads();
    if (threadIdx.x)
        r[0] = VOL(x[0]);
}
KERNEL(nc_before_barrier)
{
    if (threadIdx.x)
        r[0] = __ldg(x);
    __syncthreads();
    if (threadIdx.x == 0)
        x[0] = 1;
}
/* Who waits so may wait for ever. */
template <bool COHERENT> static __device__ void waits_for_word(unsigned *x, unsigned *r)
{
    unsigned v = 0;
    if (ME == 0)
        VOL(x[0]) = 1;
    while (ME && !v)
        if (COHERENT)
            v = VOL(x[0]);
        else
            asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(v) : "l"(x));
    r[ME] = 1;
}
KERNEL(nc_that_waits)
{
    waits_for_word<false>(x, r);
}
KERNEL(coherent_that_waits)
{
    waits_for_word<true>(x, r);
}
/* By runs it misses nothing. */
KERNEL(nc_beside_async)
{
    __shared__ unsigned s[4];
    __pipeline_memcpy_async(s, r, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    if (ME == 0)
        VOL(x[0]) = 1;
    else
        r[0] = __ldg(x);
}
KERNEL(nc_of_unwritten)
{
    VOL(x[1 + ME]) = 1 + __ldg(x);
    r[ME] = VOL(x[2 - ME]);
}

/* A texture of memory that is written, and memory beside it. */
__device__ cudaTextureObject_t texture;
KERNEL(texture_of_written)
{
    VOL(x[ME]) = 1;
    r[ME] = tex1Dfetch<unsigned>(texture, 1 - ME);
}

/* Asynchronous copies are tried by runs, barriers in shared memory enumerated (mbarrier.cu); a proxy fence alone orders nothing among plain accesses. */
KERNEL(async_copy)
{
    __shared__ unsigned s[4];
    __pipeline_memcpy_async(s, x, 16);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    r[ME] = s[ME];
    VOL(x[ME]) = 1;
}
KERNEL(async_barrier)
{
    __shared__ unsigned long long b;
    unsigned at = (unsigned)__cvta_generic_to_shared(&b);
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(at) : "memory");
    VOL(x[ME]) = 1;
    r[ME] = VOL(x[1 - ME]);
}
KERNEL(proxy_fence)
{
    VOL(x[ME]) = 1;
    asm volatile("fence.proxy.async;" ::: "memory");
    r[ME] = VOL(x[1 - ME]);
}

/* Clusters: scopes and barriers are the model's, and shared memory of another block is memory like any other. */
KERNEL(cluster_shared)
{
    __shared__ unsigned s;
    auto cluster = cooperative_groups::this_cluster();
    s = 0;
    cluster.sync();
    if (ME == 0)
        *cluster.map_shared_rank(&s, 1) = 1;
    cluster.sync();
    r[ME] = s;
}
/* Without the barrier behind the store the other block may not see it. */
KERNEL(cluster_shared_early)
{
    __shared__ unsigned s;
    auto cluster = cooperative_groups::this_cluster();
    s = 0;
    cluster.sync();
    if (ME == 0)
        VOL(*cluster.map_shared_rank(&s, 1)) = 1;
    else
        r[0] = VOL(s);
    cluster.sync();
}
/* Message passing: data and flag are in the reader's shared memory; each block has a variable of that name. */
static __device__ unsigned *of_block_1(unsigned *own)
{
    return cooperative_groups::this_cluster().map_shared_rank(own, 1);
}
KERNEL(cluster_shared_signal)
{
    __shared__ unsigned data, flag;
    unsigned f;
    data = 0, flag = 0;
    cooperative_groups::this_cluster().sync();
    if (ME == 0) {
        *of_block_1(&data) = 1;
        asm volatile("st.release.cluster.u32 [%0], 1;" ::"l"(of_block_1(&flag)) : "memory");
        VOL(flag) = 7; /* its own, which nobody else reads */
        r[2] = VOL(flag);
    } else {
        asm volatile("ld.acquire.cluster.u32 %0, [%1];" : "=r"(f) : "l"(&flag) : "memory");
        r[0] = f, r[1] = f ? data : 2;
    }
    cooperative_groups::this_cluster().sync();
}
KERNEL(cluster_shared_relaxed)
{
    __shared__ unsigned data, flag;
    data = 0, flag = 0;
    cooperative_groups::this_cluster().sync();
    if (ME == 0) {
        VOL(*of_block_1(&data)) = 1;
        VOL(*of_block_1(&flag)) = 1;
    } else {
        unsigned f = VOL(flag);
        r[0] = f, r[1] = VOL(data);
    }
    cooperative_groups::this_cluster().sync();
}
/* Sums of both blocks in the shared memory of the first. */
KERNEL(cluster_shared_sum)
{
    __shared__ unsigned s;
    auto cluster = cooperative_groups::this_cluster();
    s = 0;
    cluster.sync();
    r[1 + ME] = atomicAdd(cluster.map_shared_rank(&s, 0), 1);
    cluster.sync();
    if (ME == 0)
        r[0] = s;
}
KERNEL(cluster_barrier)
{
    x[ME] = 1;
    cooperative_groups::this_cluster().sync();
    r[ME] = x[1 - ME];
}
/* Message passing of scope cluster: in the cluster the data is there, */
KERNEL(cluster_scope)
{
    unsigned f;
    if (ME == 0) {
        VOL(x[0]) = 1;
        asm volatile("st.release.cluster.u32 [%0], 1;" ::"l"(x + 1) : "memory");
    } else {
        asm volatile("ld.acquire.cluster.u32 %0, [%1];" : "=r"(f) : "l"(x + 1) : "memory");
        r[0] = f, r[1] = VOL(x[0]);
    }
}
/* and in another one it need not. */
KERNEL(cluster_other)
{
    unsigned f;
    if (ME == 0) {
        VOL(x[0]) = 1;
        asm volatile("st.release.cluster.u32 [%0], 1;" ::"l"(x + 1) : "memory");
    } else if (ME == 2) {
        asm volatile("ld.acquire.cluster.u32 %0, [%1];" : "=r"(f) : "l"(x + 1) : "memory");
        r[0] = f, r[1] = VOL(x[0]);
    }
}

KERNEL(lanes_together)
{
    VOL(x[ME]) = __activemask();
    r[ME] = VOL(x[1 - ME]);
}

KERNEL(fault_that_comes)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else if (VOL(x[0]) == 1)
        __trap();
}
KERNEL(fault_that_cannot)
{
    if (ME == 0)
        VOL(x[0]) = 1;
    else if ((r[0] = VOL(x[0])) == 2)
        __trap();
}

/* Any of so many words may have been read before it was stored to: 4,096 outcomes, and more. */
template <int N> static __device__ void words_seen(unsigned *x, unsigned *r)
{
    unsigned all = 0;
    if (SECOND == 0)
        for (int i = 0; i < N; i++)
            VOL(x[i]) = 1;
    else
        for (int i = N - 1; i >= 0; i--)
            all |= VOL(x[i]) << i;
    if (SECOND)
        r[0] = all;
}
KERNEL(outcomes_many)
{
    words_seen<13>(x, r);
}
KERNEL(outcomes_just_enough)
{
    words_seen<12>(x, r);
}

/** Two parts of memory one behind the other, the second the first one again or another. */
static unsigned *mapped(bool twice)
{
    CUmemAllocationProp what = {};
    CUmemAccessDesc access = {};
    CUmemGenericAllocationHandle memory[2];
    CUdeviceptr p = 0;
    what.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    what.location.type = access.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    cuMemAddressReserve(&p, 2 * PART, 0, 0, 0);
    for (int i = 0; i < 2; i++) {
        cuMemCreate(&memory[i], PART, &what, 0);
        cuMemMap(p + i * PART, PART, 0, memory[twice ? 0 : i], 0);
    }
    cuMemSetAccess(p, 2 * PART, &access, 1);
    cuMemsetD32(p + PART, 0, 128);
    return (unsigned *)p;
}

static void run(const char *name, void (*kernel)(unsigned *, unsigned *), unsigned blocks, unsigned threads, unsigned cluster,
                unsigned *x, unsigned *r)
{
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute a = {};
    c.gridDim = blocks, c.blockDim = threads;
    a.id = cudaLaunchAttributeClusterDimension;
    a.val.clusterDim.x = cluster, a.val.clusterDim.y = a.val.clusterDim.z = 1;
    c.attrs = &a, c.numAttrs = cluster > 1;
    cudaMemset(x, 0, 128 * 4), cudaMemset(r, 0, 16 * 4);
    cudaDeviceSynchronize();
    cudaError_t e = cudaLaunchKernelEx(&c, kernel, x, r);
    cudaDeviceSynchronize();
    if (e)
        printf("%s: %s\n", name, cudaGetErrorString(e));
}

/* Stores of one thread with no read between them, up to as many as an execution has events. */
KERNEL(stores_in_a_row)
{
    if (ME == 0)
        for (unsigned i = 0; i < 100; i++)
            VOL(x[0]) = i & 1;
    else
        r[0] = VOL(x[0]);
}
KERNEL(stores_in_a_row_too_many)
{
    if (ME == 0)
        for (unsigned i = 0; i < 140; i++)
            VOL(x[0]) = i & 1;
    else
        r[0] = VOL(x[0]);
}
/* Turns that are counted: a number for each, but for a bound on them. What shorter executions leave is told all the same. */
KERNEL(turns_counted)
{
    if (ME == 0) {
        unsigned n = 0;
        while (VOL(x[0]) == 0)
            n++;
        r[0] = n > 0;
    } else {
        VOL(x[0]) = 1;
    }
}
KERNEL(turns_counted_to_twenty)
{
    if (ME == 0) {
        unsigned n = 0;
        while (VOL(x[0]) == 0 && n < 20)
            n++;
        r[0] = n > 0;
    } else {
        VOL(x[0]) = 1;
    }
}
/* A store in each turn, until the other thread has seen one. */
KERNEL(turns_that_store)
{
    if (ME == 0) {
        do
            VOL(x[0]) = 1;
        while (VOL(x[1]) == 0);
    } else {
        while (VOL(x[0]) == 0)
            ;
        VOL(x[1]) = 1;
    }
}

int main(int argc, char **argv)
{
    unsigned *x, *r;
    cudaMalloc(&x, 128 * 4), cudaMalloc(&r, 16 * 4);
    cudaResourceDesc what = {};
    cudaTextureDesc how = {};
    cudaTextureObject_t t;
    what.resType = cudaResourceTypeLinear;
    what.res.linear.devPtr = x, what.res.linear.sizeInBytes = 128 * 4, what.res.linear.desc = cudaCreateChannelDesc<unsigned>();
    cudaCreateTextureObject(&t, &what, &how, NULL);
    cudaMemcpyToSymbol(texture, &t, sizeof t);
#define RUN(name, blocks, threads, cluster)                                                                                        \
    if (argc < 2 || !strcmp(argv[1], #name))                                                                                       \
    run(#name, name, blocks, threads, cluster, x, r)
#define RUN_AT(name, memory)                                                                                                       \
    if (argc < 2 || !strcmp(argv[1], #name))                                                                                       \
    run(#name, name, 2, 1, 1, memory, r)
    RUN(sizes_overlap, 2, 1, 1);
    RUN(sizes_apart, 2, 1, 1);
    RUN(sizes_of_one, 2, 1, 1);
    RUN(sizes_of_reads, 2, 1, 1);
    RUN(sizes_of_one_that_reads, 2, 1, 1);
    RUN(sizes_of_one_that_reads_apart, 2, 1, 1);
    RUN(sizes_of_one_that_waits, 2, 1, 1);
    RUN(sizes_of_one_that_swaps, 2, 1, 1);
    RUN_AT(mapped_twice, mapped(true));
    RUN_AT(mapped_apart, mapped(false));
    RUN_AT(mapped_twice_for_one, mapped(true));
    RUN(wide_atomic, 2, 1, 1);
    RUN(wide_vector, 2, 1, 1);
    RUN(threads_too_many, 2, 33, 1);
    RUN(threads_that_wait, 2, 32, 1);
    RUN(fences_eight, 4, 1, 1);
    RUN(reductions_eight, 4, 1, 1);
    RUN(reductions_and_reads, 4, 1, 1);
    RUN(reductions_sixteen, 4, 1, 1);
    RUN(reductions_largest, 1, 4, 1);
    RUN(reductions_of_two_words, 4, 1, 1);
    RUN(waits_with_two_looks, 2, 1, 1);
    RUN(waits_for_two_words, 3, 1, 1);
    RUN(swaps_of_one, 2, 1, 1);
    RUN(swaps_of_two, 2, 1, 1);
    RUN(swaps_to_and_fro, 2, 1, 1);
    RUN(swaps_by_cas, 2, 1, 1);
    RUN(swaps_fenced, 2, 1, 1);
    RUN(swaps_of_three, 3, 1, 1);
    RUN(swaps_behind_swaps, 3, 1, 1);
    RUN(swaps_alone, 2, 1, 1);
    RUN(waits_and_counts, 2, 1, 1);
    RUN(stores_in_a_row, 2, 1, 1);
    RUN(stores_in_a_row_too_many, 2, 1, 1);
    RUN(turns_counted, 2, 1, 1);
    RUN(turns_counted_to_twenty, 2, 1, 1);
    RUN(turns_that_store, 2, 1, 1);
    RUN(circle_of_twenty, 2, 1, 1);
    RUN(circle_of_eighty, 5, 1, 1);
    RUN(circle_of_eighty_decided, 5, 1, 1);
    RUN(circle_of_eighty_swapped, 5, 1, 1);
    RUN(circle_of_twenty_indexed, 2, 1, 1);
    RUN(circle_of_eighty_indexed, 5, 1, 1);
    unsigned *odd, *far;
    cudaMalloc(&odd, ODD_BYTES), cudaMalloc(&far, FAR_WORDS * 4);
    cudaMemset(odd, 0, ODD_BYTES), cudaMemset(far, 0, FAR_WORDS * 4);
    RUN(place_of_byte, 2, 1, 1);
    RUN(place_of_short, 2, 1, 1);
    RUN_AT(place_of_last_byte, odd);
    RUN(place_of_wide, 2, 1, 1);
    RUN_AT(place_far, far);
    RUN_AT(place_too_far, far);
    cudaFree(odd), cudaFree(far);
    RUN(reads_too_many, 2, 1, 1);
    RUN(reads_of_one, 2, 1, 1);
    RUN(reads_some, 2, 1, 1);
    RUN(locations_too_many, 9, 1, 1);
    RUN(locations_of_one, 2, 1, 1);
    RUN(nc_of_written, 2, 1, 1);
    RUN(nc_behind_barrier, 1, 2, 1);
    RUN(coherent_behind_barrier, 1, 2, 1);
    RUN(nc_before_barrier, 1, 2, 1);
    RUN(nc_that_waits, 2, 1, 1);
    RUN(coherent_that_waits, 2, 1, 1);
    RUN(nc_beside_async, 2, 1, 1);
    RUN(nc_of_unwritten, 2, 1, 1);
    RUN(texture_of_written, 2, 1, 1);
    RUN(async_copy, 2, 1, 1);
    RUN(async_barrier, 2, 1, 1);
    RUN(proxy_fence, 2, 1, 1);
    RUN(cluster_shared, 2, 1, 2);
    RUN(cluster_shared_early, 2, 1, 2);
    RUN(cluster_shared_signal, 2, 1, 2);
    RUN(cluster_shared_relaxed, 2, 1, 2);
    RUN(cluster_shared_sum, 2, 1, 2);
    RUN(cluster_barrier, 2, 1, 2);
    RUN(cluster_scope, 2, 1, 2);
    RUN(cluster_other, 4, 1, 2);
    RUN(lanes_together, 2, 1, 1);
    RUN(outcomes_many, 1, 2, 1);
    RUN(outcomes_just_enough, 1, 2, 1);
    RUN(fault_that_cannot, 2, 1, 1);
    RUN(fault_that_comes, 2, 1, 1); /* the last: the device is of no use afterwards */
}
