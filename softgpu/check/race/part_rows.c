/**
 * @file part_rows.c
 * See part_rows.h. What is done is what plain_words.c does with each word, for all words that one part tells of.
 */
#include "check/race/part_rows.h"

#include "check/race/joining.h"
#include "check/race/order.h"
#include "check/race/plain_words.h"
#include "check/race/shadow/row_parts.h"
#include "execute/plain_access.h"

/** Lanes of a warp that go to words of one row. */
struct piece {
    const struct actor *me;
    struct shadow_row *row;
    const uint8_t *host;   /**< where the row's bytes are */
    uint16_t words;        /**< a bit each */
    struct row_part now;   /**< the access: its epoch, its warp */
};

/** Is what a part tells of the words ordered before the lanes by barriers, or by being their own? */
static bool part_in_sight(const struct sight *s, const struct row_part *p, const struct piece *x)
{
    return p->by.agent == s->agent && (p->by.thread == x->now.by.thread || p->by.time <= s->uniform || (p->warp == s->warp && p->by.time <= s->warp_uniform));
}

/** Is all that an agent does ordered before the launch, by where the host has put it? */
static bool is_passed(const struct piece *x, uint32_t agent, uint32_t floor)
{
    return agent < floor || (agent != x->now.by.agent && agent_passed_by_launch(x->me, agent));
}

/** The same of all parts that are the launch's own, or of one that is not ordered before it. */
static bool are_in_sight(const struct sight *s, const struct row_part parts[PARTS], const struct piece *x, uint32_t floor)
{
    for (int k = 0; k < PARTS; k++)
        if ((parts[k].of & x->words) && !part_in_sight(s, &parts[k], x) && !is_passed(x, parts[k].by.agent, floor))
            return false;
    return true;
}

/** Are the earlier launches' writes of the piece's words ordered before it? */
static bool are_before(const struct row_parts *p, const struct piece *x, uint32_t floor)
{
    for (uint32_t m = p->before_newest < floor ? 0 : p->before_of & x->words; m; m &= m - 1)
        if (!is_passed(x, p->before[__builtin_ctz(m)].agent, floor))
            return false;
    return true;
}

/** May the access come now, before which the launch has its own parts alone in the way? */
static bool may_come(const struct sight *s, const struct row_parts *p, const struct piece *x, uint32_t floor)
{
    return are_before(p, x, floor) && are_in_sight(s, p->write, x, floor) && are_in_sight(s, p->read, x, floor);
}

static bool epoch_same(const struct epoch *a, const struct epoch *b)
{
    return a->agent == b->agent && a->time == b->time && a->site == b->site && a->thread == b->thread && a->flags == b->flags;
}

/** The part that is to tell of the access; NULL: there is no room. */
static struct row_part *room_in(struct row_part parts[PARTS], const struct piece *x)
{
    struct row_part *room = NULL;
    for (int k = 0; k < PARTS; k++) {
        bool any = ((parts[k].of | parts[k].kept) & ~x->words) != 0;
        if (any && epoch_same(&parts[k].by, &x->now.by))
            return &parts[k];
        if (!any && !room)
            room = &parts[k];
    }
    return room;
}

static void put(struct row_part *part, const struct piece *x)
{
    if (x->row->under < x->now.by.agent)
        x->row->under = x->now.by.agent;
    part->by = x->now.by;
    part->warp = x->now.warp;
    part->of |= x->words;
}

/** May parts tell of the row from now on? Below `settled` nobody asks for what it tells. */
static bool may_be_parted(struct shadow_row *row, uint32_t settled)
{
    if (row->words || row->asked >= ROW_ASKED_MOST)
        return false;
    struct epoch *read = &row->read, *write = &row->write;
    if (write->agent < settled) {
        *write = (struct epoch){0};
        row->has_old = false;
    }
    if (read->agent < settled)
        read->agent = 0;
    bool kept = !read->agent && (write->flags & EPOCH_KEPT);
    return !((read->agent || kept) && read->unit != PLAIN_WORD) && !(write->agent && write->unit != PLAIN_WORD);
}

/** Is what one state tells of a row, if that is the launch's own, ordered before the piece? */
static bool closed_in_sight(const struct sight *s, const struct piece *x, uint32_t floor)
{
    const struct epoch *both[] = {&x->row->read, &x->row->write};
    bool all = true;
    for (int i = 0; i < 2; i++) {
        const struct row_part part = {.by = *both[i], .warp = both[i]->thread / WARP_LANES};
        all &= part_in_sight(s, &part, x) || is_passed(x, both[i]->agent, floor);
    }
    return all;
}

/** The parts that tell of a row; NULL: they are not to. `may_open`: may they from now on, if one state has told of it so far? */
static struct row_parts *parts_of(const struct actor *me, const struct sight *s, const struct piece *x, bool may_open, uint32_t floor)
{
    struct shadow_row *row = x->row;
    if (row->parted && !row_parts_over(row, me->race->floor))
        return row->parts;
    return may_open && may_be_parted(row, me->race->floor) && closed_in_sight(s, x, floor) ? row_parts_open(row) : NULL;
}

/** What the words held before an earlier launch's write goes, as it does from words; from rows that have been closed for half a warp that reads all it
 *  does only with one write of all. */
static void forget_old(struct row_parts *p, const struct piece *x, uint32_t floor)
{
    bool whole = x->words == UINT16_MAX && !(x->now.by.thread % ROW_WORDS);
    uint16_t earlier = p->before_newest < floor ? p->before_of : 0;
    for (uint32_t m = p->before_of & ~earlier; m; m &= m - 1)
        earlier |= (uint16_t)((p->before[__builtin_ctz(m)].agent < floor) << __builtin_ctz(m));
    p->closed = whole && (p->closed || x->row->under < floor);
    for (int k = 0; k < PARTS; k++)
        if (p->write[k].by.agent < floor && (!p->closed || p->write[k].of == UINT16_MAX))
            earlier |= p->write[k].of;
    if (!p->closed || earlier == UINT16_MAX)
        p->old &= (uint16_t)~(earlier & x->words);
}

static bool load_piece(const struct actor *me, const struct sight *s, const struct piece *x, bool may_open, uint32_t floor)
{
    struct row_parts *p = parts_of(me, s, x, may_open, floor);
    struct row_part *room = p && may_come(s, p, x, floor) ? room_in(p->read, x) : NULL;
    if (!room)
        return false;
    forget_old(p, x, floor);
    for (int k = 0; k < PARTS; k++) {
        p->read[k].of &= (uint16_t)~x->words;
        p->read[k].kept &= (uint16_t)~x->words;
    }
    put(room, x);
    return true;
}

/** What epochs_were_read() says of all words of a store. @return false: not the same of each */
static bool flags_for(const struct row_parts *p, const struct piece *x, uint32_t floor, uint8_t *flags)
{
    uint16_t left = x->words;
    int first = -1;
    for (int k = 0; k < 2 * PARTS; k++) {
        const struct row_part *part = k < PARTS ? &p->read[k] : &p->write[k - PARTS];
        uint8_t may = part->by.agent == x->now.by.agent ? EPOCH_READ | EPOCH_KEPT : EPOCH_READ, its = k < PARTS ? may : part->by.flags & may;
        if (!(part->of & left) || part->by.agent < floor)
            continue;
        if (first >= 0 && first != its)
            return false;
        first = its;
        left &= (uint16_t)~part->of;
    }
    for (uint32_t m = p->before_newest < floor ? 0 : p->before_of & left; m; m &= m - 1)
        if (p->before[__builtin_ctz(m)].agent >= floor && (p->before[__builtin_ctz(m)].flags & EPOCH_READ))
            return false;
    *flags = first > 0 ? (uint8_t)first : 0;
    return !left || first <= 0;
}

/** Keeps what the words hold, but for those that the same threads have written at the same time before. */
static void keep_old(struct row_parts *p, const struct piece *x)
{
    uint16_t words = x->words;
    uint32_t *old = shadow_row_old(x->row), now[ROW_WORDS];
    for (int k = 0; k < PARTS; k++)
        if (p->write[k].by.agent == x->now.by.agent && p->write[k].by.thread == x->now.by.thread && p->write[k].by.time == x->now.by.time)
            words &= (uint16_t)~(p->write[k].of & p->old);
    memcpy(now, x->host, sizeof now);
    for (int i = 0; i < ROW_WORDS; i++)
        old[i] = words >> i & 1 ? now[i] : old[i];
    p->old |= x->words;
}

/** The same where one of an earlier launch's makes room, if need be. */
static struct row_part *room_for_write(struct row_parts *p, const struct piece *x, uint32_t floor)
{
    struct row_part *room = room_in(p->write, x);
    for (int k = 0; k < PARTS && !room; k++)
        if (is_passed(x, p->write[k].by.agent, floor)) {
            row_parts_put_before(p, &p->write[k]);
            room = &p->write[k];
        }
    return room;
}

static bool store_piece(const struct actor *me, const struct sight *s, struct piece *x, uint32_t floor)
{
    struct row_parts *p = parts_of(me, s, x, true, floor);
    if (!p || !may_come(s, p, x, floor) || !flags_for(p, x, floor, &x->now.by.flags))
        return false;
    struct row_part *room = room_for_write(p, x, floor);
    if (!room)
        return false;
    keep_old(p, x);
    p->closed = false;
    for (int k = 0; k < PARTS; k++) {
        uint16_t kept = p->read[k].kept | (p->read[k].of & x->words);
        p->read[k].kept = x->now.by.flags & EPOCH_KEPT ? kept : p->read[k].kept & (uint16_t)~x->words;
        p->read[k].of &= (uint16_t)~x->words;
        p->write[k].of &= (uint16_t)~x->words;
    }
    p->before_of &= (uint16_t)~x->words;
    put(room, x);
    return true;
}

/** The lanes `left`, of which lane l goes to byte `at` + 4l, row by row. @return those that are not done */
static uint32_t rows_of(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t at, bool stores, uint32_t floor)
{
    const struct sight s = sight_of(me);
    const bool may_open = stores || !shadow_is_older(p->allocation->shadow, floor); /* else ranges tell of it */
    uint32_t not_done = 0;
    while (left) {
        unsigned first = (unsigned)__builtin_ctz(left);
        uint32_t row = (at + 4 * first) & ~(uint32_t)(ROW_BYTES - 1);
        int lane = (int)(row - at) / 4; /* the one that word 0 would be of */
        uint32_t lanes = left & (lane > 0 ? 0xffffu << lane : 0xffffu >> -lane);
        struct piece x = {.me = me, .words = (uint16_t)(lane > 0 ? lanes >> lane : lanes << -lane),
                          .now = {.by = {.agent = me->agent, .time = me->ws->time[first], .site = me->insn->site, .unit = PLAIN_WORD,
                                         .thread = (uint16_t)((int)s.warp * WARP_LANES + lane)},
                                  .warp = (uint16_t)s.warp}};
        bool done = (uint64_t)row + ROW_BYTES <= p->allocation->bytes;
        if (done) {
            x.row = shadow_row_at(p->allocation->shadow, row);
            x.host = p->host + row;
            done = stores ? store_piece(me, &s, &x, floor) : load_piece(me, &s, &x, may_open, floor);
        }
        not_done |= done ? 0 : lanes;
        left &= ~lanes;
    }
    return not_done;
}

static uint32_t in_parts(const struct actor *me, const struct plain_access *p, uint32_t left, bool stores, uint32_t floor)
{
    if (me->bs->any_left || me->as_agent || p->more || !lanes_at_one_time(me->ws, left))
        return left;
    if (p->shape == PLAIN_ROW)
        return rows_of(me, p, left, plain_row_at(p), stores, floor);
    uint32_t apart = p->at[ROW_WORDS] - p->at[0];
    if (p->shape != PLAIN_ROWS || apart + ROW_BYTES - 1 < 2 * ROW_BYTES - 1)
        return left;
    uint32_t low = left & 0xffffu, high = left & ~0xffffu;
    low = low ? rows_of(me, p, low, p->at[0], stores, floor) : 0;
    return low | (high ? rows_of(me, p, high, p->at[ROW_WORDS] - 4 * ROW_WORDS, stores, floor) : 0);
}

uint32_t part_loads(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    return !p->allocation->shadow ? left : in_parts(me, p, left, false, floor);
}

uint32_t part_stores(const struct actor *me, const struct plain_access *p, uint32_t left, uint32_t floor)
{
    return in_parts(me, p, left, true, floor);
}
