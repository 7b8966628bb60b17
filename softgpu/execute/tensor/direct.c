/**
 * @file direct.c
 * Where a matrix lies that a whole warp accesses while nobody is told of it: found once, not for each lane.
 */
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/owner.h"
#include "execute/tensor/tensor.h"
#include "memory/windows.h"

static bool is_same_word(const uint32_t v[WARP_LANES])
{
    uint32_t other = 0;
    for (int lane = 1; lane < WARP_LANES; lane++)
        other |= v[lane] ^ v[0];
    return !other;
}

static bool is_same_address(const struct warp *w, const struct insn *in)
{
    const uint64_t *wide = warp_reg(w, in->src[0]);
    uint64_t other = 0;
    if (in->mem.address_bytes != 8)
        return !in->mem.address_bytes || is_same_word((const uint32_t *)wide);
    for (int lane = 1; lane < WARP_LANES; lane++)
        other |= wide[lane] ^ wide[0];
    return !other;
}

bool tensor_is_one_matrix(const struct warp *w, const struct insn *in, uint64_t *address, uint32_t *stride)
{
    const struct tensor_desc *t = in->extra;
    const uint32_t *strides = in->src[1] == REG_NONE ? NULL : warp_reg(w, in->src[1]);
    if (w->mask != UINT32_MAX || !is_same_address(w, in) || (strides && !is_same_word(strides)))
        return false;
    *address = lane_address(w, in, 0);
    *stride = strides ? strides[0] : t->stride;
    return true;
}

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

bool tensor_place_told(struct warp *w, const struct insn *in, uint64_t address, uint64_t bytes, unsigned aligned, struct place *out)
{
    struct block *b = w->block;
    enum ptx_space space = in->mem.space;
    uint64_t first = 0, end = b->shared_bytes;
    if (space == SPACE_GENERIC) {
        uint64_t owner = generic_owner_of(address);
        space = generic_resolve(&address);
        if (space == SPACE_SHARED && owner && owner != owner_of_block(b))
            return false;
        if (space == SPACE_SHARED)
            address = owner_without_rank(b, address);
    } else if (in->mem.object_bytes) {
        first = in->object;
        end = first + in->mem.object_bytes < end ? first + in->mem.object_bytes : end;
    }
    if (address & (aligned - 1))
        return false;
    *out = (struct place){.space = space, .address = address, .owner = b};
    if (space == SPACE_SHARED) {
        out->host = b->shared + address;
        return address >= first && bytes <= end && address <= end - bytes;
    }
    out->host = space == SPACE_GLOBAL ? global_host_any(w->worker, address, bytes) : NULL;
    out->allocation = w->worker->cache_allocation;
    return out->host != NULL;
}
