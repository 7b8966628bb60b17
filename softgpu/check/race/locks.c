/**
 * @file locks.c
 * See locks.h.
 */
#include "check/race/locks.h"

#include "analyse/flow.h"
#include "analyse/origin.h"
#include "analyse/paths.h"
#include "analyse/polls.h"
#include "check/race/updates.h"
#include "check/race/ways.h"

/** Do both name one place? What inline assembly names by a generic address the rest may name by one in a space. */
static bool same_place(const struct image *im, const struct function *f, const struct insn *a, const struct insn *b)
{
    return same_address(im, a, b) || (flow_holds(f, b) && origins_agree(f, a, b));
}

static bool takes(const struct function *f, const struct insn *in)
{
    return insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_CAS || in->mem.atom == ATOM_EXCH) && load_polls(f, in);
}

struct lock_place {
    const struct image *im;
    const struct function *f;
    const struct insn *taken;
};

/** For path_find(): the lock is taken again. */
static bool takes_again(const struct insn *in, const void *context)
{
    const struct lock_place *p = context;
    return takes(p->f, in) && same_place(p->im, p->f, p->taken, in);
}

/* By any way on which it is not taken again: the compiler may have laid out what comes later in front. */
const struct insn *lock_given_back(const struct image *im, const struct insn *taken, const struct insn *behind)
{
    const struct function *f = image_function_at(im, taken);
    const struct lock_place place = {im, f, taken};
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (in != taken && (insn_class(in) == INSN_STORE || insn_class(in) == INSN_ATOMIC) && !takes_again(in, &place) && same_place(im, f, taken, in) &&
            flow_holds(f, behind) && path_find(f, behind, in, takes_again, &place) != PATH_NONE)
            return in;
    return NULL;
}

const struct insn *lock_before(const struct image *im, const struct insn *at)
{
    const struct function *f = image_function_at(im, at);
    for (const struct insn *in = f ? f->entry : NULL; f && in < at; in++)
        if (takes(f, in) && way_find(f, in, at, NULL) == PATH_AHEAD && lock_given_back(im, in, at))
            return in;
    return NULL;
}

const struct insn *lock_at(const struct image *im, const struct insn *store)
{
    const struct function *f = image_function_at(im, store);
    for (const struct insn *in = f ? f->entry : NULL; f && in < f->end; in++)
        if (takes(f, in) && same_place(im, f, in, store) && way_find(f, in, store, NULL) == PATH_AHEAD)
            return in;
    return NULL;
}
