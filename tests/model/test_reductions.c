/**
 * @file test_reductions.c
 * The search that leaves out orders of reductions which nothing sees, against the one that follows all: thousands of random small
 * programs; and how far it goes.
 */
#include <stdlib.h>
#include <string.h>

#include "litmus.h"
#include "random_program.h"
#include "unit.h"

#define PROGRAMS 1000
#define POINTS 5000       /**< of the walk that follows all; programs that take more are left out */

/** The outcomes of a program, both ways. @return the executions of the shorter way less those of the other; -1 if they differ */
static int executions_saved(const char *text, bool *compared)
{
    static struct litmus l;
    static char got[LITMUS_LINES * LITMUS_LINE], expected[LITMUS_LINES * LITMUS_LINE];
    litmus_parse(&l, text);
    int all = litmus_outcomes_within(&l, &(struct model_limits){.points = POINTS}, expected, sizeof expected);
    *compared = all >= 0;
    if (all < 0)
        return 0;
    all = litmus_outcomes(&l, expected, sizeof expected); /* without a bound under which some are passed over */
    int some = litmus_outcomes_within(&l, &(struct model_limits){.by_outcome = true, .seconds = 20}, got, sizeof got);
    if (some >= 0 && some <= all && !strcmp(got, expected))
        return all - some;
    fprintf(stderr, "\n%s\nall (%d):\n%s\nby outcome (%d):\n%s\n", text, all, expected, some, got);
    return -1;
}

static void compare_random(void (*make)(long number, char *text, size_t size), int programs)
{
    int wrong = 0, fewer = 0, compared = 0;
    for (long i = 0; i < programs && wrong < 3; i++) {
        char text[1200];
        bool ended;
        make(i, text, sizeof text);
        int saved = executions_saved(text, &ended);
        compared += ended;
        wrong += saved < 0;
        fewer += saved > 0;
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(compared > programs / 2);
    CU_ASSERT(fewer > programs / 10);
}

static void test_random(void)
{
    compare_random(random_reductions, PROGRAMS);
}

static void test_sums(void)
{
    compare_random(random_sums, PROGRAMS);
}

/* ---- How far it goes ---- */

struct counts {
    int executions;
    uint64_t serial;
};

static void count_executions(void *self, const struct model_outcome *o)
{
    struct counts *c = self;
    c->executions += o->serial != c->serial;
    c->serial = o->serial;
}

/** Four threads of four accesses each. The eight reductions with eight reads have 1,366,560 executions, the sixteen 63,063,000. */
static void test_bounds(void)
{
    static const struct { const char *text; uint64_t points; int executions; } programs[] = {
        {"red x 1; red x 1; R x a rlx.gpu; R x b rlx.gpu | red x 1; red x 1; R x c rlx.gpu; R x d rlx.gpu | "
         "red x 1; red x 1; R x e rlx.gpu; R x f rlx.gpu | red x 1; red x 1; R x g rlx.gpu; R x h rlx.gpu", 600000, 89687},
        {"red x 1; red x 2; red x 3; red x 4 | red x 1; red x 2; red x 3; red x 4 | red x 1; red x 2; red x 3; red x 4 | "
         "red x 1; red x 2; red x 3; red x 4", 4000, 1},
        {"B 0 0 0 0: bar 0; red x 1; red x 2; red x 3; bar 0; R x a rlx.gpu | bar 0; red x 1; red x 2; red x 3; bar 0; R x b rlx.gpu | "
         "bar 0; red x 1; red x 2; red x 3; bar 0; R x c rlx.gpu | bar 0; red x 1; red x 2; red x 3; bar 0; R x d rlx.gpu", 40000, 1},
        /* Sums in any order, and by barriers before and behind them who sets and reads what they add to. */
        {"red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | "
         "red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2 | red x 1; red x 2", 100, 1},
        {"B 0 0 0 0: W x 5 weak; bar 0; red x 1; red x 2; bar 0; R x a weak | bar 0; red x 1; red x 2; bar 0 | bar 0; red x 1; red x 2; bar 0 | "
         "bar 0; red x 1; red x 2; bar 0; R x b weak", 100, 1},
        /* Nobody sees the sixteen stores; one of four is the last. */
        {"W x 1 rlx.gpu; W x 2 rlx.gpu; W x 3 rlx.gpu; W x 4 rlx.gpu | W x 5 rlx.gpu; W x 6 rlx.gpu; W x 7 rlx.gpu; W x 8 rlx.gpu | "
         "W x 9 rlx.gpu; W x 10 rlx.gpu; W x 11 rlx.gpu; W x 12 rlx.gpu | W x 13 rlx.gpu; W x 14 rlx.gpu; W x 15 rlx.gpu; W x 16 rlx.gpu",
         10, 1},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        static struct litmus l;
        struct counts c = {0};
        litmus_parse(&l, programs[i].text);
        struct model_program p = litmus_program(&l);
        struct model_limits limits = {.by_outcome = true, .points = programs[i].points};
        CU_ASSERT_EQUAL(model_enumerate(&p, &limits, count_executions, &c), INCOMPLETE_NOT);
        CU_ASSERT_EQUAL(c.executions, programs[i].executions);
    }
}

UNIT_MAIN("model: reductions", {"random programs", test_random}, {"sums between barriers", test_sums}, {"bounds", test_bounds})
