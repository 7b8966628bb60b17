/**
 * @file observed_plain.c
 * Plain accesses in checked mode (plain_access.h): what observed.c does with any, for the most common ones.
 */
#include "execute/access.h"
#include "execute/atomic_compute.h"
#include "execute/plain_steps.h"
#include "execute/quiet_global.h"
#include "execute/schedule.h"

#include <stdlib.h>
#include <string.h>

/** Each observer hears of the access by its hook for plain ones, or if it has none by that for any. */
#define TELL(m, plain, any, w, p)                                                                  \
    for (int i_ = 0; i_ < (m)->observers.count; i_++) {                                            \
        const struct observer *o_ = (m)->observers.hooks[i_];                                      \
        void *self_ = (m)->observers.self[i_];                                                     \
        if (o_->plain)                                                                             \
            o_->plain(self_, w, p);                                                                \
        else if (o_->any)                                                                          \
            o_->any(self_, w, plain_full(w, p));                                                   \
    }

/** Is each access to be told as any other is? For tests: SOFTGPU_ONE_BY_ONE=1 says so. */
static inline bool one_by_one(void)
{
    static int told; /* 0: not asked yet */
    if (!told) {
        const char *said = getenv("SOFTGPU_ONE_BY_ONE");
        told = said && !strcmp(said, "1") ? 1 : -1;
    }
    return told > 0;
}

const struct insn *load_word_observed(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    if (one_by_one() || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p) || !reads_newest(m, w, p))
        return load_observed(w, in);
    fetch_ahead(w, p);
    plain_fetch(p);
    note_plain(w, p, true);
    if (m->options.counters)
        count_plain(w, p, true, false);
    note_access(w, in);
    TELL(m, plain_load, load, w, p);
    end_hopeless(m, w);
    plain_to_register(p, warp_reg(w, in->dst));
    return in + 1;
}

const struct insn *store_word_observed(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    struct plain_access *p = &w->worker->plain;
    if (one_by_one() || !keeps_stores(m) || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p))
        return store_observed(w, in);
    if (goes_to_quiet(p))
        return quiet_broken(w);
    plain_from_register(p, warp_reg(w, in->src[1]));
    note_plain(w, p, false);
    if (m->options.counters)
        count_plain(w, p, false, true);
    note_access(w, in);
    TELL(m, plain_store, store, w, p);
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
    struct plain_access *p = &w->worker->plain;
    if (one_by_one() || !rmw_reads_newest(m) || !plain_place(w, in, warp_reg(w, in->src[0]), (uint64_t)in->offset, p) ||
        has_rivals(w, p->allocation))
        return atomic_observed(w, in);
    if (schedule_preempts(w, in)) {
        w->limit = in;
        return in;
    }
    if (goes_to_quiet(p))
        return quiet_broken(w);
    read_modify_write(p, warp_reg(w, in->src[1]), in->dst == REG_NONE ? NULL : warp_reg(w, in->dst));
    note_plain(w, p, true);
    w->block->grid->counters[COUNT_ATOMICS]++;
    if (m->options.counters)
        count_plain(w, p, true, true);
    note_access(w, in);
    TELL(m, plain_atomic, atomic, w, p);
    end_hopeless(m, w);
    note_poll(w, in);
    schedule_looked(w, in, p->value[__builtin_ctz(w->mask)] == p->old[__builtin_ctz(w->mask)]);
    if (in->dst != REG_NONE && p->space == SPACE_GLOBAL && schedule_parks(w))
        w->limit = in + 1;
    return in + 1;
}
