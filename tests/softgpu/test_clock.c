/**
 * @file test_clock.c
 * Vector clocks beside plain tables of times: after any sequence of additions, copies and joins both say the same; and where clocks are settled in
 * between, the same of each thread, by whichever of its times.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/clock/vector_clock.h"
#include "unit.h"

#define CLOCKS 12
#define AGENTS 14
#define THREADS 96
#define WARPS (THREADS / 32)
#define OPERATIONS 20000

/** What a clock must say: of a block, of its threads, of its warps. */
struct table {
    uint32_t all, thread[THREADS], warp[WARPS];
};

static struct vector_clock *clock_of[CLOCKS];
static struct table table_of[CLOCKS][AGENTS];
static uint32_t now[AGENTS];
static uint64_t state;
static bool settles;

static uint32_t drawn(uint32_t below)
{
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(state >> 33) % below;
}

static void raise_to(uint32_t *at, uint32_t time)
{
    if (*at < time)
        *at = time;
}

static void join_tables(int to, int from)
{
    for (int a = 0; a < AGENTS; a++) {
        struct table *t = &table_of[to][a];
        const struct table *f = &table_of[from][a];
        raise_to(&t->all, f->all);
        for (int i = 0; i < THREADS; i++)
            raise_to(&t->thread[i], f->thread[i]);
        for (int i = 0; i < WARPS; i++)
            raise_to(&t->warp[i], f->warp[i]);
    }
}

static bool has_warp(int c, uint32_t a, uint32_t warp)
{
    const struct table *t = &table_of[c][a];
    uint32_t any = t->all | t->warp[warp];
    for (uint32_t i = 0; i < 32; i++)
        any |= t->thread[warp * 32 + i];
    return any;
}

/** Of whom anything is known at all. */
static int wrong_known(int c)
{
    int n = 0;
    for (uint32_t a = 0; a < AGENTS; a++) {
        bool any[2] = {false, false};
        for (uint32_t k = a; k < AGENTS && k < a + 3; k++)
            for (uint32_t w = 0; w < WARPS; w++)
                any[k > a] |= has_warp(c, k, w);
        n += clock_has_between(clock_of[c], a, a) != any[0] || clock_has_between(clock_of[c], a, a + 2) != (any[0] || any[1]);
        for (uint32_t w = 0; w < WARPS; w++)
            n += clock_has_warp(clock_of[c], a, w) != has_warp(c, a, w);
    }
    return n;
}

static int wrong(int c)
{
    int n = wrong_known(c);
    for (uint32_t a = 0; a < AGENTS; a++)
        for (uint32_t i = 0; i < THREADS; i++) {
            const struct table *t = &table_of[c][a];
            uint32_t uniform, time = clock_time(clock_of[c], a, i, &uniform), own = t->thread[i], warp = t->warp[i / 32];
            uint32_t best = own > warp ? own : warp;
            if (settles)
                n += (uniform > time ? uniform : time) != (t->all > best ? t->all : best);
            else
                n += uniform != t->all || time != best;
        }
    return n;
}

/** All threads become known up to a time of their own, and the clock is settled, mostly. */
static void settle(int c, uint32_t a, uint32_t threads, uint32_t time)
{
    uint32_t most = drawn(4) ? threads : drawn(threads), lowest = UINT32_MAX;
    for (uint32_t t = 0; t < most; t++) {
        uint32_t at = time + drawn(2);
        clock_add_key(&clock_of[c], a, clock_thread_key(t), at);
        raise_to(&table_of[c][a].thread[t], at);
    }
    for (uint32_t t = 0; t < threads; t++)
        lowest = table_of[c][a].thread[t] < lowest ? table_of[c][a].thread[t] : lowest;
    raise_to(&table_of[c][a].all, lowest); /* for threads that the block has not */
    clock_settle(&clock_of[c], a, threads);
}

static void one_operation(int agents, int threads)
{
    int c = (int)drawn(CLOCKS), other = (int)drawn(CLOCKS);
    uint32_t a = drawn((uint32_t)agents), t = drawn((uint32_t)threads), old = drawn(4), time = now[a] > old ? now[a] - old : 0;
    now[a] += drawn(2);
    if (settles && drawn(8) == 0) {
        settle(c, a, (uint32_t)threads, time);
        return;
    }
    switch (drawn(16)) {
    case 0:
        clock_add(&clock_of[c], a, time);
        raise_to(&table_of[c][a].all, time);
        return;
    case 1:
        clock_add_key(&clock_of[c], a, clock_warp_key(t / 32), time);
        raise_to(&table_of[c][a].warp[t / 32], time);
        return;
    case 2: /* another owner of the same clock */
    case 3:
        if (c == other)
            return;
        clock_drop(clock_of[c]);
        clock_of[c] = clock_ref(clock_of[other]);
        memcpy(table_of[c], table_of[other], sizeof table_of[c]);
        return;
    case 4:
        if (drawn(8))
            return;
        clock_drop(clock_of[c]);
        clock_of[c] = NULL;
        memset(table_of[c], 0, sizeof table_of[c]);
        return;
    case 5:
    case 6:
    case 7:
    case 8:
        clock_join(&clock_of[c], clock_of[other]);
        join_tables(c, other);
        return;
    default:
        clock_add_key(&clock_of[c], a, clock_thread_key(t), time);
        raise_to(&table_of[c][a].thread[t], time);
    }
}

static void try_with(int agents, int threads)
{
    int bad = 0;
    memset(table_of, 0, sizeof table_of);
    memset(now, 0, sizeof now);
    for (int i = 0; i < OPERATIONS; i++) {
        one_operation(agents, threads);
        bad += i % 16 == 0 && wrong((int)drawn(CLOCKS));
    }
    for (int c = 0; c < CLOCKS; c++) {
        bad += wrong(c);
        clock_drop(clock_of[c]);
        clock_of[c] = NULL;
    }
    CU_ASSERT_EQUAL(bad, 0);
}

static void test_few(void)
{
    state = 1;
    try_with(1, 4);
    try_with(2, 40);
    try_with(3, 40);
}

static void test_many_threads(void)
{
    state = 5;
    try_with(2, THREADS);
}

static void test_many_agents(void)
{
    state = 6;
    try_with(AGENTS, 8);
    try_with(AGENTS, THREADS);
}

static void test_settled(void)
{
    settles = true;
    state = 7;
    try_with(2, 40);
    try_with(AGENTS, 8);
    try_with(AGENTS, THREADS);
    settles = false;
}

/* Settled, a clock says of a block what it said of each thread, and no more. */
static void test_settles(void)
{
    struct vector_clock *v = NULL;
    uint32_t uniform;
    for (uint32_t t = 0; t < THREADS; t++)
        clock_add_key(&v, 3, clock_thread_key(t), t == 7 ? 9 : 5);
    clock_settle(&v, 3, THREADS + 1); /* one is not known */
    CU_ASSERT(clock_time(v, 3, 0, &uniform) == 5 && uniform == 0);
    clock_settle(&v, 3, THREADS);
    CU_ASSERT(clock_time(v, 3, 0, &uniform) == 0 && uniform == 5);
    CU_ASSERT(clock_time(v, 3, 7, &uniform) == 9 && uniform == 5);
    clock_drop(v);
}

UNIT_MAIN("clock", {"few", test_few}, {"many threads", test_many_threads}, {"many agents", test_many_agents},
          {"settled", test_settled}, {"what settles", test_settles})
