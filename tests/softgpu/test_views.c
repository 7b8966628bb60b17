/**
 * @file test_views.c
 * The race checker's data structures: sets of operations, vector clocks, sets of readers, observed chains.
 */
#include "base/op_set.h"
#include "check/race/observed_chains.h"
#include "check/race/shadow/reader_store.h"
#include "check/race/clock/vector_clock.h"
#include "unit.h"

/* Joined word by word, they hold what they would hold operation by operation. */
static void test_op_set_join(void)
{
    uint32_t random = 1;
    for (int round = 0; round < 200; round++) {
        struct op_set s = {0}, t = {0};
        bool in[701] = {false};
        uint64_t dense[2];
        for (int k = 0; k < 2; k++) {
            dense[k] = (random = random * 1664525u + 1013904223u) >> 8 & 511;
            for (uint64_t i = 1; i <= 700; i++) {
                random = random * 1664525u + 1013904223u;
                if (i < dense[k] || !(random >> 28)) {
                    op_set_add(k ? &t : &s, i);
                    in[i] = true;
                }
            }
        }
        bool all = true;
        for (uint64_t i = 1; i <= 700; i++)
            all &= !op_set_has(&t, i) || op_set_has(&s, i);
        CU_ASSERT(op_set_covers(&s, &t) == all);
        op_set_join(&s, &t);
        CU_ASSERT_TRUE(op_set_covers(&s, &t));
        for (uint64_t i = 1; i <= 700; i++)
            CU_ASSERT(op_set_has(&s, i) == in[i]);
        CU_ASSERT(s.floor >= (dense[0] > dense[1] ? dense[0] : dense[1]));
        op_set_free(&s);
        op_set_free(&t);
    }
}

static void test_op_set(void)
{
    struct op_set s = {0}, t = {0};
    CU_ASSERT_TRUE(op_set_has(&s, 0));
    CU_ASSERT_FALSE(op_set_has(&s, 1));
    for (uint64_t i = 1; i <= 1000; i += 2)
        op_set_add(&s, i);
    CU_ASSERT_TRUE(op_set_has(&s, 999));
    CU_ASSERT_FALSE(op_set_has(&s, 1000));
    CU_ASSERT_FALSE(op_set_has(&s, 2));
    for (uint64_t i = 2; i <= 1000; i += 2)
        op_set_add(&t, i);
    op_set_join(&s, &t);
    for (uint64_t i = 1; i <= 1000; i++)
        CU_ASSERT_TRUE(op_set_has(&s, i));
    CU_ASSERT_FALSE(op_set_has(&s, 1001));
    CU_ASSERT(s.floor == 1001); /* full words are dropped */
    CU_ASSERT(s.words <= 1);
    op_set_copy(&t, &s);
    op_set_add(&t, 5000);
    CU_ASSERT_TRUE(op_set_has(&t, 5000));
    CU_ASSERT_FALSE(op_set_has(&s, 5000));
    op_set_free(&s);
    op_set_free(&t);
}

static uint32_t known(const struct vector_clock *v, uint32_t agent, uint32_t thread)
{
    uint32_t uniform, fine = clock_time(v, agent, thread, &uniform);
    return fine > uniform ? fine : uniform;
}

static void test_view_times(void)
{
    struct vector_clock *v = NULL;
    clock_add(&v, 7, 3);
    clock_add_key(&v, 7, clock_thread_key(40), 9);
    clock_add_key(&v, 7, clock_warp_key(2), 5);
    CU_ASSERT_EQUAL(known(v, 7, 0), 3);
    CU_ASSERT_EQUAL(known(v, 7, 40), 9);
    CU_ASSERT_EQUAL(known(v, 7, 65), 5);
    CU_ASSERT_EQUAL(known(v, 8, 0), 0);
    clock_add(&v, 7, 2); /* older news changes nothing */
    CU_ASSERT_EQUAL(known(v, 7, 0), 3);
    clock_drop(v);
}

static void test_view_join_shares_and_copies(void)
{
    struct vector_clock *a = NULL, *b = NULL;
    for (uint32_t i = 1; i < 200; i += 2)
        clock_add(&a, i, i);
    for (uint32_t i = 2; i < 200; i += 2)
        clock_add(&b, i, i);
    struct vector_clock *before = clock_ref(a);
    clock_join(&a, b);
    for (uint32_t i = 1; i < 200; i++)
        CU_ASSERT_EQUAL(known(a, i, 0), i);
    CU_ASSERT_EQUAL(known(before, 2, 0), 0); /* who shared the old view keeps it */
    struct vector_clock *same = a;
    clock_join(&a, b); /* nothing new: nothing copied */
    CU_ASSERT_PTR_EQUAL(a, same);
    clock_drop(a);
    clock_drop(b);
    clock_drop(before);
}

static struct reader lane(uint32_t agent, uint16_t warp, uint32_t mask)
{
    return (struct reader){.agent = agent, .time = 1, .warp = warp, .mask = mask, .site = 4};
}

/** How many elements a set has, the first of them in *first. */
static int elements(struct readers *rs, uint32_t set, struct reader *first)
{
    struct readers_walk w;
    readers_walk(&w, rs, set);
    int n = 0;
    for (const struct reader *r; (r = readers_next(&w)); n++)
        if (n == 0)
            *first = *r;
    return n;
}

static uint32_t add(struct readers *rs, uint32_t set, struct reader r)
{
    return readers_add(rs, set, r, PRUNE_OLDER);
}

static void test_equal_sets_are_one(void)
{
    struct readers *rs = readers_new();
    struct reader first;
    uint32_t a = 0, b = 0;
    for (uint16_t w = 0; w < 8; w++) {
        a = add(rs, a, lane(1, w, UINT32_MAX));
        b = add(rs, b, lane(1, 7 - w, UINT32_MAX));
    }
    CU_ASSERT_EQUAL(readers_made(rs, a), readers_made(rs, b));
    CU_ASSERT_EQUAL(elements(rs, a, &first), 8);
    a = add(rs, a, lane(2, 0, 1));
    CU_ASSERT_NOT_EQUAL(readers_made(rs, a), readers_made(rs, b));
    CU_ASSERT_EQUAL(elements(rs, a, &first), 9);
    CU_ASSERT_EQUAL(add(rs, a, lane(2, 0, 1)), a);
    readers_free(rs);
}

static void test_order_of_agents_is_nothing(void)
{
    struct readers *rs = readers_new();
    uint32_t up = 0, down = 0;
    for (uint32_t i = 1; i <= 1000; i++)
        up = add(rs, up, lane(i, 3, 0xff));
    for (uint32_t i = 1000; i >= 1; i--)
        down = add(rs, down, lane(i, 3, 0xff));
    CU_ASSERT_EQUAL(readers_made(rs, up), readers_made(rs, down));
    struct readers_walk w;
    readers_walk(&w, rs, up);
    for (uint32_t i = 1000; i >= 1; i--)
        CU_ASSERT_EQUAL_FATAL(readers_next(&w)->agent, i);
    CU_ASSERT_PTR_NULL(readers_next(&w));
    readers_free(rs);
}

static void test_lanes_grow_into_one(void)
{
    struct readers *rs = readers_new();
    struct reader first;
    uint32_t set = 0;
    for (int i = 0; i < 32; i++)
        set = add(rs, set, lane(3, 5, 1u << i));
    CU_ASSERT_EQUAL(elements(rs, set, &first), 1);
    CU_ASSERT_EQUAL(first.warp, 5);
    CU_ASSERT_EQUAL(first.mask, UINT32_MAX);
    readers_free(rs);
}

/** A poll between fences: each time anew, and the set does not grow. */
static void test_polls_leave_first_and_last(void)
{
    struct readers *rs = readers_new();
    struct reader first, r = lane(3, 5, 0xf0);
    uint32_t set = 0;
    r.flags = EPOCH_STRONG;
    r.seq = 7;
    for (r.time = 1; r.time <= 1000; r.time++)
        set = add(rs, set, r);
    CU_ASSERT_EQUAL(elements(rs, set, &first), 2);
    CU_ASSERT_EQUAL(first.time, 1000);
    r.seq = 8;
    set = add(rs, set, r);
    CU_ASSERT_EQUAL(elements(rs, set, &first), 1); /* nobody asks who has observed write 7 */
    CU_ASSERT_EQUAL(readers_weak(rs, set, 0), 0);
    readers_free(rs);
}

/* ---- Random reads, against a list of all of them ---- */

#define AGENTS 20
#define THREADS 64
#define READS 3000

struct naive {
    struct reader read[READS];
    int count;
};

/** What some thread knows: of each thread a time. */
static uint32_t knows[AGENTS][THREADS];

static bool covers_one(const struct reader *r, bool all)
{
    for (uint32_t t = 0; t < THREADS; t++)
        if (reader_has(r, t) && (r->time <= knows[r->agent][t]) != all)
            return !all;
    return all;
}

/** With `all`: is every one of them known? Without: is a strong one of write `seq`? */
static bool set_answers(struct readers *rs, uint32_t set, bool all, bool weak_only, uint32_t seq)
{
    struct readers_walk w;
    readers_walk(&w, rs, set);
    w.seq = all ? 0 : seq;
    for (const struct reader *r; (r = readers_next(&w));) {
        if (all && weak_only && (r->flags & EPOCH_STRONG))
            continue;
        if ((all || ((r->flags & EPOCH_STRONG) && r->seq == seq)) && covers_one(r, all) != all)
            return !all;
    }
    return all;
}

static bool naive_answers(const struct naive *n, bool all, bool weak_only, uint32_t seq)
{
    for (int i = 0; i < n->count; i++) {
        const struct reader *r = &n->read[i];
        if (all && weak_only && (r->flags & EPOCH_STRONG))
            continue;
        if ((all || ((r->flags & EPOCH_STRONG) && r->seq == seq)) && covers_one(r, all) != all)
            return !all;
    }
    return all;
}

static uint32_t random_state = 1;

static uint32_t random_below(uint32_t n)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 8) % n;
}

static struct reader random_read(uint32_t time[AGENTS], uint32_t seq)
{
    struct reader r = {.agent = 1 + random_below(AGENTS - 1), .warp = (uint16_t)random_below(THREADS / 32),
                       .unit = 0x20, .site = 1 + random_below(3)};
    if (random_below(4) == 0)
        time[r.agent]++;
    r.time = time[r.agent];
    r.mask = random_below(3) ? 1u << random_below(32) : random_below(2) ? UINT32_MAX : 1 + random_below(1u << 24);
    if (random_below(2)) {
        r.flags = EPOCH_STRONG;
        r.seq = seq;
    }
    return r;
}

static void test_sets_answer_like_lists(void)
{
    static struct naive naive;
    for (int round = 0; round < 20; round++) {
        struct readers *rs = readers_new();
        uint32_t time[AGENTS] = {0}, seq = 1, set = 0;
        naive.count = 0;
        for (int i = 0; i < READS / 20 * (round + 1); i++) {
            struct reader r = random_read(time, seq);
            set = add(rs, set, r);
            naive.read[naive.count++] = r;
            if (random_below(50) == 0)
                seq++;
            if (random_below(200) == 0) { /* what the sets say does not depend on what is collected */
                uint32_t gone = add(rs, 0, r);
                CU_ASSERT_NOT_EQUAL(gone, 0);
                readers_collect_begin(rs);
                set = readers_keep(rs, set);
                readers_collect_end(rs, 1);
            }
            if (i % 16)
                continue;
            uint32_t lag = random_below(8), hole = random_below(AGENTS * THREADS);
            for (uint32_t a = 0; a < AGENTS; a++)
                for (uint32_t t = 0; t < THREADS; t++)
                    knows[a][t] = time[a] > lag ? time[a] - lag : 0;
            if (random_below(2))
                knows[hole / THREADS][hole % THREADS] = 0;
            CU_ASSERT_EQUAL_FATAL(set_answers(rs, set, true, false, 0), naive_answers(&naive, true, false, 0));
            CU_ASSERT_EQUAL_FATAL(set_answers(rs, set, false, false, seq), naive_answers(&naive, false, false, seq));
            CU_ASSERT_EQUAL_FATAL(set_answers(rs, readers_weak(rs, set, 0), true, false, 0),
                                  naive_answers(&naive, true, true, 0));
        }
        struct reader first;
        CU_ASSERT(elements(rs, set, &first) < naive.count);
        readers_free(rs);
    }
}

/* ---- Observed chains, against a plain table ---- */

#define CHAINS 300

struct plain_entry {
    int upto;                 /* -1: never read */
    uint8_t reach, acquired;
};

/** What a fence or an acquire that reaches so far makes of an entry. */
static void plain_acquire(struct plain_entry *e, uint8_t reach)
{
    uint8_t both = reach < e->reach ? reach : e->reach;
    if (e->upto >= 0 && e->acquired < both)
        e->acquired = both;
}

static void plain_note(struct plain_entry *e, int upto, uint8_t reach)
{
    if (upto >= e->upto) {
        e->upto = upto;
        e->acquired = 0;
    }
    e->reach = reach > e->reach ? reach : e->reach;
}

static void test_observed_lists_are_tables(void)
{
    struct release_chain *chain[CHAINS];
    struct plain_entry plain[CHAINS];
    struct observed_list list = {0}, *passed = NULL;
    struct knowledge *into = NULL;
    for (int i = 0; i < CHAINS; i++) {
        chain[i] = chain_new();
        chain[i]->place = (uint64_t)i / 2;
        plain[i] = (struct plain_entry){.upto = -1};
    }
    for (int step = 0; step < 20000; step++) {
        uint32_t i = random_below(CHAINS);
        uint8_t reach = (uint8_t)(1 + random_below(REACH_SYSTEM));
        const struct observed *o = observed_find(&list, chain[i], 5);
        /* Only what has been acquired may be forgotten, and only past 64. */
        CU_ASSERT_FATAL(o || plain[i].upto < 0 || plain[i].acquired >= REACH_DEVICE ||
                        plain[i].acquired >= plain[i].reach);
        CU_ASSERT_FATAL(!o || (o->upto == plain[i].upto && o->acquired == plain[i].acquired &&
                               o->reach == plain[i].reach));
        if (!o)
            plain[i] = (struct plain_entry){.upto = -1};
        struct observed read = {.chain = chain[i], .upto = (int)random_below(20), .thread = 5, .reach = reach};
        observed_note(&list, &read);
        plain_note(&plain[i], read.upto, reach);
        if (random_below(300) == 0) {
            observed_acquire(&list, (struct acquirer){.agent = 1}, (enum reach)reach, &into);
            for (int k = 0; k < CHAINS; k++)
                plain_acquire(&plain[k], reach);
        } else if (random_below(20) == 0) {
            observed_acquire_place(&list, &read, (struct acquirer){.agent = 1}, (enum reach)reach, &into);
            plain_acquire(&plain[i], reach);
            plain_acquire(&plain[i ^ 1], reach);
        }
        if (random_below(500) == 0) {
            const struct release_chain *newest = list.at[list.change.newest].chain;
            observed_pass_on(&passed, &list, 9);
            CU_ASSERT_PTR_NOT_NULL(observed_find(passed, newest, EVERY_THREAD));
            CU_ASSERT_EQUAL(list.change.oldest, 0);
        }
    }
    int n = 0;
    for (int i = observed_newest(&list); i; i = observed_older(&list, i))
        n++;
    CU_ASSERT_EQUAL(n, list.count);
    observed_drop(&list);
    observed_free(&passed);
    knowledge_drop(into);
    for (int i = 0; i < CHAINS; i++) {
        CU_ASSERT_EQUAL(chain[i]->refs, 1);
        chain_drop(chain[i]);
    }
}

UNIT_MAIN("vector clocks", {"sets of operations", test_op_set}, {"sets joined", test_op_set_join}, {"view times", test_view_times},
          {"view joins", test_view_join_shares_and_copies},
          {"equal reader sets are one", test_equal_sets_are_one},
          {"the order of agents is nothing", test_order_of_agents_is_nothing},
          {"lanes grow into one element", test_lanes_grow_into_one},
          {"polls leave the first and the last", test_polls_leave_first_and_last},
          {"sets answer like lists of all reads", test_sets_answer_like_lists},
          {"observed lists are tables", test_observed_lists_are_tables})
