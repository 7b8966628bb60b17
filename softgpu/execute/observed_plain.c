/**
 * @file observed_plain.c
 * Plain accesses in checked mode (plain_access.h): what observed.c does with any, for the most common ones.
 */
#include "execute/access.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/plain_access.h"
#include "execute/traffic.h"
#include "execute/worker.h"

/** Is the newest value read, what is written stays, and nobody counts sectors? Else observed.c does it. */
static inline bool is_usual(const struct machine *m)
{
    return !m->chooser.how && !m->options.counters;
}

#define TURNS_AHEAD 2

/** A loop goes on as it has: begins to fetch what this load will want some turns from now. A wrong guess does no harm. */
static void fetch_ahead(struct warp *w, struct plain_access *p)
{
    const uint8_t *here = p->host + p->at[__builtin_ctz(p->mask)], **last = &w->stream[p->insn->site & 7];
    p->ahead = p->space == SPACE_GLOBAL ? TURNS_AHEAD * (int64_t)((uintptr_t)here - (uintptr_t)*last) : 0;
    if (p->space != SPACE_GLOBAL)
        return;
    *last = here;
    __builtin_prefetch((const void *)((uintptr_t)here + (uint64_t)p->ahead));
    __builtin_prefetch((const void *)((uintptr_t)here + (uint64_t)p->ahead + 64));
}

/** note_traffic() and count_access(). */
static void note(struct warp *w, const struct plain_access *p, bool load)
{
    if (p->space != SPACE_GLOBAL)
        return;
    w->block->grid->counters[COUNT_GLOBAL_BYTES] += p->mask == UINT32_MAX ? 4 * WARP_LANES : 4 * (uint64_t)__builtin_popcount(p->mask);
    if (plain_is_row(p)) {
        note_consecutive(w, p->host + p->at[0], 4 * WARP_LANES, load);
        return;
    }
    w->worker->loads += load;
    w->worker->moved += (uint64_t)plain_sectors(p) << SECTOR_BITS;
}

/** Do all observers have hooks for plain accesses, and want nothing of the warp besides? */
static inline bool are_ready(const struct plain_list *list, const struct warp *w, const struct plain_access *p)
{
    for (int i = 0; i < list->asks; i++)
        if (!list->ask[i].ready(list->ask[i].self, w, p))
            return false;
    return true;
}

static inline void tell(const struct plain_list *list, const struct warp *w, struct plain_access *p)
{
    for (int i = 0; i < list->tells; i++)
        list->tell[i].tell(list->tell[i].self, w, p);
}

const struct insn *load_word_observed(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    const struct observer_set *set = &m->observers;
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p))
        return load_observed(w, in);
    fetch_ahead(w, p);
    plain_fetch(p);
    note(w, p, true);
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
    note(w, p, false);
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

/* ---- The same, called with the registers elsewhere ---- */

bool plain_load_called(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    const struct plain_list *list = &m->observers.plain_loads;
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || list->others || !plain_place(w, in, w->worker->places, 0, p) || !are_ready(list, w, p))
        return false;
    fetch_ahead(w, p);
    plain_fetch(p);
    note(w, p, true);
    tell(list, w, p);
    return true;
}

bool plain_store_called(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    const struct plain_list *list = &m->observers.plain_stores;
    struct plain_access *p = &w->worker->plain;
    if (!is_usual(m) || list->others || !plain_place(w, in, w->worker->places, 0, p) || !are_ready(list, w, p))
        return false;
    note(w, p, false);
    tell(list, w, p);
    plain_write(p);
    return true;
}
