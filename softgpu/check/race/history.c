/**
 * @file history.c
 * See history.h.
 */
#include "check/race/history.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/element.h"

/** Places are found by the 8 bytes that they lie in. */
#define HASH_BITS 16
/** A thread that polls is looked for among so many. */
#define LOOK_BACK 32

struct history {
    LIST(struct history_event) events;
    uint32_t newest[1 << HASH_BITS]; /**< 1 + index, by hash of the place */
    bool gaps;
};

struct history *history_new(void)
{
    struct history *h = calloc(1, sizeof *h);
    assert(h);
    return h;
}

void history_free(struct history *h)
{
    if (h)
        LIST_FREE(&h->events);
    free(h);
}

void history_forget(struct history *h)
{
    if (h->events.count)
        memset(h->newest, 0, sizeof h->newest);
    h->events.count = 0;
    h->gaps = false;
}

bool history_has_gaps(const struct history *h)
{
    return h->gaps;
}

const struct history_event *history_at(const struct history *h, uint32_t number)
{
    return number ? &h->events.data[number - 1] : NULL;
}

static uint64_t owner_of(struct race *race, const struct warp *w, const struct mem_access *a)
{
    return a->space == SPACE_SHARED ? actor_at(race, w, a).home->agent + 1ull : 0;
}

static uint32_t *slot_of(struct history *h, uint64_t owner, uint64_t address)
{
    return &h->newest[mix64(owner * MIX_STEP ^ address >> 3) >> (64 - HASH_BITS)];
}

uint32_t history_newest(const struct history *h, struct race *race, const struct warp *w, const struct mem_access *a, int lane)
{
    return *slot_of((struct history *)h, owner_of(race, w, a), a->address[lane]);
}

enum history_place history_place(const struct history_event *e, struct race *race, const struct warp *w, const struct mem_access *a,
                                 int lane)
{
    uint64_t at = a->address[lane];
    if (e->owner != owner_of(race, w, a) || at >= e->address + e->bytes || e->address >= at + a->insn->mem.bytes)
        return HISTORY_APART;
    return e->address == at && e->bytes == a->insn->mem.bytes ? HISTORY_SAME : HISTORY_OVERLAPS;
}

static void add(struct history *h, const struct history_event *e)
{
    if (h->events.count == HISTORY_MOST) {
        history_forget(h);
        h->gaps = true;
    }
    uint32_t *slot = slot_of(h, e->owner, e->address);
    struct history_event *mine = LIST_PUSH(&h->events);
    *mine = *e;
    mine->older = *slot;
    *slot = (uint32_t)h->events.count;
}

/** One lane's element, by that thread as it now is. */
static struct history_event event_of(const struct actor *me, const struct mem_access *a, int element)
{
    return (struct history_event){.owner = a->space == SPACE_SHARED ? me->home->agent + 1ull : 0,
                                  .address = a->address[me->lane] + (uint64_t)element * a->insn->mem.bytes,
                                  .by = epoch_of(me, flags_of(&a->insn->mem, false), 0),
                                  .bytes = a->insn->mem.bytes};
}

static void note_write(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a, int lane, int element,
                       uint64_t before)
{
    struct actor me = actor_at(race, w, a);
    actor_set_lane(&me, lane);
    struct history_event e = event_of(&me, a, element);
    const struct shadow_word *c = word_at(&me, a, lane, e.address & ~3ull);
    if (c->flags & WORD_SPLIT)
        c = &c->bytes[e.address & 3];
    if (c->write.agent == me.agent && c->write.thread == me.thread) /* else another lane of this instruction was the last */
        e.by.time = c->write.time;
    e.value = a->value[element][lane];
    e.before = before;
    e.write = true;
    add(h, &e);
}

void history_store(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a) || a->insn->mem.bytes > 8)
        return;
    for (uint32_t m = a->mask; m; m &= m - 1)
        for (int i = 0; i < a->insn->mem.count; i++)
            note_write(h, race, w, a, __builtin_ctz(m), i, newest_value(a, __builtin_ctz(m), i));
}

/** The newest write of exactly this place, with this value where `value` is given; 0: none is kept. */
static uint32_t find_write(const struct history *h, const struct history_event *like, const uint64_t *value)
{
    uint32_t i = *slot_of((struct history *)h, like->owner, like->address);
    for (; i; i = h->events.data[i - 1].older) {
        const struct history_event *e = &h->events.data[i - 1];
        if (e->write && e->owner == like->owner && e->address == like->address && e->bytes == like->bytes &&
            (!value || e->value == *value))
            break;
    }
    return i;
}

/** Has the thread read this write a short while ago? Its clock tells no more than the first time: it may only know less. */
static bool noted(const struct history *h, const struct history_event *e)
{
    uint32_t i = *slot_of((struct history *)h, e->owner, e->address);
    for (int n = 0; i && n < LOOK_BACK; n++, i = h->events.data[i - 1].older) {
        const struct history_event *o = &h->events.data[i - 1];
        if (!o->write && o->read == e->read && o->by.agent == e->by.agent && o->by.thread == e->by.thread &&
            o->owner == e->owner && o->address == e->address)
            return true;
    }
    return false;
}

static void note_read(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a, int lane, int element)
{
    struct actor me = actor_at(race, w, a);
    actor_set_lane(&me, lane);
    struct history_event e = event_of(&me, a, element);
    e.read = find_write(h, &e, a->older[element] >> lane & 1 ? &a->value[element][lane] : NULL);
    if (e.read && !noted(h, &e))
        add(h, &e);
}

void history_load(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a) || a->insn->mem.bytes > 8 || !order_is_strong(&a->insn->mem))
        return;
    for (uint32_t m = a->mask; m; m &= m - 1)
        for (int i = 0; i < a->insn->mem.count; i++)
            note_read(h, race, w, a, __builtin_ctz(m), i);
}

void history_atomic(struct history *h, struct race *race, const struct warp *w, const struct mem_access *a)
{
    if (!access_is_shared(a) || a->insn->mem.bytes > 8)
        return;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        if (a->wrote & ~a->older[0] & 1u << lane)
            note_write(h, race, w, a, lane, 0, a->old[0][lane]);
        else
            note_read(h, race, w, a, lane, 0);
    }
}
