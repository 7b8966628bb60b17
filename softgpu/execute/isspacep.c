/**
 * @file isspacep.c
 * isspacep: whether a generic address lies in a space (PTX ISA 9.7.9.19).
 */
#include "execute/alu/stamp.h"
#include "execute/handlers.h"
#include "execute/machine.h"
#include "execute/owner.h"

/** Does a generic address point into the window or the allocations of a space? `cluster`: of any block of it. */
static bool lies_in(const struct warp *w, enum ptx_space space, bool cluster, uint64_t a)
{
    enum ptx_space window = generic_resolve(&a);

    if (window == SPACE_SHARED && window == space && a >> SHARED_RANK_SHIFT) {
        const struct block *b = w->block;
        return cluster ? shared_rank(a, b->rank) < b->cluster->count : shared_rank(a, b->rank) == b->rank;
    }

    if (window != SPACE_GLOBAL || generic_window(space))
        return window == space;
    const struct allocation *found = memory_find(machine_memory(w->block->grid->machine), a);
    bool constant = found && found->kind == ALLOC_CONSTANT;
    return constant == (space == SPACE_CONST);
}

const struct insn *op_isspacep(struct warp *w, const struct insn *in)
{
    const uint64_t *address = warp_reg(w, in->src[0]);
    const uint32_t *narrow = warp_reg(w, in->src[0]);
    bool wide = in->mem.address_bytes == 8;
    uint32_t bits = 0;
    for (uint32_t left = w->mask; left; left &= left - 1) {
        int i = __builtin_ctz(left);
        bool inside = lies_in(w, (enum ptx_space)in->mem.space, in->mem.cluster, wide ? address[i] : narrow[i]);
        bits |= (uint32_t)inside << i;
    }
    alu_store_pred(w, in->dst, bits);
    return in + 1;
}
