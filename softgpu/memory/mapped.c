/**
 * @file mapped.c
 * Device memory whose addresses and bytes come apart: ranges that are only reserved, and bytes that are given
 * addresses in them for a while.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory/space.h"

/** Memory this large that nobody has looked at is not poisoned to be shared. */
#define HUGE_BLANK (64ull << 20)

uint64_t memory_reserve(struct memory *m, uint64_t bytes, uint64_t align)
{
    return space_place(m, bytes, align, ALLOC_DEVICE);
}

void memory_reserve_again(struct memory *m, uint64_t base, uint64_t bytes)
{
    if (m->next_device < base)
        m->next_device = base;
    if (m->next_device < base + bytes)
        space_place(m, base + bytes - m->next_device, 1, ALLOC_DEVICE);
}

void memory_set_reserved(struct memory *m, enum place_reserved (*ask)(uint64_t address))
{
    m->reserved = ask;
}

enum place_reserved memory_reserved_at(const struct memory *m, uint64_t address)
{
    return m->reserved ? m->reserved(address) : PLACE_UNKNOWN;
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

static bool to_file(struct memory *m, struct allocation *a, int fd, bool keep)
{
    struct backing *b = &m->backing.data[a->id];
    uint64_t bytes = round_up(a->bytes ? a->bytes : 1, 4096);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
    if (p == MAP_FAILED)
        return false;
    if (!keep || (a->blank && a->bytes >= HUGE_BLANK))
        a->blank = false; /* nobody has looked at it: zero will do, and takes no memory */
    else
        memcpy(p, allocation_bytes(a), a->bytes);
    followed_end(m, a);
    if (b->mapped)
        munmap(a->host, b->bytes);
    else
        free(a->host);
    *b = (struct backing){.bytes = bytes, .mapped = true, .fd = fd};
    a->host = p;
    a->in_file = true;
    return true;
}

bool memory_move_to_file(struct memory *m, struct allocation *a, int fd)
{
    return to_file(m, a, fd, true);
}

bool memory_take_file(struct memory *m, struct allocation *a, int fd)
{
    return to_file(m, a, fd, false);
}

void memory_set_outside(struct memory *m, bool outside)
{
    m->outside = outside;
}

bool memory_is_outside(const struct memory *m)
{
    return m->outside;
}
