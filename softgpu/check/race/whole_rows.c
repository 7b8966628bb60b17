/**
 * @file whole_rows.c
 * See whole_rows.h.
 */
#include "check/race/whole_rows.h"

#include "check/race/joining.h"

/** Half a warp's access to a whole row. */
struct half {
    struct shadow_row *row;
    uint32_t thread, time;  /**< of its first lane; all have that time */
    int lane;
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
    if (!al->shadow)
        al->shadow = shadow_new(al->bytes + 8);
    *h = (struct half){.row = shadow_row_at(al->shadow, offset), .time = time, .lane = lane,
                       .thread = (uint32_t)(me->warp->index * WARP_LANES + lane)};
    return !h->row->words;
}

/** Is what one epoch tells of the row ordered before each of the lanes by barriers, or by being their own? */
static bool is_before(const struct actor *me, const struct half *h, const struct epoch *e)
{
    return e->agent == me->agent && !me->bs->any_left &&
           (e->thread == h->thread || e->time <= me->bs->uniform ||
            (e->thread / WARP_LANES == h->thread / WARP_LANES && e->time <= me->ws->warp_uniform));
}

/** The same of the last write; what lies before this launch is forgotten. */
static bool is_written_before(const struct actor *me, const struct half *h, uint32_t floor)
{
    struct shadow_row *row = h->row;
    if (row->read.agent < floor)
        row->read.agent = 0;
    if (row->write.agent >= floor)
        return is_before(me, h, &row->write);
    row->write.agent = 0;
    row->has_old = false;
    return true;
}

static struct epoch epoch_now(const struct actor *me, const struct half *h)
{
    return (struct epoch){.agent = me->agent, .time = h->time, .site = me->insn->site, .thread = (uint16_t)h->thread,
                          .unit = PLAIN_WORD};
}

static bool load(const struct actor *me, const struct half *h, uint32_t floor)
{
    struct shadow_row *row = h->row;
    if (!is_written_before(me, h, floor) || (row->read.agent && !is_before(me, h, &row->read)))
        return false;
    row->read = epoch_now(me, h);
    return true;
}

static bool store(const struct actor *me, const struct mem_access *a, const struct half *h, uint32_t floor)
{
    struct shadow_row *row = h->row;
    struct epoch now = epoch_now(me, h);
    const struct epoch *last = &row->write;
    if (!is_written_before(me, h, floor) || (row->read.agent && !is_before(me, h, &row->read)))
        return false;
    bool same_run = last->agent == now.agent && last->thread == now.thread && last->time == now.time && row->has_old;
    if (!same_run)
        memcpy(row->old, a->host[h->lane], sizeof row->old);
    row->has_old = true;
    row->read.agent = 0;
    row->write = now;
    return true;
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
        if ((a->mask >> lane & HALF_LANES) == HALF_LANES && half_of(me, a, lane, &h) && load(me, &h, floor))
            done |= HALF_LANES << lane;
    return done;
}

uint32_t rows_store(const struct actor *me, const struct mem_access *a, uint32_t floor)
{
    uint32_t done = 0;
    struct half h;
    for (int lane = 0; may_fill_rows(me, a) && lane < WARP_LANES; lane += ROW_WORDS)
        if ((a->mask >> lane & HALF_LANES) == HALF_LANES && half_of(me, a, lane, &h) && store(me, a, &h, floor))
            done |= HALF_LANES << lane;
    return done;
}
