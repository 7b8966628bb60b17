/**
 * @file host_written.c
 * Managed and page-locked memory: what the host has written there. Its stores are not seen one by one. But memory that nobody has written holds
 * poison, so a word that holds something else has been written. And what the host reads there where nobody has written.
 */
#include <string.h>

#include "check/uninit/uninit.h"
#include "execute/machine.h"
#include "host/call_site.h"
#include "memory/space.h"

#define WORD 4u

bool host_may_write(const struct allocation *a)
{
    return a->kind == ALLOC_MANAGED || a->kind == ALLOC_HOST;
}

bool host_is_to_write(const struct allocation *a)
{
    return host_may_write(a) && contents_are_poison(a);
}

bool host_wrote(const struct allocation *a, uint64_t found)
{
    return a && host_may_write(a) && (uint32_t)found != POISON_BYTE * 0x01010101u;
}

void host_written(struct allocation *a, uint64_t from, uint64_t bytes)
{
    static const uint8_t poison[WORD] = {POISON_BYTE, POISON_BYTE, POISON_BYTE, POISON_BYTE};
    uint64_t end = from + bytes < a->bytes ? from + bytes : a->bytes;
    if (!host_may_write(a) || !a->initialised)
        return;
    uint8_t *defined = a->initialised;
    const uint8_t *stored = defined + cells_half(a), *held = allocation_bytes(a);
    for (uint64_t at = from / WORD * WORD; at < end; at += WORD) {
        uint64_t size = a->bytes - at < WORD ? a->bytes - at : WORD;
        if (bits_all(defined, at, size) || !memcmp(held + at, poison, size))
            continue;
        if (!bits_any(stored, at, size)) {
            bits_set(defined, at, size);
            continue;
        }
        for (uint64_t b = at; b < at + size; b++)
            if (!bit_get(stored, b)) /* a kernel's, which was undefined */
                bit_put(defined, b, true);
    }
}

void host_written_at(struct allocation *a, uint64_t address, uint64_t bytes)
{
    if (a)
        host_written(a, address - a->base, bytes);
}

bool host_written_by_lanes(const struct mem_access *a)
{
    bool any = false;
    for (uint32_t m = a->space == SPACE_GLOBAL ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        struct allocation *from = a->allocation[lane];
        if (!from || !host_may_write(from))
            continue;
        host_written(from, a->address[lane] - from->base, (uint64_t)a->insn->mem.bytes * a->insn->mem.count);
        any = true;
    }
    return any;
}

/* ---- What the host reads ---- */

bool uninit_written(void *self, struct allocation *a, uint64_t from, uint64_t bytes)
{
    uint64_t end = from < a->bytes && bytes < a->bytes - from ? from + bytes : a->bytes;
    const uint8_t *defined = a->initialised;
    (void)self;
    for (uint64_t at = from; defined && at < end;) {
        if (at % 64 == 0 && bits_all(defined, at, 64 < end - at ? 64 : end - at)) {
            at += 64;
            continue;
        }
        if (!bit_get(defined, at))
            host_written(a, at, 4096);
        if (!bit_get(defined, at++))
            return false;
    }
    return true;
}

bool uninit_host_look(void *self, const struct host_touch *t)
{
    struct uninit *u = self;
    struct allocation *a = memory_find(machine_memory(u->machine), t->address);
    if (!a || !a->initialised)
        return false;
    uint64_t from = t->address - a->base, room = a->bytes - from, bytes = t->bytes < room ? t->bytes : room;
    host_written(a, from, bytes);
    struct taken taken = look_through(a, from, from + bytes);
    if (taken.any_stored || !taken.any_unwritten)
        return false;
    const struct call_site *c = call_site((const void *)(uintptr_t)t->pc, true);
    keep_unwritten(u, a, &taken, bytes, (struct finding_access){.op = "host load", .file = c->file, .line = c->line});
    return true;
}
