/**
 * @file object_use.c
 * Who does the work: which threads and blocks use global memory, how long the longest warp is, and who
 * reads and writes which object. For a spec that asks whether an exercise was done or got round.
 */
#include <assert.h>
#include <stdlib.h>

#include "execute/access.h"
#include "execute/grid.h"
#include "execute/in_flight.h"
#include "execute/traffic.h"
#include "memory/memory.h"

/** The object's row, a new one if need be; NULL where there are too many. */
static struct object_use *use_of(struct grid *g, const struct allocation *a)
{
    for (int i = 0; i < g->use_count; i++)
        if (g->uses[i].allocation == a)
            return &g->uses[i];
    if (g->use_count == MAX_OBJECT_USES)
        return NULL;
    if (!g->uses)
        g->uses = calloc(MAX_OBJECT_USES, sizeof *g->uses);
    assert(g->uses);
    struct object_use *u = &g->uses[g->use_count++];
    *u = (struct object_use){.allocation = a, .first_reader = UINT64_MAX,
                             .first_writer = UINT64_MAX};
    return u;
}

/** Widens [first, last] to the threads of `lanes`. */
static void widen(const struct warp *w, uint32_t lanes, uint64_t *first, uint64_t *last)
{
    uint64_t base = w->block->index * w->block->grid->threads_per_block +
                    (uint64_t)w->index * WARP_LANES;
    uint64_t low = base + (uint64_t)__builtin_ctz(lanes);
    uint64_t high = base + 31 - (uint64_t)__builtin_clz(lanes);
    *first = low < *first ? low : *first;
    *last = high > *last ? high : *last;
}

static uint64_t zeroings(const struct mem_access *a, uint32_t lanes)
{
    uint64_t count = 0;
    FOR_LANES(lane, lanes & a->wrote)
    {
        count += a->value[0][lane] == 0 && a->old[0][lane] != 0;
    }
    return count;
}

/** Lanes that load or store `bytes` of the object in all, or do both, by an atomic. */
static void count_lanes(struct warp *w, struct object_use *u, uint32_t lanes, uint64_t bytes, bool load, bool store)
{
    struct block *b = w->block;
    uint32_t bit = 1u << (u - b->grid->uses);
    b->object_uses[u - b->grid->uses] += (uint64_t)__builtin_popcount(lanes);
    w->object_uses[u - b->grid->uses] += (uint64_t)__builtin_popcount(lanes);
    if (load && store)
        u->atomics += (uint64_t)__builtin_popcount(lanes);
    else
        *(load ? &u->loaded_bytes : &u->stored_bytes) += bytes;
    if (load) {
        widen(w, lanes, &u->first_reader, &u->last_reader);
        u->reading_blocks += !(b->objects_read & bit);
        b->objects_read |= bit;
    }
    if (store) {
        widen(w, lanes, &u->first_writer, &u->last_writer);
        u->writing_blocks += !(b->objects_written & bit);
        b->objects_written |= bit;
    }
}

void count_object_lanes(struct warp *w, const struct allocation *object, uint32_t lanes, uint64_t bytes, bool load)
{
    struct object_use *u = use_of(w->block->grid, object);
    w->worked |= lanes;
    if (u) {
        u->requests++;
        count_lanes(w, u, lanes, bytes, load, !load);
    }
}

void count_object_use(struct warp *w, const struct mem_access *a, bool load, bool store)
{
    uint32_t left = a->mask;
    w->worked |= left;
    while (left) {
        const struct allocation *object = a->allocation[__builtin_ctz(left)];
        uint32_t same = 0;
        FOR_LANES(lane, left)
        {
            same |= (uint32_t)(a->allocation[lane] == object) << lane;
        }
        struct object_use *u = use_of(w->block->grid, object);
        uint64_t bytes = (uint64_t)a->insn->mem.bytes * a->insn->mem.count;
        if (u && load && store)
            u->zeroings += zeroings(a, same);
        if (u) {
            u->requests++;
            count_lanes(w, u, same, bytes * (uint64_t)__builtin_popcount(same), load, store);
        }
        left &= ~same;
    }
}

static void raise_to(uint64_t *counter, uint64_t value)
{
    *counter = value > *counter ? value : *counter;
}

void count_block(struct block *b)
{
    uint64_t *counters = b->grid->counters, threads = 0, barriers = 0;
    for (int i = 0; i < b->grid->use_count; i++) {
        b->grid->uses[i].uses += b->object_uses[i];
        raise_to(&b->grid->uses[i].busiest_uses, b->object_uses[i]);
        for (int k = 0; k < b->warp_count; k++)
            raise_to(&b->grid->uses[i].busiest_warp, b->warps[k].object_uses[i]);
    }
    for (int i = 0; i < b->warp_count; i++) {
        threads += (uint64_t)__builtin_popcount(b->warps[i].worked);
        raise_to(&counters[COUNT_LONGEST_WARP], b->warps[i].instructions);
    }
    for (size_t i = 0; i < sizeof b->barriers / sizeof b->barriers[0]; i++)
        barriers += b->barriers[i].generation;
    raise_to(&counters[COUNT_BLOCK_BARRIERS], barriers);
    barriers += b->cluster->phase;
    for (int i = 0; i < b->mbarriers.count; i++)
        barriers += b->mbarriers.data[i].earlier + b->mbarriers.data[i].phase;
    raise_to(&counters[COUNT_BARRIER_PHASES], barriers);
    raise_to(&counters[COUNT_BYTES_IN_FLIGHT], flight_end(b));
    counters[COUNT_WORKING_BLOCKS] += threads != 0;
    counters[COUNT_WORKING_THREADS] += threads;
}
