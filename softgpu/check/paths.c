/**
 * @file paths.c
 * See paths.h.
 */
#include "check/paths.h"

#include <assert.h>
#include <stdlib.h>

const struct insn *path_site(const struct image *im, uint32_t site)
{
    for (uint32_t i = 0; i < im->code_count; i++)
        if (im->code[i].site == site)
            return &im->code[i];
    return NULL;
}

/** Instructions still to be looked at, each entered once. */
struct walk {
    const struct function *f;
    bool *entered;
    const struct insn **next;
    int count;
    bool rounds;   /**< branches backwards are taken, too */
};

static void enter(struct walk *w, const struct insn *from, const struct insn *in)
{
    if (in < w->f->entry || in >= w->f->end || (in <= from && !w->rounds) ||
        w->entered[in - w->f->entry])
        return;
    w->entered[in - w->f->entry] = true;
    w->next[w->count++] = in;
}

static void enter_successors(struct walk *w, const struct insn *in)
{
    if (insn_class(in) == INSN_BRANCH)
        enter(w, in, in->target);
    if (insn_class(in) == INSN_SWITCH) {
        const struct branch_table *table = in->extra;
        for (uint32_t i = 0; i < table->count; i++)
            enter(w, in, table->targets[i]);
    }
    if (insn_falls_through(in))
        enter(w, in, in + 1);
}

static bool found(struct walk *w, const struct insn *from, const struct insn *to, path_end_fn ends,
                  const void *context)
{
    enter_successors(w, from);
    while (w->count) {
        const struct insn *in = w->next[--w->count];
        if (in == to)
            return true;
        if (!ends(in, context))
            enter_successors(w, in);
    }
    return false;
}

enum path path_find(const struct function *f, const struct insn *from, const struct insn *to,
                    path_end_fn ends, const void *context)
{
    size_t size = (size_t)(f->end - f->entry);
    enum path path = PATH_NONE;
    for (int rounds = 0; rounds < 2 && !path; rounds++) {
        struct walk w = {.f = f, .rounds = rounds};
        w.entered = calloc(size, sizeof *w.entered);
        w.next = calloc(size, sizeof *w.next);
        assert(w.entered && w.next);
        if (found(&w, from, to, ends, context))
            path = rounds ? PATH_ROUND : PATH_AHEAD;
        free(w.entered);
        free(w.next);
    }
    return path;
}
