/**
 * @file random_signals_ptx.c
 * The text of what orders the threads of random_signals(), and of copies.
 */
#include "random_text.h"

/** Where random_skip() leads. */
static void end_skipped(struct text *t, int label)
{
    if (label)
        fprintf(t->out, "L%d:\n", label);
}

void random_copy_text(struct text *t, const struct step *s)
{
    char from[32], to[32];
    struct step source = copy_source(s);
    random_address(t, &source, from, sizeof from);
    random_address(t, s, to, sizeof to);
    int label = random_skip(t, s);
    fprintf(t->out, "cp.async.ca.shared.global %s, %s, %u;\n", to, from, s->unit * s->count);
    end_skipped(t, label);
}

static void shuffle_text(struct text *t)
{
    int value = new_word(t);
    fprintf(t->out, "shfl.sync.bfly.b32 %%r%d, %%t, 1, 31, -1;\n", value);
}

static void some_lanes_text(struct text *t, uint32_t mask)
{
    int lane = new_word(t), bit = new_word(t), p = ++t->p, label = ++t->label;
    fprintf(t->out, "and.b32 %%r%d, %%t, 31; shr.u32 %%r%d, %u, %%r%d; and.b32 %%r%d, %%r%d, 1;\n", lane, bit, mask, lane, bit, bit);
    fprintf(t->out, "setp.eq.u32 %%p%d, %%r%d, 0; @%%p%d bra L%d;\nbar.warp.sync %u;\nL%d:\n", p, bit, p, label, mask, label);
}

/** Each has a barrier of its own, as those that meet at one number must be the same each time. */
static int barrier_number(const struct text *t, const struct step *s)
{
    int n = 1;
    for (const struct step *before = t->k->step; before < s; before++)
        n += before->act == ACT_SOME_WARPS || before->act == ACT_HAND_OVER;
    return n;
}

static void some_warps_text(struct text *t, const struct step *s)
{
    int number = barrier_number(t, s), label;
    uint32_t taken = s->guard == GUARD_BELOW ? s->bound : t->k->threads - s->bound;
    if (s->act == ACT_SOME_WARPS) {
        label = random_skip(t, s);
        fprintf(t->out, "bar.sync %d, %u;\n", number, taken);
        end_skipped(t, label);
        return;
    }
    int p = random_guard(t, s), end = ++t->label;
    label = ++t->label;
    fprintf(t->out, "@%%p%d bra L%d;\nbar.sync %d, %u;\nbra L%d;\n", p, label, number, t->k->threads, end);
    fprintf(t->out, "L%d:\nbar.arrive %d, %u;\nL%d:\n", label, number, t->k->threads, end);
}

static void flag_text(struct text *t, const struct step *s)
{
    const char *scope = s->strength == VOLATILE ? "" : s->wide ? ".gpu" : ".cta";
    int label = random_skip(t, s), value = new_word(t), p = ++t->p, again = ++t->label;
    uint32_t at = s->flag * 4;
    if (s->act == ACT_WAIT) {
        const char *order = s->strength == RELAXED ? ".relaxed" : s->strength == ORDERED ? ".acquire" : ".volatile";
        fprintf(t->out, "L%d:\nld%s%s.global.u32 %%r%d, [%%o5+%u]; setp.lt.u32 %%p%d, %%r%d, %u; @%%p%d bra L%d;\n", again, order, scope, value, at, p,
                value, s->until, p, again);
    } else {
        const char *order = s->strength == RELAXED ? ".relaxed" : s->strength == ORDERED ? ".release" : ".volatile";
        if (s->block == ANY_BLOCK)
            fprintf(t->out, "atom%s%s.global.add.u32 %%r%d, [%%o5+%u], 1;\n", order, scope, value, at);
        else
            fprintf(t->out, "mov.u32 %%r%d, 1; st%s%s.global.u32 [%%o5+%u], %%r%d;\n", value, order, scope, at, value);
    }
    end_skipped(t, label);
}

void random_signal_text(struct text *t, const struct step *s)
{
    switch (s->act) {
    case ACT_COPIES_WAIT: fputs("cp.async.wait_all;\n", t->out); break;
    case ACT_SHUFFLE: shuffle_text(t); break;
    case ACT_SOME_LANES: some_lanes_text(t, s->mask); break;
    case ACT_SOME_WARPS:
    case ACT_HAND_OVER: some_warps_text(t, s); break;
    case ACT_FENCE: fprintf(t->out, "fence.acq_rel.%s;\n", s->wide ? "gpu" : "cta"); break;
    default: flag_text(t, s);
    }
}
