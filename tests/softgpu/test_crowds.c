/**
 * @file test_crowds.c
 * Very many threads that touch one word strongly: what is remembered of them, and how much of it a question looks at.
 */
#include "check/race/shadow/readers.h"
#include "unit.h"

/** Elements of `kinds` kinds, the warps of many blocks taking turns, and one of a block between that is of no such kind. */
static uint32_t many_kinds(struct readers *rs, int kinds, uint8_t lone)
{
    uint32_t set = 0;
    for (uint32_t i = 1; i <= 2000; i++) {
        struct reader r = {.agent = i, .time = 1, .mask = 1, .site = 4, .flags = EPOCH_STRONG};
        r.unit = i == 1000 ? lone : (uint8_t)(i % (uint32_t)kinds);
        set = readers_add(rs, set, r, PRUNE_NONE);
    }
    return set;
}

/** Who leaves out each kind that comes sees few elements, however many there are, but all of those kinds that it does not leave out. */
static void test_skipped_kinds_cost_nothing(void)
{
    for (int kinds = 1; kinds <= 100; kinds += kinds == 1 ? 1 : 49) { /* 1, 2, 51, 100: more than have a bit */
        struct readers *rs = readers_new();
        struct readers_walk w;
        uint8_t lone = 200;
        readers_walk(&w, rs, many_kinds(rs, kinds, lone));
        int steps = 0, lones = 0;
        for (const struct reader *r; (r = readers_next(&w)); steps++) {
            lones += r->unit == lone;
            if (r->unit != lone)
                readers_skip(&w, r);
        }
        CU_ASSERT_EQUAL(lones, 1);
        if (kinds <= 2)
            CU_ASSERT(steps < 30);
        readers_free(rs);
    }
}

UNIT_MAIN("crowds at one word", {"skipped kinds cost nothing", test_skipped_kinds_cost_nothing})
