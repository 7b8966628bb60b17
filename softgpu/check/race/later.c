/**
 * @file later.c
 * See later.h.
 */
#include "check/race/later.h"

#include <assert.h>
#include <stdlib.h>

#include "check/race/element.h"
#include "check/race/order.h"

/** Strong reads of what comes after the load that are kept; a thread that polls makes many. */
#define READS_MOST 4096

struct later {
    uint64_t owner;             /**< the agent of the block whose shared memory it is; 0: global */
    uint64_t address, place;
    uint8_t bytes;
    bool strong;
    struct epoch load;
    bool behind[2];             /**< do the newest write and the one before it come after the load? */
    LIST(struct epoch) reads;   /**< strong ones that have returned such a write */
    struct later_writes found;
};

static uint64_t owner_of(const struct actor *me, const struct mem_access *a)
{
    return a->space == SPACE_SHARED ? me->home->agent : 0;
}

struct later *later_new(struct race *race, const struct warp *w, const struct mem_access *a, int lane)
{
    struct later *l = calloc(1, sizeof *l);
    struct actor me = actor_at(race, w, a);
    assert(l);
    actor_set_lane(&me, lane);
    l->owner = owner_of(&me, a);
    l->address = a->address[lane];
    l->place = element_place(&me, a, lane, 0);
    l->bytes = a->insn->mem.bytes;
    l->strong = order_is_strong(&a->insn->mem);
    l->load = epoch_of(&me, flags_of(&a->insn->mem, false), 0);
    return l;
}

void later_free(struct later *l)
{
    if (l)
        LIST_FREE(&l->reads);
    free(l);
}

const struct later_writes *later_found(const struct later *l)
{
    return &l->found;
}

enum touch { TOUCH_NONE, TOUCH_SAME, TOUCH_PART };

/** How an element lies to the load. */
static enum touch touch_of(const struct later *l, const struct actor *me, const struct mem_access *a, int element)
{
    uint64_t at = a->address[me->lane] + (uint64_t)element * a->insn->mem.bytes;
    if (at >= l->address + l->bytes || l->address >= at + a->insn->mem.bytes || owner_of(me, a) != l->owner)
        return TOUCH_NONE;
    return at == l->address && a->insn->mem.bytes == l->bytes ? TOUCH_SAME : TOUCH_PART;
}

/** Has the writer, or something ordered before it, read what comes after the load? Then its write is newer than that. */
static bool has_read_behind(const struct later *l, const struct actor *me)
{
    for (int i = 0; i < l->reads.count; i++)
        if (epoch_ordered(me, &l->reads.data[i]))
            return true;
    return false;
}

static bool is_behind(const struct later *l, const struct actor *me, const struct mem_access *a, bool rmw)
{
    if (epoch_must_be_seen(me, &l->load))
        return true;
    return order_is_strong(&a->insn->mem) && l->strong && ((rmw && l->behind[0]) || has_read_behind(l, me));
}

static bool is_known(const struct later_writes *f, const struct later_write *x)
{
    for (int i = 0; i < f->count; i++)
        if (f->at[i].value == x->value && f->at[i].site == x->site && f->at[i].block == x->block && f->at[i].thread == x->thread &&
            f->at[i].image == x->image)
            return true;
    return false;
}

static void keep(struct later *l, const struct actor *me, uint64_t value)
{
    static const enum readable_cause causes[] = {[ORDERED] = READ_UNORDERED, [MISSING_ACQUIRE] = READ_NO_ACQUIRE,
                                                 [MISSING_RELEASE] = READ_NO_RELEASE, [UNORDERED] = READ_UNORDERED};
    struct later_writes *f = &l->found;
    struct hearsay how = {0};
    const struct block *b = me->warp->block;
    struct later_write x = {.value = value, .block = b->index, .thread = me->thread, .site = me->insn->site,
                            .image = b->grid->config.kernel->image};
    x.cause = causes[epoch_judge(me, &l->load, l->place, &how)];
    x.via = x.cause == READ_NO_ACQUIRE && how.not_acquired ? how.not_acquired : how.via;
    x.signal = how.signal;
    if (is_known(f, &x))
        return;
    if (f->count == LATER_MOST)
        f->more = true;
    else
        f->at[f->count++] = x;
}

static void write(struct later *l, struct actor *me, const struct mem_access *a, int element, bool rmw)
{
    enum touch touch = touch_of(l, me, a, element);
    if (touch == TOUCH_NONE)
        return;
    bool behind = is_behind(l, me, a, rmw);
    l->behind[1] = l->behind[0];
    l->behind[0] = behind;
    l->found.behind += behind;
    if (touch == TOUCH_PART)
        l->found.gaps |= !behind;
    else if (!behind)
        keep(l, me, a->value[element][me->lane]);
}

static void read(struct later *l, struct actor *me, const struct mem_access *a, int element)
{
    bool behind = l->behind[a->older[element] >> me->lane & 1];
    if (behind && l->reads.count < READS_MOST && touch_of(l, me, a, element) == TOUCH_SAME)
        *LIST_PUSH(&l->reads) = epoch_of(me, flags_of(&a->insn->mem, false), 0);
}

void later_load(struct later *l, struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a) || !order_is_strong(&a->insn->mem) || !(l->behind[0] || l->behind[1]))
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        for (int i = 0; i < a->insn->mem.count; i++)
            read(l, &me, a, i);
    }
}

void later_store(struct later *l, struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a))
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        for (int i = 0; i < a->insn->mem.count; i++)
            write(l, &me, a, i, false);
    }
}

void later_atomic(struct later *l, struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a))
        return;
    struct actor me = actor_at(race, w, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        actor_set_lane(&me, lane);
        if (a->wrote >> lane & 1)
            write(l, &me, a, 0, true);
        else if (l->behind[0])
            read(l, &me, a, 0);
    }
}
