/**
 * @file test_gate.c
 * The gate that lab05's and lab09's harnesses hold work up with gives way to a host that waits for what waits for it, says so, and
 * does so once. A host that is slow, since it computes or has no processor, is waited for.
 */
/* Five times as fast as in a harness. */
#define GATE_PAUSE_NS 1000000
#include "../../common/gate.h"

#include <time.h>

#include "unit.h"

static void *stream(void *gate)
{
    gate_wait(gate);
    return NULL;
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void rest(long ns)
{
    nanosleep(&(struct timespec){0, ns}, NULL);
}

/** A host that comes after it has computed so long, in pieces of 1 ms with a pause before each. */
static bool in_time(double computing, long pause_ns)
{
    struct gate g = GATE_INITIALIZER;
    pthread_t t;
    CU_ASSERT_FATAL(pthread_create(&t, NULL, stream, &g) == 0);
    for (double done = 0; done < computing; done += 1e-3) {
        double until = seconds(CLOCK_THREAD_CPUTIME_ID) + 1e-3;
        if (pause_ns)
            rest(pause_ns);
        while (seconds(CLOCK_THREAD_CPUTIME_ID) < until) {
        }
    }
    bool held = gate_open(&g);
    pthread_join(t, NULL);
    return held && !g.forced;
}

/** A host that waits for the stream: it comes when the gate has given way. */
static double gave_way(void)
{
    struct gate g = GATE_INITIALIZER;
    double since = seconds(CLOCK_MONOTONIC);
    stream(&g);
    CU_ASSERT_TRUE(g.forced);
    CU_ASSERT_FALSE(gate_open(&g)); /* the harness says: your function waited on the host */
    return seconds(CLOCK_MONOTONIC) - since;
}

static void test_opened_before(void)
{
    struct gate g = GATE_INITIALIZER;
    CU_ASSERT_TRUE(gate_open(&g));
    gate_wait(&g);
    CU_ASSERT_FALSE(g.forced);
}

/** Longer than what a host that waits is given, be it by computing, also where it waits for a processor, or with nothing done in most looks. */
static void test_slow(void)
{
    CU_ASSERT_TRUE(in_time(0.4, 0));
    CU_ASSERT_TRUE(in_time(0.004, 60000000)); /* some 60 idle looks in a row, 240 in all */
    CU_ASSERT_FALSE(gate_given_up);
}

/** Who asks again and again and never comes. */
static void test_asks(void)
{
    CU_ASSERT_FALSE(in_time(2e-3 * GATE_LOOKS, 1000000));
    CU_ASSERT_TRUE(gate_given_up);
    gate_given_up = false;
}

static void test_waits(void)
{
    const double first = gave_way();
    CU_ASSERT_TRUE(first > 0.1);
    CU_ASSERT_TRUE(gate_given_up);
    /* Nobody is waited for again: a case with many calls takes no longer. */
    CU_ASSERT_TRUE(gave_way() < first);
    test_opened_before();
}

UNIT_MAIN("gate", {"opened before", test_opened_before}, {"a host that is slow", test_slow},
          {"a host that asks", test_asks}, {"a host that waits", test_waits})
