/**
 * @file range.c
 * See range.h. What is said counts for whole pages; each allocation of which something has been said is cut into pieces
 * about whose pages the same has been said. Answers and errors are an H200's (tests/runtime/asked_facts.cu).
 */
#include "runtime/memory/range.h"

#include "base/list.h"
#include "runtime/memory/copy.h"
#include "runtime/state/entry.h"

#define PAGE 4096u
/** Among the users: the host. */
#define HOST_BIT (1u << 31)

struct piece {
    uint32_t allocation; /* its id, which no other ever has */
    uint64_t from, to;
    bool read_mostly;
    uint32_t users; /* devices, a bit each */
    struct cudaMemLocation preferred, prefetched;
};
static LIST(struct piece) pieces;

static void cut_at(uint32_t allocation, uint64_t at)
{
    for (int i = 0; i < pieces.count; i++) {
        struct piece rest = pieces.data[i];
        if (rest.allocation != allocation || at <= rest.from || at >= rest.to)
            continue;
        pieces.data[i].to = rest.from = at;
        *LIST_PUSH(&pieces) = rest;
        return;
    }
}

/* Drops what belongs to memory that is gone. */
static void drop_old(void)
{
    int kept = 0;
    for (int i = 0; i < pieces.count; i++) {
        const struct allocation *a = memory_find(machine_memory(runtime.machine), pieces.data[i].from);
        if (a && !a->freed && a->id == pieces.data[i].allocation)
            pieces.data[kept++] = pieces.data[i];
    }
    pieces.count = kept;
}

/* The allocation's pieces end where the pages of the range begin and end. @return its id */
static uint32_t cut(uint64_t *from, uint64_t *to, uint64_t bytes)
{
    const struct allocation *a = memory_find(machine_memory(runtime.machine), *from);
    *to = (*from + bytes + PAGE - 1) / PAGE * PAGE;
    *from = *from / PAGE * PAGE;
    bool known = false;
    for (int i = 0; i < pieces.count; i++)
        known |= pieces.data[i].allocation == a->id;
    if (!known) {
        drop_old();
        *LIST_PUSH(&pieces) = (struct piece){.allocation = a->id, .from = a->base, .to = (a->base + a->bytes + PAGE - 1) / PAGE * PAGE};
    }
    cut_at(a->id, *from);
    cut_at(a->id, *to);
    return a->id;
}

static uint32_t bit_of(struct cudaMemLocation l)
{
    return l.type == cudaMemLocationTypeDevice ? 1u << l.id : HOST_BIT;
}

void range_advise(uint64_t from, uint64_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation where)
{
    uint64_t to;
    uint32_t id = cut(&from, &to, bytes);
    for (int i = 0; i < pieces.count; i++) {
        struct piece *p = &pieces.data[i];
        if (p->allocation != id || p->from < from || p->to > to)
            continue;
        switch (advice) {
        case cudaMemAdviseSetReadMostly: p->read_mostly = true; break;
        case cudaMemAdviseUnsetReadMostly: p->read_mostly = false; break;
        case cudaMemAdviseSetPreferredLocation: p->preferred = where; break;
        case cudaMemAdviseUnsetPreferredLocation: p->preferred = (struct cudaMemLocation){0}; break;
        case cudaMemAdviseSetAccessedBy: p->users |= bit_of(where); break;
        case cudaMemAdviseUnsetAccessedBy: p->users &= ~bit_of(where); break;
        }
    }
}

void range_prefetched(uint64_t from, uint64_t bytes, struct cudaMemLocation where)
{
    uint64_t to;
    uint32_t id = cut(&from, &to, bytes);
    for (int i = 0; i < pieces.count; i++)
        if (pieces.data[i].allocation == id && pieces.data[i].from >= from && pieces.data[i].to <= to)
            pieces.data[i].prefetched = where;
}

/* ---- answers ---- */

static bool same(struct cudaMemLocation a, struct cudaMemLocation b)
{
    return a.type == b.type && a.id == b.id;
}

/* What holds for all of a range. */
static struct piece common(uint64_t from, uint64_t bytes)
{
    struct piece all = {0};
    bool first = true;
    uint32_t id = memory_find(machine_memory(runtime.machine), from)->id;
    for (int i = 0; i < pieces.count; i++) {
        const struct piece *p = &pieces.data[i];
        if (p->allocation != id || p->to <= from || p->from >= from + bytes)
            continue;
        if (first)
            all = *p;
        first = false;
        all.read_mostly &= p->read_mostly;
        all.users &= p->users;
        if (!same(all.preferred, p->preferred))
            all.preferred = (struct cudaMemLocation){0};
        if (!same(all.prefetched, p->prefetched))
            all.prefetched = (struct cudaMemLocation){0};
    }
    return all;
}

static int device_of(struct cudaMemLocation l)
{
    return l.type == cudaMemLocationTypeInvalid ? cudaInvalidDeviceId : l.type == cudaMemLocationTypeDevice ? l.id : cudaCpuDeviceId;
}

static int type_of(struct cudaMemLocation l)
{
    return l.type == cudaMemLocationTypeHostNumaCurrent ? cudaMemLocationTypeHostNuma : (int)l.type;
}

static void users_of(uint32_t users, int *out, size_t count)
{
    size_t n = 0;
    for (int bit = 0; bit < 32 && n < count; bit++)
        if (users >> bit & 1)
            out[n++] = bit == 31 ? cudaCpuDeviceId : bit;
    while (n < count)
        out[n++] = cudaInvalidDeviceId;
}

/* `out` has room for what is asked; its size has been checked. */
static void answer(const struct piece *p, enum cudaMemRangeAttribute attribute, int *out, size_t bytes)
{
    switch (attribute) {
    case cudaMemRangeAttributeReadMostly: *out = p->read_mostly; break;
    case cudaMemRangeAttributePreferredLocation: *out = device_of(p->preferred); break;
    case cudaMemRangeAttributeAccessedBy: users_of(p->users, out, bytes / sizeof *out); break;
    case cudaMemRangeAttributeLastPrefetchLocation: *out = device_of(p->prefetched); break;
    case cudaMemRangeAttributePreferredLocationType: *out = type_of(p->preferred); break;
    case cudaMemRangeAttributePreferredLocationId: *out = p->preferred.id; break;
    case cudaMemRangeAttributeLastPrefetchLocationType: *out = type_of(p->prefetched); break;
    case cudaMemRangeAttributeLastPrefetchLocationId: *out = p->prefetched.id; break;
    }
}

static bool size_fits(enum cudaMemRangeAttribute attribute, size_t bytes)
{
    if (attribute == cudaMemRangeAttributeAccessedBy)
        return bytes && bytes % sizeof(int) == 0;
    return attribute >= cudaMemRangeAttributeReadMostly && attribute <= cudaMemRangeAttributeLastPrefetchLocationId &&
           bytes == sizeof(int);
}

static cudaError_t ask(void **out, const size_t *bytes, const enum cudaMemRangeAttribute *attributes, size_t count,
                       uint64_t from, size_t range)
{
    if (!out || !bytes || !attributes || !count || !range || place_of(from, range) != PLACE_MANAGED)
        return cudaErrorInvalidValue;
    for (size_t i = 0; i < count; i++)
        if (!out[i] || !size_fits(attributes[i], bytes[i]))
            return cudaErrorInvalidValue;
    struct piece all = common(from, range);
    for (size_t i = 0; i < count; i++)
        answer(&all, attributes[i], out[i], bytes[i]);
    return cudaSuccess;
}

cudaError_t cudaMemRangeGetAttribute(void *out, size_t bytes, enum cudaMemRangeAttribute attribute, const void *p, size_t range)
{
    API_ENTER();
    API_RETURN(ask(&out, &bytes, &attribute, 1, (uint64_t)(uintptr_t)p, range));
}

cudaError_t cudaMemRangeGetAttributes(void **out, size_t *bytes, enum cudaMemRangeAttribute *attributes, size_t count,
                                      const void *p, size_t range)
{
    API_ENTER();
    API_RETURN(ask(out, bytes, attributes, count, (uint64_t)(uintptr_t)p, range));
}
