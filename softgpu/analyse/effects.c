/**
 * @file effects.c
 * See effects.h. Each function is looked at once; a kernel's answer joins those of what it calls.
 */
#include "analyse/effects.h"

#include <string.h>

#include "analyse/flow.h"
#include "analyse/loops.h"
#include "analyse/paths.h"
#include "analyse/tries.h"
#include "code/builtins.h"

#define MAX_CALLED 256

/** Of one function without what it calls. */
struct effects {
    bool order_free, looks_again;
    bool asks_for_convergence, takes_blocks, waits_for_grids;
    bool determined;
    bool deaf, deaf_in_cluster;
    bool swaps;                        /**< compares and swaps, in any space */
    const struct insn *atomic;         /**< one that does not keep it from being determined; NULL: there is none */
    bool waits;                        /**< at a barrier */
    bool calls_any;                    /**< through a pointer */
    const struct function **callees;   /**< of direct calls, as often as they stand there */
    int callee_count;
};

static bool is_global(const struct insn *in)
{
    return in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_GENERIC;
}

static bool commutes(const struct mem_desc *d)
{
    bool real = d->type >= PTX_F16;
    return !real && d->atom != ATOM_EXCH && d->atom != ATOM_CAS && d->atom != ATOM_INC &&
           d->atom != ATOM_DEC;
}

/** Is it one value, and its result of no use to anybody? */
static bool is_unread(const struct function *f, const struct insn *in)
{
    return in->mem.count == 1 && (in->dst == REG_NONE || !path_reads(f, in + 1, in->dst));
}

static bool atomic_is_order_free(const struct function *f, const struct insn *in)
{
    return commutes(&in->mem) && is_unread(f, in);
}

static bool is_order_free(const struct function *f, const struct insn *in)
{
    const struct call_desc *call = in->extra;
    switch (insn_class(in)) {
    case INSN_UNSUPPORTED:
    case INSN_SLEEP:
        return false;
    case INSN_CALL:
        return call->callee && call->callee->entry;
    case INSN_ATOMIC:
        return !is_global(in) || atomic_is_order_free(f, in);
    case INSN_LOAD:
        return !is_global(in) || !(order_is_strong(&in->mem) || load_waits(f, in));
    default:
        return !(in->op->flags & OP_ORDERED);
    }
}

/* ---- The same in every schedule */

static bool is_private(const struct insn *in)
{
    return in->mem.space == SPACE_LOCAL || in->mem.space == SPACE_PARAM || in->mem.space == SPACE_CONST;
}

/** Integers alone: their sums commute. Two atomics of the same kind do; of different kinds they do not. */
static bool same_atomics(const struct insn *a, const struct insn *b)
{
    return a->mem.atom == b->mem.atom && a->mem.bytes == b->mem.bytes && a->mem.type == b->mem.type;
}

/** A barrier of the whole block. */
static bool waits_for_all(const struct insn *in)
{
    return !(in->op->flags & (OP_CLUSTER | OP_ARRIVES)) && (in->imm & 1) && in->src[1] == REG_NONE;
}

static bool is_determined(const struct function *f, const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_LOAD:
    case INSN_STORE:
        return (is_private(in) || !order_is_strong(&in->mem)) && !in->mem.cluster;
    case INSN_ATOMIC:
        return in->mem.order == ORDER_RELAXED && !in->mem.cluster && atomic_is_order_free(f, in);
    case INSN_BARRIER:
        return waits_for_all(in);
    case INSN_COMPUTE:
    case INSN_CALL:
        return is_order_free(f, in) && !(in->op->flags & OP_CONVERGED);
    case INSN_STACK:
    case INSN_HINT:
    case INSN_BRANCH:
    case INSN_SWITCH:
    case INSN_RETURN:
    case INSN_EXIT:
    case INSN_TRAP:
    case INSN_MEETING:
        return true;
    default:
        return false;
    }
}

/** The same, where a cluster's barriers count as the block's, and its blocks' memory as their own. */
static bool hears_at_barriers(const struct function *f, const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_ATOMIC:
        return in->mem.order == ORDER_RELAXED && is_unread(f, in);
    case INSN_LOAD:
    case INSN_STORE:
        return is_private(in) || !order_is_strong(&in->mem);
    case INSN_BARRIER:
        return (in->op->flags & OP_CLUSTER) ? in->mem.order != ORDER_RELAXED : waits_for_all(in);
    default:
        return is_determined(f, in);
    }
}

static bool hears_nothing(const struct function *f, const struct insn *in)
{
    if (insn_class(in) == INSN_ATOMIC)
        return in->mem.order == ORDER_RELAXED && !in->mem.cluster && is_unread(f, in);
    return is_determined(f, in);
}

static const struct function *callee_of(const struct insn *in)
{
    return insn_class(in) == INSN_CALL ? ((const struct call_desc *)in->extra)->callee : NULL;
}

static void *make_effects(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct effects *e = arena_alloc(a, sizeof *e);
    int calls = 0;
    e->order_free = e->determined = e->deaf = e->deaf_in_cluster = true;
    for (const struct insn *in = f->entry; in < f->end; in++) {
        if (insn_class(in) == INSN_ATOMIC && !e->atomic)
            e->atomic = in;
        e->determined = e->determined && is_determined(f, in) &&
                        (insn_class(in) != INSN_ATOMIC || same_atomics(in, e->atomic));
        e->deaf = e->deaf && hears_nothing(f, in);
        e->deaf_in_cluster = e->deaf_in_cluster && hears_at_barriers(f, in);
        e->swaps |= insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS;
        e->order_free = e->order_free && is_order_free(f, in);
        e->looks_again |= insn_class(in) == INSN_LOAD && is_global(in) && (!f->is_entry || loop_around(f, in, LOOP_INNERMOST));
        e->asks_for_convergence |= (in->op->flags & OP_CONVERGED) != 0;
        e->takes_blocks |= insn_row(in) == ROW_cancel;
        e->waits_for_grids |= insn_row(in) == ROW_griddep_wait;
        e->waits |= insn_class(in) == INSN_BARRIER;
        calls += callee_of(in) != NULL;
        e->calls_any |= insn_class(in) == INSN_CALL && !callee_of(in);
    }
    e->callees = arena_alloc(a, ((size_t)calls + 1) * sizeof *e->callees);
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (callee_of(in))
            e->callees[e->callee_count++] = callee_of(in);
    return e;
}

static const struct effects *effects_of(const struct function *f)
{
    return FLOW_ONCE(f, &flow_of(f)->effects, make_effects, f);
}

/** Functions that a kernel calls, itself first; each is looked at once, so that recursion ends. */
struct called {
    const struct function *list[MAX_CALLED];
    int count;
    bool too_many;
};

static void add_called(struct called *c, const struct function *f)
{
    for (int i = 0; i < c->count; i++)
        if (c->list[i] == f)
            return;
    if (c->count < MAX_CALLED)
        c->list[c->count++] = f;
    else
        c->too_many = true;
}

static bool is_free(const struct effects *e)
{
    return e->order_free;
}

static bool is_deaf(const struct effects *e)
{
    return e->deaf;
}

static bool is_deaf_in_cluster(const struct effects *e)
{
    return e->deaf_in_cluster;
}

static bool is_deaf_to_all(const struct effects *e)
{
    return e->deaf_in_cluster && !e->swaps;
}

/** Is it so of the kernel and all that it calls? */
static bool all_are(const struct function *kernel, bool (*so)(const struct effects *e))
{
    struct called c = {.count = 0};
    add_called(&c, kernel);
    for (int i = 0; i < c.count; i++) {
        const struct effects *e = effects_of(c.list[i]);
        if (!so(e))
            return false;
        for (int k = 0; k < e->callee_count; k++)
            add_called(&c, e->callees[k]);
    }
    return !c.too_many;
}

bool kernel_is_order_free(const struct function *kernel)
{
    return all_are(kernel, is_free);
}

static bool never_looks_again(const struct effects *e)
{
    return !e->looks_again;
}

bool kernel_may_look_again(const struct function *kernel)
{
    return !all_are(kernel, never_looks_again);
}

bool kernel_hears_nothing(const struct function *kernel)
{
    return all_are(kernel, is_deaf);
}

bool kernel_hears_at_barriers(const struct function *kernel)
{
    return all_are(kernel, is_deaf_in_cluster);
}

bool kernel_hears_no_atomic(const struct function *kernel)
{
    return all_are(kernel, is_deaf_to_all);
}

bool kernel_is_determined(const struct function *kernel)
{
    struct called c = {.count = 0};
    const struct insn *atomic = NULL;
    add_called(&c, kernel);
    for (int i = 0; i < c.count; i++) {
        const struct effects *e = effects_of(c.list[i]);
        if (!e->determined || (atomic && e->atomic && !same_atomics(atomic, e->atomic)))
            return false;
        atomic = atomic ? atomic : e->atomic;
        for (int k = 0; k < e->callee_count; k++)
            add_called(&c, e->callees[k]);
    }
    return !c.too_many;
}

/** Is a function whose name begins so called, or, with `or_any`, may it be through a pointer? */
static bool calls(const struct function *kernel, const char *begin, bool or_any)
{
    size_t n = strlen(begin);
    struct called c = {.count = 0};
    const struct image *im = kernel->image;
    bool declared = false;
    for (int i = 0; i < im->function_count; i++)
        declared |= !strncmp(im->functions[i]->name, begin, n);
    if (!declared)
        return false;
    add_called(&c, kernel);
    for (int i = 0; i < c.count; i++) {
        const struct effects *e = c.list[i]->entry ? effects_of(c.list[i]) : NULL;
        if (!strncmp(c.list[i]->name, begin, n) || (or_any && e && e->calls_any))
            return true;
        for (int k = 0; e && k < e->callee_count; k++)
            add_called(&c, e->callees[k]);
    }
    return or_any && c.too_many;
}

bool kernel_launches_kernels(const struct function *kernel)
{
    return calls(kernel, "__cudaCDP2LaunchDeviceV2", true); /* … or with _ptsz */
}

bool kernel_launches_graphs(const struct function *kernel, bool or_any)
{
    return calls(kernel, "cudaGraphLaunch", or_any);
}

bool kernel_launches(const struct function *kernel)
{
    return kernel_launches_kernels(kernel) || kernel_launches_graphs(kernel, true) || calls(kernel, GRAPH_NODES_NAME, false);
}

static bool any_asks(const struct effects *e)
{
    return e->asks_for_convergence;
}

static bool any_takes(const struct effects *e)
{
    return e->takes_blocks;
}

static bool any_waits_for_grids(const struct effects *e)
{
    return e->waits_for_grids;
}

/** Of the kernel and all functions of its image that are no kernels. */
static bool some_does(const struct function *kernel, bool (*does)(const struct effects *))
{
    const struct image *im = kernel->image;
    for (int i = 0; i < im->function_count; i++) {
        const struct function *f = im->functions[i];
        if (f->entry && (f == kernel || !f->is_entry) && does(effects_of(f)))
            return true;
    }
    return false;
}

bool call_may_wait(const struct insn *call)
{
    struct called c = {.count = 0};
    if (!callee_of(call))
        return true;
    add_called(&c, callee_of(call));
    for (int i = 0; i < c.count; i++) {
        const struct effects *e = c.list[i]->entry ? effects_of(c.list[i]) : NULL;
        if (e && (e->waits || e->calls_any))
            return true;
        for (int k = 0; e && k < e->callee_count; k++)
            add_called(&c, e->callees[k]);
    }
    return c.too_many;
}

bool kernel_asks_for_convergence(const struct function *kernel)
{
    return some_does(kernel, any_asks);
}

bool kernel_takes_blocks(const struct function *kernel)
{
    return some_does(kernel, any_takes);
}

bool kernel_waits_for_grids(const struct function *kernel)
{
    return some_does(kernel, any_waits_for_grids);
}
