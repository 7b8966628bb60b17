/**
 * @file choices.c
 * See choices.h.
 */
#include "analyse/choices.h"

#include "code/descriptions.h"
#include "code/operands.h"

/** Is it a selp that takes what depends on the value by one arm only? */
static bool is_choice(const struct carried *depends, const struct insn *in, uint32_t *arm)
{
    bool first = carried_in(depends, in->src[0]), second = carried_in(depends, in->src[1]);
    *arm = in->src[first ? 0 : 1];
    return (insn_row(in) == ROW_selp_32 || insn_row(in) == ROW_selp_64) && !insn_is_guarded(in) && first != second && !carried_in(depends, in->src[2]) &&
           in->dst != *arm;
}

static bool tells_arm(const struct choice *c, const struct insn *in)
{
    return (insn_row(in) == ROW_is_eq_32 || insn_row(in) == ROW_is_eq_64) && !insn_is_guarded(in) &&
           ((in->src[0] == c->choice->dst && in->src[1] == c->arm) || (in->src[1] == c->choice->dst && in->src[0] == c->arm));
}

/** What is made of the choice, and of nothing else that depends on the value, is so, too. */
static void note_made(struct choice *c, const struct carried *depends, const struct insn *in)
{
    struct operand_iter it = operands_of(in);
    bool from = false, other = insn_class(in) != INSN_COMPUTE || insn_is_guarded(in);
    for (struct operand o; operands_next(&it, &o);) {
        if (!o.write) {
            from |= carried_in(&c->made, o.reg);
            other |= carried_in(depends, o.reg) && !carried_in(&c->made, o.reg);
        } else if (from && !other) {
            carried_put(&c->made, o.reg);
        } else {
            carried_drop(&c->made, o.reg);
        }
    }
}

void choice_note(struct choice *c, const struct carried *depends, const struct insn *in)
{
    uint32_t arm;
    if (is_choice(depends, in, &arm)) {
        *c = (struct choice){.choice = in, .arm = arm};
        carried_put(&c->made, in->dst);
        return;
    }
    if (!c->choice)
        return;
    if (!c->same && tells_arm(c, in))
        c->same = in;
    else if (insn_writes(in, c->choice->dst) || insn_writes(in, c->arm) || (c->same && insn_writes(in, c->same->dst)))
        c->choice = c->same = NULL;
    if (c->choice)
        note_made(c, depends, in);
}

void choice_part(const struct choice *c, const struct insn *branch, struct carried *depends, struct carried *value)
{
    bool by_it = c->choice && c->same && insn_is_guarded(branch) && branch->guard == c->same->dst && !(c->same->imm & ~(uint64_t)PRED_INVERT);
    if (!by_it || (c->same->imm == 0) == branch->guard_negated)
        return;
    for (int i = 0; i < c->made.count; i++) {
        carried_drop(depends, c->made.reg[i]);
        carried_drop(value, c->made.reg[i]);
    }
}
