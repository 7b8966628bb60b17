/**
 * @file depends.c
 * See depends.h.
 */
#include "rerun/explore/depends.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "code/operands.h"

static event_set *cell_of(struct depends *d, const struct warp *w, uint32_t reg)
{
    uint32_t at = (w->frame_offset + reg) / 4;
    if (at >= d->regs) {
        uint32_t count = d->regs ? d->regs : 1024;
        while (count <= at)
            count *= 2;
        d->reg = realloc(d->reg, count * sizeof *d->reg);
        assert(d->reg);
        memset(d->reg + d->regs, 0, (count - d->regs) * sizeof *d->reg);
        d->regs = count;
    }
    return &d->reg[at];
}

void depends_issue(struct depends *d, const struct warp *w, const struct insn *in)
{
    event_set guard = 0;
    struct operand_iter it = operands_of(in);
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
    if (insn_class(in) == INSN_BRANCH || insn_class(in) == INSN_SWITCH)
        d->control |= insn_class(in) == INSN_SWITCH ? d->data : guard;
    d->decided |= guard | d->control | (insn_class(in) == INSN_CALL ? d->data : 0) | (insn_is_memory(in) ? d->address : 0);
    bool keeps = insn_is_memory(in) && (in->mem.space == SPACE_LOCAL || in->mem.call_slot);
    if (keeps && insn_class(in) == INSN_STORE)
        d->memory |= d->data;
    event_set result = keeps ? d->data | d->memory : d->data;
    it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            *cell_of(d, w, o.reg) = result | (insn_is_guarded(in) ? *cell_of(d, w, o.reg) : 0);
}

void depends_result(struct depends *d, const struct warp *w, const struct insn *in, event_set on)
{
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);)
        if (o.write)
            *cell_of(d, w, o.reg) |= on;
}

void depends_free(struct depends *d)
{
    free(d->reg);
    *d = (struct depends){.reg = NULL};
}
