/**
 * @file told.c
 * A register of a matrix that a whole warp loads from shared memory in checked mode, a word a lane: told as a plain access (plain_access.h).
 */
#include "execute/plain_steps.h"
#include "execute/tensor/tensor.h"

/** @return whether somebody who hears of what is received has something to hear: who would do nothing with the load does nothing with that */
static bool tell_load_of(struct machine *m, struct warp *w, struct plain_access *p)
{
    bool heard = false;
    for (int i = 0; i < m->observers.count; i++) {
        const struct observer *o = m->observers.hooks[i];
        void *self = m->observers.self[i];
        if (o->received && o->plain_idle && o->plain_idle(self, w, p))
            continue;
        heard |= o->received != NULL;
        if (o->plain_load)
            o->plain_load(self, w, p);
        else if (o->load)
            o->load(self, w, plain_full(w, p));
    }
    return heard;
}

const uint32_t *tensor_load_words(struct warp *w, const struct insn *piece, uint32_t first, const uint32_t at[WARP_LANES], bool again, bool *heard)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    p->insn = piece;
    p->mask = w->mask;
    p->full = false;
    p->more = 0;
    p->space = SPACE_SHARED;
    p->host = w->block->shared;
    p->base = 0;
    p->allocation = NULL;
    p->ahead = 0;
    for (int lane = 0; lane < WARP_LANES; lane++)
        p->at[lane] = first + at[lane];
    if (!again)
        p->shape = (uint8_t)plain_shape_of(p);
    if (m->options.counters || !reads_newest(m, w, p))
        return NULL;
    plain_fetch(p);
    note_access(w, piece);
    *heard = tell_load_of(m, w, p);
    end_hopeless(m, w);
    return p->value;
}

void tensor_received_words(struct warp *w, uint32_t reg)
{
    OBSERVE(&warp_machine(w)->observers, received, w, plain_full(w, &w->worker->plain), reg, 0);
}
