/**
 * @file space.c
 * The two-level table from device addresses to allocations (see space.h).
 */
#include "memory/space.h"

#include <assert.h>
#include <sys/mman.h>

static uint32_t *granules_create(void)
{
    void *p = mmap(NULL, REGION_GRANULES * sizeof(uint32_t), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

static uint64_t first_granule(const struct allocation *a)
{
    return a->base >> GRANULE_BITS;
}

static uint64_t last_granule(const struct allocation *a)
{
    return (a->base + (a->bytes ? a->bytes : 1) - 1) >> GRANULE_BITS;
}

/** Enters the allocation in the granules of a region that it covers. */
static void fill(struct region *r, uint64_t region, const struct allocation *a)
{
    uint64_t start = region * REGION_GRANULES, end = start + REGION_GRANULES - 1;
    uint64_t from = first_granule(a) > start ? first_granule(a) : start;
    uint64_t to = last_granule(a) < end ? last_granule(a) : end;
    for (uint32_t *cell = &r->granules[from - start]; from <= to; cell++, from++)
        *cell = *cell && *cell != a->id + 1 ? GRANULE_SHARED : a->id + 1;
}

void space_enter(struct memory *m, const struct allocation *a)
{
    assert(last_granule(a) >> (ADDRESS_BITS - GRANULE_BITS) == 0);
    for (uint64_t i = first_granule(a) / REGION_GRANULES; i <= last_granule(a) / REGION_GRANULES; i++) {
        struct region *r = &m->regions[i];
        if (!r->granules && (!r->only || r->only == a->id + 1)) {
            r->only = a->id + 1;
            continue;
        }
        if (!r->granules) {
            r->granules = granules_create();
            *LIST_PUSH(&m->granules) = r->granules;
            fill(r, i, m->all.data[r->only - 1]);
            r->only = 0;
        }
        fill(r, i, a);
    }
}

void space_leave(struct memory *m, const struct allocation *a)
{
    uint64_t last = last_granule(a);
    for (uint64_t g = first_granule(a); g <= last;) {
        struct region *r = &m->regions[g / REGION_GRANULES];
        uint32_t in = g % REGION_GRANULES;
        if (!r->granules) {
            if (r->only == a->id + 1)
                r->only = 0;
            g += REGION_GRANULES - in;
            continue;
        }
        for (; in < REGION_GRANULES && g <= last; in++, g++)
            if (r->granules[in] == a->id + 1)
                r->granules[in] = 0;
    }
}

static bool contains(const struct allocation *a, uint64_t address)
{
    return address - a->base < a->bytes;
}

/** Among ranges that share a granule the youngest wins: an older one there is stale or freed. */
static struct allocation *search(const struct memory *m, uint64_t address)
{
    for (int i = m->all.count - 1; i >= 0; i--)
        if (contains(m->all.data[i], address) && !m->all.data[i]->freed)
            return m->all.data[i];
    for (int i = m->all.count - 1; i >= 0; i--)
        if (contains(m->all.data[i], address))
            return m->all.data[i];
    return NULL;
}

struct allocation *memory_find(const struct memory *m, uint64_t address)
{
    if (address >> ADDRESS_BITS)
        return NULL;
    const struct region *r = &m->regions[address >> REGION_BITS];
    uint32_t number = r->granules
                          ? r->granules[(address >> GRANULE_BITS) % REGION_GRANULES]
                          : r->only;
    if (number == 0)
        return NULL;
    if (number == GRANULE_SHARED)
        return search(m, address);
    struct allocation *a = m->all.data[number - 1];
    return contains(a, address) ? a : NULL;
}

struct allocation *memory_nearest(const struct memory *m, uint64_t address)
{
    struct allocation *best = NULL;
    uint64_t best_distance = UINT64_MAX;
    for (int i = 0; i < m->all.count; i++) {
        struct allocation *a = m->all.data[i];
        uint64_t distance = address < a->base              ? a->base - address
                            : address - a->base < a->bytes ? 0
                                                           : address - a->base - a->bytes + 1;
        if (distance < best_distance || (distance == best_distance && best && best->freed)) {
            best = a;
            best_distance = distance;
        }
    }
    return best;
}
