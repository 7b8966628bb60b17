/**
 * @file mapped.c
 * Device memory whose addresses and bytes come apart: ranges that are only reserved, and bytes that are given
 * addresses in them for a while.
 */
#include "memory/space.h"

uint64_t memory_reserve(struct memory *m, uint64_t bytes, uint64_t align)
{
    return space_place(m, bytes, align, ALLOC_DEVICE);
}

bool memory_charge(struct memory *m, int device, uint64_t bytes)
{
    if (bytes > m->limit || m->used[device] > m->limit - bytes)
        return false;
    m->used[device] += bytes;
    return true;
}

void memory_discharge(struct memory *m, int device, uint64_t bytes)
{
    m->used[device] -= bytes;
}

struct allocation *memory_map_at(struct memory *m, uint64_t base, void *host, uint64_t bytes, bool fresh, int device,
                                 uint8_t reach)
{
    struct allocation *before = memory_find(m, base);
    if (before)
        space_leave(m, before); /* what was mapped there once */
    struct allocation *a = space_record(m, base, bytes, fresh ? ALLOC_DEVICE : ALLOC_VARIABLE, NULL);
    a->host = host;
    a->mapped = a->own_reach = true;
    a->device = (uint8_t)device;
    a->reach = reach;
    a->number = m->next_number++;
    if (fresh && m->checked) {
        a->blank = true;
        contents_poison(a);
    }
    space_announce(m, a); /* what has been written before is no unwritten memory, as little as a variable is */
    a->kind = ALLOC_DEVICE;
    return a;
}
