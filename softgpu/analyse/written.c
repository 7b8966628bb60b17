/**
 * @file written.c
 * See written.h.
 */
#include "analyse/written.h"

#include "analyse/flow.h"
#include "analyse/varies.h"

/** May the instruction write nothing but registers, shared memory, and what a store or an atomic names? */
static bool is_common(const struct insn *in)
{
    switch (insn_class(in)) {
    case INSN_COMPUTE: case INSN_LOAD: case INSN_STORE: case INSN_ATOMIC: case INSN_FENCE: case INSN_HINT: case INSN_BRANCH: case INSN_SWITCH:
    case INSN_EXIT: case INSN_TRAP: case INSN_BARRIER: case INSN_MEETING:
        return true;
    default:
        return false;
    }
}

static void add_param(struct written *w, uint32_t at)
{
    for (int i = 0; i < w->count; i++)
        if (w->param[i] == at)
            return;
    if (w->count < MOST_WRITTEN)
        w->param[w->count++] = at;
    else
        w->known = false;
}

/** What an address is made from. */
struct sources {
    struct written *written;
    bool known, loaded;      /**< an argument is among them; something from memory is */
};

static void visit(void *self, const struct insn *in)
{
    struct sources *s = self;
    if (insn_class(in) == INSN_LOAD && in->mem.space == SPACE_PARAM && in->mem.address_bytes == 0) {
        s->known = true;
        for (unsigned e = 0; e < in->mem.count; e++)
            add_param(s->written, (uint32_t)in->offset + e * in->mem.bytes);
    }
    s->loaded |= insn_class(in) != INSN_COMPUTE && !(insn_class(in) == INSN_LOAD && in->mem.space == SPACE_PARAM);
}

static void find_written(const struct function *f, const struct insn *in, struct written *w)
{
    struct sources s = {.written = w};
    if (!in->mem.address_bytes)
        return;
    if (in->src[0] & CONST_BIT)
        return;
    int steps = address_each_source(f, in, visit, &s);
    w->known &= steps < VARIES_STEPS && (s.known || (steps && !s.loaded));
}

static void *make_written(struct arena *a, const void *function)
{
    const struct function *f = function;
    struct written *w = arena_alloc(a, sizeof *w);
    w->known = f->is_entry;
    for (const struct insn *in = f->entry; in < f->end && w->known; in++) {
        bool writes = insn_class(in) == INSN_STORE || insn_class(in) == INSN_ATOMIC;
        w->known = is_common(in);
        if (writes && (in->mem.space == SPACE_GLOBAL || in->mem.space == SPACE_GENERIC))
            find_written(f, in, w);
    }
    return w;
}

struct written *written_of(const struct function *kernel)
{
    return FLOW_ONCE(kernel, &flow_of(kernel)->written, make_written, kernel);
}
