/**
 * @file direct.c
 * Where a matrix lies that a whole warp accesses while nobody is told of it: found once, not for each lane.
 */
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/owner.h"
#include "execute/tensor/tensor.h"
#include "memory/windows.h"

bool tensor_is_direct(const struct warp *w)
{
    const struct machine *m = warp_machine(w);
    return !m->checked && !m->observers.count && w->mask == UINT32_MAX;
}

bool tensor_reads_directly(struct warp *w, const struct insn *in)
{
    struct worker *k = w->worker;
    if (tensor_is_direct(w))
        return true;
    if (w->mask != UINT32_MAX || *w->closely || !w->block->quiet || in->mem.space != SPACE_SHARED || !*k->untold_shared)
        return false;
    --*k->untold_shared;
    return true;
}

/** Up to where the block's shared memory may be accessed so, from where on. */
static uint64_t shared_end(const struct warp *w, const struct insn *in, uint64_t *first)
{
    const struct block *b = w->block;
    uint64_t end = warp_machine(w)->checked ? b->quiet : b->shared_bytes;
    *first = 0;
    if (!warp_machine(w)->checked || !in->mem.object_bytes)
        return end;
    *first = in->object;
    return in->object + (uint64_t)in->mem.object_bytes < end ? in->object + (uint64_t)in->mem.object_bytes : end;
}

uint8_t *tensor_place(struct warp *w, const struct insn *in, uint64_t address, uint64_t bytes, unsigned aligned)
{
    enum ptx_space space = in->mem.space;
    uint64_t first;
    if (space == SPACE_GENERIC) {
        space = generic_resolve(&address);
        if (space == SPACE_SHARED)
            address = owner_without_rank(w->block, address);
    }
    if (address & (aligned - 1))
        return NULL;
    if (space != SPACE_SHARED)
        return space == SPACE_GLOBAL ? global_host_any(w->worker, address, bytes) : NULL;
    uint64_t end = shared_end(w, in, &first);
    return address >= first && bytes <= end && address <= end - bytes ? w->block->shared + address : NULL;
}
