/**
 * @file test_views.c
 * The race checker's data structures: sets of operations, vector clocks, reader lists.
 */
#include "base/op_set.h"
#include "check/race/shadow/readers.h"
#include "check/race/clock/vector_clock.h"
#include "unit.h"

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

static void test_equal_lists_are_one(void)
{
    struct readers *rs = readers_new();
    uint32_t a = 0, b = 0;
    for (uint16_t w = 0; w < 8; w++) {
        a = readers_add(rs, a, lane(1, w, UINT32_MAX), UINT32_MAX);
        b = readers_add(rs, b, lane(1, w, UINT32_MAX), UINT32_MAX);
    }
    CU_ASSERT_EQUAL(a, b);
    CU_ASSERT_EQUAL(readers_at(rs, a)->length, 1); /* whole warps of one block are one element */
    CU_ASSERT_EQUAL(readers_at(rs, a)->mask, 0xff);
    CU_ASSERT_EQUAL(readers_at(rs, a)->warp, WHOLE_WARPS);
    a = readers_add(rs, a, lane(2, 0, 1), UINT32_MAX);
    CU_ASSERT_NOT_EQUAL(a, b);
    CU_ASSERT_EQUAL(readers_at(rs, a)->length, 2);
    CU_ASSERT_EQUAL(readers_add(rs, a, lane(2, 0, 1), UINT32_MAX), a);
    readers_free(rs);
}

static void test_lanes_grow_into_warps(void)
{
    struct readers *rs = readers_new();
    uint32_t list = 0;
    for (int i = 0; i < 32; i++)
        list = readers_add(rs, list, lane(3, 5, 1u << i), UINT32_MAX);
    CU_ASSERT_EQUAL(readers_at(rs, list)->warp, WHOLE_WARPS);
    CU_ASSERT_EQUAL(readers_at(rs, list)->mask, 1u << 5);
    CU_ASSERT_EQUAL(readers_at(rs, list)->length, 1);
    readers_free(rs);
}

UNIT_MAIN("vector clocks", {"sets of operations", test_op_set}, {"view times", test_view_times},
          {"view joins", test_view_join_shares_and_copies},
          {"equal reader lists are one", test_equal_lists_are_one},
          {"lanes grow into warps", test_lanes_grow_into_warps})
