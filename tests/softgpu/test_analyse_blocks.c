/**
 * @file test_analyse_blocks.c
 * softgpu/analyse: basic blocks and live intervals of small functions given as tables.
 */
#include "analyse/blocks.h"
#include "analyse/liveness.h"
#include "unit.h"

#define STOPS 1

/** One instruction: what it reads and writes (register, -1 none), and where it goes. */
struct row {
    int read, write;
    int target, target2;   /**< FLOW_NO_MORE, FLOW_NOWHERE or an instruction */
    int flags;
};
#define GOES(to) .target = (to), .target2 = FLOW_NO_MORE
#define NOT_AWAY GOES(FLOW_NO_MORE)

static bool falls(const void *self, int i)
{
    return !(((const struct row *)self)[i].flags & STOPS);
}

static int target(const void *self, int i, int k)
{
    const struct row *r = &((const struct row *)self)[i];
    return k == 0 ? r->target : k == 1 ? r->target2 : FLOW_NO_MORE;
}

static void uses(const void *self, int i, register_fn *note, void *context)
{
    const struct row *r = &((const struct row *)self)[i];
    if (r->read >= 0)
        note(context, i, r->read, USE_READ);
    if (r->write >= 0)
        note(context, i, r->write, USE_WRITE);
}

#define SOURCE(rows, regs)                                                                         \
    {.self = (rows), .count = sizeof(rows) / sizeof *(rows), .registers = (regs),                  \
     .falls = falls, .target = target, .uses = uses}

static void check_list(const int *from, const int *list, int block, int count, int a, int b)
{
    CU_ASSERT_EQUAL_FATAL(from[block + 1] - from[block], count);
    if (count > 0)
        CU_ASSERT_EQUAL(list[from[block]], a);
    if (count > 1)
        CU_ASSERT_EQUAL(list[from[block] + 1], b);
}

/** A loop around a branch of two ways: six blocks, and who leads to whom. */
static void test_edges(void)
{
    static const struct row rows[] = {
        {-1, 0, NOT_AWAY, 0},
        {0, -1, GOES(4), 0},        /* the loop's head, a way around */
        {-1, 1, NOT_AWAY, 0},
        {-1, -1, GOES(5), STOPS},
        {-1, 1, NOT_AWAY, 0},
        {1, -1, GOES(1), 0},        /* both ways meet; back to the head */
        {-1, -1, NOT_AWAY, STOPS},
    };
    struct flow_source s = SOURCE(rows, 2);
    struct arena a = {0};
    struct blocks b;
    blocks_build(&b, &s, &a);
    CU_ASSERT_EQUAL_FATAL(b.count, 6);
    static const int of[] = {0, 1, 2, 2, 3, 4, 5};
    for (int i = 0; i < 7; i++)
        CU_ASSERT_EQUAL(b.of[i], of[i]);
    CU_ASSERT_EQUAL(b.first[2], 2);
    CU_ASSERT_EQUAL(b.first[6], 7);
    check_list(b.next_from, b.next, 0, 1, 1, 0);
    check_list(b.next_from, b.next, 1, 2, 2, 3);
    check_list(b.next_from, b.next, 2, 1, 4, 0);
    check_list(b.next_from, b.next, 4, 2, 5, 1);
    check_list(b.next_from, b.next, 5, 0, 0, 0);
    check_list(b.before_from, b.before, 0, 0, 0, 0);
    check_list(b.before_from, b.before, 1, 2, 0, 4);
    check_list(b.before_from, b.before, 4, 2, 2, 3);
    arena_free(&a);
}

/** A table of targets, one of which is not in the function, and a last instruction that falls. */
static void test_table_and_ends(void)
{
    static const struct row rows[] = {
        {-1, -1, .target = FLOW_NOWHERE, .target2 = 2, STOPS},
        {-1, -1, NOT_AWAY, 0},
        {-1, -1, NOT_AWAY, 0},
    };
    struct flow_source s = SOURCE(rows, 0);
    struct arena a = {0};
    struct blocks b;
    blocks_build(&b, &s, &a);
    CU_ASSERT_EQUAL_FATAL(b.count, 3);
    check_list(b.next_from, b.next, 0, 1, 2, 0);
    check_list(b.next_from, b.next, 1, 1, 2, 0);
    check_list(b.next_from, b.next, 2, 0, 0, 0);
    s.count = 0;
    blocks_build(&b, &s, &a);
    CU_ASSERT_EQUAL(b.count, 0);
    arena_free(&a);
}

/** In a straight line a register lives from its write to its last read. */
static void test_straight(void)
{
    static const struct row rows[] = {
        {-1, 0, NOT_AWAY, 0}, {0, 1, NOT_AWAY, 0}, {1, 0, NOT_AWAY, 0}, {0, -1, NOT_AWAY, STOPS}};
    struct flow_source s = SOURCE(rows, 3);
    struct interval live[3];
    liveness_intervals(&s, live);
    CU_ASSERT(live[0].start == 1 && live[0].end == 6);
    CU_ASSERT(live[1].start == 3 && live[1].end == 4);
    CU_ASSERT_EQUAL(live[2].start, UINT32_MAX);
}

/** What a loop carries lives to its end; what each turn writes anew does not. */
static void test_loop(void)
{
    static const struct row rows[] = {
        {-1, 0, NOT_AWAY, 0},
        {0, 1, NOT_AWAY, 0},        /* head: reads what came from before the loop */
        {1, -1, NOT_AWAY, 0},
        {-1, -1, NOT_AWAY, 0},
        {-1, -1, GOES(1), 0},
        {-1, -1, NOT_AWAY, STOPS},
    };
    struct flow_source s = SOURCE(rows, 2);
    struct interval live[2];
    liveness_intervals(&s, live);
    CU_ASSERT(live[0].start == 1 && live[0].end == 9);
    CU_ASSERT(live[1].start == 3 && live[1].end == 4);
}

/** Through a branch of two ways: written before, read in the second way only, which stands last. */
static void test_ways(void)
{
    static const struct row rows[] = {
        {-1, 0, NOT_AWAY, 0},
        {-1, -1, GOES(4), 0},
        {-1, 1, NOT_AWAY, 0},
        {1, -1, GOES(5), STOPS},
        {0, -1, NOT_AWAY, 0},
        {-1, -1, NOT_AWAY, STOPS},
    };
    struct flow_source s = SOURCE(rows, 2);
    struct interval live[2];
    liveness_intervals(&s, live);
    CU_ASSERT(live[0].start == 1 && live[0].end == 8);
    CU_ASSERT(live[1].start == 5 && live[1].end == 6);
}

UNIT_MAIN("analyse_blocks", {"edges", test_edges}, {"table of targets, ends", test_table_and_ends},
          {"live in a straight line", test_straight}, {"live over a loop", test_loop},
          {"live in one of two ways", test_ways})
