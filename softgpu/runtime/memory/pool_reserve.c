/**
 * @file pool_reserve.c
 * What a memory pool holds of its place's memory, used or not: whole units, kept until a synchronization finds more than the
 * release threshold, or until it is trimmed (CUDA Runtime API, cudaMemPoolAttr; the unit and each step are an H100's,
 * tests/runtime/pool_facts.cu). Here that is a number only: memory that is freed is given back at once.
 */
#include "runtime/memory/pool.h"
#include "runtime/memory/pool_book.h"
#include "runtime/state/entry.h"

#define UNIT (32ull << 20)

static uint64_t units_up(uint64_t bytes)
{
    return bytes > UINT64_MAX - UNIT ? UINT64_MAX / UNIT * UNIT : (bytes + UNIT - 1) / UNIT * UNIT;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool pool_has_room(const struct pool *p, uint64_t bytes)
{
    return !p->max_bytes || units_up(p->used + bytes) <= units_up(p->max_bytes);
}

void pool_reserve(struct pool *p, uint64_t bytes)
{
    p->used += bytes;
    p->used_high = larger(p->used_high, p->used);
    p->reserved = larger(p->reserved, units_up(p->used));
    p->reserved_high = larger(p->reserved_high, p->reserved);
}

static void release(struct pool *p)
{
    if (p->reserved > p->release_threshold)
        p->reserved = larger(units_up(p->used), p->release_threshold / UNIT * UNIT);
}

void pools_synchronized(void)
{
    pools_each(release);
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, size_t keep)
{
    API_ENTER();
    struct pool *p = pool_find(handle);
    if (!p)
        API_RETURN(cudaErrorInvalidValue);
    uint64_t kept = larger(units_up(keep), units_up(p->used));
    if (p->reserved > kept)
        p->reserved = kept;
    API_RETURN(cudaSuccess);
}
