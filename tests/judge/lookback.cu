// Decoupled look-back: each block publishes its sum and adds up those before it while they come.
// Block numbers are tickets, so that a block waits only for blocks that already run. flag[0] gives
// tickets; state of part i: flag[16 + i] (0 nothing, 1 its own sum, 2 the sum of all up to it), the
// sums in x[i] and x[64 + i].
#include "judge.cuh"

#define STATE(i) flag[16 + (i)]

// case: lookback_right grid=6 block=1 expect=silent
KERNEL(lookback_right)
{
    unsigned part = atomicAdd(flag, 1);
    int sum = part + 1, before = 0;
    x[part] = sum;
    __threadfence();
    VOL(STATE(part)) = 1;
    for (int i = (int)part - 1; i >= 0; i--) {
        unsigned state;
        while ((state = VOL(STATE(i))) == 0)
            ;
        __threadfence();
        before += state == 2 ? x[64 + i] : x[i];
        if (state == 2)
            break;
    }
    x[64 + part] = before + sum;
    __threadfence();
    VOL(STATE(part)) = 2;
    y[part] = before;
}

// case: lookback_no_release_of_sum grid=6 block=1 expect=missing-release@1@2
KERNEL(lookback_no_release_of_sum)
{
    unsigned part = atomicAdd(flag, 1);
    int sum = part + 1, before = 0;
    x[part] = sum; // @1
    VOL(STATE(part)) = 1;
    for (int i = (int)part - 1; i >= 0; i--) {
        while (VOL(STATE(i)) == 0)
            ;
        __threadfence();
        before += x[i]; // @2
    }
    y[part] = before;
}

// case: lookback_no_acquire grid=6 block=1 expect=missing-acquire@1@2
KERNEL(lookback_no_acquire)
{
    unsigned part = atomicAdd(flag, 1);
    int sum = part + 1, before = 0;
    x[part] = sum; // @1
    __threadfence();
    VOL(STATE(part)) = 1;
    for (int i = (int)part - 1; i >= 0; i--) {
        while (VOL(STATE(i)) == 0)
            ;
        before += x[i]; // @2
    }
    y[part] = before;
}

// The second publication lacks its fence.
// case: lookback_no_release_of_prefix grid=6 block=1 expect=missing-release@1@2
KERNEL(lookback_no_release_of_prefix)
{
    unsigned part = atomicAdd(flag, 1);
    int sum = part + 1, before = 0;
    if (part > 0) {
        while (VOL(STATE(part - 1)) != 2)
            ;
        __threadfence();
        before = x[64 + part - 1]; // @2
    }
    x[64 + part] = before + sum; // @1
    VOL(STATE(part)) = 2;
}

// State and sum in one 64-bit word need no fence at all: what is read is what was published.
// case: lookback_packed_right grid=6 block=1 expect=silent
KERNEL(lookback_packed_right)
{
    volatile unsigned long long *word = (volatile unsigned long long *)(flag + 16);
    unsigned part = atomicAdd(flag, 1);
    unsigned sum = part + 1, before = 0;
    word[part] = 1ull << 32 | sum;
    for (int i = (int)part - 1; i >= 0; i--) {
        unsigned long long got;
        while (((got = word[i]) >> 32) == 0)
            ;
        before += (unsigned)got;
        if (got >> 32 == 2)
            break;
    }
    word[part] = 2ull << 32 | (before + sum);
    y[part] = before;
}

// The same with plain stores.
// case: lookback_packed_plain_store grid=6 block=1 expect=data-race@1@2
KERNEL(lookback_packed_plain_store)
{
    unsigned long long *word = (unsigned long long *)(flag + 16);
    unsigned part = atomicAdd(flag, 1);
    unsigned sum = part + 1, before = 0;
    word[part] = 1ull << 32 | sum; // @1
    for (int i = (int)part - 1; i >= 0; i--) {
        unsigned long long got;
        while (((got = *(volatile unsigned long long *)&word[i]) >> 32) == 0) // @2
            ;
        before += (unsigned)got;
    }
    y[part] = before;
}

// Written as one 64-bit word, polled by its upper half: sizes that differ are not morally strong.
// case: lookback_packed_half_read grid=2 block=1 expect=data-race@1@2
KERNEL(lookback_packed_half_read)
{
    volatile unsigned long long *word = (volatile unsigned long long *)(flag + 16);
    if (BID == 0)
        word[0] = 1ull << 32 | 7; // @1
    else
        while (VOL(flag[17]) == 0) // @2
            ;
}

// A whole block looks back with its first warp; the block's sums reach all by the barrier.
// case: lookback_block_right grid=4 block=64 expect=silent
KERNEL(lookback_block_right)
{
    __shared__ int before;
    __shared__ unsigned part;
    if (TID == 0)
        part = atomicAdd(flag, 1);
    __syncthreads();
    x[part * 64 + TID] = part + TID;
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        VOL(STATE(part)) = 1;
        for (unsigned i = 0; i < part; i++)
            while (VOL(STATE(i)) == 0)
                ;
        __threadfence();
        before = 0;
    }
    __syncthreads();
    int sum = before;
    for (unsigned i = 0; i < part; i++)
        sum += x[i * 64 + 63 - TID];
    y[part * 64 + TID] = sum;
}

// case: lookback_block_no_last_barrier grid=4 block=64 expect=data-race@1@2 also=uninitialized-read
KERNEL(lookback_block_no_last_barrier)
{
    __shared__ unsigned part;
    if (TID == 0)
        part = atomicAdd(flag, 1);
    __syncthreads();
    x[part * 64 + TID] = part + TID; // @1
    __syncthreads();
    if (TID == 0) {
        __threadfence();
        VOL(STATE(part)) = 1;
        for (unsigned i = 0; i < part; i++)
            while (VOL(STATE(i)) == 0)
                ;
        __threadfence();
    }
    int sum = 0;
    for (unsigned i = 0; i < part; i++)
        sum += x[i * 64 + 63 - TID]; // @2
    y[part * 64 + TID] = sum;
}

// ---- Flags of all blocks, polled by all blocks ----

// Thread t waits for block t; the barrier passes on what each has acquired.
// case: all_flags_right grid=4 block=32 expect=silent
KERNEL(all_flags_right)
{
    if (TID == 0) {
        x[BID] = BID + 1;
        __threadfence();
        VOL(flag[BID]) = 1;
    }
    if (TID < GRID) {
        while (VOL(flag[TID]) == 0)
            ;
        __threadfence();
    }
    __syncthreads();
    int sum = 0;
    for (unsigned i = 0; i < GRID; i++)
        sum += x[i];
    y[GID] = sum;
}

// case: all_flags_no_acquire grid=4 block=32 expect=missing-acquire@1@2
KERNEL(all_flags_no_acquire)
{
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        __threadfence();
        VOL(flag[BID]) = 1;
    }
    if (TID < GRID)
        while (VOL(flag[TID]) == 0)
            ;
    __syncthreads();
    int sum = 0;
    for (unsigned i = 0; i < GRID; i++)
        sum += x[i]; // @2
    y[GID] = sum;
}

// case: all_flags_no_release grid=4 block=32 expect=missing-release@1@2
KERNEL(all_flags_no_release)
{
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        VOL(flag[BID]) = 1;
    }
    if (TID < GRID) {
        while (VOL(flag[TID]) == 0)
            ;
        __threadfence();
    }
    __syncthreads();
    int sum = 0;
    for (unsigned i = 0; i < GRID; i++)
        sum += x[i]; // @2
    y[GID] = sum;
}

// case: all_flags_no_barrier grid=4 block=32 expect=data-race@1@2 also=missing-release|missing-acquire@1@2
KERNEL(all_flags_no_barrier)
{
    if (TID == 0) {
        x[BID] = BID + 1; // @1
        __threadfence();
        VOL(flag[BID]) = 1;
    }
    if (TID < GRID) {
        while (VOL(flag[TID]) == 0)
            ;
        __threadfence();
    }
    int sum = 0;
    for (unsigned i = 0; i < GRID; i++)
        sum += x[i]; // @2
    y[GID] = sum;
}

// A votes-and-flag loop: blocks agree to stop when a volatile flag is set; the flag carries no data.
// case: stop_flag_volatile grid=3 block=32 expect=silent
KERNEL(stop_flag_volatile)
{
    for (int k = 0; k < 5; k++) {
        if (__any_sync(~0u, VOL(flag[0]) != 0))
            break;
        if (k == 3)
            VOL(flag[0]) = 1;
    }
    y[GID] = 1;
}

// case: stop_flag_plain_store grid=3 block=32 expect=data-race@1@2 also=data-race@1@1
KERNEL(stop_flag_plain_store)
{
    if (VOL(flag[0]) == 0) // @2
        flag[0] = GID + 1; // @1
    y[GID] = 1;
}

// ---- A value and its state in one vector ----

// Every GPU moves an aligned strong vector in one piece, and libraries rely on it: a run does not tear it.
// case: lookback_vector_right grid=6 block=1 schedules=20 expect=silent
KERNEL(lookback_vector_right)
{
    unsigned part = atomicAdd(flag, 1);
    int before = 0;
    asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(&flag[16 + 2 * part]), "r"(1), "r"(part + 1) : "memory");
    for (int i = (int)part - 1; i >= 0; i--) {
        unsigned state, sum;
        do
            asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(state), "=r"(sum) : "l"(&flag[16 + 2 * i]) : "memory");
        while (state == 0);
        if (sum != i + 1u)
            __trap();
        before += sum;
    }
    y[part] = before;
}

// The same as two accesses each: the state may be seen before the sum.
// case: lookback_two_words grid=6 block=1 schedules=20 expect=ordering|trap
KERNEL(lookback_two_words)
{
    unsigned part = atomicAdd(flag, 1);
    int before = 0;
    VOL(flag[17 + 2 * part]) = part + 1;
    VOL(flag[16 + 2 * part]) = 1;
    for (int i = (int)part - 1; i >= 0; i--) {
        while (VOL(flag[16 + 2 * i]) == 0)
            ;
        before += VOL(flag[17 + 2 * i]);
    }
    y[part] = before;
}

// ---- Two publications of a vector each, polled by a warp that looks again together ----

static __device__ void publish_whole(unsigned *flag, unsigned part, unsigned state, unsigned sum)
{
    asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" ::"l"(&flag[16 + 2 * part]), "r"(state), "r"(sum) : "memory");
}

static __device__ void publish_by_two(unsigned *flag, unsigned part, unsigned state, unsigned sum)
{
    VOL(flag[17 + 2 * part]) = sum;
    VOL(flag[16 + 2 * part]) = state;
}

static __device__ unsigned look_back(unsigned *flag, unsigned part)
{
    unsigned state, sum, i = part - 1 - min(TID, part - 1);
    unsigned *at = &flag[16 + 2 * i];
    asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(state), "=r"(sum) : "l"(at) : "memory");
    while (__any_sync(~0u, state == 0))
        asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(state), "=r"(sum) : "l"(at) : "memory");
    int first = __ffs(__ballot_sync(~0u, state == 2)), most = first ? first - 1 : 31;
    sum = TID < part && (int)TID <= most ? sum : 0;
    for (int d = 16; d; d /= 2)
        sum += __shfl_xor_sync(~0u, sum, d);
    return sum;
}

// Work before it, so that the launch is no small one that is asked as a whole.
static __device__ unsigned sum_of_part(unsigned part)
{
    unsigned h = part;
    for (int i = 0; i < 400; i++)
        h = h * 7 ^ (h >> 3 | i);
    return h % 64 + 1;
}

// Who has the later state has the later sum, although nothing else orders the two sums.
// case: lookback_vector_twice grid=6 block=32 schedules=20 expect=silent
KERNEL(lookback_vector_twice)
{
    unsigned sum = sum_of_part(BID);
    if (TID == 0)
        publish_whole((unsigned *)flag, BID, 1, sum);
    unsigned before = BID ? look_back((unsigned *)flag, BID) : 0;
    if (TID == 0) {
        publish_whole((unsigned *)flag, BID, 2, before + sum);
        y[BID] = before;
    }
}

// Only the readers take both at once: the state may be there before the sum.
// case: lookback_vector_of_two_stores grid=6 block=32 schedules=20 expect=ordering:any
KERNEL(lookback_vector_of_two_stores)
{
    unsigned sum = sum_of_part(BID);
    if (TID == 0)
        publish_by_two((unsigned *)flag, BID, 1, sum);
    unsigned before = BID ? look_back((unsigned *)flag, BID) : 0;
    if (TID == 0) {
        publish_by_two((unsigned *)flag, BID, 2, before + sum);
        y[BID] = before;
    }
}

// ---- Value and state in two words, in launches that are small, and yet too long to be asked of the model ----

#define TWO_WORDS(ALL, FENCE)                                                                      \
    __shared__ int tile[64], before;                                                               \
    tile[TID] = x[GID] + 1;                                                                        \
    __syncthreads();                                                                               \
    for (int d = 1; d < 64; d *= 2) {                                                              \
        int other = TID >= d ? tile[TID - d] : 0;                                                  \
        __syncthreads();                                                                           \
        tile[TID] += other;                                                                        \
        __syncthreads();                                                                           \
    }                                                                                              \
    if (TID == 0) {                                                                                \
        unsigned total = (unsigned)tile[63], sum = 0;                                              \
        VOL(flag[64 + BID]) = total;                                                               \
        FENCE;                                                                                     \
        VOL(flag[BID]) = BID ? 1 : 2;                                                              \
        for (int k = (int)BID - 1; k >= 0;) {                                                      \
            unsigned state = VOL(flag[k]);                                                         \
            FENCE;                                                                                 \
            unsigned value = VOL(flag[(state == 2 && k ? ALL : 64) + k]);                          \
            if (state == 0)                                                                        \
                continue;                                                                          \
            sum += value;                                                                          \
            if (state == 2)                                                                        \
                break;                                                                             \
            k--;                                                                                   \
        }                                                                                          \
        if (BID) {                                                                                 \
            VOL(flag[ALL + BID]) = sum + total;                                                    \
            FENCE;                                                                                 \
            VOL(flag[BID]) = 2;                                                                    \
        }                                                                                          \
        before = (int)sum;                                                                         \
    }                                                                                              \
    __syncthreads();                                                                               \
    y[GID] = tile[TID] + before

// case: two_words_without_fences grid=6 block=64 expect=ordering:any
KERNEL(two_words_without_fences)
{
    TWO_WORDS(128, );
}

// case: two_words_overwritten grid=6 block=64 schedules=2 expect=ordering:any
KERNEL(two_words_overwritten)
{
    TWO_WORDS(64, );
}

// case: two_words_fenced grid=6 block=64 expect=silent
KERNEL(two_words_fenced)
{
    TWO_WORDS(128, __threadfence());
}
