/**
 * @file read.c
 * Loads. One may be shown an older value where the model allows it (race->adversary): a plain load that
 * is not ordered after the last write, or a strong one that need not see it yet.
 */
#include "base/mix.h"
#include "check/race/element.h"

#define MAX_STALE 64   /* older values shown to one lane in one launch, so that spins end */

static uint64_t next_random(struct race *race)
{
    return mix64(race->rng += MIX_STEP);
}

static struct reader element_of(const struct actor *me, uint32_t lanes, uint8_t flags, uint8_t unit,
                                uint32_t seq)
{
    return (struct reader){.agent = me->agent, .time = me->time, .site = me->insn->site,
                           .mask = lanes, .seq = seq, .warp = (uint16_t)me->warp->index,
                           .flags = flags, .unit = unit};
}

void cell_remember_read(struct readers *rs, struct cell *c, struct reader element, uint32_t full)
{
    struct epoch *r = &c->read;
    uint32_t list = 0;
    if (r->agent && (r->flags & EPOCH_LIST)) {
        list = r->time;
    } else if (r->agent) {
        struct reader first = {.agent = r->agent, .time = r->time, .site = r->site,
                               .mask = 1u << r->thread % WARP_LANES,
                               .warp = (uint16_t)(r->thread / WARP_LANES), .flags = r->flags,
                               .unit = r->unit};
        list = readers_add(rs, 0, first, UINT32_MAX);
    }
    uint32_t newest = r->agent > element.agent ? r->agent : element.agent;
    list = readers_add(rs, list, element, full);
    *r = (struct epoch){.agent = newest, .time = list, .site = element.site, .flags = EPOCH_LIST};
}

void remember_read(const struct actor *me, struct cell *c, uint32_t lanes, uint8_t flags,
                   uint8_t unit, uint32_t seq)
{
    struct epoch *r = &c->read;
    bool single = (lanes & (lanes - 1)) == 0;
    if (single && !seq) {
        if (!r->agent || (!(r->flags & EPOCH_LIST) && r->flags == flags && r->unit == unit &&
                          epoch_ordered(me, r))) {
            *r = epoch_of(me, flags, unit);
            return;
        }
    }
    cell_remember_read(me->race->readers, c, element_of(me, lanes, flags, unit, seq), me->warp->full);
}

/** Has this thread itself read the location's last write? */
static bool last_write_seen(const struct actor *me, const struct sync *s)
{
    const struct lane_state *ls = actor_lane(me);
    for (int i = ls ? ls->observed.count - 1 : -1; i >= 0; i--)
        if (ls->observed.data[i].message == s->message && ls->observed.data[i].upto >= s->upto)
            return true;
    return false;
}

/** May a strong read return the write before the last one? Not if the last must be seen: by
 *  causality, because it has been read by someone whom that orders before us, or by ourselves. */
static bool older_allowed(const struct actor *me, const struct cell *c)
{
    const struct sync *s = c->sync;
    return s->pasts > 0 && !epoch_must_be_seen(me, &c->write) && !last_write_seen(me, s) &&
           !write_observed(me, c, s->seq, reader_must_be_seen);
}

static uint64_t element_value(const struct mem_access *a, int lane, int element)
{
    return a->value[element][lane];
}

/** Older bytes of an element, where its cells have them. @return false if none has */
static bool old_value(const struct unit *units, int n, uint64_t now, uint64_t *old)
{
    bool any = false;
    *old = now;
    for (int i = 0; i < n && units[i].offset < 8; i++) {
        const struct cell *c = units[i].cell;
        if (!(c->flags & CELL_OLD))
            continue;
        any = true;
        uint64_t mask = units[i].bytes == 4 ? UINT32_MAX : 0xff;
        *old = (*old & ~(mask << 8 * units[i].offset)) | ((uint64_t)c->old << 8 * units[i].offset);
    }
    return any && *old != now;
}

/** Relied on for order: the write is not ordered before this strong read, but the reader has seen
 *  a later signal of the writer's. */
static bool relies_on_order(const struct actor *me, const struct cell *c, uint64_t place)
{
    uint32_t via, signal;
    if (load_is_poll(me->insn))
        return false;
    return epoch_judge(me, &c->write, place, &via, &signal) != UNORDERED;
}

static void report_load(const struct actor *me, const struct mem_access *a, int element,
                        const struct outcome *out, bool ordering, bool has_old, bool shown,
                        uint64_t old, uint64_t now)
{
    struct conflict_info info = {.conflict = out->kind, .other = &out->other,
                                 .space = (enum ptx_space)a->space,
                                 .address = a->address[me->lane] +
                                            (uint64_t)element * me->insn->mem.bytes,
                                 .has_value = me->insn->mem.bytes <= 8, .now = now, .before = now,
                                 .has_old = has_old, .shown = shown && old != now, .old = old,
                                 .not_coherent = me->insn->mem.order == ORDER_NC,
                                 .ordering_only = ordering};
    explain(me, &info);
}

void read_strong(struct actor *me, struct mem_access *a, int element, struct cell *c,
                 struct outcome *out, bool failed_cas)
{
    struct sync *s = c->sync;
    struct message *m = s->message;
    int upto = s->upto;
    uint64_t now = element_value(a, me->lane, element), old = now;
    bool ordering = false, shown = false;
    uint32_t seq = s->seq;
    if (out->unordered && !failed_cas) {
        if (older_allowed(me, c)) {
            const struct past *p = &s->past[s->pasts - 1];
            ordering = relies_on_order(me, c, element_place(a, me->lane, element));
            old = p->value;
            struct lane_state *ls = lane_open(me->ws, me->lane);
            if (me->race->adversary && ls->stale < MAX_STALE && next_random(me->race) % 3 == 0 &&
                !(ordering && machine_is_honest(me->race->machine))) {
                ls->stale++;
                shown = true;
                a->value[element][me->lane] = p->value;
                m = p->message;
                upto = p->upto;
                seq = p->seq;
            }
        }
    }
    if (ordering) {
        struct outcome order = *out;
        order.kind = WRITE_THEN_READ;
        order.other = c->write;
        report_load(me, a, element, &order, true, old != now, shown, old, now);
    }
    if (m && !out->conflict) /* who is not morally strong with the writer observes nothing */
        sync_observe(me, m, upto, &me->insn->mem);
    struct view *sc = sync_sc_of(me);
    view_join(&s->read_sc, sc);
    view_drop(sc);
    remember_read(me, c, 1u << me->lane, flags_of(&me->insn->mem, false),
                  (uint8_t)(log2_of(me->insn->mem.bytes) << 4), seq);
}

void load_element(struct actor *me, struct mem_access *a, int element)
{
    struct unit units[16];
    int n = units_of(me, a, me->lane, element, units);
    uint32_t floor = floor_of(me, a);
    uint8_t flags = flags_of(&me->insn->mem, false);
    struct outcome out = {0};
    for (int i = 0; i < n; i++) {
        struct cell *c = units[i].cell;
        refresh(c, floor);
        out.unordered |= check_write(me, c, flags, units[i].code, WRITE_THEN_READ, &out);
        check_tips(me, c, flags, units[i].code, WRITE_THEN_READ, &out);
        bool first_strong = i == 0 && (flags & EPOCH_STRONG) && (c->flags & CELL_SYNC);
        if (!first_strong)
            remember_read(me, c, 1u << me->lane, flags, units[i].code,
                          flags & EPOCH_STRONG ? seq_of(c) : 0);
    }
    uint64_t now = element_value(a, me->lane, element), old = now;
    bool has_old = out.conflict && out.unordered && old_value(units, n, now, &old);
    struct cell *first = units[0].cell;
    bool strong = (flags & EPOCH_STRONG) && (first->flags & CELL_SYNC), shown = false;
    if (!strong && has_old && me->race->adversary && next_random(me->race) % 2)
        shown = lane_open(me->ws, me->lane)->stale++ < MAX_STALE;
    if (out.conflict)
        report_load(me, a, element, &out, false, has_old, shown, old, now);
    if (strong)
        read_strong(me, a, element, first, &out, false);
    else if (shown)
        a->value[element][me->lane] = old;
}
