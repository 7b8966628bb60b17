/**
 * @file test_gate.c
 * A function that waits on the host for what waits for it: the gate that lab05's harness holds work up with gives way
 * within a second, says so, and does so once.
 */
#include "../../labs/lab05_streams/gate.h"

#include "unit.h"

static void *stream(void *gate)
{
    gate_wait(gate);
    return NULL;
}

/** The stream's thread waits at a gate that the host has opened, or does not open before it has ended. */
static bool held(bool opens)
{
    struct gate g = GATE_INITIALIZER;
    pthread_t t;
    bool in_time = opens && gate_open(&g);
    CU_ASSERT_FATAL(pthread_create(&t, NULL, stream, &g) == 0);
    pthread_join(t, NULL);
    return opens ? in_time && !g.forced : gate_open(&g);
}

static void test_waits(void)
{
    CU_ASSERT(GATE_SECONDS <= 1);
    CU_ASSERT_TRUE(held(true));
    CU_ASSERT_EQUAL(patience, GATE_SECONDS);
    CU_ASSERT_FALSE(held(false)); /* the harness says: your function waited on the host */
    CU_ASSERT_EQUAL(patience,
                    0); /* nobody is waited for again: a case with many calls takes no longer */
    CU_ASSERT_FALSE(held(false));
    CU_ASSERT_TRUE(held(true));
}

UNIT_MAIN("gate", {"a host that waits", test_waits})
