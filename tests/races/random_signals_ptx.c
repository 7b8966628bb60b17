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

/** In a loop, `n` of its first turn, twice as many of the second, and so on: a register or a number. */
static void turns_times(struct text *t, uint32_t n, char *out, size_t size)
{
    if (t->loop)
        fprintf(t->out, "mad.lo.s32 %%r%d, %%i, %u, %u;\n", new_word(t), n, n), snprintf(out, size, "%%r%d", t->r);
    else
        snprintf(out, size, "%u", n);
}

static const char *scope_of(const struct text *t, const struct step *s)
{
    return s->strength == VOLATILE ? "" : random_scope(t, s, s->wide);
}

static const char *order_of(const struct step *s, const char *ordered)
{
    return s->strength == RELAXED ? ".relaxed" : s->strength == ORDERED ? ordered : ".volatile";
}

static void flag_text(struct text *t, const struct step *s)
{
    const char *scope = scope_of(t, s);
    char number[16];
    int label = random_skip(t, s), value = new_word(t), p = ++t->p, again = ++t->label;
    uint32_t at = s->flag * 4;
    if (s->act == ACT_WAIT) {
        turns_times(t, s->until, number, sizeof number);
        fprintf(t->out, "L%d:\nld%s%s.global.u32 %%r%d, [%%o5+%u]; setp.lt.u32 %%p%d, %%r%d, %s; @%%p%d bra L%d;\n", again, order_of(s, ".acquire"), scope, value, at,
                p, value, number, p, again);
    } else if (s->block == ANY_BLOCK) {
        fprintf(t->out, "atom%s%s.global.add.u32 %%r%d, [%%o5+%u], 1;\n", order_of(s, ".release"), scope, value, at);
    } else {
        turns_times(t, 1, number, sizeof number);
        fprintf(t->out, "mov.u32 %%r%d, %s; st%s%s.global.u32 [%%o5+%u], %%r%d;\n", value, number, order_of(s, ".release"), scope, at, value);
    }
    end_skipped(t, label);
}

static void fence_text(struct text *t, const struct step *s)
{
    if (s->sc && s->spelled % 2)
        fprintf(t->out, "membar.%s;\n", s->wide ? "gl" : "cta");
    else
        fprintf(t->out, "fence.%s%s;\n", s->sc ? "sc" : "acq_rel", random_scope(t, s, s->wide));
}

static void ticket_text(struct text *t, const struct step *s)
{
    int label = random_skip(t, s), value = new_word(t), said = new_word(t), p = ++t->p;
    fprintf(t->out, "atom%s%s.global.add.u32 %%r%d, [%%o5+%u], 1;\n", order_of(s, ".acq_rel"), scope_of(t, s), value, s->flag * 4);
    fprintf(t->out, "setp.eq.u32 %%p%d, %%r%d, %u; selp.b32 %%r%d, 1, 0, %%p%d; st.shared.u32 [k%d_last+%u], %%r%d;\n", p, value, t->k->blocks - 1, said, p, t->k->number,
            s->flag * 4, said);
    end_skipped(t, label);
}

static void lock_text(struct text *t, const struct step *s)
{
    int value = new_word(t), p = ++t->p, again;
    const char *scope = scope_of(t, s);
    if (s->act == ACT_LOCK) {
        t->locked = random_skip(t, s);
        again = ++t->label;
        fprintf(t->out, "L%d:\natom%s%s.global.cas.b32 %%r%d, [%%o5+%u], 0, 1; setp.ne.u32 %%p%d, %%r%d, 0; @%%p%d bra L%d;\n", again, order_of(s, ".acquire"), scope, value,
                s->flag * 4, p, value, p, again);
        return;
    }
    fprintf(t->out, "mov.u32 %%r%d, 0;\n", value);
    if (s->until) /* by an exchange */
        fprintf(t->out, "atom%s%s.global.exch.b32 %%r%d, [%%o5+%u], %%r%d;\n", order_of(s, ".release"), scope, new_word(t), s->flag * 4, value);
    else
        fprintf(t->out, "st%s%s.global.u32 [%%o5+%u], %%r%d;\n", order_of(s, ".release"), scope, s->flag * 4, value);
    end_skipped(t, t->locked);
    t->locked = 0;
}

void random_met_text(struct text *t)
{
    int label = 0, p = ++t->p;
    for (const struct step *s = t->k->step; s < t->k->step + t->k->count; s++) {
        if (s->act != ACT_ARRIVE)
            continue;
        if (!label)
            fprintf(t->out, "setp.ne.u32 %%p%d, %%t, 0; @%%p%d bra L%d;\n", p, p, label = ++t->label);
        fprintf(t->out, "mbarrier.init.shared.b64 [k%d_met+%u], %u;\n", t->k->number, s->flag * 8, s->until);
    }
    if (label)
        fprintf(t->out, "L%d:\nbar.sync 0;\n", label);
}

/** Of the next block's mbarrier, by the threads of this one; and their own's, by those of that one. */
static void far_met_text(struct text *t, const struct step *s, int p, int again)
{
    const char *scope = s->wide ? "cluster" : "cta";
    int rank = new_word(t), place = new_word(t);
    if (s->act == ACT_AWAIT) {
        fprintf(t->out, "L%d:\nmbarrier.test_wait.parity%s.%s.shared::cta.b64 %%p%d, [k%d_met+%u], 0; @!%%p%d bra L%d;\n", again, order_of(s, ".acquire"), scope, p,
                t->k->number, s->flag * 8, p, again);
        return;
    }
    fprintf(t->out, "add.s32 %%r%d, %%b, 1; rem.u32 %%r%d, %%r%d, %u;\n", rank, rank, rank, t->k->blocks);
    fprintf(t->out, "mov.u32 %%r%d, k%d_met; mapa.shared::cluster.u32 %%r%d, %%r%d, %%r%d;\n", place, t->k->number, place, place, rank);
    fprintf(t->out, "mbarrier.arrive%s.%s.shared::cluster.b64 _, [%%r%d+%u];\n", order_of(s, ".release"), scope, place, s->flag * 8);
}

static void met_text(struct text *t, const struct step *s)
{
    int label = random_skip(t, s), p = ++t->p, again = ++t->label;
    char phase[16] = "0";
    if (s->remote)
        far_met_text(t, s, p, again);
    else if (s->act == ACT_ARRIVE)
        fprintf(t->out, "mbarrier.arrive.shared.b64 %%d%d, [k%d_met+%u];\n", ++t->d, t->k->number, s->flag * 8);
    else {
        if (t->loop)
            fprintf(t->out, "and.b32 %%r%d, %%i, 1;\n", new_word(t)), snprintf(phase, sizeof phase, "%%r%d", t->r);
        fprintf(t->out, "L%d:\nmbarrier.test_wait.parity.shared.b64 %%p%d, [k%d_met+%u], %s; @!%%p%d bra L%d;\n", again, p, t->k->number, s->flag * 8, phase, p, again);
    }
    end_skipped(t, label);
}

void random_signal_text(struct text *t, const struct step *s)
{
    switch (s->act) {
    case ACT_COMMIT: fputs("cp.async.commit_group;\n", t->out); break;
    case ACT_COPIES_WAIT:
        if (s->until)
            fprintf(t->out, "cp.async.wait_group %u;\n", s->until - 1);
        else
            fputs("cp.async.wait_all;\n", t->out);
        break;
    case ACT_SHUFFLE: shuffle_text(t); break;
    case ACT_SOME_LANES: some_lanes_text(t, s->mask); break;
    case ACT_SOME_WARPS:
    case ACT_HAND_OVER: some_warps_text(t, s); break;
    case ACT_CLUSTER_BARRIER: fprintf(t->out, "barrier.cluster.arrive%s;\nbarrier.cluster.wait;\n", s->strength == RELAXED ? ".relaxed" : ""); break;
    case ACT_FENCE: fence_text(t, s); break;
    case ACT_TICKET: ticket_text(t, s); break;
    case ACT_LEARN: fprintf(t->out, "ld.shared.u32 %%last, [k%d_last+%u];\n", t->k->number, s->flag * 4); break;
    case ACT_LOCK:
    case ACT_UNLOCK: lock_text(t, s); break;
    case ACT_CLAIM: fprintf(t->out, "atom.relaxed.gpu.global.add.u32 %%c, [%%o5+%u], 1;\n", s->flag * 4); break;
    case ACT_ARRIVE:
    case ACT_AWAIT: met_text(t, s); break;
    default: flag_text(t, s);
    }
}
