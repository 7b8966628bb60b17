/**
 * @file test_fence_log.c
 * The log of fences beside vector clocks that each fence takes along as they are: at any fence's number, also long after, both say the same of each
 * thread and block. And what is joined of two logs, and of one.
 */
#include <stdbool.h>
#include <stdlib.h>

#include "check/race/clock/knowledge.h"
#include "unit.h"

#define AGENTS 6
#define THREADS 96
#define FENCES 600

static uint64_t state;

static uint32_t drawn(uint32_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % below;
}

/** How far somebody knows of a thread, by its own time or its block's. */
static uint32_t known(uint32_t time, uint32_t uniform)
{
    return time > uniform ? time : uniform;
}

static int differs(struct fence_log *o, uint32_t upto, const struct vector_clock *v)
{
    int n = 0;
    const struct vector_clock *made = fence_log_clock(o, upto);
    for (uint32_t a = 1; a <= AGENTS; a++) {
        n += fence_log_has(o, upto, a) != clock_has(v, a);
        for (uint32_t t = 0; t < THREADS; t++) {
            uint32_t logged_all, want_all, made_all, logged = fence_log_time(o, upto, a, t, &logged_all);
            uint32_t want = clock_time(v, a, t, &want_all), got = clock_time(made, a, t, &made_all);
            n += known(logged, logged_all) != known(want, want_all) || got != logged || made_all != logged_all;
        }
    }
    return n;
}

/** What one thread's fence adds: its own time, sometimes its warp's or its block's, and a part of what others have. */
static struct vector_clock *drawn_fence(uint32_t *now, struct vector_clock *others)
{
    struct vector_clock *v = NULL;
    uint32_t a = 1 + drawn(AGENTS), t = drawn(THREADS);
    if (drawn(3) == 0)
        clock_join(&v, others);
    now[a] += drawn(3);
    clock_add_key(&v, a, clock_thread_key(t), now[a] + 1);
    if (drawn(4) == 0)
        clock_add_key(&v, a, clock_warp_key(t / 32), now[a]);
    if (drawn(8) == 0)
        clock_add(&v, a, now[a] / 2);
    return v;
}

/** All of a block's threads have fenced, and met. */
static void settle(struct fence_log *o, struct vector_clock **all, uint32_t agent, uint32_t time)
{
    for (uint32_t t = 0; t < THREADS; t++) {
        struct vector_clock *v = NULL;
        clock_add_key(&v, agent, clock_thread_key(t), time + drawn(2));
        CU_ASSERT(fence_log_add(o, *all, v));
        clock_join(all, v);
        clock_drop(v);
    }
    clock_settle(all, agent, THREADS);
}

static void test_as_clocks(void)
{
    for (state = 1; state < 9; state++) {
        uint64_t seed = state;
        struct fence_log *o = fence_log_new();
        struct vector_clock *all = NULL, *taken[FENCES];
        uint32_t number[FENCES], now[AGENTS + 1] = {0};
        int bad = 0;
        for (int i = 0; i < FENCES; i++) {
            struct vector_clock *v = drawn_fence(now, i ? taken[drawn((uint32_t)i)] : NULL);
            taken[i] = clock_ref(all);
            number[i] = fence_log_now(o);
            CU_ASSERT(fence_log_add(o, all, v));
            clock_join(&all, v);
            clock_drop(v);
            if (drawn(50) == 0)
                settle(o, &all, 1 + drawn(AGENTS), now[1]);
        }
        for (int i = 0; i < FENCES; i++) {
            bad += differs(o, number[i], taken[i]);
            clock_drop(taken[i]);
        }
        bad += differs(o, fence_log_now(o), all);
        CU_ASSERT_EQUAL(bad, 0);
        clock_drop(all);
        fence_log_drop(o);
        state = seed;
    }
}

static void add(struct fence_log *o, struct vector_clock **all, uint32_t agent, uint32_t time)
{
    struct vector_clock *v = NULL;
    clock_add_key(&v, agent, clock_thread_key(0), time);
    CU_ASSERT(fence_log_add(o, *all, v));
    clock_join(all, v);
    clock_drop(v);
}

static bool values_have(const struct knowledge *k, uint32_t agent, uint32_t time)
{
    uint32_t uniform;
    return clock_time(k->part[KNOW_VALUE], agent, 0, &uniform) >= time || fence_log_time(k->order, k->fences, agent, 0, &uniform) >= time;
}

/* Of one log the later number stays, and those who held the knowledge before keep theirs; of two logs nothing is lost, whichever comes first. */
static void test_joins(void)
{
    struct fence_log *first = fence_log_new(), *second = fence_log_new();
    struct vector_clock *all = NULL, *later = NULL;
    add(first, &all, 1, 5);
    add(first, &all, 2, 6);
    add(second, &later, 3, 7);
    struct knowledge *a = NULL, *b = NULL, *old;
    knowledge_join_order(&a, first, 1);
    CU_ASSERT(values_have(a, 1, 5) && !values_have(a, 2, 1));
    old = knowledge_ref(a);
    knowledge_join_order(&a, first, 2);
    CU_ASSERT(values_have(a, 2, 6) && !values_have(old, 2, 1));
    knowledge_join_order(&a, first, 1);
    CU_ASSERT(values_have(a, 2, 6));
    knowledge_join_order(&b, second, 1);
    knowledge_join(&old, b); /* an older log hears of a later one, */
    CU_ASSERT(values_have(old, 1, 5) && values_have(old, 3, 7) && !values_have(old, 2, 1));
    knowledge_join(&b, a); /* and a later one of an older */
    CU_ASSERT(values_have(b, 1, 5) && values_have(b, 2, 6) && values_have(b, 3, 7));
    CU_ASSERT(!values_have(a, 3, 1));
    fence_log_drop(first);
    fence_log_drop(second);
    CU_ASSERT(values_have(b, 1, 5) && values_have(b, 3, 7)); /* who holds a number holds the log */
    knowledge_drop(a);
    knowledge_drop(b);
    knowledge_drop(old);
    clock_drop(all);
    clock_drop(later);
}

static void test_full(void)
{
    struct fence_log *o = fence_log_new();
    struct vector_clock *all = NULL;
    uint32_t fences = 0;
    for (bool room = true; room; fences += room) {
        struct vector_clock *v = NULL;
        clock_add_key(&v, 1, clock_thread_key(fences % THREADS), fences + 1);
        room = fence_log_add(o, all, v);
        if (room)
            clock_join(&all, v);
        clock_drop(v);
    }
    CU_ASSERT(fences > FENCE_LOG_MOST / 2 && fences <= FENCE_LOG_MOST);
    CU_ASSERT_EQUAL(differs(o, fences, all), 0); /* what is in it stays */
    CU_ASSERT_EQUAL(fence_log_now(o), fences);
    clock_drop(all);
    fence_log_drop(o);
}

UNIT_MAIN("fence log", {"as vector clocks", test_as_clocks}, {"joins", test_joins}, {"full", test_full})
