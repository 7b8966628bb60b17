/**
 * @file interleavings.c
 * See interleavings.h: a walk over states, each entered once, in which writes reach memory at once.
 */
#include "model/interleavings.h"

#include <assert.h>
#include <stdlib.h>

#include "model/walk.h"

bool model_interleavings(const struct model_program *p, const struct interleavings *how, void (*found)(void *self, const struct model_outcome *o),
                         void *self)
{
    struct walk *w = calloc(1, sizeof *w);
    assert(w);
    w->program = p, w->plain = how, w->found = found, w->self = self, w->most = how->points;
    bool all = walk_all(w) && (!how->only || (walk_is_only(w) && walk_always_ends(w)));
    walk_free(w);
    free(w);
    return all;
}
