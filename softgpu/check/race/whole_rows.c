/**
 * @file whole_rows.c
 * See whole_rows.h.
 */
#include "check/race/whole_rows.h"

#include "check/race/forgotten_rows.h"
#include "check/race/joining.h"
#include "check/race/order.h"
#include "check/race/shadow/row_parts.h"
#include "check/race/shadow/row_reads.h"
#include "execute/plain_access.h"

/** Half a warp's access to a whole row; or that of fewer lanes, each of which has several of its words. */
struct half {
    struct shadow_row *row;
    uint32_t thread, time;  /**< of its first lane; all have that time */
    int lane;
    uint8_t unit;           /**< as the row's epoch has it (shadow_row_epoch()) */
};

/** The row that the half warp from `lane` on fills; false: it fills none. */
static bool half_of(const struct actor *me, const struct mem_access *a, int lane, struct half *h)
{
    uint64_t first = a->address[lane], apart = 0;
    uint32_t time = me->ws->time[lane], times = 0;
    struct allocation *al = a->allocation[lane];
    uint64_t offset = first - (al->base & ~3ull);
    if (offset % ROW_BYTES || offset + ROW_BYTES > al->bytes)
        return false;
    for (int i = 0; i < ROW_WORDS; i++)
        times |= me->ws->time[lane + i] ^ time;
    for (int i = 0; !a->row && i < ROW_WORDS; i++)
        apart |= a->address[lane + i] ^ (first + 4 * (uint64_t)i);
    if (apart || times)
        return false;
    *h = (struct half){.row = shadow_row_at(shadow_of(al), offset), .time = time, .lane = lane, .unit = PLAIN_WORD,
                       .thread = (uint32_t)(me->warp->index * WARP_LANES + lane)};
    return true;
}

/** The same for a half warp that goes through words one after another, from byte `at` of the allocation on. `one_time`: all lanes
 *  of the access are at one time, which need not be looked up. */
static bool plain_half(const struct actor *me, const struct plain_access *p, int lane, bool one_time, struct half *h)
{
    struct allocation *al = p->allocation;
    uint32_t at = p->at[lane], time = me->ws->time[lane], times = 0;
    if (at % ROW_BYTES || at + ROW_BYTES > al->bytes)
        return false;
    for (int i = 0; !one_time && i < ROW_WORDS; i++)
        times |= me->ws->time[lane + i] ^ time;
    if (times)
        return false;
    *h = (struct half){.row = shadow_row_at(shadow_of(al), at), .time = time, .lane = lane, .unit = PLAIN_WORD,
                       .thread = (uint32_t)(me->warp->index * WARP_LANES + lane)};
    return true;
}

/** Has each lane the words that it had in that epoch? */
static bool has_the_same(const struct half *h, const struct epoch *e)
{
    return e->thread == h->thread && !((e->unit ^ h->unit) & 0xf);
}

/** Is what one epoch tells of the row ordered before each of the lanes by barriers, or by being their own? */
static bool is_before(const struct actor *me, const struct half *h, const struct epoch *e)
{
    return e->agent == me->agent && !me->bs->any_left &&
           (has_the_same(h, e) || e->time <= me->bs->uniform ||
            (e->thread / WARP_LANES == h->thread / WARP_LANES && e->time <= me->ws->warp_uniform));
}

/** Is it not ordered before the lanes by where the host has put their launch, either? A read by another width stays beside this one. */
static bool is_in_the_way(const struct actor *me, const struct half *h, const struct epoch *e, uint32_t floor)
{
    return e->agent && e->agent >= floor && !is_before(me, h, e) &&
           (e->agent == me->agent || (e == &h->row->read && e->unit != h->unit) || !agent_passed_by_launch(me, e->agent));
}

/** Does one state tell of the row, or may it again, since what its words remember lies before the launch? Writes below `settled` need not be kept. */
static inline bool is_closed(struct shadow_row *row, uint32_t floor, uint32_t settled)
{
    if (!row->words)
        return true;
    return row->under ? row->under < floor : shadow_close_row(row, floor, settled);
}

/** May a load or a store of the row come now? */
static bool may_come(const struct actor *me, const struct half *h, uint32_t floor, uint32_t settled)
{
    struct shadow_row *row = h->row;
    if (row->parted && !row_parts_over(row, me->race->floor))
        return false;
    return is_closed(row, floor, settled) && !is_in_the_way(me, h, &row->write, floor) && !is_in_the_way(me, h, &row->read, floor);
}

static struct epoch epoch_now(const struct actor *me, const struct half *h)
{
    return (struct epoch){.agent = me->agent, .time = h->time, .site = me->insn->site, .thread = (uint16_t)h->thread,
                          .unit = h->unit};
}

/** What lies before this launch is forgotten, but for a write from `settled` on. */
static void forget_earlier_write(struct shadow_row *row, uint32_t floor, uint32_t settled)
{
    if (row->write.agent >= floor)
        return;
    if (row->write.agent < settled)
        row->write.agent = 0;
    row->has_old = false;
}

/** A load that may come has come. */
static void note_load(const struct actor *me, const struct half *h, uint32_t floor)
{
    forget_earlier_write(h->row, floor, me->race->floor);
    if (h->row->under && h->row->under < me->race->floor)
        shadow_row_drop_under(h->row);
    h->row->read = epoch_now(me, h);
}

/** The same of a store; `host`: where the row is, which still holds what was there. */
static void note_store(const struct actor *me, const uint8_t *host, const struct half *h, uint32_t floor)
{
    struct shadow_row *row = h->row;
    struct epoch now = epoch_now(me, h);
    const struct epoch *last = &row->write;
    forget_earlier_write(row, floor, UINT32_MAX);
    if (row->read.agent < floor)
        row->read.agent = 0;
    if (row->under)
        shadow_row_drop_under(row);
    bool same_run = last->agent == now.agent && has_the_same(h, last) && last->time == now.time && row->has_old;
    if (!same_run)
        memcpy(shadow_row_old(row), host, ROW_BYTES);
    row->has_old = true;
    now.flags = epochs_were_read(&row->write, &row->read, me->agent);
    row->read.agent = 0;
    row->write = now;
}

static bool may_fill_rows(const struct actor *me, const struct mem_access *a)
{
    return a->space == SPACE_GLOBAL && !me->as_agent;
}

uint32_t rows_load(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    uint32_t done = 0;
    struct half h;
    for (int lane = 0; may_fill_rows(me, a) && lane < WARP_LANES; lane += ROW_WORDS)
        if ((a->mask >> lane & HALF_LANES) == HALF_LANES && half_of(me, a, lane, &h) && may_come(me, &h, floor, me->race->floor)) {
            note_load(me, &h, floor);
            done |= HALF_LANES << lane;
        }
    return done;
}

/** Lanes write one after another: does none of those before `lane` that are left go to the row that begins there? */
static bool is_its_own(const struct mem_access *a, int lane, uint32_t done)
{
    for (uint32_t m = a->mask & ~done & ((1u << lane) - 1); m; m &= m - 1)
        if (a->address[__builtin_ctz(m)] + ROW_BYTES - 1 - a->address[lane] < 2 * ROW_BYTES - 1)
            return false;
    return true;
}

uint32_t rows_store(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    uint32_t done = 0;
    struct half h;
    for (int lane = 0; may_fill_rows(me, a) && lane < WARP_LANES; lane += ROW_WORDS)
        if ((a->mask >> lane & HALF_LANES) == HALF_LANES && half_of(me, a, lane, &h) && is_its_own(a, lane, done) && may_come(me, &h, floor, UINT32_MAX)) {
            note_store(me, a->host[lane], &h, floor);
            done |= HALF_LANES << lane;
        }
    return done;
}

/* ---- A whole warp whose lanes have several words each ---- */

/** The part of the access that fills the row with the first word of lane `lane`. */
static struct half part_of(const struct actor *me, const struct mem_access *a, int lane, uint8_t unit)
{
    struct allocation *al = a->allocation[0];
    return (struct half){.row = shadow_row_at(shadow_of(al), a->address[lane] - (al->base & ~3ull)), .time = me->ws->time[0], .lane = lane, .unit = unit,
                         .thread = (uint32_t)(me->warp->index * WARP_LANES + lane)};
}

/** The `unit` of rows that the access fills; 0: it fills none. */
static uint8_t unit_of(const struct actor *me, const struct mem_access *a)
{
    const struct mem_desc *mem = &a->insn->mem;
    unsigned bytes = (unsigned)mem->bytes * mem->count;
    if (!a->even || mem->bytes < 4 || bytes < 8 || bytes > ROW_BYTES / 2 || (bytes & (bytes - 1)) || !may_fill_rows(me, a) || mem->order != ORDER_WEAK)
        return 0;
    const struct allocation *al = a->allocation[0];
    uint64_t offset = a->address[0] - (al->base & ~3ull);
    if (offset % ROW_BYTES || offset + (uint64_t)bytes * WARP_LANES > al->bytes || !lanes_at_one_time(me->ws, a->mask))
        return 0;
    return (uint8_t)(log2_of(mem->bytes) << 4 | log2_of(bytes / 4));
}

uint32_t even_load(const struct actor *me, const struct mem_access *a, uint32_t left, uint32_t floor)
{
    const uint8_t unit = unit_of(me, a);
    uint32_t done = 0;
    if (!unit || left != UINT32_MAX || shadow_is_older(a->allocation[0]->shadow, floor)) /* else ranges tell of it */
        return 0;
    int lanes = ROW_WORDS >> (unit & 0xf);
    for (int lane = 0; lane < WARP_LANES; lane += lanes) {
        const struct half h = part_of(me, a, lane, unit);
        const struct epoch *read = &h.row->read;
        bool as_wide = read->agent < floor || !((read->unit ^ unit) & 0xf0); /* who reads by other widths stays beside it */
        if (!as_wide || !may_come(me, &h, floor, me->race->floor))
            continue;
        note_load(me, &h, floor);
        done |= ((1u << lanes) - 1) << lane;
    }
    return done;
}

uint32_t even_store(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    const uint8_t unit = unit_of(me, a);
    uint32_t done = 0;
    int lanes = ROW_WORDS >> (unit & 0xf);
    for (int lane = 0; unit && lane < WARP_LANES; lane += lanes) {
        const struct half h = part_of(me, a, lane, unit);
        if (!may_come(me, &h, floor, UINT32_MAX))
            continue;
        note_store(me, a->host[lane], &h, floor);
        done |= ((1u << lanes) - 1) << lane;
    }
    return done;
}

/** Does it go through rows of global memory? */
static bool may_go_through_rows(const struct plain_access *p)
{
    return p->space == SPACE_GLOBAL && (p->shape == PLAIN_ROW || p->shape == PLAIN_ROWS || p->shape == PLAIN_PAIRS);
}

/* ---- A whole warp each of whose halves goes through a row of its own: what they would do one after another, where both can ---- */

/** The halves of an access to both, where it may come now. */
static inline bool both_may_come(const struct actor *me, const struct plain_access *p, struct half h[2], uint32_t floor, uint32_t settled)
{
    const uint32_t low = p->at[0], high = p->at[ROW_WORDS];
    if (p->shape == PLAIN_PAIRS || p->mask != UINT32_MAX || !me->ws->one_time || !p->allocation->shadow)
        return false;
    struct shadow_row *first = row_known(p->allocation, low), *second = row_known(p->allocation, high);
    if (!first || !second)
        return false;
    h[0] = (struct half){.row = first, .time = me->ws->time[0], .lane = 0, .unit = PLAIN_WORD, .thread = (uint32_t)(me->warp->index * WARP_LANES)};
    h[1] = h[0];
    h[1].row = second, h[1].lane = ROW_WORDS, h[1].thread += ROW_WORDS;
    return (row_is_forgotten(first, floor) && row_is_forgotten(second, floor)) || (may_come(me, &h[0], floor, settled) && may_come(me, &h[1], floor, settled));
}

/** A whole warp reads two rows of which nothing else is remembered. @return false: they are to remember it themselves */
static bool load_first(const struct actor *me, const struct plain_access *p, uint32_t floor)
{
    struct allocation *al = p->allocation;
    const struct shadow *known = al->shadow;
    const uint32_t low = p->at[0], high = p->at[ROW_WORDS], last = low > high ? low : high;
    if (p->mask != UINT32_MAX || (low | high) % ROW_BYTES || low == high || last + ROW_BYTES > al->bytes ||
        (known && known->chunk[low / CHUNK_BYTES]) || !lanes_at_one_time(me->ws, p->mask))
        return false;
    const struct row_read read = {.row = low / ROW_BYTES, .apart = (int32_t)(high / ROW_BYTES) - (int32_t)(low / ROW_BYTES), .count = 1, .agent = me->agent,
                                  .time = me->ws->time[0], .site = me->insn->site, .warp = (uint16_t)me->warp->index};
    return row_reads_add(shadow_of(al), &read, floor);
}

uint32_t plain_rows_load(const struct actor *me, const struct plain_access *p, uint32_t floor)
{
    uint32_t done = 0;
    struct half h[2];
    if (!may_go_through_rows(p))
        return 0;
    if (load_first(me, p, floor))
        return UINT32_MAX;
    fetch_rows_ahead(p, __builtin_ctz(p->mask), 2);
    if (both_may_come(me, p, h, floor, me->race->floor)) {
        note_load(me, &h[0], floor);
        note_load(me, &h[1], floor);
        return UINT32_MAX;
    }
    bool one_time = lanes_at_one_time(me->ws, p->mask);
    for (int lane = 0; lane < WARP_LANES; lane += ROW_WORDS)
        if ((p->mask >> lane & HALF_LANES) == HALF_LANES && plain_half(me, p, lane, one_time, h) && may_come(me, h, floor, me->race->floor)) {
            note_load(me, h, floor);
            done |= HALF_LANES << lane;
        }
    return done;
}

static bool is_plain_own(const struct plain_access *p, int lane, uint32_t done)
{
    return !lane || done || p->shape == PLAIN_ROW || p->at[0] + ROW_BYTES - 1 - p->at[lane] >= 2 * ROW_BYTES - 1;
}

uint32_t plain_rows_store(const struct actor *me, const struct plain_access *p, uint32_t floor)
{
    uint32_t done = 0;
    struct half h[2];
    if (!may_go_through_rows(p))
        return 0;
    for (int lane = 0; p->shape == PLAIN_ROWS && lane < WARP_LANES; lane += ROW_WORDS)
        fetch_rows_ahead(p, lane, 1);
    if (both_may_come(me, p, h, floor, UINT32_MAX)) {
        note_store(me, p->host + p->at[0], &h[0], floor);
        note_store(me, p->host + p->at[ROW_WORDS], &h[1], floor);
        return UINT32_MAX;
    }
    bool one_time = lanes_at_one_time(me->ws, p->mask);
    for (int lane = 0; lane < WARP_LANES; lane += ROW_WORDS)
        if ((p->mask >> lane & HALF_LANES) == HALF_LANES && plain_half(me, p, lane, one_time, h) && is_plain_own(p, lane, done) &&
            may_come(me, h, floor, UINT32_MAX)) {
            note_store(me, p->host + p->at[lane], h, floor);
            done |= HALF_LANES << lane;
        }
    return done;
}
