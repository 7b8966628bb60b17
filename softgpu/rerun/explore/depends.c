/**
 * @file depends.c
 * See depends.h.
 */
#include "rerun/explore/depends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "code/frame.h"
#include "code/operands.h"
#include "execute/access.h"
#include "memory/windows.h"

#define CELL_BYTES 64 /* no register takes less of a frame: predicates FLAG_BYTES, those of two bytes as much */
_Static_assert(CELL_BYTES <= FLAG_BYTES && CELL_BYTES <= 2 * WARP_LANES, "each register has a cell of its own");

static void make_room(struct depends *d, uint32_t at)
{
    uint32_t count = d->regs ? d->regs : 128;
    while (count <= at)
        count *= 2;
    d->reg = realloc(d->reg, count * sizeof *d->reg);
    assert(d->reg);
    memset(d->reg + d->regs, 0, (count - d->regs) * sizeof *d->reg);
    d->regs = count;
}

static inline event_set *cell_of(struct depends *d, const struct warp *w, uint32_t reg)
{
    uint32_t at = (w->frame_offset + reg) / CELL_BYTES;
    if (at >= d->regs)
        make_room(d, at);
    return &d->reg[at];
}

/** Are src[], the guard, dst and dst2 all that it reads and writes? Of a memory access src[0] is the address. */
static inline bool is_plain(const struct insn *in)
{
    bool described = in->op->extra != EXTRA_NONE && (in->op->extra != EXTRA_ELEMENTS || in->mem.count > 1);
    return !described && !(in->op->flags & OP_CARRY) && insn_class(in) != INSN_CALL && insn_class(in) != INSN_TENSOR;
}

/** What a register holds rests on; constants, and none (REG_NONE has CONST_BIT, too), on nothing. */
static inline event_set rests_on(struct depends *d, const struct warp *w, uint32_t reg)
{
    return reg & CONST_BIT ? 0 : *cell_of(d, w, reg);
}

/** Fills what the instruction reads. @return what its guard rests on */
static event_set reads_plain(struct depends *d, const struct warp *w, const struct insn *in)
{
    event_set guard = rests_on(d, w, in->guard), first = rests_on(d, w, in->src[0]);
    event_set rest = rests_on(d, w, in->src[1]) | rests_on(d, w, in->src[2]) | rests_on(d, w, in->src[3]);
    bool accesses = insn_is_memory(in);
    d->data = guard | first | rest;
    d->told = guard | rest | (accesses ? 0 : first);
    d->address = guard | (accesses ? first : 0);
    return guard;
}

static event_set reads(struct depends *d, const struct warp *w, const struct insn *in)
{
    event_set guard = 0;
    struct operand_iter it = operands_of(in);
    if (is_plain(in))
        return reads_plain(d, w, in);
    d->address = d->told = d->data = 0;
    for (struct operand o; operands_next(&it, &o);) {
        if (o.write || o.reg & CONST_BIT)
            continue;
        event_set on = *cell_of(d, w, o.reg);
        d->data |= on;
        d->told |= o.role == ROLE_ADDRESS ? 0 : on;
        d->address |= o.role == ROLE_ADDRESS || o.role == ROLE_GUARD ? on : 0;
        guard |= o.role == ROLE_GUARD ? on : 0;
    }
    return guard;
}

static inline void rest_result(struct depends *d, const struct warp *w, uint32_t reg, event_set on, bool adds)
{
    event_set *cell = reg == REG_NONE ? NULL : cell_of(d, w, reg);
    if (cell)
        *cell = adds ? *cell | on : on;
}

/** Its results rest on these; `adds`: and on what they rested on. */
static void results_rest(struct depends *d, const struct warp *w, const struct insn *in, event_set on, bool adds)
{
    struct operand_iter it = operands_of(in);
    if (is_plain(in)) {
        rest_result(d, w, in->dst, on, adds);
        rest_result(d, w, in->dst2, on, adds);
        return;
    }
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            rest_result(d, w, o.reg, on, adds);
}

/** Does it access the thread's own memory, also where its address is a generic one? */
static bool is_own(const struct warp *w, const struct insn *in)
{
    if (in->mem.space != SPACE_GENERIC || in->mem.call_slot)
        return in->mem.space == SPACE_LOCAL || in->mem.call_slot;
    uint64_t address = lane_address(w, in, __builtin_ctz(w->mask));
    return generic_resolve(&address) == SPACE_LOCAL;
}

void depends_issue(struct depends *d, const struct warp *w, const struct insn *in)
{
    event_set guard = reads(d, w, in);
    if (insn_class(in) == INSN_BRANCH || insn_class(in) == INSN_SWITCH)
        d->control |= insn_class(in) == INSN_SWITCH ? d->data : guard;
    d->decided |= guard | d->control | (insn_class(in) == INSN_CALL ? d->data : 0) | (insn_is_memory(in) ? d->address : 0);
    bool keeps = insn_is_memory(in) && is_own(w, in);
    if (keeps && insn_class(in) == INSN_STORE)
        d->memory |= d->data;
    event_set found = insn_class(in) == INSN_ATOMIC ? d->address : d->data; /* what an atomic finds rests on no operand */
    event_set result = keeps ? d->data | d->memory : found;
    results_rest(d, w, in, result, insn_is_guarded(in));
}

void depends_result(struct depends *d, const struct warp *w, const struct insn *in, event_set on)
{
    results_rest(d, w, in, on, true);
}

/** Of an access that is no vector all results are of element 0. */
void depends_element(struct depends *d, const struct warp *w, const struct insn *in, int element, event_set on)
{
    struct operand_iter it = operands_of(in);
    if (in->mem.count <= 1) {
        depends_result(d, w, in, on);
        return;
    }
    for (struct operand o; operands_next(&it, &o);)
        if (o.write && o.index == element)
            rest_result(d, w, o.reg, on, true);
}

event_set depends_stored(struct depends *d, const struct warp *w, const struct insn *in, int element)
{
    struct operand_iter it = operands_of(in);
    event_set on = d->address;
    if (in->mem.count <= 1)
        return d->data;
    for (struct operand o; operands_next(&it, &o);)
        if (!o.write && o.role == ROLE_SOURCE && o.index == element)
            on |= rests_on(d, w, o.reg);
    return on;
}

void depends_free(struct depends *d)
{
    free(d->reg);
    *d = (struct depends){.reg = NULL};
}
