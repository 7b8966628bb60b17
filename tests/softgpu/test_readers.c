/*
 * Sets of readers: what a thread's newer reads leave of its older ones, and lists that grow long all the same.
 */
#include "unit.h"

#include <stdlib.h>

#include "base/mix.h"
#include "check/race/shadow/reader_store.h"

#define STRONG (EPOCH_STRONG | 4 << EPOCH_SCOPE_SHIFT)

static struct reader read_of(uint32_t seq, uint32_t time)
{
    return (struct reader){.agent = 3, .time = time, .site = 17, .mask = 1, .seq = seq, .warp = 2, .flags = STRONG, .unit = 0x20};
}

/** How many elements the set has. *all: each write of `asked` has one. */
static int count(struct readers *rs, uint32_t set, const uint32_t *asked, int n, bool *all)
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

/** A number below `n`. */
static uint32_t draw(uint64_t *state, uint32_t n)
{
    return (uint32_t)(mix64(*state += MIX_STEP) % n);
}

static struct put_off drawn_addition(uint64_t *state)
{
    struct put_off p = {.element = read_of(draw(state, 3), 1 + draw(state, 4))};
    uint32_t upto = draw(state, 2);
    p.element.agent = 1 + draw(state, 3);
    p.element.warp = (uint16_t)draw(state, 4);
    p.element.mask = 1u << draw(state, 3) | 1u << draw(state, 3);
    p.prune.how = (enum readers_prune)draw(state, 4);
    if (p.prune.how == PRUNE_BETWEEN)
        p.prune = (struct prune){PRUNE_BETWEEN, upto, upto + 2};
    if (p.prune.how != PRUNE_BETWEEN && draw(state, 4) == 0) {
        p.warps = 1 + draw(state, 15);
        p.element.warp = 0;
    }
    return p;
}

static uint32_t add_drawn(struct readers *rs, uint32_t set, const struct put_off *p)
{
    if (p->warps)
        return readers_add_warps(rs, set, p->element, p->warps, p->prune.how);
    if (p->prune.how == PRUNE_BETWEEN)
        return readers_add_read(rs, set, p->element, p->prune.upto, p->prune.from);
    return readers_add(rs, set, p->element, p->prune.how);
}

#define SETS 8

/** Additions are put off until somebody asks: whenever that is, and whenever sets are collected, they are the sets that each addition makes at once. */
static void test_put_off(void)
{
    int differ = 0, put_off = 0;
    for (uint64_t round = 0; round < 200; round++) {
        struct readers *rs = readers_new();
        uint32_t late[SETS] = {0}, soon[SETS] = {0};
        uint64_t state = round;
        for (int i = 0; i < 400; i++) {
            uint32_t at = draw(&state, SETS), what = draw(&state, 100);
            struct put_off p = drawn_addition(&state);
            if (what == 0) {
                readers_collect_begin(rs);
                for (int j = 0; j < SETS; j++) {
                    late[j] = readers_keep(rs, late[j]);
                    soon[j] = readers_keep(rs, soon[j]);
                }
                readers_collect_end(rs, 0);
            } else if (what < 5) {
                uint32_t from = draw(&state, SETS); /* two words have been read alike so far */
                late[at] = late[from];
                soon[at] = soon[from];
            } else if (what < 10) {
                differ += readers_made(rs, late[at]) != soon[at];
            }
            late[at] = add_drawn(rs, late[at], &p);
            soon[at] = readers_make(rs, soon[at], &p);
            put_off += set_is_put_off(late[at]);
        }
        for (int j = 0; j < SETS; j++)
            differ += readers_made(rs, late[j]) != soon[j];
        readers_free(rs);
    }
    CU_ASSERT_EQUAL(differ, 0);
    CU_ASSERT_TRUE(put_off > 10000);
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

struct known_agents {
    uint32_t first, last, warp;
    int asked;
};

static bool is_known(const void *who, uint32_t first, uint32_t last, uint32_t warp)
{
    struct known_agents *k = (struct known_agents *)(uintptr_t)who;
    k->asked++;
    return first <= k->last && last >= k->first && (warp == EVERY_WARP || warp == k->warp);
}

/** Of a word that a thousand blocks have read, who knows of one finds that one, and of the way to it some thirty branches are asked about. */
static void test_wanted(void)
{
    struct readers *rs = readers_new();
    struct known_agents known = {.first = 500, .last = 500, .warp = 1};
    struct readers_walk w;
    uint32_t set = 0;
    for (uint32_t agent = 1; agent <= 1000; agent++)
        for (uint16_t warp = 0; warp < 4; warp++) {
            struct reader r = read_of(1, agent);
            r.agent = agent, r.warp = warp;
            set = readers_add(rs, set, r, PRUNE_SAME);
        }
    readers_walk(&w, rs, set);
    w.wanted = is_known, w.who = &known;
    const struct reader *one = readers_next(&w);
    CU_ASSERT_FATAL(one != NULL);
    CU_ASSERT(one->agent == 500 && one->warp == 1);
    CU_ASSERT(!readers_next(&w));
    CU_ASSERT(known.asked < 40);
    int all = 0;
    for (readers_walk(&w, rs, set); readers_next(&w);)
        all++;
    CU_ASSERT_EQUAL(all, 4000);
    readers_free(rs);
}

UNIT_MAIN("readers", {"wanted", test_wanted}, {"what nobody asks about goes", test_reads_that_nobody_asks_about_go}, {"others keep theirs", test_others_keep_theirs},
          {"put off", test_put_off}, {"long lists", test_long_lists})
