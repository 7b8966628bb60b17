/**
 * @file decided.c
 * See decided.h.
 */
#include "analyse/decided.h"

#include "analyse/flow.h"
#include "code/descriptions.h"
#include "code/operands.h"

#define MAX_DEPTH 4
/** Of and, or and not: in->imm says that they read the one, or the other, negated. */
#define PRED_A_NEGATED 16u
#define PRED_B_NEGATED 32u

enum truth { WRONG, RIGHT, OPEN };

/** The one writer of a register before `at` in its block; NULL: there is none, or it may not write. */
static const struct insn *writer_before(const struct function *f, const struct insn *at, uint32_t reg)
{
    const struct blocks *b = &flow_of(f)->blocks;
    const struct insn *first = f->entry + b->first[b->of[at - f->entry]];
    while (at-- > first)
        if (insn_writes(at, reg))
            return insn_is_guarded(at) ? NULL : at;
    return NULL;
}

/** A comparison of whole numbers, and of nothing else. */
static bool is_comparison(const struct insn *in)
{
    enum op_row row = insn_row(in);
    return row >= ROW_is_eq_16 && row <= ROW_is_lt_s64 && in->dst2 == REG_NONE && !(in->imm & ~(uint64_t)PRED_INVERT);
}

bool decided_is_over(const struct decided *d, const struct insn *in)
{
    return insn_writes(in, d->compare->src[0]) || insn_writes(in, d->compare->src[1]);
}

struct decided decided_once(const struct function *f, const struct insn *branch, const struct insn *from)
{
    bool known = insn_class(branch) == INSN_BRANCH && insn_is_guarded(branch) && branch->target != branch + 1;
    const struct insn *compare = known && (from == branch->target || from == branch + 1) ? writer_before(f, branch, branch->guard) : NULL;
    if (!compare || !is_comparison(compare))
        return (struct decided){0};
    return (struct decided){.compare = compare, .holds = (from == branch->target) != branch->guard_negated};
}

struct decided decided_by(const struct function *f, const struct insn *branch, const struct insn *from)
{
    struct decided d = decided_once(f, branch, from);
    for (const struct insn *in = d.compare; in && in < branch; in++)
        if (decided_is_over(&d, in))
            return (struct decided){0};
    return d;
}

static enum truth negated(enum truth t, bool is)
{
    return t == OPEN || !is ? t : t == RIGHT ? WRONG : RIGHT;
}

/** What a predicate holds before `at`. */
static enum truth value_of(const struct function *f, const struct decided *d, const struct insn *at, uint32_t reg, int depth)
{
    const struct insn *in = writer_before(f, at, reg);
    if (!in || depth > MAX_DEPTH)
        return OPEN;
    if (is_comparison(in)) {
        bool same = insn_row(in) == insn_row(d->compare) && in->src[0] == d->compare->src[0] && in->src[1] == d->compare->src[1];
        return !same ? OPEN : d->holds != (in->imm != d->compare->imm) ? RIGHT : WRONG;
    }
    bool either = insn_row(in) == ROW_or_pred, both = insn_row(in) == ROW_and_pred, not = insn_row(in) == ROW_not_pred;
    if (!either && !both && !not)
        return OPEN;
    enum truth a = negated(value_of(f, d, in, in->src[0], depth + 1), in->imm & PRED_A_NEGATED);
    if (not)
        return negated(a, true);
    enum truth b = negated(value_of(f, d, in, in->src[1], depth + 1), in->imm & PRED_B_NEGATED);
    enum truth decides = either ? RIGHT : WRONG;
    return a == decides || b == decides ? decides : a == b ? a : OPEN;
}

const struct insn *decided_way(const struct function *f, const struct decided *d, const struct insn *branch)
{
    if (!d->compare || insn_class(branch) != INSN_BRANCH || !insn_is_guarded(branch))
        return NULL;
    enum truth t = value_of(f, d, branch, branch->guard, 0);
    return t == OPEN ? NULL : (t == RIGHT) != branch->guard_negated ? branch->target : branch + 1;
}

const struct insn *decided_way_from(const struct function *f, const struct insn *last, const struct insn *branch)
{
    if (insn_class(branch) != INSN_BRANCH || !insn_is_guarded(branch) || insn_writes(last, branch->guard))
        return NULL;
    const struct insn *in = writer_before(f, last, branch->guard);
    if (!in || insn_row(in) != ROW_mov_pred || !(in->src[0] & CONST_BIT))
        return NULL;
    bool holds = f->image->constants[in->src[0] & ~CONST_BIT] != !!(in->imm & PRED_A_NEGATED);
    return holds != branch->guard_negated ? branch->target : branch + 1;
}
