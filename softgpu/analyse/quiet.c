/**
 * @file quiet.c
 * See quiet.h.
 */
#include "analyse/quiet.h"

#include <stdlib.h>
#include <string.h>

#include "analyse/flow.h"
#include "base/arena.h"
#include "code/ops.h"

#define MOST_STEPS (1u << 24) /* of all walks through one kernel */

struct quiet {
    bool *behind, *load; /**< by instruction */
    bool matrices;
};

/** A walk from one barrier on, and what it has come to. */
struct walk {
    const struct function *f;
    bool *seen;          /**< by instruction */
    int *work, count;
    bool stores, leaves, meets;
};

/** A barrier that nobody leaves before all threads of the block have come that are still there. */
static bool waits_for_all(const struct insn *in)
{
    return insn_class(in) == INSN_BARRIER && !(in->op->flags & (OP_CLUSTER | OP_ARRIVES)) && in->src[1] == REG_NONE;
}

/** Of matrices: does it what it does at once, which a wgmma and its kin do not? */
static bool is_matrix_at_once(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_wmma_load: case ROW_wmma_store: case ROW_wmma_mma: case ROW_mma: case ROW_ldmatrix: case ROW_stmatrix: case ROW_movmatrix: case ROW_setmaxnreg:
        return true;
    default:
        return false;
    }
}

static bool stores_matrix(const struct insn *in)
{
    return insn_row(in) == ROW_wmma_store || insn_row(in) == ROW_stmatrix;
}

/** May it store to the block's shared memory, or is it not known what it does? */
static bool may_store(const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_TENSOR:
        return !is_matrix_at_once(in) || (stores_matrix(in) && in->mem.space != SPACE_GLOBAL);
    case INSN_STORE: case INSN_ATOMIC:
        return in->mem.space != SPACE_GLOBAL && in->mem.space != SPACE_LOCAL && in->mem.space != SPACE_PARAM;
    case INSN_COMPUTE: case INSN_LOAD: case INSN_FENCE: case INSN_HINT: case INSN_BRANCH: case INSN_EXIT: case INSN_TRAP: case INSN_BARRIER:
    case INSN_MEETING: case INSN_SLEEP:
        return false;
    default:
        return true;
    }
}

static bool acts_later(const struct insn *in)
{
    enum insn_class c = insn_class(in);
    return c == INSN_COPY || c == INSN_MBARRIER || (c == INSN_TENSOR && !is_matrix_at_once(in)) || c == INSN_UNSUPPORTED;
}

static bool calls(const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == INSN_CALL)
            return true;
    return false;
}

/** Is there anything in the kernel, or in what it may call, that acts on shared memory after it has been executed? */
static bool acts_later_anywhere(const struct function *f)
{
    const struct image *im = f->image;
    bool all = calls(f);
    const struct insn *first = all ? im->code : f->entry, *end = all ? im->code + im->code_count : f->end;
    for (const struct insn *in = first; in < end; in++)
        if (acts_later(in))
            return true;
    return false;
}

static void come_to(struct walk *w, const struct insn *in)
{
    if (!flow_holds(w->f, in))
        w->stores = true; /* who knows */
    else if (!w->seen[in - w->f->entry])
        w->seen[w->work[w->count++] = (int)(in - w->f->entry)] = true;
}

static void step(struct walk *w, const struct insn *in)
{
    w->stores |= may_store(in);
    w->leaves |= insn_class(in) == INSN_EXIT;
    if (waits_for_all(in)) {
        w->meets = true;
        if (!insn_is_guarded(in))
            return;
    }
    if (insn_class(in) == INSN_BRANCH)
        come_to(w, in->target);
    if (insn_falls_through(in))
        come_to(w, in + 1);
}

/** Walks from behind a barrier. @return how many instructions that were */
static unsigned walk_from(struct walk *w, const struct insn *barrier)
{
    unsigned steps = 0;
    memset(w->seen, 0, (size_t)(w->f->end - w->f->entry) * sizeof *w->seen);
    w->count = 0;
    w->stores = w->leaves = w->meets = false;
    come_to(w, barrier + 1);
    for (; w->count && !w->stores; steps++)
        step(w, w->f->entry + w->work[--w->count]);
    return steps;
}

static bool is_read(const struct insn *in)
{
    return insn_class(in) == INSN_LOAD && in->mem.space == SPACE_SHARED && !in->mem.cluster && !order_is_strong(&in->mem);
}

static void find(struct quiet *q, struct walk *w)
{
    const struct function *f = w->f;
    unsigned steps = 0;
    for (const struct insn *at = f->entry; at < f->end && steps < MOST_STEPS; at++) {
        if (!waits_for_all(at))
            continue;
        steps += walk_from(w, at);
        if (w->stores || (w->leaves && w->meets))
            continue;
        q->behind[at - f->entry] = true;
        for (const struct insn *in = f->entry; in < f->end; in++)
            q->load[in - f->entry] |= w->seen[in - f->entry] && is_read(in);
    }
}

static void *make_quiet(struct arena *a, const void *function)
{
    const struct function *f = function;
    size_t count = (size_t)(f->end - f->entry);
    struct quiet *q = arena_alloc(a, sizeof *q);
    q->matrices = false;
    q->behind = memset(arena_alloc(a, count), 0, count);
    q->load = memset(arena_alloc(a, count), 0, count);
    if (!f->is_entry || acts_later_anywhere(f))
        return q;
    for (const struct insn *in = f->entry; in < f->end; in++)
        q->matrices |= insn_row(in) == ROW_wmma_load || insn_row(in) == ROW_ldmatrix;
    struct walk w = {.f = f, .seen = calloc(count, sizeof *w.seen), .work = calloc(count, sizeof *w.work)};
    if (!w.seen || !w.work)
        abort();
    find(q, &w);
    free(w.seen);
    free(w.work);
    return q;
}

static const struct quiet *quiet_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->quiet, make_quiet, f);
}

bool quiet_behind(const struct function *kernel, const struct insn *barrier)
{
    return flow_holds(kernel, barrier) && quiet_of(kernel)->behind[barrier - kernel->entry];
}

bool quiet_matrices(const struct function *kernel)
{
    return quiet_of(kernel)->matrices;
}

bool quiet_load(const struct function *kernel, const struct insn *load)
{
    return flow_holds(kernel, load) && quiet_of(kernel)->load[load - kernel->entry];
}
