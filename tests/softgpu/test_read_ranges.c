/*
 * Reads that are kept beside the words: once they are settled, each word, and each byte, has exactly the threads as its readers
 * that have read it, with their latest time, in whatever order and shape they came.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/reader_group.h"
#include "execute/plain_access.h"

enum { AGENTS = 12, WARPS = 2, BYTES = 2048, LANES = 32, FLOOR = 100 };

static uint64_t state;
static uint32_t seen[BYTES][AGENTS][WARPS * LANES]; /* the latest time of a read, 0: none */

static uint32_t draw(uint32_t below)
{
    state += MIX_STEP;
    return (uint32_t)(mix64(state) % below);
}

/** In one of the shapes that a warp's access may have; few places, so that the same comes again. */
static struct range_read random_read(uint32_t agent, uint32_t time)
{
    static const uint32_t masks[] = {UINT32_MAX, 0xffff, 0xffff0000, 0x00fff000, 0xff};
    struct range_read r = {.agent = FLOOR + agent, .time = time, .site = 1 + draw(3), .warp = (uint16_t)draw(WARPS),
                           .kind = draw(3) & 3, .log2_bytes = draw(4) & 7, .log2_elements = draw(2) & 3};
    unsigned bytes = 1u << r.log2_bytes;
    r.mask = r.kind == RANGE_PAIRS ? UINT32_MAX : masks[draw(5)];
    r.step = r.kind == RANGE_ONE ? 0 : (bytes << r.log2_elements) + (draw(3) ? 0 : bytes * draw(3));
    r.offset = draw(4) * 8 * bytes;
    return r;
}

static void note(const struct range_read *r)
{
    unsigned width = 1u << (r->log2_bytes + r->log2_elements), first = (unsigned)__builtin_ctz(r->mask);
    for (unsigned lane = 0; lane < LANES; lane++) {
        unsigned at = r->kind == RANGE_ONE ? 0 : r->kind == RANGE_PAIRS ? lane % 16 : lane - first;
        for (unsigned b = 0; (r->mask >> lane & 1) && b < width; b++)
            seen[r->offset + at * r->step + b][r->agent - FLOOR][r->warp * LANES + lane] = r->time;
    }
}

/** The same place for each lane anyhow, within what note() marks. */
static void gather_random(struct shadow *s, struct readers *rs, const struct range_read *like)
{
    unsigned width = 1u << (like->log2_bytes + like->log2_elements), n = 0;
    struct gather_read g = {.agent = like->agent, .time = like->time, .site = like->site, .mask = like->mask, .warp = like->warp,
                            .log2_bytes = like->log2_bytes & 7, .log2_elements = like->log2_elements & 3};
    uint32_t offset[LANES];
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(g.mask >> lane & 1))
            continue;
        offset[n] = draw(BYTES / 4 / width) * width;
        for (unsigned b = 0; b < width; b++)
            seen[offset[n] + b][g.agent - FLOOR][g.warp * LANES + lane] = g.time;
        n++;
    }
    CU_ASSERT_TRUE(read_ranges_gather(s, &g, offset, BYTES, FLOOR, rs));
}

/** How many threads' latest reads the byte's word gets wrong. */
static int wrong_at(struct shadow *s, struct readers *rs, uint32_t at)
{
    uint32_t found[AGENTS][WARPS * LANES] = {{0}};
    struct shadow_word *c = shadow_at(s, at);
    struct readers_walk w;
    int wrong = 0;
    c = c->flags & WORD_SPLIT ? &c->bytes[at % 4] : c;
    word_open_group(rs, c);
    if (c->read.agent && c->read.flags & EPOCH_LIST) {
        readers_walk(&w, rs, c->read.time);
        for (const struct reader *r = readers_next(&w); r; r = readers_next(&w))
            for (unsigned lane = 0; lane < LANES; lane++) {
                uint32_t *latest = &found[r->agent - FLOOR][r->warp * LANES + lane];
                if ((r->mask >> lane & 1) && *latest < r->time)
                    *latest = r->time;
            }
    }
    for (int agent = 0; agent < AGENTS; agent++)
        for (int thread = 0; thread < WARPS * LANES; thread++)
            wrong += found[agent][thread] != seen[at][agent][thread];
    return wrong;
}

static bool has_later(const struct range_read *r)
{
    bool later = false;
    for (int b = 0; b < BYTES; b++)
        for (int t = 0; t < WARPS * LANES; t++)
            later |= seen[b][r->agent - FLOOR][t] > r->time;
    return later;
}

static void test_same_as_words(void)
{
    int wrong = 0, shared = 0;
    for (int round = 0; round < 100; round++) {
        struct readers *rs = readers_new();
        struct shadow *s = shadow_new(BYTES);
        state = (uint64_t)round;
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 1, n = 1 + draw(60); i <= n; i++) { /* mostly block by block, each at much the same times */
            struct range_read r = random_read(round % 3 ? i * AGENTS / (n + 1) : draw(AGENTS), round % 2 ? i : 1 + i % 4);
            for (uint32_t stride = 1 + draw(3), last = r.agent + draw(4) * stride; r.agent <= last && r.agent < FLOOR + AGENTS;
                 r.agent += stride) {
                if (has_later(&r)) /* a thread's times only rise */
                    continue;
                if (draw(3)) {
                    read_ranges_add(s, r, FLOOR, rs);
                    note(&r);
                } else {
                    gather_random(s, rs, &r);
                }
            }
        }
        for (uint32_t i = 0; s->ranges && i < s->ranges->count; i++)
            shared += s->ranges->at[i].count > 1;
        read_ranges_settle(s, FLOOR, rs);
        CU_ASSERT_EQUAL(s->ranges->count, 0);
        CU_ASSERT_EQUAL(s->ranges->gathers.count, 0);
        for (uint32_t at = 0; at < BYTES; at++)
            wrong += wrong_at(s, rs, at);
        shadow_free(s);
        readers_free(rs);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(shared > 20);
}

/** Blocks that do the same one after another are one entry; what another launch has read is forgotten. */
static void test_one_entry(void)
{
    struct readers *rs = readers_new();
    struct shadow *s = shadow_new(BYTES);
    struct range_read r = {.mask = UINT32_MAX, .time = 1, .site = 1, .step = 4, .kind = RANGE_APART, .log2_bytes = 2};
    for (uint32_t agent = FLOOR; agent < FLOOR + 70; agent += 7)
        for (r.offset = 0; r.offset < 512; r.offset += 128) {
            r.agent = agent;
            read_ranges_add(s, r, FLOOR, rs);
            read_ranges_add(s, r, FLOOR, rs);
        }
    CU_ASSERT_EQUAL(s->ranges->count, 4);
    CU_ASSERT_EQUAL(s->ranges->at[3].count, 10);
    r.agent = FLOOR + 100;
    r.offset = 0;
    read_ranges_add(s, r, FLOOR + 90, rs);
    CU_ASSERT_EQUAL(s->ranges->count, 1);
    CU_ASSERT_PTR_NULL(shadow_peek(s, 64));
    read_ranges_settle(s, FLOOR + 101, rs);
    CU_ASSERT_EQUAL(s->ranges->count, 0);
    CU_ASSERT_PTR_NULL(shadow_peek(s, 64));
    shadow_free(s);
    readers_free(rs);
}

/** Does a set of readers, or the one reader, of the word at `at` have the agent? */
static bool has_reader(struct shadow *s, struct readers *rs, uint64_t at, uint32_t agent)
{
    struct shadow_word *c = shadow_at(s, at);
    word_open_group(rs, c);
    if (!c->read.agent || !(c->read.flags & EPOCH_LIST))
        return c->read.agent == agent;
    struct readers_walk w;
    bool any = false;
    readers_walk(&w, rs, c->read.time);
    for (const struct reader *r; (r = readers_next(&w));)
        any |= r->agent == agent;
    return any;
}

/** What another launch has read stays where others may ask for it still, but for what is read again or has been written since. */
static void test_stay(void)
{
    struct readers *rs = readers_new();
    struct shadow *s = shadow_new(BYTES);
    struct range_read r = {.mask = UINT32_MAX, .time = 1, .site = 1, .step = 4, .kind = RANGE_APART, .log2_bytes = 2, .agent = FLOOR};
    readers_settle(rs, 1);
    for (r.offset = 0; r.offset < 512; r.offset += 128)
        read_ranges_add(s, r, FLOOR, rs);
    r.agent = FLOOR + 10;
    r.offset = 128;
    read_ranges_add(s, r, FLOOR + 5, rs);
    CU_ASSERT_EQUAL(s->ranges->count, 4);
    read_ranges_settle(s, FLOOR + 20, rs); /* whoever asks comes after both */
    CU_ASSERT_EQUAL(s->ranges->count, 4);
    shadow_at(s, 256)->write = (struct epoch){.agent = FLOOR + 20};
    read_ranges_settle(s, FLOOR, rs);
    CU_ASSERT_EQUAL(s->ranges->count, 0);
    CU_ASSERT_TRUE(has_reader(s, rs, 0, FLOOR));
    CU_ASSERT_TRUE(has_reader(s, rs, 128, FLOOR + 10));
    CU_ASSERT_FALSE(has_reader(s, rs, 128, FLOOR));
    CU_ASSERT_FALSE(has_reader(s, rs, 256, FLOOR));
    CU_ASSERT_TRUE(has_reader(s, rs, 384, FLOOR));
    shadow_free(s);
    readers_free(rs);
}

/** The same of what lies anyhow: there is room for ever, and of each place the last launch's reader. */
static void test_gathers_stay(void)
{
    struct readers *rs = readers_new();
    struct shadow *s = shadow_new(BYTES);
    struct gather_read g = {.agent = FLOOR, .site = 1, .time = 1, .mask = UINT32_MAX, .log2_bytes = 2};
    uint32_t offset[LANES], wrong = 0, last = FLOOR + 20000;
    readers_settle(rs, 1);
    for (uint32_t i = 0; i < LANES; i++)
        offset[i] = i * 36 % BYTES & ~3u;
    CU_ASSERT_TRUE(read_ranges_gather(s, &g, offset, BYTES, FLOOR, rs));
    for (g.mask = 0xffff; g.agent < last;) {
        g.agent++;
        wrong += !read_ranges_gather(s, &g, offset, BYTES, g.agent, rs);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    read_ranges_settle(s, FLOOR, rs);
    CU_ASSERT_TRUE(has_reader(s, rs, offset[3], last));
    CU_ASSERT_TRUE(has_reader(s, rs, offset[20], FLOOR));
    CU_ASSERT_FALSE(has_reader(s, rs, offset[3], FLOOR + 1));
    shadow_free(s);
    readers_free(rs);
}

/** Of what lies anyhow there is only so much, until another launch comes; of each thread the last read counts. */
static void test_room(void)
{
    struct readers *rs = readers_new();
    struct shadow *s = shadow_new(BYTES);
    struct gather_read g = {.agent = FLOOR, .site = 1, .mask = UINT32_MAX, .log2_bytes = 2};
    uint32_t offset[LANES], taken = 0;
    for (uint32_t i = 0; i < LANES; i++)
        offset[i] = i * 36 % BYTES & ~3u;
    memset(seen, 0, sizeof seen);
    while (taken < 100000 && (g.time++, read_ranges_gather(s, &g, offset, BYTES, FLOOR, rs)))
        taken++;
    CU_ASSERT_TRUE(taken > 1000 && taken < 100000);
    CU_ASSERT_FALSE(read_ranges_gather(s, &g, offset, BYTES, FLOOR, rs));
    read_ranges_settle(s, FLOOR, rs);
    for (uint32_t lane = 0; lane < LANES; lane++)
        for (uint32_t b = 0; b < 4; b++)
            seen[offset[lane] + b][0][lane] = taken;
    for (uint32_t at = 0; at < BYTES; at++)
        CU_ASSERT_EQUAL(wrong_at(s, rs, at), 0);
    CU_ASSERT_TRUE(read_ranges_gather(s, &g, offset, BYTES, FLOOR, rs));
    g.agent = FLOOR + 1;
    while (read_ranges_gather(s, &g, offset, BYTES, FLOOR, rs))
        taken++;
    CU_ASSERT_TRUE(read_ranges_gather(s, &g, offset, BYTES, FLOOR + 1, rs)); /* the others are forgotten */
    CU_ASSERT_EQUAL(s->ranges->gathers.lanes, LANES);
    shadow_free(s);
    readers_free(rs);
}

/* ---- Loops ---- */

/** How the lanes lie when a loop begins, the first of them at 0, all below 512. @return the shape, which may also be said to be any */
static unsigned random_form(uint32_t at[LANES], uint32_t bytes, uint32_t mask)
{
    unsigned shape = bytes == 4 ? draw(6) : PLAIN_ANY, first = (unsigned)__builtin_ctz(mask);
    uint32_t halves = 4 * draw(64);
    if (mask != UINT32_MAX && shape != PLAIN_ROW && shape != PLAIN_ONE)
        shape = PLAIN_ANY;
    for (unsigned l = 0; l < LANES; l++)
        at[l] = shape == PLAIN_ROW     ? 4 * l
                : shape == PLAIN_ROWS  ? 4 * (l % 16) + l / 16 * halves
                : shape == PLAIN_PAIRS ? 4 * (l % 16)
                : shape == PLAIN_HALVES ? l / 16 * halves
                : shape == PLAIN_ONE   ? 0
                                       : draw(512 / bytes) * bytes;
    for (unsigned l = LANES; l-- > 0;)
        at[l] -= l >= first ? at[first] : 0;
    for (unsigned l = 0; l < LANES && shape == PLAIN_ANY; l++)
        at[l] = at[l] % 512;
    return draw(4) ? shape : PLAIN_ANY;
}

/** One of a loop's reads, which the ranges take, or lane by lane. @return did they? */
static bool read_once(struct shadow *s, struct readers *rs, struct range_read r, const uint32_t at[LANES], unsigned shape)
{
    bool taken = read_ranges_turn(s, &r, at, shape, FLOOR, rs);
    for (unsigned l = 0; l < LANES; l++) {
        struct range_read one = r;
        one.mask = 1u << l;
        one.kind = RANGE_ONE;
        one.offset = at[l];
        if (!(r.mask & one.mask))
            continue;
        if (!taken)
            read_ranges_add(s, one, FLOOR, rs);
        note(&one);
    }
    return taken;
}

/** Loops by several warps of several blocks one after another and by turns, steps that change, and what they read more than once. */
static void test_loops(void)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 0xffff, 0x00f0f000, 0xff, 0x80000000};
    int wrong = 0, taken = 0, reads = 0, entries = 0;
    for (int round = 0; round < 100; round++) {
        struct readers *rs = readers_new();
        struct shadow *s = shadow_new(BYTES);
        uint32_t at[LANES], now[LANES], time = 0;
        state = (uint64_t)round;
        memset(seen, 0, sizeof seen);
        for (uint32_t i = 0, n = 1 + draw(40); i < n; i++) {
            struct range_read r = {.agent = FLOOR + i * AGENTS / n, .time = time += draw(2), .site = 1 + draw(20), .warp = (uint16_t)draw(WARPS),
                                   .mask = masks[draw(6)], .log2_bytes = (draw(3) ? 2 : draw(4)) & 7};
            uint32_t bytes = 1u << r.log2_bytes, start = draw(8) * 8, step = draw(8) * bytes, turns = 1 + draw(20);
            unsigned shape = random_form(at, bytes, r.mask);
            for (uint32_t k = 0; k < turns; k++, start += step) {
                step = draw(12) ? step : draw(6) * bytes;
                start = start > 1024 ? 0 : start;
                for (unsigned l = 0; l < LANES; l++)
                    now[l] = at[l] + start;
                now[draw(LANES)] += draw(16) || shape != PLAIN_ANY ? 0 : bytes; /* not all of them went on */
                reads++;
                taken += read_once(s, rs, r, now, shape);
            }
        }
        read_turns_close(s->ranges);
        for (uint32_t i = 0; i < s->ranges->count; i++)
            entries += s->ranges->at[i].kind == RANGE_FORM;
        read_ranges_settle(s, FLOOR, rs);
        CU_ASSERT_EQUAL(s->ranges->turns.pending, 0);
        for (uint32_t byte = 0; byte < BYTES; byte++)
            wrong += wrong_at(s, rs, byte);
        shadow_free(s);
        readers_free(rs);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT_TRUE(taken > reads / 2 && entries < taken / 3);
}

static bool is_agent(const void *self, uint32_t agent)
{
    return agent == *(const uint32_t *)self;
}

/** Who is asked for between two bytes is found if he has read there, and not if nobody's read comes near. */
static void test_asked_by_place(void)
{
    int missed = 0, needless = 0, found = 0;
    for (int round = 0; round < 400; round++) {
        struct readers *rs = readers_new();
        struct shadow *s = shadow_new(BYTES);
        state = (uint64_t)round;
        memset(seen, 0, sizeof seen);
        struct range_read r = random_read(draw(AGENTS), 1);
        uint32_t from = draw(256), to = from + 1 + draw(64), low = BYTES, high = 0;
        bool inside = false;
        read_ranges_add(s, r, FLOOR, rs);
        note(&r);
        for (uint32_t b = 0; b < BYTES; b++)
            for (int t = 0; t < WARPS * LANES; t++)
                if (seen[b][r.agent - FLOOR][t]) {
                    inside |= b >= from && b < to;
                    low = b < low ? b : low, high = b;
                }
        bool any = read_ranges_any(s, from, to, is_agent, &r.agent);
        missed += inside && !any;
        needless += any && (to <= low || from > high);
        found += any;
        shadow_free(s);
        readers_free(rs);
    }
    CU_ASSERT_EQUAL(missed, 0);
    CU_ASSERT_EQUAL(needless, 0);
    CU_ASSERT_TRUE(found > 100 && found < 300);
}

UNIT_MAIN("read_ranges", {"same readers as the words would have", test_same_as_words}, {"one entry", test_one_entry},
          {"room for what lies anyhow", test_room}, {"kept for others", test_stay}, {"kept that lies anyhow", test_gathers_stay},
          {"same readers of loops", test_loops}, {"asked by place", test_asked_by_place})
