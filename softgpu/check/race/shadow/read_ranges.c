/**
 * @file read_ranges.c
 * See read_ranges.h.
 */
#include "check/race/shadow/read_ranges.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/reader_group.h"

#define FEWEST 1024u
#define ENTRIES_MOST (4u << 20)   /* 128 MB, and 32 for the slots */
#define HALF_WARP 16
#define ASKED_MOST 64u

void read_ranges_free(struct read_ranges *r)
{
    if (!r)
        return;
    free(r->at);
    free(r->slot);
    free(r->gathers.at);
    read_turns_empty(r);
    free(r);
}

/* ---- The table: an entry by its place, lanes and warp ---- */

static uint32_t first_slot(const struct read_ranges *r, const struct range_read *e)
{
    uint64_t form = (uint64_t)e->warp << 32 | (uint32_t)e->flags << 16 | (uint32_t)e->kind << 8 | e->log2_bytes << 4 | e->log2_elements;
    uint64_t place = e->offset | (uint64_t)e->step << 32, turns = (uint64_t)e->turns << 32 | e->apart;
    return (uint32_t)(mix_in(mix_in(place, e->mask), form ^ turns) >> 32) & (r->slots - 1);
}

static bool same_place(const struct range_read *a, const struct range_read *b)
{
    return a->offset == b->offset && a->mask == b->mask && a->warp == b->warp && a->flags == b->flags && a->kind == b->kind &&
           a->step == b->step && a->turns == b->turns && a->apart == b->apart && a->log2_bytes == b->log2_bytes && a->log2_elements == b->log2_elements;
}

static uint32_t *slot_of(const struct read_ranges *r, const struct range_read *e)
{
    uint32_t i = first_slot(r, e);
    while (r->slot[i] && !same_place(&r->at[r->slot[i] - 1], e))
        i = (i + 1) & (r->slots - 1);
    return &r->slot[i];
}

static void grow(struct read_ranges *r)
{
    r->room = r->room ? 2 * r->room : FEWEST;
    r->slots = 2 * r->room;
    r->at = realloc(r->at, r->room * sizeof *r->at);
    free(r->slot);
    r->slot = calloc(r->slots, sizeof *r->slot);
    assert(r->at && r->slot);
    for (uint32_t i = 0; i < r->count; i++)
        *slot_of(r, &r->at[i]) = i + 1;
}

/** As many steps as there are entries, however large the table has become. */
static void empty(struct read_ranges *r)
{
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t at = first_slot(r, &r->at[i]); r->slot[at]; at = (at + 1) & (r->slots - 1))
            r->slot[at] = 0;
    r->count = r->asked = 0;
}

/* ---- Adding ---- */

/** Is it what the entry already says, or one more block of those that it tells of? */
static bool takes_in(struct range_read *e, const struct range_read *read, uint32_t past)
{
    if (e->agent <= past) { /* whoever does not come after the new one does not come after these, either */
        *e = *read;
        e->count = 1;
        return true;
    }
    if (e->agent == read->agent && (e->time == read->time || e->count == 1) && (!read->copies || e->site == read->site)) {
        e->time = read->time; /* whoever is ordered after a thread's later read is ordered after its earlier one */
        e->site = read->site;
        return true;
    }
    if (e->time != read->time || e->site != read->site || read->agent <= e->agent ||
        (e->count > 1 && read->agent - e->agent != e->stride))
        return false;
    e->stride = read->agent - e->agent;
    e->agent = read->agent;
    e->count++;
    return true;
}

static bool is_empty(const struct read_ranges *r)
{
    return !r->count && !r->gathers.count && !r->turns.pending;
}

static void give(struct shadow *s, struct readers *rs);

/** All of them lie before whoever asks for `floor`. @return whether they stay for others */
static bool stay(struct read_ranges *r, uint32_t floor, const struct readers *rs)
{
    read_turns_close(r);
    uint32_t newest = r->count ? r->newest : 0, gathered = r->gathers.count ? r->gathers.newest : 0;
    newest = newest > gathered ? newest : gathered;
    return newest < floor && newest >= readers_settled(rs);
}

/** Reads for which another floor holds follow. */
static void go_on(struct shadow *s, uint32_t floor, struct readers *rs)
{
    struct read_ranges *r = s->ranges;
    if (!stay(r, floor, rs)) {
        read_ranges_settle(s, floor, rs);
        return;
    }
    r->past = floor - 1;
    r->asked = 0;
    read_gathers_pass(&r->gathers);
}

/** The ranges, where reads for which `floor` holds may be put. */
static struct read_ranges *ranges_for(struct shadow *s, uint32_t floor, struct readers *rs)
{
    struct read_ranges *r = s->ranges;
    if (!r) {
        r = s->ranges = calloc(1, sizeof *r);
        assert(r);
    }
    if (!is_empty(r) && r->floor != floor)
        go_on(s, floor, rs);
    if (r->count >= ENTRIES_MOST)
        give(s, rs);
    if (!r->count)
        r->newest = 0;
    r->floor = floor;
    return r;
}

bool read_ranges_gather(struct shadow *s, const struct gather_read *read, const uint32_t offset[], uint64_t bytes, uint32_t floor,
                        struct readers *rs)
{
    struct read_ranges *r = ranges_for(s, floor, rs);
    if (!read_gathers_room(&r->gathers, bytes))
        return false;
    read_gathers_add(&r->gathers, read, offset);
    return true;
}

void read_ranges_add(struct shadow *s, struct range_read read, uint32_t floor, struct readers *rs)
{
    read_ranges_keep(ranges_for(s, floor, rs), read);
}

bool read_ranges_turn(struct shadow *s, const struct range_read *read, const uint32_t at[READ_LANES], unsigned shape, uint32_t floor, struct readers *rs)
{
    return read_turns_add(ranges_for(s, floor, rs), read, at, shape);
}

void read_ranges_keep(struct read_ranges *r, struct range_read read)
{
    r->newest = read.agent > r->newest ? read.agent : r->newest;
    if (r->next < r->count && same_place(&r->at[r->next], &read) && takes_in(&r->at[r->next], &read, r->past)) {
        r->next++;
        return;
    }
    if (r->count == r->room)
        grow(r);
    uint32_t *slot = slot_of(r, &read);
    struct range_read *latest = *slot ? &r->at[*slot - 1] : NULL;
    r->next = *slot ? *slot : r->count + 1;
    if (latest && takes_in(latest, &read, r->past))
        return;
    if (latest && latest->agent == read.agent && !read.copies) { /* this one is newer than what the last of several did */
        latest->agent -= latest->stride;
        latest->count--;
    }
    read.count = 1;
    r->at[r->count++] = read;
    *slot = r->count;
}

/* ---- Settling ---- */

static void remember(struct readers *rs, struct shadow_word *c, struct reader one, uint32_t floor)
{
    if (c->write.agent > one.agent) /* else it would have been settled: who does not come after the read does not come after that write, either */
        return;
    if (c->read.agent < floor)
        c->read.agent = 0;
    if (!word_group_add(c, &one, false))
        word_remember_read(rs, c, one, PRUNE_OLDER);
}

/** An element of `bytes` bytes at `offset`, in each of the words, or bytes, that speak for it. */
static void remember_element(struct shadow *s, struct readers *rs, uint64_t offset, unsigned bytes, struct reader one, uint32_t floor)
{
    uint8_t size = (uint8_t)(__builtin_ctz(bytes) << 4);
    for (unsigned at = 0; at < bytes;) {
        struct shadow_word *c = shadow_at(s, offset + at);
        c->flags &= ~(uint32_t)WORD_LOGGED; /* what is logged there, if anything, lies before this read: give() */
        if (bytes < 4) {
            word_open_group(rs, c);
            word_split(c);
        }
        if (!(c->flags & WORD_SPLIT)) {
            one.unit = (uint8_t)(at | size);
            remember(rs, c, one, floor);
            at += 4;
            continue;
        }
        for (unsigned end = bytes < 4 ? bytes : at + 4; at < end; at++) {
            one.unit = (uint8_t)(at | size);
            word_open_group(rs, &c->bytes[(offset + at) % 4]);
            remember(rs, &c->bytes[(offset + at) % 4], one, floor);
        }
    }
}

/** Each of the elements that lanes read at one place. */
static void remember_elements(struct shadow *s, struct readers *rs, uint64_t offset, unsigned bytes, unsigned count, struct reader one,
                              uint32_t floor)
{
    for (unsigned i = 0; i < count; i++)
        remember_element(s, rs, offset + (uint64_t)i * bytes, bytes, one, floor);
}

/** What lanes of one agent read at one place. */
static void remember_lanes(struct shadow *s, struct readers *rs, const struct range_read *e, uint32_t agent, uint64_t offset,
                           uint32_t lanes, uint32_t floor)
{
    struct reader one = {.agent = agent, .time = e->time, .site = e->site, .mask = lanes, .warp = e->warp, .flags = e->flags};
    remember_elements(s, rs, offset, 1u << e->log2_bytes, 1u << e->log2_elements, one, floor);
}

/** What an agent's lanes read in all turns of a loop. */
static void take_up_turns(struct shadow *s, struct readers *rs, const struct range_read *e, uint32_t agent, uint32_t floor)
{
    const struct read_form *form = &s->ranges->turns.form[e->step];
    for (uint32_t m = e->mask, lanes; m; m &= ~lanes) {
        uint32_t behind = form->behind[__builtin_ctz(m)];
        lanes = 0;
        for (unsigned l = 0; l < READ_LANES; l++)
            lanes |= (uint32_t)(form->behind[l] == behind) << l;
        lanes &= m;
        for (uint32_t k = 0; k < e->turns; k++)
            remember_lanes(s, rs, e, agent, e->offset + behind + k * e->apart, lanes, floor);
    }
}

static void take_up(struct shadow *s, struct readers *rs, const struct range_read *e, uint32_t agent, uint32_t floor)
{
    if (e->kind == RANGE_FORM) {
        take_up_turns(s, rs, e, agent, floor);
        return;
    }
    unsigned first = (unsigned)__builtin_ctz(e->mask);
    uint32_t mask = e->kind == RANGE_PAIRS ? (1u << HALF_WARP) - 1 : e->mask;
    if (e->kind == RANGE_ONE) {
        remember_lanes(s, rs, e, agent, e->offset, mask, floor);
        return;
    }
    for (; mask; mask &= mask - 1) {
        unsigned lane = (unsigned)__builtin_ctz(mask);
        uint32_t lanes = e->kind == RANGE_PAIRS ? (1u | 1u << HALF_WARP) << lane : 1u << lane;
        remember_lanes(s, rs, e, agent, e->offset + (uint64_t)(lane - first) * e->step, lanes, floor);
    }
}

struct gathered {
    struct shadow *shadow;
    struct readers *readers;
};

/** What of the words does not matter to a read: of one that has passed, nothing that is still asked for. */
static uint32_t floor_for(const struct shadow *s, const struct readers *rs, uint32_t agent)
{
    return agent <= s->ranges->past ? readers_settled(rs) : s->ranges->floor;
}

static void take_up_gathered(void *self, const struct gather_read *read, uint32_t lane, uint32_t offset)
{
    const struct gathered *g = self;
    struct reader one = {.agent = read->agent, .time = read->time, .site = read->site, .mask = 1u << lane, .warp = read->warp,
                         .flags = read->flags};
    remember_elements(g->shadow, g->readers, offset, 1u << read->log2_bytes, 1u << read->log2_elements, one,
                      floor_for(g->shadow, g->readers, read->agent));
}

static void forget(struct read_ranges *r)
{
    read_gathers_empty(&r->gathers);
    read_turns_empty(r);
    empty(r);
    r->past = 0;
}

/** The words get those that are still asked for. */
static void give(struct shadow *s, struct readers *rs)
{
    struct read_ranges *r = s->ranges;
    if (r->past || !read_log_is_before(s, r->floor))
        read_log_settle(s, readers_settled(rs), rs); /* what the words say, and no more, is what they hold */
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = r->at[i].count; k-- > 0;) {
            uint32_t agent = r->at[i].agent - k * r->at[i].stride;
            take_up(s, rs, &r->at[i], agent, floor_for(s, rs, agent));
        }
    read_gathers_take(&r->gathers, take_up_gathered, &(struct gathered){.shadow = s, .readers = rs});
    forget(r);
}

void read_ranges_settle(struct shadow *s, uint32_t floor, struct readers *rs)
{
    struct read_ranges *r = s->ranges;
    if (!r || is_empty(r) || stay(r, floor, rs))
        return;
    if ((r->count && r->newest >= floor) || (r->gathers.count && r->gathers.newest >= floor))
        give(s, rs);
    else
        forget(r);
}

/** Does it lie between the bytes `from` and `to` of the allocation, or may it? */
static bool lies_in(const struct range_read *e, uint64_t from, uint64_t to)
{
    unsigned last = e->kind == RANGE_ONE ? 0 : e->kind == RANGE_PAIRS ? HALF_WARP - 1 : 31u - (unsigned)__builtin_clz(e->mask) - (unsigned)__builtin_ctz(e->mask);
    uint64_t end = e->offset + (uint64_t)last * e->step + (1ull << (e->log2_bytes + e->log2_elements));
    return e->kind == RANGE_FORM || (e->offset < to && from < end);
}

bool read_ranges_any(const struct shadow *s, uint64_t from, uint64_t to, bool (*is)(const void *self, uint32_t agent), const void *self)
{
    struct read_ranges *r = s->ranges;
    struct range_read pending[TURNS_OPEN];
    uint32_t met = 0;
    for (uint32_t i = 0; r && i < r->count; i++) {
        if (!lies_in(&r->at[i], from, to))
            continue;
        if (!met++ && ++r->asked > ASKED_MOST)
            return true;
        for (uint32_t k = 0; k < r->at[i].count; k++)
            if (is(self, r->at[i].agent - k * r->at[i].stride))
                return true;
    }
    for (uint32_t n = r ? read_turns_pending(r, pending) : 0; n--;)
        if (is(self, pending[n].agent))
            return true;
    return r && read_gathers_any(&r->gathers, is, self);
}

void shadow_settle(struct shadow *s, uint32_t floor, struct readers *rs)
{
    read_ranges_settle(s, floor, rs);
    read_log_settle(s, floor, rs);
}
