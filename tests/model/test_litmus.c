/**
 * @file test_litmus.c
 * Litmus tests with known answers against the enumeration: which outcomes are allowed, and no others.
 */
#include <string.h>

#include "litmus.h"
#include "oracle.h"
#include "unit.h"

/** `expected` lists the outcomes without final values of locations, registers only, sorted. */
static void expect(const char *text, const char *expected)
{
    static struct litmus l;
    static char got[32768];
    litmus_parse(&l, text);
    memset(l.shared, 0, sizeof l.shared);
    int executions = litmus_outcomes(&l, got, sizeof got);
    if (strcmp(got, expected))
        fprintf(stderr, "\n%s\nexpected:\n%s\ngot (%d executions):\n%s\n", text, expected, executions, got);
    CU_ASSERT_STRING_EQUAL(got, expected);
}

/** Outcomes with the locations' final values. */
static void expect_memory(const char *text, const char *expected)
{
    static struct litmus l;
    static char got[32768];
    litmus_parse(&l, text);
    litmus_outcomes(&l, got, sizeof got);
    if (strcmp(got, expected))
        fprintf(stderr, "\n%s\nexpected:\n%s\ngot:\n%s\n", text, expected, got);
    CU_ASSERT_STRING_EQUAL(got, expected);
}

#define ALL2 "a=0 b=0\na=0 b=1\na=1 b=0\na=1 b=1"

static void test_message_passing(void)
{
    expect("W x 1; W y 1 | R y a; R x b", ALL2);
    expect("W x 1 rlx.gpu; W y 1 rlx.gpu | R y a rlx.gpu; R x b rlx.gpu", ALL2);
    const char *ordered = "a=0 b=0\na=0 b=1\na=1 b=1";
    expect("W x 1; W y 1 rel.gpu | R y a acq.gpu; R x b", ordered);
    expect("W x 1; F acq_rel.gpu; W y 1 rlx.gpu | R y a rlx.gpu; F acq_rel.gpu; R x b", ordered);
    expect("W x 1; F sc.gpu; W y 1 rlx.gpu | R y a rlx.gpu; F sc.gpu; R x b", ordered);
    expect("W x 1; W y 1 rel.cta | R y a acq.cta; R x b", ALL2);
    expect("B 0 0: W x 1; W y 1 rel.cta | R y a acq.cta; R x b", ordered);
    expect("W x 1; W y 1 rel.gpu | R y a rlx.gpu; R x b", ALL2);
    expect("W x 1; W y 1 rlx.gpu | R y a acq.gpu; R x b", ALL2);
    /* A fence on the writer's side only. */
    expect("W x 1; F sc.gpu; W y 1 rlx.gpu | R y a rlx.gpu; R x b", ALL2);
}

/** By the oracle, too. */
static void expect_twice(const char *text, const char *expected)
{
    static struct litmus l;
    static char got[32768];
    litmus_parse(&l, text);
    memset(l.shared, 0, sizeof l.shared);
    oracle_outcomes(&l, got, sizeof got);
    CU_ASSERT_STRING_EQUAL(got, expected);
    expect(text, expected);
}

/** Loads that are not coherent: each test beside its twin with a plain one. */
static void test_not_coherent(void)
{
    /* No fence, release or barrier brings a store to them, and no earlier read. */
    expect_twice("W x 1; F sc.gpu; W y 1 rlx.gpu | R y a rlx.gpu; F sc.gpu; R x b nc", ALL2);
    expect_twice("W x 1; F sc.gpu; W y 1 rlx.gpu | R y a rlx.gpu; F sc.gpu; R x b", "a=0 b=0\na=0 b=1\na=1 b=1");
    expect_twice("B 0 0: W x 1; bar 0 0 | bar 0 0; R x a nc", "a=0\na=1");
    expect_twice("B 0 0: W x 1; bar 0 0 | bar 0 0; R x a", "a=1");
    expect_twice("W x 1 rlx.gpu | R x a nc; R x b nc", ALL2);
    expect_twice("W x 1 rlx.gpu | R x a rlx.gpu; R x b rlx.gpu", "a=0 b=0\na=0 b=1\na=1 b=1");
    expect_twice("W x 1 rlx.gpu; W x 2 rlx.gpu | R x a rlx.gpu; R x b nc; R x c rlx.gpu",
                 "a=0 b=0 c=0\na=0 b=0 c=1\na=0 b=0 c=2\na=0 b=1 c=0\na=0 b=1 c=1\na=0 b=1 c=2\na=0 b=2 c=0\na=0 b=2 c=1\n"
                 "a=0 b=2 c=2\na=1 b=0 c=1\na=1 b=0 c=2\na=1 b=1 c=1\na=1 b=1 c=2\na=1 b=2 c=1\na=1 b=2 c=2\na=2 b=0 c=2\n"
                 "a=2 b=1 c=2\na=2 b=2 c=2");
    /* Not even one of its own thread. But none sees a store that it comes before. */
    expect_twice("W x 1; R x a nc", "a=0\na=1");
    expect_twice("W x 1; R x a", "a=1");
    expect_twice("R x a nc; W x 1", "a=0");
    expect_twice("R x a nc; W y 1 rel.gpu | R y b acq.gpu; W x 1", "a=0 b=0\na=0 b=1\na=1 b=0");
    expect_twice("R x a nc; W y 1 rlx.gpu | R y b acq.gpu; W x 1", ALL2);
    expect_twice("R x a nc; F sc.gpu; R y b | W y 1; F sc.gpu; W x 1", "a=0 b=0\na=0 b=1\na=1 b=1");
    /* Nothing comes out of thin air. */
    expect_twice("R x a nc; W y a rlx.gpu | R y b rlx.gpu; W x b rlx.gpu", "a=0 b=0");
    /* Who reads so acquires nothing, and what is read has been written. */
    expect_twice("W y 1; W x 1 rel.gpu | R x a nc; F acq_rel.gpu; R y b", ALL2);
    expect_twice("red x 1 rlx.gpu | red x 2 rlx.gpu | R x a nc", "a=0\na=1\na=2\na=3");
    /* A thread may wait for ever for what has come. */
    expect("W x 1 rlx.gpu | R x a nc; again a", "a=0 hangs\na=1");
    expect("W x 1 rlx.gpu | R x a; again a", "a=1");
}

static void test_patterns(void)
{
    /* A release, then a strong write of the same location by the same thread, still releases. */
    expect("W y 1; W x 1 rel.sys; W x 2 rlx.sys | R x a rlx.sys; F acq_rel.sys; R y b",
           "a=0 b=0\na=0 b=1\na=1 b=1\na=2 b=1");
    /* A strong read, then an acquire of the same location. */
    expect("W y 1; W x 1 rel.gpu | R x a rlx.gpu; R x b acq.gpu; R y c",
           "a=0 b=0 c=0\na=0 b=0 c=1\na=0 b=1 c=1\na=1 b=1 c=1");
    /* Observation goes on through a third thread's read-modify-write, */
    expect("W x 1; W y 1 rel.gpu | add y 1 a rlx.gpu | R y b acq.gpu; R x c",
           "a=0 b=0 c=0\na=0 b=0 c=1\na=0 b=1 c=0\na=0 b=1 c=1\na=1 b=0 c=0\na=1 b=0 c=1\na=1 b=1 c=1\na=1 b=2 c=1");
    /* and red never acquires. */
    expect("W x 1; W y 1 rel.gpu | red y 0 rlx.gpu; F acq_rel.gpu; R x a", "a=0\na=1");
    expect("W x 1; W y 1 rel.gpu | add y 0 b rlx.gpu; F acq_rel.gpu; R x a",
           "a=0 b=0\na=1 b=0\na=1 b=1");
}

static void test_store_buffering(void)
{
    expect("W x 1 rlx.gpu; R y a rlx.gpu | W y 1 rlx.gpu; R x b rlx.gpu", ALL2);
    const char *ordered = "a=0 b=1\na=1 b=0\na=1 b=1";
    expect("W x 1 rlx.gpu; F sc.gpu; R y a rlx.gpu | W y 1 rlx.gpu; F sc.gpu; R x b rlx.gpu", ordered);
    expect("W x 1; F sc.gpu; R y a | W y 1; F sc.gpu; R x b", ordered);
    expect("W x 1 rlx.gpu; F sc.gpu; R y a rlx.gpu | W y 1 rlx.gpu; R x b rlx.gpu", ALL2);
    expect("W x 1 rlx.gpu; F acq_rel.gpu; R y a rlx.gpu | W y 1 rlx.gpu; F acq_rel.gpu; R x b rlx.gpu", ALL2);
    expect("W x 1 rlx.gpu; F sc.cta; R y a rlx.gpu | W y 1 rlx.gpu; F sc.cta; R x b rlx.gpu", ALL2);
    /* By read-modify-writes. */
    expect("add x 1 c rlx.gpu; add y 0 a rlx.gpu | add y 1 d rlx.gpu; add x 0 b rlx.gpu",
           "a=0 b=0 c=0 d=0\na=0 b=1 c=0 d=0\na=1 b=0 c=0 d=0\na=1 b=1 c=0 d=0");
}

static void test_load_buffering(void)
{
    expect("R x a rlx.gpu; W y 1 rlx.gpu | R y b rlx.gpu; W x 1 rlx.gpu", ALL2);
    /* Not against dependencies, */
    expect("R x a rlx.gpu; W y a rlx.gpu | R y b rlx.gpu; W x b rlx.gpu", "a=0 b=0");
    expect("R x a rlx.gpu; if a 1; W y 1 rlx.gpu | R y b rlx.gpu; if b 1; W x 1 rlx.gpu", "a=0 b=0");
    expect("R x a rlx.gpu; W y a rlx.gpu | R y b rlx.gpu; W x 1 rlx.gpu", "a=0 b=0\na=1 b=0\na=1 b=1");
    /* nor against synchronisation. */
    expect("R x a acq.gpu; W y 1 rel.gpu | R y b acq.gpu; W x 1 rel.gpu", "a=0 b=0\na=0 b=1\na=1 b=0");
    /* Only in a circle does the second thread come first: no other execution writes 3. */
    expect("add x 2 a rlx.gpu; W y 1 rlx.gpu | R y b rlx.gpu; if b 2; add x 2 c rlx.gpu; add x 1 d rlx.gpu",
           "a=0 b=0 c=0 d=0\na=0 b=1 c=2 d=4\na=2 b=1 c=0 d=4\na=3 b=1 c=0 d=2");
    /* The same behind a fence.sc in each thread, which forbids it. */
    expect("add x 2 a rlx.gpu; F sc.gpu; W y 1 rlx.gpu | R y b rlx.gpu; F sc.gpu; if b 2; add x 2 c rlx.gpu; add x 1 d rlx.gpu",
           "a=0 b=0 c=0 d=0\na=0 b=1 c=2 d=4");
}

static void test_coherence(void)
{
    expect("W x 1 rlx.gpu; W x 2 rlx.gpu | R x a rlx.gpu; R x b rlx.gpu",
           "a=0 b=0\na=0 b=1\na=0 b=2\na=1 b=1\na=1 b=2\na=2 b=2");
    expect_memory("W x 1 rlx.gpu | W x 2 rlx.gpu", "x=1\nx=2");
    expect_memory("W x 1 rlx.gpu; W x 2 rlx.gpu", "x=2");
    /* Weak reads of strong writes are in order with nothing but their own thread. */
    expect("W x 1 rlx.gpu; W x 2 rlx.gpu | R x a; R x b",
           "a=0 b=0\na=0 b=1\na=0 b=2\na=1 b=0\na=1 b=1\na=1 b=2\na=2 b=0\na=2 b=1\na=2 b=2");
    /* A thread sees its own writes. */
    expect("W x 1; R x a", "a=1");
}

static void test_independent_reads(void)
{
    expect("W x 1 rlx.gpu | W y 1 rlx.gpu | R x a rlx.gpu; F sc.gpu; R y b rlx.gpu"
           " | R y c rlx.gpu; F sc.gpu; R x d rlx.gpu",
           "a=0 b=0 c=0 d=0\na=0 b=0 c=0 d=1\na=0 b=0 c=1 d=0\na=0 b=0 c=1 d=1\na=0 b=1 c=0 d=0\n"
           "a=0 b=1 c=0 d=1\na=0 b=1 c=1 d=0\na=0 b=1 c=1 d=1\na=1 b=0 c=0 d=0\na=1 b=0 c=0 d=1\n"
           "a=1 b=0 c=1 d=1\na=1 b=1 c=0 d=0\na=1 b=1 c=0 d=1\na=1 b=1 c=1 d=0\na=1 b=1 c=1 d=1");
}

static void test_atomicity(void)
{
    expect_memory("add x 1 a rlx.gpu | add x 1 b rlx.gpu", "a=0 b=1 x=2\na=1 b=0 x=2");
    /* Scopes that do not include each other: not atomic together, and neither write need be the last. */
    expect_memory("add x 1 a rlx.cta | add x 1 b rlx.cta",
                  "a=0 b=0 x=1\na=0 b=1 x=1\na=0 b=1 x=2\na=1 b=0 x=1\na=1 b=0 x=2");
    expect_memory("cas x 0 1 a rlx.gpu | cas x 0 2 b rlx.gpu", "a=0 b=1 x=1\na=2 b=0 x=2");
    expect_memory("red x 1 | red x 1 | red x 1", "x=3");
}

static void test_barriers(void)
{
    expect("B 0 0: W x 1; bar 0 | bar 0; R x a", "a=1");
    expect("W x 1; bar 0 | bar 0; R x a", "a=0\na=1");
    expect("B 0 0: W x 1; arrive 1 2 | bar 1 2; R x a", "a=1");
    expect("B 0 0: bar 1 2; W x 1 | bar 1 2; R x a", "a=0\na=1");
    /* Two of three meet; the third waits for ever. */
    expect_memory("B 0 0 0: bar 1 2; W x 1 rlx.cta | bar 1 2; W y 1 rlx.cta | bar 1 2; W z 1 rlx.cta",
                  "x=0 y=1 z=1 hangs\nx=1 y=0 z=1 hangs\nx=1 y=1 z=0 hangs");
    /* Arrivals alone complete it, too; it begins anew then. */
    expect_memory("B 0 0 0: arrive 1 2; bar 2 3 | arrive 1 2; bar 2 3 | bar 2 3; bar 1 2; W x 1", "x=0 hangs");
    expect_memory("B 0 0 0: arrive 1 3; bar 2 3 | arrive 1 3; bar 2 3 | bar 2 3; bar 1 3; W x 1", "x=1");
    expect_memory("B 0 0 0: arrive 1 2 | arrive 1 2 | bar 1 2; W x 1", "x=0 hangs\nx=1");
}

/** A barrier orders memory, and no value rests on it: a read before it may see what rests on a write behind it, another thread's. */
static void test_late_before_barriers(void)
{
    expect_twice("B 0 0 1: R y a rlx.gpu; bar 0 0 | bar 0 0; W x 2 rlx.gpu | R x b rlx.gpu; W y b rlx.gpu", "a=0 b=0\na=0 b=2\na=2 b=2");
    /* One location, too, but for accesses that are all morally strong: the writes would come before themselves. */
    expect_twice("B 0 0 1: R x a rlx.gpu; bar 0 0 | bar 0 0; W x 2 rlx.gpu | add x 1 b rlx.cta",
                 "a=0 b=0\na=0 b=2\na=1 b=0\na=3 b=2");
    expect_twice("B 0 0 1: R x a rlx.gpu; bar 0 0 | bar 0 0; W x 2 rlx.gpu | R x b rlx.gpu; W x 3 rlx.gpu", "a=0 b=0\na=0 b=2\na=3 b=0");
    expect_twice("B 0 0 1: R x a rlx.gpu; bar 0 0 | bar 0 0; W x 2 rlx.gpu | add x 1 b rlx.gpu", "a=0 b=0\na=0 b=2\na=1 b=0");
    /* Not through that which saw the write, and hands it on in order. */
    expect_twice("B 0 0 1: R y a acq.gpu; bar 0 0 | bar 0 0; W x 2 rel.gpu | R x b acq.gpu; W y b rel.gpu", "a=0 b=0\na=0 b=2");
}

/** A barrier with a count waits for warps: threads 0 and 1 are one, 2 and 3 another, 4 a third. */
static void test_warps_at_barriers(void)
{
    static struct litmus l;
    static char got[32768];
    litmus_parse(&l, "B 0 0 0 0 0: W x 1; bar 1 2; R y a | bar 1 2; R z b | W y 1; bar 1 2; R x c | bar 1 2; R x d"
                     " | W z 1; bar 1 2; R x e");
    for (int t = 0; t < 5; t++)
        l.place[t].warp = t / 2;
    memset(l.shared, 0, sizeof l.shared);
    CU_ASSERT(litmus_outcomes(&l, got, sizeof got) > 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(got, "a=1 b=0 c=1 d=1 e=0 hangs"));   /* 0 and 1 meet */
    CU_ASSERT_PTR_NOT_NULL(strstr(got, "a=0 b=1 c=0 d=0 e=1 hangs"));   /* 0 and 2 */
    CU_ASSERT_PTR_NOT_NULL(strstr(got, "a=0 b=0 c=0 d=0 e=0 hangs"));   /* 1 and 2 */
    CU_ASSERT_PTR_NULL(strstr(got, "a=1 b=1 c=1 d=1 e=1"));             /* never all */
    /* Half a warp is not counted: that is not told. */
    litmus_parse(&l, "B 0 0: W x 1; bar 1 1 | R y a rlx.gpu; again a; bar 1 1");
    l.place[1].warp = 0;
    CU_ASSERT_EQUAL(litmus_outcomes(&l, got, sizeof got), -1);
}

static void test_waiting(void)
{
    expect("W x 1; W y 1 rel.gpu | R y a acq.gpu; again a; R x b", "a=1 b=1");
    expect("W x 1; W y 1 rlx.gpu | R y a rlx.gpu; again a; R x b", "a=1 b=0\na=1 b=1");
    expect("W x 1 | R y a rlx.gpu; again a; R x b", "a=0 b=0 hangs");
    /* A lock: exchange until it was free. */
    expect_memory("xchg x 1 a acq_rel.gpu; R y b; W y 1; W x 0 rel.gpu",
                  "a=0 b=0 x=0 y=1");
}

UNIT_MAIN("model: litmus", {"message passing", test_message_passing}, {"patterns", test_patterns}, {"not coherent", test_not_coherent},
          {"store buffering", test_store_buffering}, {"load buffering", test_load_buffering},
          {"coherence", test_coherence}, {"independent reads", test_independent_reads},
          {"atomicity", test_atomicity}, {"barriers", test_barriers}, {"late before barriers", test_late_before_barriers},
          {"warps at barriers", test_warps_at_barriers}, {"waiting", test_waiting})
