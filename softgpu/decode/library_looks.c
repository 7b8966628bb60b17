/**
 * @file library_looks.c
 * NVIDIA's headers make an atomic of a compare-and-swap where the device has none: `atomicAdd()` of `__nv_bfloat16` before sm_90. Their
 * loop begins with a plain load of what others swap meanwhile. As the program's author has written an atomic, and cannot write another
 * load there, that look is taken as the relaxed one that it stands for. In the program's own code a plain look stays plain.
 */
#include <string.h>

#include "analyse/flow.h"
#include "analyse/swaps.h"
#include "decode/stages.h"

static bool has_swap(const struct function *f)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (insn_class(in) == INSN_ATOMIC && in->mem.atom == ATOM_CAS)
            return true;
    return false;
}

static bool is_plain_look(const struct insn *in)
{
    return insn_class(in) == INSN_LOAD && in->mem.order == ORDER_WEAK && in->mem.count == 1 &&
           (in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_SHARED || in->mem.space == SPACE_GENERIC);
}

static bool is_atomic(const char *function)
{
    return function && strstr(function, "9atomicAdd");
}

/** Compiled with `-G`, the loop keeps what it has in local memory: the name of the function that it comes from says what it is. */
static bool in_atomic(const struct ptx_module *m, const struct function *f, const struct insn *in)
{
    const struct ptx_function *pf = f->source;
    int loc = in - f->entry < pf->instrs.count ? pf->instrs.data[in - f->entry].loc : -1;
    bool found = is_atomic(f->name);
    for (; loc >= 0 && !found; loc = m->locs.data[loc].inlined_at)
        found = is_atomic(m->locs.data[loc].function);
    return found;
}

static bool begins_atomic(const struct ptx_module *m, const struct function *f, const struct insn *in, const struct site *at)
{
    return is_plain_look(in) && (at->inside.line || at->in_library) &&
           (in_atomic(m, f, in) || leads_to_swap(f, in, in + 1, carried_result(in)));
}

static void take_function(const struct decoder *d, const struct function *f)
{
    struct insn *first = d->im->code + (f->entry - d->im->code);
    const struct site *sites = d->im->sites + (first - d->im->code);
    bool found = false;
    for (struct insn *in = first; in < f->end; in++)
        if (begins_atomic(d->m, f, in, &sites[in - first])) {
            in->mem.order = ORDER_RELAXED;
            in->mem.scope = SCOPE_GPU;
            found = true;
        }
    if (found)
        *f->flow = NULL; /* what is known of the function so far was made of the plain one */
}

void library_looks_take(const struct decoder *d)
{
    for (int i = 0; i < d->im->function_count; i++) {
        const struct function *f = d->infos[i].function;
        if (f->entry && (is_atomic(f->name) || has_swap(f)))
            take_function(d, f);
    }
}
