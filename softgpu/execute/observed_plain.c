/**
 * @file observed_plain.c
 * Plain accesses in checked mode (plain_access.h): what observed.c does with any, for the most common ones.
 */
#include "execute/access.h"
#include "execute/plain_steps.h"

const struct insn *load_word_observed(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    const struct observer_set *set = &m->observers;
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p))
        return load_observed(w, in);
    fetch_ahead(w, p);
    plain_fetch(p);
    note_plain(w, p, true);
    note_access(w, in);
    for (int i = 0; i < set->count; i++) {
        const struct observer *o = set->hooks[i];
        if (o->plain_load)
            o->plain_load(set->self[i], w, p);
        else if (o->load)
            o->load(set->self[i], w, plain_full(w, p));
    }
    end_hopeless(m, w);
    plain_to_register(p, warp_reg(w, in->dst));
    return in + 1;
}

const struct insn *store_word_observed(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    const struct observer_set *set = &m->observers;
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p))
        return store_observed(w, in);
    plain_from_register(p, warp_reg(w, in->src[1]));
    note_plain(w, p, false);
    note_access(w, in);
    for (int i = 0; i < set->count; i++) {
        const struct observer *o = set->hooks[i];
        if (o->plain_store)
            o->plain_store(set->self[i], w, p);
        else if (o->store)
            o->store(set->self[i], w, plain_full(w, p));
    }
    plain_write(p);
    return in + 1;
}
