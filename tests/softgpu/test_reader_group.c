/*
 * Readers of a word as a group: whatever comes in whatever order, opening the group gives the very set that adding
 * each reader to a set would have given.
 */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/shadow/reader_store.h"

static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state += MIX_STEP;
    return (uint32_t)(mix64(state) % below);
}

static struct reader reader_of(uint32_t warp, uint32_t mask)
{
    return (struct reader){.agent = 3, .time = 2, .site = 17, .mask = mask, .warp = (uint16_t)warp, .unit = 0x20};
}

/** One thread of blocks that come in any order, and now and then another. */
static struct reader block_reader(uint32_t oddity)
{
    struct reader e = reader_of(7, 1u << 5);
    e.agent = 100 + draw(oddity ? 70 : 20);
    if (oddity && draw(oddity) == 0)
        e.mask = 1u << draw(32);
    return e;
}

/** Random readers of one kind; every so often one of another time, line, block or kind. */
static struct reader random_reader(uint32_t oddity)
{
    static const uint32_t masks[] = {1, 2, 0xf, 0xffff, 0xffff0000, UINT32_MAX};
    struct reader e = reader_of(draw(4) ? draw(3) : draw(32), draw(2) ? masks[draw(6)] : 1u << draw(32));
    if (oddity && draw(oddity) == 0)
        switch (draw(4)) {
        case 0: e.time++; break;
        case 1: e.site++; break;
        case 2: e.agent++; break;
        default: e.flags = EPOCH_NC; break;
        }
    return e;
}

/** As the checker does: a group as long as it is one, then a set. @return how many stayed in the group */
static int add(struct readers *rs, struct shadow_word *c, struct reader e, bool room)
{
    if (word_group_add(c, &e, room))
        return 1;
    word_open_group(rs, c);
    uint32_t set = c->read.agent ? c->read.time : 0;
    c->read = (struct epoch){.agent = e.agent, .time = readers_add(rs, set, e, PRUNE_OLDER), .flags = EPOCH_LIST};
    return 0;
}

static void test_same_as_sets(void)
{
    struct readers *rs = readers_new();
    int grouped = 0, differ = 0;
    for (int round = 0; round < 3000; round++) {
        struct shadow_word c;
        uint32_t set = 0, oddity = round % 3 * 5;
        bool room = round % 2;
        memset(&c, 0, sizeof c);
        state = (uint64_t)round;
        for (int i = (int)draw(12); i >= 0; i--) {
            struct reader e = round % 5 < 2 ? block_reader(oddity) : random_reader(oddity);
            grouped += add(rs, &c, e, room);
            set = readers_add(rs, set, e, PRUNE_OLDER);
        }
        word_open_group(rs, &c);
        differ += !(c.read.flags & EPOCH_LIST) || readers_made(rs, c.read.time) != readers_made(rs, set);
        word_clear(&c);
    }
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT_TRUE(grouped > 3000);
    readers_free(rs);
}

/** The group starts from a lone reader's epoch. */
static void test_after_one(void)
{
    struct readers *rs = readers_new();
    struct shadow_word c;
    memset(&c, 0, sizeof c);
    c.read = (struct epoch){.agent = 3, .time = 2, .site = 17, .thread = 5 * 32 + 7, .unit = 0x20};
    struct reader same_lane = reader_of(9, 1u << 7), other = reader_of(1, 0xff), first = reader_of(5, 1u << 7);
    CU_ASSERT_TRUE(word_group_add(&c, &same_lane, false));
    CU_ASSERT_FALSE(word_group_add(&c, &other, false));
    CU_ASSERT_TRUE(word_group_add(&c, &other, true));
    CU_ASSERT_EQUAL(word_group_newest(&c).thread, 9 * 32 + 7);
    CU_ASSERT_EQUAL(word_group_newest(&c).flags, 0);
    word_open_group(rs, &c);
    uint32_t set = readers_add(rs, 0, first, PRUNE_NONE);
    set = readers_add(rs, readers_add(rs, set, same_lane, PRUNE_OLDER), other, PRUNE_OLDER);
    CU_ASSERT_EQUAL(readers_made(rs, c.read.time), readers_made(rs, set));
    word_clear(&c);
    readers_free(rs);
}

/** The last reader's block is told by its distance from the highest. */
static void test_blocks(void)
{
    struct readers *rs = readers_new();
    struct shadow_word c;
    memset(&c, 0, sizeof c);
    c.read = (struct epoch){.agent = 50, .time = 2, .site = 17, .thread = 5 * 32 + 7, .unit = 0x20};
    struct reader e = reader_of(5, 1u << 7);
    e.agent = 58;
    CU_ASSERT_TRUE(word_group_add(&c, &e, false));
    e.agent = 40;
    CU_ASSERT_TRUE(word_group_add(&c, &e, false));
    CU_ASSERT_EQUAL(word_group_newest(&c).agent, 58);
    CU_ASSERT_EQUAL(word_group_newest(&c).thread, 5 * 32 + 7);
    e.agent = 40 + 64; /* the lowest would be lost */
    CU_ASSERT_FALSE(word_group_add(&c, &e, false));
    e.agent = 40;
    e.mask = 1u << 8;
    CU_ASSERT_FALSE(word_group_add(&c, &e, false));
    word_open_group(rs, &c);
    CU_ASSERT_EQUAL(c.read.flags, EPOCH_LIST);
    CU_ASSERT_EQUAL(c.read.agent, 58);
    CU_ASSERT_EQUAL(c.read.thread, 18 << 5 | 5);
    word_clear(&c);
    readers_free(rs);
}

/** Strong readers, and words that have more to tell, form no groups. */
static void test_refused(void)
{
    struct shadow_word c;
    memset(&c, 0, sizeof c);
    struct reader strong = reader_of(1, 3), fit = reader_of(1, 3);
    strong.flags = EPOCH_STRONG;
    CU_ASSERT_FALSE(word_group_add(&c, &strong, true));
    c.flags = WORD_SYNC;
    CU_ASSERT_FALSE(word_group_add(&c, &fit, true));
    c.flags = 0;
    CU_ASSERT_TRUE(word_group_add(&c, &fit, true));
    CU_ASSERT_TRUE(word_has_group(&c));
    c.read.agent = 0; /* a store came: the next reader begins anew */
    struct reader next = reader_of(2, 4);
    CU_ASSERT_TRUE(word_group_add(&c, &next, true));
    CU_ASSERT_EQUAL(word_group_newest(&c).thread, 2 * 32 + 2);
    word_clear(&c);
}

#define LOGGED 24

/** What the checker does without a log. */
static void add_now(struct readers *rs, struct shadow_word *c, struct reader e)
{
    if (!word_group_add(c, &e, false))
        word_remember_read(rs, c, e, PRUNE_OLDER);
}

/** What it does with one. */
static void add_logged(struct readers *rs, struct shadow *s, uint32_t word, struct reader e)
{
    struct shadow_word *c = shadow_at(s, 4ull * word);
    if (word_group_add(c, &e, false))
        return;
    CU_ASSERT_TRUE(read_log_put_by(s, word, c, 1, true, rs));
    CU_ASSERT_TRUE(word_group_add(c, &e, false));
}

/** Nothing is put off any more: equal sets are the same number. */
static void make_set(struct readers *rs, struct shadow_word *c)
{
    if (c->read.agent && (c->read.flags & EPOCH_LIST))
        c->read.time = readers_made(rs, c->read.time);
}

/** Words whose reads are logged, whenever the log is settled, end as those that got each reader at once. */
static void test_log(void)
{
    struct readers *rs = readers_new();
    for (int round = 0; round < 500; round++) {
        struct shadow *s = shadow_new(4 * LOGGED);
        struct shadow_word plain[LOGGED];
        int differ = 0;
        memset(plain, 0, sizeof plain);
        state = (uint64_t)round;
        for (int i = 0; i < 200; i++) {
            struct reader e = draw(2) ? block_reader(9) : random_reader(4);
            uint32_t word = draw(LOGGED);
            struct shadow_word *c = shadow_at(s, 4 * word);
            add_now(rs, &plain[word], e);
            add_logged(rs, s, word, e);
            if (draw(40) == 0)
                word_settle(s, c, 1, rs);
        }
        read_log_settle(s, 1, rs);
        for (int i = 0; i < LOGGED; i++) {
            struct shadow_word *c = shadow_at(s, 4 * (uint64_t)i);
            make_set(rs, c);
            make_set(rs, &plain[i]);
            differ += c->flags & WORD_LOGGED || memcmp(&c->read, &plain[i].read, sizeof c->read) != 0;
            word_clear(&plain[i]);
        }
        CU_ASSERT_EQUAL(differ, 0);
        shadow_free(s);
    }
    readers_free(rs);
}

/** Reads that all lie below the floor of whoever looks are forgotten; a launch with another floor does not go on with the log. */
static void test_log_forgets(void)
{
    struct readers *rs = readers_new();
    struct shadow *s = shadow_new(64);
    struct shadow_word *c = shadow_at(s, 0);
    struct reader e = reader_of(1, 1);
    c->read = (struct epoch){.agent = 2, .time = 1, .site = 9};
    add_logged(rs, s, 0, e);
    read_log_go_on(s, 1, rs);
    CU_ASSERT_TRUE(c->flags & WORD_LOGGED);
    read_log_go_on(s, 4, rs);
    CU_ASSERT_EQUAL(c->flags, 0);
    CU_ASSERT_EQUAL(c->read.site, e.site);
    e.time++;
    add_logged(rs, s, 0, e);
    read_log_go_on(s, 3, rs);
    CU_ASSERT_FALSE(c->flags & WORD_LOGGED);
    CU_ASSERT_TRUE(c->read.agent == 3 && (c->read.flags & EPOCH_LIST));
    shadow_free(s);
    readers_free(rs);
}

/** Words 0 and 1 are logged, by agents 2 and 3; agent 10, of a launch after theirs, reads word 0 in memory that nobody has written to since. */
static struct shadow *read_later(struct readers *rs, bool alone)
{
    struct shadow *s = shadow_new(64);
    readers_settle(rs, 1);
    for (uint32_t i = 0; i < 2; i++) {
        struct reader e = reader_of(1, 1);
        struct shadow_word *c = shadow_at(s, 4 * i);
        c->read = (struct epoch){.agent = 2, .time = 1, .site = 9};
        CU_ASSERT_TRUE(read_log_put_by(s, i, c, 1, alone, rs));
        CU_ASSERT_TRUE(word_group_add(c, &e, false));
    }
    read_ranges_add(s, (struct range_read){.agent = 10, .time = 1, .site = 7, .mask = 1, .kind = RANGE_ONE, .log2_bytes = 2}, 9, rs);
    read_ranges_settle(s, 9, rs);
    CU_ASSERT_FALSE(shadow_at(s, 0)->flags & WORD_LOGGED);
    CU_ASSERT_EQUAL(shadow_at(s, 0)->read.agent, 10);
    CU_ASSERT_FALSE(shadow_at(s, 0)->read.flags & EPOCH_LIST);
    return s;
}

/** What one launch's blocks have read stays logged when a later launch's reads come to the words, which take the place of what is logged there;
 *  that of launches beside each other does not, for the next one's log would forget it. */
static void test_log_stays(void)
{
    struct readers *rs = readers_new();
    struct shadow *s = read_later(rs, true);
    CU_ASSERT_TRUE(shadow_at(s, 4)->flags & WORD_LOGGED);
    read_log_settle(s, 1, rs);
    CU_ASSERT_FALSE(shadow_at(s, 4)->flags & WORD_LOGGED);
    CU_ASSERT_TRUE(shadow_at(s, 4)->read.agent == 3 && (shadow_at(s, 4)->read.flags & EPOCH_LIST));
    CU_ASSERT_TRUE(shadow_at(s, 0)->read.agent == 10 && !(shadow_at(s, 0)->read.flags & EPOCH_LIST));
    shadow_free(s);
    s = read_later(rs, false);
    CU_ASSERT_FALSE(shadow_at(s, 4)->flags & WORD_LOGGED);
    CU_ASSERT_TRUE(shadow_at(s, 4)->read.agent == 3 && (shadow_at(s, 4)->read.flags & EPOCH_LIST));
    shadow_free(s);
    readers_free(rs);
}

/** A row of words, opened, tells of each what it told of all. */
static void test_rows(void)
{
    struct shadow *s = shadow_new(2 * CHUNK_BYTES);
    CU_ASSERT_PTR_NULL(shadow_peek(s, CHUNK_BYTES));
    struct shadow_row *row = shadow_row_at(s, CHUNK_BYTES + ROW_BYTES);
    CU_ASSERT_PTR_NULL(shadow_peek(s, CHUNK_BYTES));
    row->write = (struct epoch){.agent = 5, .time = 2, .site = 7, .thread = 48, .unit = 0x20};
    row->has_old = true;
    shadow_row_old(row)[3] = 77;
    const struct shadow_word *c = shadow_peek(s, CHUNK_BYTES + ROW_BYTES + 12);
    CU_ASSERT_TRUE(c->write.agent == 5 && c->write.thread == 51 && c->write.unit == 0x20 && c->read.agent == 0);
    CU_ASSERT_TRUE(c->flags == WORD_OLD && c->old == 77);
    CU_ASSERT_PTR_EQUAL(c, shadow_at(s, CHUNK_BYTES + ROW_BYTES + 12));
    shadow_free(s);
}

/** A word that an earlier launch has used by bytes is one again for who uses it whole, and not before. */
static void test_rejoined(void)
{
    struct shadow *s = shadow_new(64);
    struct shadow_word *c = shadow_at(s, 8);
    word_split(c);
    c->bytes[1].read = (struct epoch){.agent = 4, .time = 1, .site = 7};
    c->bytes[3].write = (struct epoch){.agent = 6, .time = 1, .site = 8};
    word_rejoin(c, 5);
    CU_ASSERT_TRUE((c->flags & WORD_SPLIT) && c->bytes[3].write.agent == 6);
    c->bytes[3].write.agent = 3;
    word_rejoin(c, 4);
    CU_ASSERT_TRUE((c->flags & WORD_SPLIT) && c->bytes[1].read.agent == 4);
    word_rejoin(c, 5);
    CU_ASSERT_TRUE(c->flags == 0 && c->read.agent == 0 && c->write.agent == 0);
    shadow_free(s);
}

UNIT_MAIN("reader groups", {"the same as sets", test_same_as_sets}, {"after one reader", test_after_one},
          {"blocks", test_blocks}, {"refused", test_refused},
          {"logged", test_log}, {"a log forgets", test_log_forgets}, {"a log stays", test_log_stays}, {"rows", test_rows}, {"rejoined", test_rejoined})
