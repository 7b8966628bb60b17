/**
 * @file reader_group.c
 * See reader_group.h.
 */
#include "check/race/shadow/reader_group.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WARPS 32
#define LANES 32
#define THREAD 0x3ff       /* in `thread` of EPOCH_BLOCKS */
#define BLOCKS 64
#define GROUP (EPOCH_WARPS | EPOCH_BLOCKS)

/** What the readers of a group have in common, but for the block. */
static bool same_kind(const struct epoch *r, const struct reader *e)
{
    return r->time == e->time && r->site == e->site && r->unit == e->unit && (r->flags & ~GROUP) == e->flags;
}

/* ---- One thread of several blocks ---- */

static bool is_blocks(const struct epoch *r)
{
    return r->flags & EPOCH_BLOCKS;
}

/** Adds a block's thread to the same thread of others. @return false: it is another, or the blocks lie far apart */
static bool add_block(struct shadow_word *c, const struct reader *e)
{
    struct epoch *r = &c->read;
    uint64_t agents = is_blocks(r) ? c->agents : 1;
    uint32_t newest = r->agent > e->agent ? r->agent : e->agent, up = newest - r->agent, below = newest - e->agent;
    if ((c->flags & WORD_LANES) || ((r->flags & EPOCH_WARPS) && !is_blocks(r)) || e->mask & (e->mask - 1) ||
        (r->thread & THREAD) != e->warp * LANES + (unsigned)__builtin_ctz(e->mask) || up >= BLOCKS ||
        below >= BLOCKS || (up && agents >> (BLOCKS - up)))
        return false;
    c->agents = agents << up | 1ull << below;
    r->agent = newest;
    r->thread = (uint16_t)(below << 10 | (r->thread & THREAD));
    r->flags |= GROUP;
    return true;
}

static uint32_t blocks_as_set(struct readers *rs, const struct shadow_word *c)
{
    const struct epoch *r = &c->read;
    uint32_t list = 0, thread = r->thread & THREAD;
    for (int i = BLOCKS - 1; i >= 0; i--)
        if (c->agents >> i & 1)
            list = readers_add(rs, list,
                               (struct reader){.agent = r->agent - (uint32_t)i, .time = r->time, .site = r->site,
                                               .mask = 1u << thread % LANES, .warp = (uint16_t)(thread / LANES),
                                               .flags = (uint8_t)(r->flags & ~GROUP), .unit = r->unit},
                               PRUNE_NONE);
    return list;
}

/* ---- Lanes of one block's warps ---- */

static uint32_t lanes_of(const struct shadow_word *c, unsigned warp)
{
    if (c->flags & WORD_LANES)
        return c->lanes[warp];
    return c->group.warps >> warp & 1 ? c->group.lanes : 0;
}

/** A mask for each warp instead of one for all. */
static void widen(struct shadow_word *c)
{
    uint32_t *lanes = malloc(WARPS * sizeof *lanes);
    assert(lanes);
    for (unsigned w = 0; w < WARPS; w++)
        lanes[w] = lanes_of(c, w);
    c->lanes = lanes;
    c->flags |= WORD_LANES;
}

/** Adds lanes of a warp to a group. @return false: there is no room for it */
static bool add_lanes(struct shadow_word *c, unsigned warp, uint32_t lanes, bool room)
{
    uint32_t bit = 1u << warp;
    if (!(c->flags & WORD_LANES)) {
        if (c->group.lanes == lanes) {
            c->group.warps |= bit;
            return true;
        }
        if (c->group.warps == bit) {
            c->group.lanes |= lanes;
            return true;
        }
        if ((c->group.warps & bit) && !(lanes & ~c->group.lanes))
            return true;
        if (!room)
            return false;
        widen(c);
    }
    c->lanes[warp] |= lanes;
    return true;
}

static void first_lanes(struct shadow_word *c, unsigned warp, uint32_t lanes)
{
    if (c->flags & WORD_LANES) {
        memset(c->lanes, 0, WARPS * sizeof *c->lanes);
        c->lanes[warp] = lanes;
    } else {
        c->group.lanes = lanes;
        c->group.warps = 1u << warp;
    }
}

/** Lanes of one warp of a group. */
static struct reader lanes_as_reader(const struct epoch *r, uint32_t lanes, unsigned warp)
{
    return (struct reader){.agent = r->agent, .time = r->time, .site = r->site, .mask = lanes, .warp = (uint16_t)warp,
                           .flags = (uint8_t)(r->flags & ~GROUP), .unit = r->unit};
}

bool word_group_add(struct shadow_word *c, const struct reader *e, bool room)
{
    struct epoch *r = &c->read;
    if ((c->flags & (WORD_SPLIT | WORD_SYNC)) || (e->flags & ~(EPOCH_NC | EPOCH_TEXTURE)) || e->seq || e->warp >= WARPS ||
        (r->agent && !same_kind(r, e)))
        return false;
    if (r->agent && (is_blocks(r) || r->agent != e->agent))
        return add_block(c, e);
    if (!r->agent)
        first_lanes(c, e->warp, e->mask);
    else if (!(r->flags & EPOCH_WARPS))
        first_lanes(c, r->thread / LANES, 1u << r->thread % LANES);
    if (r->agent && !add_lanes(c, e->warp, e->mask, room))
        return false;
    *r = (struct epoch){.agent = e->agent, .time = e->time, .site = e->site, .thread = e->warp,
                        .flags = (uint8_t)(e->flags | EPOCH_WARPS), .unit = e->unit};
    return true;
}

void word_open_group(struct readers *rs, struct shadow_word *c)
{
    struct epoch *r = &c->read;
    uint32_t list = 0;
    if (!word_has_group(c))
        return;
    if (is_blocks(r)) {
        list = blocks_as_set(rs, c);
        r->thread = (uint16_t)((r->thread >> 10) << 5 | (r->thread & THREAD) / LANES);
    } else if (c->flags & WORD_LANES) {
        for (unsigned w = 0; w < WARPS; w++)
            if (c->lanes[w])
                list = readers_add(rs, list, lanes_as_reader(r, c->lanes[w], w), PRUNE_NONE);
    } else {
        list = readers_add_warps(rs, 0, lanes_as_reader(r, c->group.lanes, 0), c->group.warps, PRUNE_NONE);
    }
    r->time = list;
    r->flags = EPOCH_LIST;
    r->unit = 0;
}

struct epoch word_group_newest(const struct shadow_word *c)
{
    struct epoch e = c->read;
    unsigned w = WARPS - 1;
    while (!is_blocks(&e) && w && !lanes_of(c, w))
        w--;
    e.thread = (uint16_t)(is_blocks(&e) ? e.thread & THREAD : w * LANES + (unsigned)__builtin_ctz(lanes_of(c, w)));
    e.flags &= (uint8_t)~GROUP;
    return e;
}

void word_keep_one_of_set(struct readers *rs, struct shadow_word *c, uint32_t agent)
{
    struct readers_walk w;
    if (!c->read.agent || !(c->read.flags & EPOCH_LIST))
        return;
    readers_walk(&w, rs, c->read.time);
    w.floor = w.ceiling = agent;
    for (const struct reader *r; (r = readers_next(&w));)
        if (r->agent == agent && !r->flags) {
            c->read = (struct epoch){.agent = agent, .time = r->time, .site = r->site, .thread = (uint16_t)reader_thread(r), .unit = r->unit};
            return;
        }
}

/** One thread, which is no group; it may be strong. */
static struct reader one_as_reader(const struct epoch *r)
{
    struct reader e = lanes_as_reader(r, 1u << r->thread % LANES, r->thread / LANES);
    e.flags = r->flags;
    return e;
}

/** The word's readers, whatever they are, as a set. */
static uint32_t word_set(struct readers *rs, struct shadow_word *c)
{
    struct epoch *r = &c->read;
    word_open_group(rs, c);
    if (!r->agent)
        return 0;
    if (r->flags & EPOCH_LIST)
        return r->time;
    return readers_add(rs, 0, one_as_reader(r), PRUNE_NONE);
}

/** `set` is the word's readers now; lanes of this warp of this agent's, by this instruction, read last. */
static void word_be_set(struct shadow_word *c, uint32_t set, uint32_t agent, uint32_t site, uint32_t warp)
{
    struct epoch *r = &c->read;
    uint32_t newest = r->agent > agent ? r->agent : agent, below = newest - agent;
    *r = (struct epoch){.agent = newest, .time = set, .site = site,
                        .thread = (uint16_t)((below < 2047 ? below : 2047) << 5 | warp), .flags = EPOCH_LIST};
}

void word_remember_read(struct readers *rs, struct shadow_word *c, struct reader element,
                        enum readers_prune prune)
{
    uint32_t set = word_set(rs, c);
    word_be_set(c, readers_add(rs, set, element, prune), element.agent, element.site, element.warp);
}

void word_remember_strong_read(struct readers *rs, struct shadow_word *c, struct reader element, uint32_t upto, uint32_t from)
{
    uint32_t set = word_set(rs, c);
    word_be_set(c, readers_add_read(rs, set, element, upto, from), element.agent, element.site, element.warp);
}

/** One thread of several blocks, the block that read last at the end. */
static void take_up_blocks(struct readers *rs, struct shadow_word *c, const struct epoch *read, uint64_t agents)
{
    uint32_t thread = read->thread & THREAD, set = word_set(rs, c);
    struct reader one = lanes_as_reader(read, 1u << thread % LANES, thread / LANES);
    for (int i = BLOCKS - 1; i >= 0; i--) {
        one.agent = read->agent - (uint32_t)i;
        if (agents >> i & 1)
            set = readers_add(rs, set, one, PRUNE_OLDER);
    }
    c->read.agent = c->read.agent > read->agent ? c->read.agent : read->agent;
    word_be_set(c, set, read->agent - (read->thread >> 10), read->site, thread / LANES);
}

void word_take_up(struct readers *rs, struct shadow_word *c, const struct epoch *read, uint64_t group)
{
    const struct shadow_word was = {.read = *read, .agents = group};
    if (!read->agent)
        return;
    assert(!c->read.agent || !(read->flags & EPOCH_LIST));
    if (!c->read.agent) {
        c->read = *read;
        if (word_has_group(c))
            c->agents = group;
    } else if (!word_has_group(&was)) {
        struct reader one = one_as_reader(read);
        if (!word_group_add(c, &one, false))
            word_remember_read(rs, c, one, PRUNE_OLDER);
    } else if (is_blocks(read)) {
        take_up_blocks(rs, c, read, group);
    } else {
        struct reader lanes = lanes_as_reader(read, was.group.lanes, 0);
        uint32_t set = readers_add_warps(rs, word_set(rs, c), lanes, was.group.warps, PRUNE_OLDER);
        word_be_set(c, set, read->agent, read->site, read->thread);
    }
}
