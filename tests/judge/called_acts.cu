// Check, then act, where the look, the act, or both stand in functions that are called.
#include "judge.cuh"

__device__ __noinline__ unsigned look_at(unsigned *p) { return atomicAdd(p, 0u); }
__device__ __noinline__ void act_on(unsigned *p, unsigned size) { atomicAdd(p, size); }
__device__ __noinline__ unsigned act_get(unsigned *p, unsigned size) { return atomicAdd(p, size); }
__device__ __noinline__ bool fits(unsigned *p, unsigned size, unsigned all) { return atomicAdd(p, 0u) + size <= all; }
__device__ __noinline__ bool below(unsigned *p, unsigned all) { return atomicAdd(p, 0u) < all; }

// case: called_look_called grid=8 block=1 n=3 expect=ordering
KERNEL(called_look_called)
{
    if (look_at(flag) < (unsigned)n)
        atomicAdd(flag, 1u);
}

// case: called_act_called grid=8 block=1 n=3 expect=ordering
KERNEL(called_act_called)
{
    if (atomicAdd(flag, 0u) < (unsigned)n)
        act_on(flag, 1);
}

// case: called_both_called grid=8 block=1 n=3 expect=ordering
KERNEL(called_both_called)
{
    if (look_at(flag) < (unsigned)n)
        act_on(flag, 1);
}

// case: called_both_called_sum grid=8 block=1 n=7 expect=ordering
KERNEL(called_both_called_sum)
{
    unsigned size = BID % 3 + 1;
    if (look_at(flag) + size <= (unsigned)n)
        act_on(flag, size);
}

// case: called_fits grid=8 block=1 n=7 expect=ordering
KERNEL(called_fits)
{
    unsigned size = BID % 3 + 1;
    if (fits(flag, size, (unsigned)n))
        act_on(flag, size);
}

// case: called_below grid=8 block=1 n=3 expect=ordering
KERNEL(called_below)
{
    if (below(flag, (unsigned)n))
        act_on(flag, 1);
}

// case: called_below_other grid=8 block=1 n=3 expect=silent
KERNEL(called_below_other)
{
    if (below(flag, (unsigned)n))
        act_on(flag + 1, 1);
}

// case: called_act_looked_at grid=8 block=1 n=3 expect=silent
KERNEL(called_act_looked_at)
{
    if (look_at(flag) < (unsigned)n && act_get(flag, 1) >= (unsigned)n)
        act_on(flag, -1);
}

// case: called_act_slot grid=8 block=1 n=3 expect=ordering
KERNEL(called_act_slot)
{
    if (look_at(flag) < (unsigned)n)
        atomicAdd(&y[act_get(flag, 1)], 1);
}

// case: called_never grid=8 block=1 n=30 expect=silent
KERNEL(called_never)
{
    if (look_at(flag) < (unsigned)n)
        act_on(flag, 1);
}

struct pool { unsigned used, all; };
__device__ __noinline__ bool pool_has(pool *p, unsigned size) { return VOL(p->used) + size <= p->all; }
__device__ __noinline__ void pool_take(pool *p, unsigned size) { atomicAdd(&p->used, size); }

// case: called_pool grid=8 block=1 n=3 then=called_pool_takes expect=ordering
KERNEL(called_pool)
{
    if (GID == 0)
        flag[1] = 5;
}
KERNEL(called_pool_takes)
{
    pool *p = (pool *)flag;
    unsigned size = BID % 2 + 1;
    if (pool_has(p, size))
        pool_take(p, size);
}

__device__ __noinline__ void put(unsigned *p, unsigned v) { VOL(*p) = v; }
__device__ __noinline__ unsigned get(unsigned *p) { return VOL(*p); }

// case: called_lock_called grid=4 block=1 expect=ordering
KERNEL(called_lock_called)
{
    while (get(flag))
        ;
    put(flag, 1);
    __threadfence();
    atomicAdd(&flag[1], 5u);
    __threadfence();
    put(flag, 0);
}

// case: called_increment_called grid=4 block=1 expect=ordering
KERNEL(called_increment_called)
{
    put(flag, get(flag) + 1);
}

// case: called_increment_own grid=4 block=1 expect=silent
KERNEL(called_increment_own)
{
    put(&flag[BID], get(&flag[BID]) + 1);
}

__device__ __noinline__ void lock_it(unsigned *l) { while (atomicCAS(l, 0u, 1u)); __threadfence(); }
__device__ __noinline__ void unlock_it(unsigned *l) { __threadfence(); atomicExch(l, 0u); }

// case: called_increment_locked grid=4 block=1 expect=silent
KERNEL(called_increment_locked)
{
    lock_it(&flag[1]);
    put(flag, get(flag) + 1);
    unlock_it(&flag[1]);
}

// case: called_swap_called grid=4 block=1 expect=silent
__device__ __noinline__ bool swap(unsigned *p, unsigned was, unsigned now) { return atomicCAS(p, was, now) == was; }
KERNEL(called_swap_called)
{
    unsigned seen;
    do
        seen = get(flag);
    while (!swap(flag, seen, seen + 1));
}

// A function that calls one that looks.
__device__ __noinline__ unsigned get_by(unsigned *p) { return get(p) + 0; }
__device__ __noinline__ bool is_below(unsigned *p, unsigned all) { return get_by(p) + 1 <= all; }

// case: called_nested grid=8 block=1 n=3 expect=ordering
KERNEL(called_nested)
{
    if (is_below(flag, (unsigned)n))
        act_on(flag, 1);
}

// case: called_nested_enough grid=8 block=1 n=30 expect=silent
KERNEL(called_nested_enough)
{
    if (is_below(flag, (unsigned)n))
        act_on(flag, 1);
}
