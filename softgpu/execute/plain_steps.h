/**
 * @file plain_steps.h
 * Private to execute/: what plain accesses (plain_access.h) do besides, interpreted and called from compiled code.
 */
#ifndef SOFTGPU_EXECUTE_PLAIN_STEPS_H
#define SOFTGPU_EXECUTE_PLAIN_STEPS_H

#include "execute/access.h"
#include "execute/block.h"
#include "execute/engine.h"
#include "execute/plain_access.h"
#include "execute/plain_vectors.h"
#include "execute/traffic.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

/** These lanes run, and do more than what struct plain_rows is for. */
static inline void run_lanes(struct warp *w, uint32_t mask)
{
    w->worker->ready.warp = NULL;
    if (w->worker->partings.count)
        parting_end(w);
    if (w->mask != mask)
        warp_set_mask(w, mask);
}

/** Does what lies at that address of global memory allow it? Then the access's base is there. */
static inline bool is_in_global(struct worker *k, uint64_t address, struct plain_access *p)
{
    if (!global_host_any(k, address, 4) || k->cache_bytes > PLAIN_BYTES || k->cache_base % 4)
        return false;
    p->space = SPACE_GLOBAL;
    p->host = k->cache_host;
    p->base = k->cache_base;
    p->allocation = k->cache_allocation;
    return true;
}

/** The same of the block's shared memory; `room`: where there it may go. */
static inline bool is_in_shared(const struct block *b, struct plain_access *p, struct shared_room *room)
{
    if (!shared_room(b, p->insn, 4, room))
        return false;
    p->space = SPACE_SHARED;
    p->host = b->shared;
    p->base = 0;
    p->allocation = NULL;
    return true;
}

/** Is the newest value read, what is written stays, and nobody counts sectors? Else observed.c does it. */
static inline bool is_usual(const struct machine *m)
{
    return !m->chooser.how && !m->options.counters;
}

/** Is the newest value read all the same, though somebody chooses? */
static inline bool reads_newest(const struct machine *m, const struct warp *w, const struct plain_access *p)
{
    const struct chooser *how = m->chooser.how;
    return !how || !how->load || (how->newest && how->newest(m->chooser.self, w, p));
}

/** The same of any read-modify-write, whose own value is written and stays. */
static inline bool rmw_reads_newest(const struct machine *m)
{
    const struct chooser *how = m->chooser.how;
    return !how || (how->rmw_newest && how->rmw_newest(m->chooser.self));
}

/** Is it memory that is not to be written (quiet_global.h)? */
static inline bool goes_to_quiet(const struct plain_access *p)
{
    return p->space == SPACE_GLOBAL && p->allocation->quiet;
}

/** A load from such memory: compiled code finds it by itself the next time. */
static inline void keep_quiet(struct worker *k, const struct plain_access *p, uint32_t recent)
{
    if (goes_to_quiet(p))
        k->recent[recent] = (struct recent_range){k->cache_base, k->cache_bytes, k->cache_host};
}

/** Does what is written stay, though somebody chooses? */
static inline bool keeps_stores(const struct machine *m)
{
    return !m->chooser.how || !m->chooser.how->store;
}

#define TURNS_AHEAD 2

/** A loop goes on as it has: begins to fetch what this load will want some turns from now. A wrong guess does no harm. */
static inline void fetch_ahead(struct warp *w, struct plain_access *p)
{
    const uint8_t *here = p->host + p->at[__builtin_ctz(p->mask)], **last = &w->stream[p->insn->site & 7];
    p->ahead = p->space == SPACE_GLOBAL ? TURNS_AHEAD * (int64_t)((uintptr_t)here - (uintptr_t)*last) : 0;
    if (p->space != SPACE_GLOBAL)
        return;
    *last = here;
    __builtin_prefetch((const void *)((uintptr_t)here + (uint64_t)p->ahead));
    __builtin_prefetch((const void *)((uintptr_t)here + (uint64_t)p->ahead + 64));
}

/** plain_sectors() of halves that go through a row each. */
static inline unsigned sectors_of_rows(const struct plain_access *p)
{
    const uintptr_t low = (uintptr_t)p->host + p->at[0], high = (uintptr_t)p->host + p->at[HALF], last = 4 * (HALF - 1);
    const uintptr_t low_end = (low + last) >> SECTOR_BITS, high_begin = high >> SECTOR_BITS;
    return (unsigned)(low_end - (low >> SECTOR_BITS) + 1 + ((high + last) >> SECTOR_BITS) - high_begin + (low_end != high_begin));
}

/** note_traffic() and count_access(). */
static inline void note_plain(struct warp *w, const struct plain_access *p, bool load)
{
    if (p->space != SPACE_GLOBAL)
        return;
    w->block->grid->counters[COUNT_GLOBAL_BYTES] += p->mask == UINT32_MAX ? 4 * WARP_LANES : 4 * (uint64_t)__builtin_popcount(p->mask);
    if (plain_is_row(p)) {
        note_consecutive(w, p->host + p->at[0], 4 * WARP_LANES, load);
        return;
    }
    w->worker->loads += load;
    w->worker->moved += (uint64_t)(p->shape == PLAIN_ROWS ? sectors_of_rows(p) : plain_sectors(p)) << SECTOR_BITS;
}

/** Do the observers want nothing of the warp but the access? */
static inline __attribute__((always_inline)) bool are_ready(const struct plain_list *list, const struct warp *w, const struct plain_access *p)
{
    if (list->others || (list->untold && !*list->untold))
        return false;
    for (int i = 0; i < list->asks; i++)
        if (!list->ask[i].idle(list->ask[i].self, w, p))
            return false;
    return true;
}

static inline __attribute__((always_inline)) void tell(const struct plain_list *list, const struct warp *w, struct plain_access *p)
{
    for (int i = 0; i < list->tells; i++)
        list->tell[i].tell(list->tell[i].self, w, p);
    if (list->untold)
        --*list->untold;
}

/** The same of a load for which all are ready; nobody has to hear of one of a block's calm shared memory (quiet_shared.h). */
static inline __attribute__((always_inline)) void tell_load(const struct plain_list *list, const struct warp *w, struct plain_access *p)
{
    if (p->space != SPACE_SHARED || !w->block->calm)
        tell(list, w, p);
    else if (list->untold)
        --*list->untold;
}

#endif
