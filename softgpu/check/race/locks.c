/**
 * @file locks.c
 * See locks.h.
 */
#include "check/race/locks.h"

#include "analyse/paths.h"
#include "analyse/polls.h"
#include "check/race/updates.h"
#include "check/race/ways.h"

static bool is_given_back(const struct image *im, const struct function *f, const struct insn *taken, const struct insn *behind)
{
    for (const struct insn *in = f->entry; in < f->end; in++)
        if (in != taken && (insn_class(in) == INSN_STORE || insn_class(in) == INSN_ATOMIC) && same_address(im, taken, in) &&
            way_find(f, behind, in, NULL) == PATH_AHEAD)
            return true;
    return false;
}

const struct insn *lock_before(const struct image *im, const struct insn *at)
{
    const struct function *f = image_function_at(im, at);
    for (const struct insn *in = f ? f->entry : NULL; f && in < at; in++)
        if (insn_class(in) == INSN_ATOMIC && (in->mem.atom == ATOM_CAS || in->mem.atom == ATOM_EXCH) && load_polls(f, in) &&
            way_find(f, in, at, NULL) == PATH_AHEAD && is_given_back(im, f, in, at))
            return in;
    return NULL;
}
