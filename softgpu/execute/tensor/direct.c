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

uint8_t *tensor_place(struct warp *w, const struct insn *in, uint64_t address, uint64_t bytes, unsigned aligned)
{
    const struct block *b = w->block;
    enum ptx_space space = in->mem.space;
    if (space == SPACE_GENERIC) {
        space = generic_resolve(&address);
        if (space == SPACE_SHARED)
            address = owner_without_rank(b, address);
    }
    if (address & (aligned - 1))
        return NULL;
    if (space == SPACE_SHARED)
        return bytes <= b->shared_bytes && address <= b->shared_bytes - bytes ? b->shared + address : NULL;
    return space == SPACE_GLOBAL ? global_host_any(w->worker, address, bytes) : NULL;
}
