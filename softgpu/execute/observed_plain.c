/**
 * @file observed_plain.c
 * Plain accesses in checked mode (plain_access.h): what observed.c does with any, for the most common ones.
 */
#include "execute/access.h"
#include "execute/atomic_compute.h"
#include "execute/plain_steps.h"
#include "execute/schedule.h"

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

/** Lane after lane: a word may be several lanes'. */
static void read_modify_write(struct plain_access *p, const uint32_t *operand, uint32_t *result)
{
    const struct mem_desc *d = &p->insn->mem;
    bool adds = d->atom == ATOM_ADD && (d->type == PTX_U32 || d->type == PTX_S32), global = p->space == SPACE_GLOBAL;
    FOR_LANES(lane, p->mask)
    {
        uint32_t before, after;
        memcpy(&before, p->host + p->at[lane], sizeof before);
        after = adds ? before + operand[lane] : (uint32_t)atomic_compute(d, before, operand[lane], global);
        memcpy(p->host + p->at[lane], &after, sizeof after);
        p->old[lane] = before;
        p->value[lane] = after;
        if (result)
            result[lane] = before;
    }
}

const struct insn *atomic_word_observed(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    const struct observer_set *set = &m->observers;
    struct plain_access *p = &w->worker->plain;
    if (m->schedule != SCHEDULE_NATURAL || !is_usual(m) || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p) ||
        has_rivals(w, p->allocation))
        return atomic_observed(w, in);
    read_modify_write(p, warp_reg(w, in->src[1]), in->dst == REG_NONE ? NULL : warp_reg(w, in->dst));
    note_plain(w, p, true);
    w->block->grid->counters[COUNT_ATOMICS]++;
    note_access(w, in);
    for (int i = 0; i < set->count; i++) {
        const struct observer *o = set->hooks[i];
        if (o->plain_atomic)
            o->plain_atomic(set->self[i], w, p);
        else if (o->atomic)
            o->atomic(set->self[i], w, plain_full(w, p));
    }
    end_hopeless(m, w);
    note_poll(w, in);
    return in + 1;
}
