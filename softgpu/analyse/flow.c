/**
 * @file flow.c
 * See flow.h. One lock guards the making of everything, for all images: what is made lies in the image's
 * arena, which nobody else uses once the image is decoded.
 */
#include "analyse/flow.h"

#include <pthread.h>
#include <string.h>

#include "code/operands.h"

static pthread_mutex_t making = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

void *flow_once(const struct function *f, void **slot, flow_make_fn *make, const void *context)
{
    void *made = __atomic_load_n(slot, __ATOMIC_ACQUIRE);
    if (made)
        return made;
    pthread_mutex_lock(&making);
    made = *slot;
    if (!made) {
        made = make(&f->image->arena, context);
        __atomic_store_n(slot, made, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&making);
    return made;
}

/* ---- What is known of each instruction */

struct flow_table {
    void **of; /**< by instruction; NULL: nothing */
};

struct finder {
    const struct function *f;
    flow_find_fn *find;
    size_t bytes;
};

static void *make_table(struct arena *a, const void *context)
{
    const struct finder *by = context;
    const struct function *f = by->f;
    struct flow_table *all = arena_alloc(a, sizeof *all);
    void *found = arena_alloc(a, by->bytes);
    all->of = arena_alloc(a, (size_t)(f->end - f->entry) * sizeof *all->of);
    for (const struct insn *in = f->entry; in < f->end; in++) {
        if (by->find(f, in, found)) {
            all->of[in - f->entry] = found;
            found = arena_alloc(a, by->bytes);
        } else {
            memset(found, 0, by->bytes);
        }
    }
    return all;
}

const void *flow_of_insn(const struct function *f, const struct insn *in, struct flow_table **slot, flow_find_fn *find, size_t bytes)
{
    struct finder by = {f, find, bytes};
    return flow_holds(f, in) ? FLOW_ONCE(f, slot, make_table, &by)->of[in - f->entry] : NULL;
}

static void *make_answers(struct arena *a, const void *function)
{
    const struct function *f = function;
    return arena_alloc(a, (size_t)(f->end - f->entry));
}

enum { UNASKED, NO, YES };

bool flow_answer(const struct function *f, const struct insn *in, uint8_t **slot, bool (*ask)(const struct function *f, const struct insn *in))
{
    uint8_t *kept = FLOW_ONCE(f, slot, make_answers, f) + (in - f->entry), answer = __atomic_load_n(kept, __ATOMIC_RELAXED);
    if (answer == UNASKED) {
        answer = ask(f, in) ? YES : NO;
        __atomic_store_n(kept, answer, __ATOMIC_RELAXED); /* who asks at the same time finds the same */
    }
    return answer == YES;
}

/* ---- A decoded function as a source of blocks */

static const struct insn *insn_at(const void *self, int i)
{
    return ((const struct function *)self)->entry + i;
}

static bool falls(const void *self, int i)
{
    return insn_falls_through(insn_at(self, i));
}

static int target(const void *self, int i, int k)
{
    const struct function *f = self;
    const struct insn *in = insn_at(f, i), *to = NULL;
    if (insn_class(in) == INSN_BRANCH && k == 0)
        to = in->target;
    if (insn_class(in) == INSN_SWITCH && k < (int)((const struct branch_table *)in->extra)->count)
        to = ((const struct branch_table *)in->extra)->targets[k];
    return !to ? FLOW_NO_MORE : flow_holds(f, to) ? (int)(to - f->entry) : FLOW_NOWHERE;
}

static void uses(const void *self, int i, register_fn *note, void *context)
{
    const struct insn *in = insn_at(self, i);
    struct operand_iter it = operands_of(in);
    for (struct operand o; operands_next(&it, &o);) {
        int slot = (int)(o.reg / FLOW_SLOT);
        if (o.reg & CONST_BIT)
            continue;
        if (!o.write)
            note(context, i, slot, in->op->plain ? USE_READ : USE_READ_LATE);
        if (o.write && insn_is_guarded(in))
            note(context, i, slot, in->op->plain ? USE_KEEP : USE_KEEP_LATE);
        if (o.write)
            note(context, i, slot, USE_WRITE);
    }
}

struct flow_source flow_source_of(const struct function *f)
{
    return (struct flow_source){.self = f, .count = (int)(f->end - f->entry),
                                .registers = (int)(f->frame_bytes / FLOW_SLOT),
                                .falls = falls, .target = target, .uses = uses};
}

static void *make_flow(struct arena *a, const void *function)
{
    struct flow *w = arena_alloc(a, sizeof *w);
    struct flow_source s = flow_source_of(function);
    w->function = function;
    blocks_build(&w->blocks, &s, a);
    return w;
}

struct flow *flow_of(const struct function *f)
{
    return FLOW_ONCE(f, f->flow, make_flow, f);
}
