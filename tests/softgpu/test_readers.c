/*
 * Sets of readers: what a thread's newer reads leave of its older ones, and lists that grow long all the same.
 */
#include "unit.h"

#include <stdlib.h>

#include "check/race/shadow/reader_store.h"

#define STRONG (EPOCH_STRONG | 4 << EPOCH_SCOPE_SHIFT)

static struct reader read_of(uint32_t seq, uint32_t time)
{
    return (struct reader){.agent = 3, .time = time, .site = 17, .mask = 1, .seq = seq, .warp = 2, .flags = STRONG, .unit = 0x20};
}

/** How many elements the set has. *all: each write of `asked` has one. */
static int count(const struct readers *rs, uint32_t set, const uint32_t *asked, int n, bool *all)
{
    struct readers_walk w;
    int elements = 0, found = 0;
    readers_walk(&w, rs, set);
    for (const struct reader *r; (r = readers_next(&w)); elements++)
        for (int i = 0; i < n; i++)
            found += r->seq == asked[i];
    *all = found == n;
    return elements;
}

/** A thread reads a thousand writes, one after the other; about the first three, and the latest four, somebody may ask. */
static void test_reads_that_nobody_asks_about_go(void)
{
    struct readers *rs = readers_new();
    uint32_t set = 0;
    bool all = false;
    for (uint32_t seq = 1; seq <= 1000; seq++)
        set = readers_add_read(rs, set, read_of(seq, seq), 3, seq > 4 ? seq - 4 : 0);
    const uint32_t asked[] = {1, 2, 3, 996, 997, 998, 999, 1000};
    CU_ASSERT_TRUE(count(rs, set, asked, 8, &all) == 8);
    CU_ASSERT_TRUE(all);
    CU_ASSERT_TRUE(readers_newest(rs, set) == 1000);
    readers_free(rs);
}

/** Other threads, of the warp and of others, keep theirs, and so does whoever reads by another kind of access. */
static void test_others_keep_theirs(void)
{
    struct readers *rs = readers_new();
    struct reader lane = read_of(5, 1), warp = read_of(5, 1), kind = read_of(5, 1);
    bool all;
    lane.mask = 2;
    warp.warp = 3;
    kind.flags = 0;
    uint32_t set = readers_add_read(rs, readers_add(rs, 0, lane, PRUNE_SAME), warp, 1, 9);
    set = readers_add_read(rs, set, kind, 1, 9);
    set = readers_add_read(rs, set, read_of(10, 4), 1, 9);
    const uint32_t newest = 10;
    CU_ASSERT_TRUE(count(rs, set, &newest, 1, &all) == 4);
    CU_ASSERT_TRUE(all);
    CU_ASSERT_TRUE(readers_newest(rs, set) == 10);
    readers_free(rs);
}

/** What stays of a warp may be long: it is collected, thinned and copied without a call for each element. */
static void test_long_lists(void)
{
    struct readers *rs = readers_new();
    const uint32_t n = 400000;
    uint32_t set = 0, weak = 0;
    bool all;
    for (uint32_t seq = 1; seq <= n; seq++) {
        struct reader e = read_of(seq, 1);
        e.mask = seq % 2 ? 1 : 2;
        e.rest = set;
        e.flags = seq % 4 ? STRONG : 0;
        set = reader_intern(rs, e);
    }
    readers_collect_begin(rs);
    set = readers_keep(rs, set);
    CU_ASSERT_TRUE(readers_keep(rs, 0) == 0);
    readers_collect_end(rs, 0);
    const uint32_t asked[] = {1, 2, 399999, 400000};
    CU_ASSERT_TRUE(count(rs, set, asked, 4, &all) == (int)n);
    CU_ASSERT_TRUE(all);
    weak = readers_weak(rs, set, 0);
    CU_ASSERT_TRUE(count(rs, weak, asked + 3, 1, &all) == (int)n / 4);
    CU_ASSERT_TRUE(all);
    readers_free(rs);
}

UNIT_MAIN("readers", {"what nobody asks about goes", test_reads_that_nobody_asks_about_go}, {"others keep theirs", test_others_keep_theirs},
          {"long lists", test_long_lists})
