/**
 * @file atomic_operands.c
 * Operands of atomics that are undefined. A sum, an extreme or the like in global memory is a result, and so is what a compare-and-swap
 * decides. What an exchange or a swap puts there has been copied: whoever uses it is told, or the host where it takes it.
 */
#include "check/uninit/atomic_operands.h"

/** The lane's element in the block's memory holds what was made of something undefined: the rest of the program may leave it out. */
static void leave_undefined(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, unsigned at,
                            const struct taint *from)
{
    unsigned bytes = a->insn->mem.bytes;
    uninit_undefine(u, w, a, lane, (uint8_t)(((1u << (bytes < 8 ? bytes : 8)) - 1) << (at < 8 ? at : 0)));
    computed_store(u, w, a, lane, at, bytes, from);
}

/** An exchange has copied a value to global memory, `from` undefined in the lane or not. As with stores, one that is undefined in part
 *  is taken for padding. */
static void leave_copied(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane, const struct taint *from)
{
    unsigned bytes = a->insn->mem.bytes;
    uint8_t all = (uint8_t)((1u << (bytes < 8 ? bytes : 8)) - 1);
    if (!a->allocation[lane] || !a->allocation[lane]->initialised)
        return;
    bool undefined = from && (from->lanes & ~from->derived & ~from->beside) >> lane & 1 && (from->bytes[lane] & all) == all;
    if (undefined)
        uninit_undefine(u, w, a, lane, all);
    uninit_mark(u, w, a, lane, undefined ? from : NULL);
}

void operands_of_atomic(struct uninit *u, const struct warp *w, const struct mem_access *a)
{
    const struct warp_taint *t = taint_of(u, w);
    const struct mem_desc *mem = &a->insn->mem;
    bool swaps = mem->atom == ATOM_CAS, copies = mem->atom == ATOM_EXCH, global = a->space == SPACE_GLOBAL;
    for (int e = 0; e < mem->count && mem->bytes <= 8; e++) {
        const struct taint *from = t->any ? reg_taint(w, t, element_operand(a->insn, (unsigned)e)) : NULL;
        uint32_t lanes = from ? from->lanes & a->mask & (swaps || copies ? ~from->beside : ~0u) : 0;
        uint32_t used = global && copies && from ? lanes & from->derived : global || swaps ? lanes : 0;
        if (used)
            uninit_tell(u, w, from, used, a->insn, swaps ? "load" : "store");
        for (uint32_t m = global && copies ? a->mask : 0; m; m &= m - 1)
            leave_copied(u, w, a, __builtin_ctz(m), from);
        for (uint32_t m = global || swaps ? 0 : lanes; m; m &= m - 1) {
            struct taint result = *from;
            result.derived |= copies ? 0 : m & -m;
            leave_undefined(u, w, a, __builtin_ctz(m), (unsigned)e * mem->bytes, &result);
        }
    }
}
