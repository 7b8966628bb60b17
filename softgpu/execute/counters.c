/**
 * @file counters.c
 * Memory traffic as profilers count it: 32-byte sectors per global request, wavefronts per shared
 * request (32 banks of 4 bytes; lanes that read one word share it). Sectors and wavefronts take time
 * to count: only with `--counters`.
 */
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/grid.h"
#include "execute/plain_access.h"
#include "execute/traffic.h"
#include "execute/worker.h"

#define SECTOR_BYTES 32
#define BANKS 32
#define MAX_SECTORS (WARP_LANES * 2)

/** Adds `key` to a set kept in `seen`; neighbouring lanes mostly meet the last one again. */
static int add_distinct(uint64_t *seen, int count, uint64_t key)
{
    for (int i = count - 1; i >= 0; i--)
        if (seen[i] == key)
            return count;
    seen[count] = key;
    return count + 1;
}

/** Lane after lane through memory, nobody missing. */
static bool is_consecutive(const struct mem_access *a, unsigned bytes)
{
    uint64_t skew = (uint32_t)~a->mask;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        skew |= a->address[lane] ^ (a->address[0] + lane * bytes);
    return skew == 0;
}

static int sectors(const struct mem_access *a, unsigned bytes)
{
    uint64_t seen[MAX_SECTORS];
    int count = 0;
    if (is_consecutive(a, bytes))
        return (int)((a->address[31] + bytes - 1) / SECTOR_BYTES - a->address[0] / SECTOR_BYTES) +
               1;
    FOR_LANES(lane, a->mask)
    {
        uint64_t first = a->address[lane] / SECTOR_BYTES;
        uint64_t last = (a->address[lane] + bytes - 1) / SECTOR_BYTES;
        count = add_distinct(seen, count, first);
        if (last != first)
            count = add_distinct(seen, count, last);
    }
    return count;
}

/** Passes that the lanes of `mask` need: the most distinct words that any one bank must give. */
static int passes(const struct mem_access *a, uint32_t mask, unsigned bytes)
{
    uint64_t words[BANKS][WARP_LANES];
    int count[BANKS] = {0};
    int most = 0;
    FOR_LANES(lane, mask)
    {
        for (uint64_t word = a->address[lane] / 4; word <= (a->address[lane] + bytes - 1) / 4;
             word++) {
            unsigned bank = word % BANKS;
            count[bank] = add_distinct(words[bank], count[bank], word);
            most = count[bank] > most ? count[bank] : most;
        }
    }
    return most;
}

/** 8-byte accesses go by half-warps, 16-byte accesses by quarters. */
static int wavefronts(const struct mem_access *a, unsigned bytes)
{
    int parts = bytes <= 4 ? 1 : bytes <= 8 ? 2 : 4;
    int lanes = WARP_LANES / parts, total = 0;
    if (is_consecutive(a, bytes) && bytes >= 4)
        return parts;
    for (int i = 0; i < parts; i++) {
        uint32_t mask = (lanes == 32 ? UINT32_MAX : (1u << lanes) - 1) << i * lanes;
        if (a->mask & mask)
            total += passes(a, a->mask & mask, bytes > 16 ? 16 : bytes);
    }
    return total;
}

/** Cooperative groups' grid barrier: the top bit of its word changes each time that all blocks have come. */
static void count_grid_barrier(struct grid *g, const struct mem_access *a)
{
    FOR_LANES(lane, g->envreg_workspace ? a->mask & a->wrote : 0)
    {
        if (a->address[lane] == g->envreg_workspace + 4)
            g->counters[COUNT_GRID_BARRIERS] += (a->old[0][lane] ^ a->value[0][lane]) >> 31 & 1;
    }
}

static void count_sectors(uint64_t *counters, uint64_t sectors, bool load, bool store)
{
    if (load)
        counters[COUNT_GLOBAL_LOAD_REQUESTS]++, counters[COUNT_GLOBAL_LOAD_SECTORS] += sectors;
    if (store)
        counters[COUNT_GLOBAL_STORE_REQUESTS]++, counters[COUNT_GLOBAL_STORE_SECTORS] += sectors;
}

/** What is counted with --counters alone. */
static void count_request(struct warp *w, const struct mem_access *a, bool load, bool store)
{
    uint64_t *counters = w->block->grid->counters;
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    if (a->space == SPACE_SHARED) {
        counters[COUNT_SHARED_REQUESTS]++;
        counters[COUNT_SHARED_WAVEFRONTS] += (uint64_t)wavefronts(a, bytes);
    } else if (a->space == SPACE_GLOBAL) {
        count_object_use(w, a, load, store);
        if (load && store)
            count_grid_barrier(w->block->grid, a);
        count_sectors(counters, (uint64_t)sectors(a, bytes), load, store);
    }
}

void count_access(struct warp *w, const struct mem_access *a, bool load, bool store)
{
    uint64_t *counters = w->block->grid->counters;
    const struct mem_desc *d = &a->insn->mem;
    if (a->space == SPACE_GLOBAL)
        counters[COUNT_GLOBAL_BYTES] += (uint64_t)__builtin_popcount(a->mask) * d->bytes * d->count;
    if (load && store)
        counters[COUNT_ATOMICS]++;
    if (warp_machine(w)->options.counters)
        count_request(w, a, load, store);
}

/** Of lanes that go through one row, whose sectors come one after another. */
static uint64_t row_sectors(const struct plain_access *p)
{
    uint64_t count = 0, last = UINT64_MAX;
    if (plain_is_row(p))
        return (p->base + p->at[WARP_LANES - 1]) / SECTOR_BYTES - (p->base + p->at[0]) / SECTOR_BYTES + 1;
    FOR_LANES(lane, p->mask)
    {
        uint64_t here = (p->base + p->at[lane]) / SECTOR_BYTES;
        count += here != last;
        last = here;
    }
    return count;
}

void count_plain(struct warp *w, struct plain_access *p, bool load, bool store)
{
    uint64_t *counters = w->block->grid->counters;
    if ((p->shape != PLAIN_ROW && p->shape != PLAIN_ONE) || (load && store)) {
        count_request(w, plain_full(w, p), load, store);
    } else if (p->space == SPACE_SHARED) { /* no bank has to give two words */
        counters[COUNT_SHARED_REQUESTS]++;
        counters[COUNT_SHARED_WAVEFRONTS]++;
    } else {
        count_object_lanes(w, p->allocation, p->mask, 4 * (uint64_t)__builtin_popcount(p->mask), load);
        count_sectors(counters, p->shape == PLAIN_ONE ? 1 : row_sectors(p), load, store);
    }
}
