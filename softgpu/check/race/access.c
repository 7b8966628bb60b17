/**
 * @file access.c
 * Each access against the cells it touches: is it ordered after the last write and the reads since,
 * and if not, are both sides morally strong? Then the cell remembers it.
 *
 * A load may be shown an older value where the model allows one (race->adversary): a plain load that
 * is not ordered after the last write, or a strong one that need not see it yet.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/race.h"

#define PLAIN_WORD 0x20   /* struct epoch's `unit` of a whole 4-byte access */
#define MAX_STALE 64   /* older values shown to one lane in one launch, so that spins end */

/** The part of one element that one cell speaks for. */
struct unit {
    struct cell *cell;
    uint8_t bytes;        /**< 1 or 4 */
    uint8_t offset;       /**< in the element */
    uint8_t code;         /**< struct epoch's `unit` */
};

/** What an access found out about one element. */
struct outcome {
    bool conflict;
    enum conflict kind;
    struct epoch other;
    bool unordered;       /**< the last write need not be seen by this read */
};

static uint64_t next_random(struct race *race)
{
    uint64_t z = race->rng += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* ---- Cells of an element ---- */

static unsigned log2_of(unsigned bytes)
{
    return (unsigned)__builtin_ctz(bytes);
}

static struct cell *word_at(const struct actor *me, const struct mem_access *a, int lane,
                            uint64_t address)
{
    if (a->space == SPACE_SHARED)
        return &me->bs->shared[address / 4];
    struct allocation *al = a->allocation[lane];
    if (!al->shadow)
        al->shadow = shadow_new(al->bytes + 8);
    return shadow_cell(al->shadow, address - (al->base & ~3ull));
}

/** The units of an element, at most 16. @return how many */
static int units_of(const struct actor *me, const struct mem_access *a, int lane, int element,
                    struct unit *units)
{
    unsigned size = me->insn->mem.bytes;
    uint64_t address = a->address[lane] + (uint64_t)element * size;
    int n = 0;
    for (unsigned at = 0; at < size;) {
        struct cell *c = word_at(me, a, lane, address + at);
        if (size < 4)
            cell_split(c);
        if (!(c->flags & CELL_SPLIT)) {
            units[n++] = (struct unit){c, 4, (uint8_t)at, (uint8_t)(at | log2_of(size) << 4)};
            at += 4;
            continue;
        }
        unsigned end = size < 4 ? at + size : at + 4;
        for (; at < end; at++)
            units[n++] = (struct unit){&c->bytes[(address + at) % 4], 1, (uint8_t)at,
                                       (uint8_t)(at | log2_of(size) << 4)};
    }
    return n;
}

/** Drops what lies before this launch (in shared memory: before this block). */
static inline void refresh(struct cell *c, uint32_t floor)
{
    if (c->write.agent && c->write.agent < floor) {
        c->write.agent = 0;
        c->flags &= ~(uint32_t)CELL_OLD;
        cell_drop_sync(c);
    }
    if (c->read.agent < floor)
        c->read.agent = 0;
}

static uint32_t floor_of(const struct actor *me, const struct mem_access *a)
{
    return a->space == SPACE_SHARED ? me->agent : me->bs->floor;
}

static uint8_t flags_of(const struct mem_desc *mem, bool rmw)
{
    uint8_t flags = rmw ? EPOCH_RMW : 0;
    if (mem->order == ORDER_NC)
        flags |= EPOCH_NC;
    if (access_is_strong(mem))
        flags |= (uint8_t)(EPOCH_STRONG | access_scope(mem) << EPOCH_SCOPE_SHIFT);
    return flags;
}

static struct epoch epoch_of(const struct actor *me, uint8_t flags, uint8_t unit)
{
    return (struct epoch){.agent = me->agent, .time = me->time, .site = me->insn->site,
                          .thread = (uint16_t)me->thread, .flags = flags, .unit = unit};
}

/* ---- Moral strength ---- */

/** Morally strong with an access of `agent`: both strong, scopes include each other's thread, and
 *  they overlap completely (PTX ISA 8.7). */
static bool morally_strong(const struct actor *me, uint8_t flags, uint8_t unit, uint32_t agent,
                           uint8_t their_flags, uint8_t their_unit)
{
    if (!(flags & EPOCH_STRONG) || !(their_flags & EPOCH_STRONG))
        return false;
    if (agent_is_host(me->race, agent))
        return reach_of(flags >> EPOCH_SCOPE_SHIFT) == REACH_SYSTEM; /* of whatever size it was */
    if (unit != their_unit)
        return false;
    return agent == me->agent || (scope_is_wide(flags >> EPOCH_SCOPE_SHIFT) &&
                                  scope_is_wide(their_flags >> EPOCH_SCOPE_SHIFT));
}

/** Is an access by `me` morally strong with the cell's last write? */
static bool with_last_write(const struct actor *me, const struct cell *c, uint8_t flags,
                            uint8_t unit)
{
    return c->write.agent &&
           morally_strong(me, flags, unit, c->write.agent, c->write.flags, c->write.unit);
}

static uint64_t element_place(const struct mem_access *a, int lane, int element)
{
    return place_of((enum ptx_space)a->space,
                    a->address[lane] + (uint64_t)element * a->insn->mem.bytes);
}

/** Has `me`, or something ordered before it, read the last strong write here? Then that write is
 *  ordered before `me`, one observation step and base causality (PTX ISA 8.9.6). */
static bool write_observed(const struct actor *me, const struct cell *c, uint32_t seq,
                           bool (*sees)(const struct actor *me, const struct reader *r))
{
    if (!(c->flags & CELL_SYNC) || !(c->read.flags & EPOCH_LIST) || !c->read.agent)
        return false;
    for (uint32_t i = c->read.time; i;) {
        const struct reader *r = readers_at(me->race->readers, i);
        if (r->seq == seq && (r->flags & EPOCH_STRONG) && sees(me, r))
            return true;
        i = r->rest;
    }
    return false;
}

static void note_conflict(struct outcome *out, enum conflict kind, const struct epoch *other)
{
    if (out->conflict)
        return;
    out->conflict = true;
    out->kind = kind;
    out->other = *other;
}

static struct epoch reader_epoch(const struct reader *r)
{
    return (struct epoch){.agent = r->agent, .time = r->time, .site = r->site,
                          .thread = (uint16_t)reader_thread(r), .flags = r->flags, .unit = r->unit};
}

/** The first thread of an element that is not ordered before `me`. */
static struct epoch unordered_reader(const struct actor *me, const struct reader *r)
{
    struct epoch e = reader_epoch(r);
    for (uint32_t m = r->mask; m; m &= m - 1) {
        uint32_t bit = (uint32_t)__builtin_ctz(m);
        uint32_t first = r->warp == WHOLE_WARPS ? bit * WARP_LANES : r->warp * 32u + bit;
        for (uint32_t t = first; t < first + (r->warp == WHOLE_WARPS ? WARP_LANES : 1u); t++) {
            e.thread = (uint16_t)t;
            if (!epoch_ordered(me, &e))
                return e;
        }
    }
    return e;
}

/** Strong writes that the last one did not supersede. */
static void check_tips(const struct actor *me, const struct cell *c, uint8_t flags, uint8_t unit,
                       enum conflict kind, struct outcome *out)
{
    if (!(c->flags & CELL_SYNC))
        return;
    for (uint32_t i = c->sync->tips; i;) {
        const struct reader *r = readers_at(me->race->readers, i);
        i = r->rest;
        if (r->agent < me->bs->floor || reader_ordered(me, r) ||
            morally_strong(me, flags, unit, r->agent, r->flags, r->unit) ||
            write_observed(me, c, r->seq, reader_ordered))
            continue;
        struct epoch e = unordered_reader(me, r);
        note_conflict(out, kind, &e);
        return;
    }
}

/** The last write against the present access. @return true if it need not have happened before */
static bool check_write(const struct actor *me, const struct cell *c, uint8_t flags, uint8_t unit,
                        enum conflict kind, struct outcome *out)
{
    if (!c->write.agent)
        return false;
    if (epoch_ordered(me, &c->write)) {
        /* A non-coherent load may miss any write of its own launch. */
        if ((flags & EPOCH_NC) && c->write.agent >= me->bs->floor &&
            !(c->write.agent == me->agent && c->write.thread == me->thread))
            note_conflict(out, kind, &c->write);
        return false;
    }
    if ((c->flags & CELL_SYNC) && write_observed(me, c, c->sync->seq, reader_ordered))
        return false;
    if (!morally_strong(me, flags, unit, c->write.agent, c->write.flags, c->write.unit))
        note_conflict(out, kind, &c->write);
    return true;
}

/* ---- Reads ---- */

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

/** The cell remembers a read by `lanes` of the actor's warp (all at the actor's time). */
static void remember_read(const struct actor *me, struct cell *c, uint32_t lanes, uint8_t flags,
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

static uint32_t seq_of(const struct cell *c)
{
    return c->flags & CELL_SYNC ? c->sync->seq : 0;
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
                                 .ordering_only = ordering};
    explain(me, &info);
}

/** Chooses what a strong read of a location with strong writes returns, and observes its message. */
static void read_strong(struct actor *me, struct mem_access *a, int element, struct cell *c,
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

static void load_element(struct actor *me, struct mem_access *a, int element)
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

/* ---- Writes ---- */

/** Reads since the last write against a write. @return true if an unordered strong read stays */
static bool check_reads(const struct actor *me, const struct cell *c, uint8_t flags, uint8_t unit,
                        struct outcome *out)
{
    bool strong_left = false;
    if (!c->read.agent)
        return false;
    if (!(c->read.flags & EPOCH_LIST)) {
        if (epoch_ordered(me, &c->read))
            return false;
        if (!morally_strong(me, flags, unit, c->read.agent, c->read.flags, c->read.unit))
            note_conflict(out, READ_THEN_WRITE, &c->read);
        return c->read.flags & EPOCH_STRONG;
    }
    for (uint32_t i = c->read.time; i;) {
        const struct reader *r = readers_at(me->race->readers, i);
        i = r->rest;
        if (r->agent < me->bs->floor || reader_ordered(me, r))
            continue;
        strong_left |= r->flags & EPOCH_STRONG;
        if (out->conflict || morally_strong(me, flags, unit, r->agent, r->flags, r->unit))
            continue;
        struct epoch e = unordered_reader(me, r);
        note_conflict(out, READ_THEN_WRITE, &e);
    }
    return strong_left;
}

static uint32_t contents(const struct mem_access *a, int lane, int element, unsigned size,
                         const struct unit *u)
{
    uint32_t v = 0;
    memcpy(&v, a->host[lane] + (size_t)element * size + u->offset, u->bytes);
    return v;
}

/** `before`: what the unit held before this write. */
static void remember_write(const struct actor *me, struct cell *c, uint8_t flags, uint8_t unit,
                           uint32_t before)
{
    bool same_run = c->write.agent == me->agent && c->write.thread == me->thread &&
                    c->write.time == me->time && (c->flags & CELL_OLD);
    if (!same_run) {
        c->old = before;
        c->flags |= CELL_OLD;
    }
    c->write = epoch_of(me, flags, unit);
}

static void write_weak(struct actor *me, const struct unit *u, uint32_t before, struct outcome *out)
{
    struct cell *c = u->cell;
    check_write(me, c, 0, u->code, WRITE_THEN_WRITE, out);
    check_tips(me, c, 0, u->code, WRITE_THEN_WRITE, out);
    check_reads(me, c, 0, u->code, out);
    cell_drop_sync(c);
    c->read.agent = 0;
    remember_write(me, c, 0, u->code, before);
}

/** Forgets the strong reads of a cell. Plain ones stay: a later strong write may be ordered after this
 *  write's chain and yet race with them. */
static void keep_weak_reads(const struct actor *me, struct cell *c)
{
    struct readers *rs = me->race->readers;
    uint32_t list = 0;
    if (!c->read.agent)
        return;
    if (!(c->read.flags & EPOCH_LIST)) {
        if (c->read.flags & EPOCH_STRONG)
            c->read.agent = 0;
        return;
    }
    for (uint32_t i = c->read.time; i;) {
        struct reader r = *readers_at(rs, i);
        i = r.rest;
        if (!(r.flags & EPOCH_STRONG) && r.agent >= me->bs->floor)
            list = readers_add(rs, list, r, UINT32_MAX);
    }
    c->read.time = list;
    if (!list)
        c->read.agent = 0;
}

/** Keeps the write that is being replaced: a read may still return it. */
static void push_past(struct cell *c, uint64_t value)
{
    struct sync *s = c->sync;
    if (s->pasts == MAX_PAST) {
        message_drop(s->past[0].message);
        memmove(&s->past[0], &s->past[1], (MAX_PAST - 1) * sizeof s->past[0]);
        s->pasts--;
    }
    s->past[s->pasts++] = (struct past){.write = c->write, .value = value,
                                        .message = message_ref(s->message), .upto = s->upto,
                                        .seq = s->seq};
}

/**
 * A strong write to one unit. The element's first unit carries the message.
 * @param before_value  the element's value before the write
 * @param place         tells the location
 */
static void write_strong(struct actor *me, const struct unit *u, bool first, bool rmw,
                         uint64_t before_value, uint64_t place, struct outcome *out)
{
    struct cell *c = u->cell;
    uint8_t flags = flags_of(&me->insn->mem, rmw);
    bool chains = with_last_write(me, c, flags, u->code);
    bool unordered = check_write(me, c, flags, u->code, WRITE_THEN_WRITE, out);
    check_tips(me, c, flags, u->code, WRITE_THEN_WRITE, out);
    bool strong_reads = check_reads(me, c, flags, u->code, out);
    bool was_strong = c->write.agent && (c->write.flags & EPOCH_STRONG);
    struct sync *s = cell_sync(c);
    /* A plain write stays a danger to whoever is only ordered after the strong one, and so does a strong
       one that this write neither follows nor extends. */
    if (c->write.agent && (!was_strong || (unordered && !rmw))) {
        struct reader tip = {.agent = c->write.agent, .time = c->write.time, .site = c->write.site,
                             .mask = 1u << c->write.thread % WARP_LANES, .seq = s->seq,
                             .warp = (uint16_t)(c->write.thread / WARP_LANES),
                             .flags = c->write.flags, .unit = c->write.unit};
        s->tips = readers_add(me->race->readers, s->tips, tip, UINT32_MAX);
    }
    if (first)
        push_past(c, before_value);
    s->seq++;
    if (!strong_reads)
        keep_weak_reads(me, c);
    remember_write(me, c, flags, u->code, (uint32_t)(before_value >> 8 * (u->offset & 7)));
    if (!first)
        return;
    sync_learn_sc(me, s->read_sc);
    if (s->message && s->message->any_sc) {
        struct view *sc = NULL;
        message_sc(s->message, s->upto, me->agent, true, &sc);
        sync_learn_sc(me, sc);
        view_drop(sc);
    }
    struct message *before = s->message;
    if (!(rmw && was_strong && before && chains)) {
        s->message = message_new();
        s->message->place = place;
    } else {
        message_ref(before);
    }
    s->upto = sync_publish(me, s->message, before, &me->insn->mem);
    message_drop(before);
}

/** What the earlier of two conflicting stores wrote: a lane of this very instruction may have, and
 *  then it is not in memory yet. */
static uint64_t earlier_value(const struct actor *me, const struct mem_access *a, int element,
                              const struct outcome *out, uint64_t before)
{
    int lane = out->other.thread % WARP_LANES;
    if (out->kind == WRITE_THEN_WRITE && me->insn->mem.bytes <= 8 &&
        out->other.agent == me->agent && out->other.site == me->insn->site &&
        out->other.thread / WARP_LANES == me->thread / WARP_LANES && lane < me->lane &&
        (a->mask >> lane & 1) && a->address[lane] == a->address[me->lane])
        return a->value[element][lane];
    return before;
}

/** Do the two conflicting stores write the same bytes? */
static bool stores_agree(const struct actor *me, const struct outcome *out, uint64_t earlier,
                         uint64_t value)
{
    unsigned size = me->insn->mem.bytes;
    return size <= 8 && out->other.unit == (log2_of(size) << 4) && earlier == value;
}

static uint64_t element_before(const struct mem_access *a, int lane, int element, unsigned size)
{
    uint64_t v = 0;
    memcpy(&v, a->host[lane] + (size_t)element * size, size < 8 ? size : 8);
    return v;
}

static void report_store(const struct actor *me, const struct mem_access *a, int element,
                         const struct outcome *out, uint64_t before)
{
    unsigned size = me->insn->mem.bytes;
    uint64_t value = size == 16 ? a->value[2 * element][me->lane] : a->value[element][me->lane];
    before = earlier_value(me, a, element, out, before);
    struct conflict_info info = {
        .conflict = out->kind, .other = &out->other, .space = (enum ptx_space)a->space,
        .address = a->address[me->lane] + (uint64_t)element * size, .has_value = size <= 8,
        .now = value, .before = before,
        .same_value = out->kind == WRITE_THEN_WRITE &&
                      stores_agree(me, out, before, value)};
    explain(me, &info);
}

static void store_element(struct actor *me, struct mem_access *a, int element)
{
    struct unit units[16];
    int n = units_of(me, a, me->lane, element, units);
    uint32_t floor = floor_of(me, a);
    unsigned size = me->insn->mem.bytes;
    uint64_t before = element_before(a, me->lane, element, size);
    bool strong = access_is_strong(&me->insn->mem);
    struct outcome out = {0};
    for (int i = n - 1; i >= 0; i--) { /* the first unit last: publishing moves the clock on */
        refresh(units[i].cell, floor);
        if (strong)
            write_strong(me, &units[i], i == 0, false, before, element_place(a, me->lane, element), &out);
        else
            write_weak(me, &units[i], contents(a, me->lane, element, size, &units[i]), &out);
    }
    if (out.conflict)
        report_store(me, a, element, &out, before);
}

/* ---- Warps ---- */

static struct actor actor_of(struct race *race, struct warp *w, const struct insn *in)
{
    struct block_state *bs = w->block->check[race->slot];
    return (struct actor){.race = race, .bs = bs, .ws = &bs->warps[w->index], .warp = w,
                          .insn = in, .agent = bs->agent};
}

static void actor_set_lane(struct actor *me, int lane)
{
    me->lane = lane;
    me->thread = (uint32_t)(me->warp->index * WARP_LANES + lane);
    me->time = me->ws->time[lane];
}

static bool watched(const struct mem_access *a)
{
    return a->space == SPACE_GLOBAL || a->space == SPACE_SHARED;
}

/** All lanes read one word at one time: one element of a reader list stands for them. */
static bool load_broadcast(struct actor *me, struct mem_access *a)
{
    const struct mem_desc *mem = &a->insn->mem;
    int first = __builtin_ctz(a->mask);
    if (mem->count != 1 || mem->bytes != 4 || access_is_strong(mem) ||
        (a->mask & (a->mask - 1)) == 0)
        return false;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int l = __builtin_ctz(m);
        if (a->address[l] != a->address[first] || me->ws->time[l] != me->ws->time[first])
            return false;
    }
    actor_set_lane(me, first);
    struct cell *c = word_at(me, a, first, a->address[first]);
    if (c->flags & CELL_SPLIT)
        return false;
    refresh(c, floor_of(me, a));
    for (uint32_t m = c->write.agent ? a->mask : 0; m; m &= m - 1) {
        actor_set_lane(me, __builtin_ctz(m));
        if (!epoch_ordered(me, &c->write) || mem->order == ORDER_NC)
            return false;
    }
    if (c->flags & CELL_SYNC && c->sync->tips)
        return false;
    remember_read(me, c, a->mask, flags_of(mem, false), (uint8_t)(log2_of(4) << 4), 0);
    return true;
}

/* ---- The common case: one plain word a lane, everything in sight plainly ordered ---- */

static bool is_plain_word(const struct mem_desc *mem)
{
    return mem->count == 1 && mem->bytes == 4 && mem->order == ORDER_WEAK;
}

/** Ordered by the block's or the warp's last barrier; false means: look closer. */
static inline bool plainly_ordered(const struct actor *me, const struct epoch *e)
{
    return e->agent == me->agent && !me->bs->any_left &&
           (e->thread == me->thread || e->time <= me->bs->uniform ||
            (e->thread / WARP_LANES == me->thread / WARP_LANES &&
             e->time <= me->ws->warp_uniform));
}

/** The cell if its state can be handled here: a whole word with no strong accesses. */
static inline struct cell *plain_cell(const struct actor *me, const struct mem_access *a, int lane,
                                      uint32_t floor)
{
    struct cell *c = word_at(me, a, lane, a->address[lane]);
    if (c->flags & (CELL_SPLIT | CELL_SYNC))
        return NULL;
    if (c->write.agent < floor) {
        c->write.agent = 0;
        c->flags = 0;
    } else if (!plainly_ordered(me, &c->write)) {
        return NULL;
    }
    if (c->read.agent < floor)
        c->read.agent = 0;
    else if ((c->read.flags & EPOCH_LIST) || !plainly_ordered(me, &c->read))
        return NULL;
    return c;
}

static bool load_plain(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    struct cell *c = plain_cell(me, a, me->lane, floor);
    if (!c || (c->read.agent && c->read.flags))
        return false;
    c->read = epoch_of(me, 0, PLAIN_WORD);
    return true;
}

static bool store_plain(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    struct cell *c = plain_cell(me, a, me->lane, floor);
    uint32_t before;
    if (!c)
        return false;
    memcpy(&before, a->host[me->lane], sizeof before);
    c->read.agent = 0;
    remember_write(me, c, 0, PLAIN_WORD, before);
    return true;
}

void access_load(struct race *race, struct warp *w, struct mem_access *a)
{
    if (!watched(a))
        return;
    struct actor me = actor_of(race, w, a->insn);
    if (load_broadcast(&me, a))
        return;
    bool plain = is_plain_word(&a->insn->mem);
    uint32_t floor = floor_of(&me, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        if (plain && load_plain(&me, a, floor))
            continue;
        for (int e = 0; e < a->insn->mem.count; e++)
            load_element(&me, a, e);
    }
}

void access_store(struct race *race, struct warp *w, struct mem_access *a)
{
    if (!watched(a))
        return;
    struct actor me = actor_of(race, w, a->insn);
    bool plain = is_plain_word(&a->insn->mem);
    uint32_t floor = floor_of(&me, a);
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        if (plain && store_plain(&me, a, floor))
            continue;
        for (int e = 0; e < a->insn->mem.count; e++)
            store_element(&me, a, e);
    }
}

/** One lane's read-modify-write: a strong read (unless it is a red) and a strong write in one. */
static void atomic_element(struct actor *me, struct mem_access *a, int element, bool returns)
{
    struct unit units[16];
    int n = units_of(me, a, me->lane, element, units);
    uint32_t floor = floor_of(me, a);
    uint64_t before = a->old[element & 1][me->lane];
    bool wrote = a->wrote >> me->lane & 1;
    struct outcome out = {0};
    for (int i = n - 1; i >= 0; i--) {
        struct cell *c = units[i].cell;
        refresh(c, floor);
        bool has_message = i == 0 && (c->flags & CELL_SYNC) && c->sync->message;
        if (!wrote) {
            out.unordered |= check_write(me, c, flags_of(&me->insn->mem, true), units[i].code,
                                         WRITE_THEN_READ, &out);
            if (has_message)
                read_strong(me, a, element, c, &out, true);
            else
                remember_read(me, c, 1u << me->lane, flags_of(&me->insn->mem, false),
                              units[i].code, seq_of(c));
            continue;
        }
        if (has_message && returns &&
            with_last_write(me, c, flags_of(&me->insn->mem, true), units[i].code))
            sync_observe(me, c->sync->message, c->sync->upto, &me->insn->mem);
        write_strong(me, &units[i], i == 0, true, before, element_place(a, me->lane, element), &out);
    }
    if (out.conflict)
        report_store(me, a, element, &out, before);
}

void access_atomic(struct race *race, struct warp *w, struct mem_access *a)
{
    if (!watched(a))
        return;
    struct actor me = actor_of(race, w, a->insn);
    bool returns = a->insn->dst != REG_NONE;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        actor_set_lane(&me, __builtin_ctz(m));
        for (int e = 0; e < a->insn->mem.count; e++)
            atomic_element(&me, a, e, returns);
    }
}
