/**
 * @file test_cycles.c
 * Load buffering where the events of all executions are the same, against reads that guess values: as many executions with circles, and
 * the same outcomes, of random small programs; and how far it goes.
 */
#include <stdlib.h>
#include <string.h>

#include "litmus.h"
#include "random_program.h"
#include "unit.h"

#define PROGRAMS 900
#define POINTS 4000      /**< of the walk that guesses; programs that take more are left out */

struct met {
    struct litmus_lines lines;
    const struct litmus *litmus;
    uint64_t serial;
    int executions, circles;
};

/** Does time, with reads-from, make a circle? */
static bool has_circle(const struct execution *x)
{
    event_set earlier[MODEL_EVENTS] = {0};
    bool grew = true;
    while (grew) {
        grew = false;
        for (int e = x->locations; e < x->count; e++) {
            event_set all = earlier[e] | x->before[e] | (x->source[e] >= 0 ? event_bit(x->source[e]) : 0);
            for (int b = x->locations; b < x->count; b++)
                all |= event_in(x->barrier[b] | x->meets[b], e) ? event_bit(b) : 0;
            FOR_EVENTS(b, all)
                all |= earlier[b];
            grew |= all != earlier[e];
            earlier[e] = all;
        }
    }
    for (int e = x->locations; e < x->count; e++)
        if (event_in(earlier[e], e))
            return true;
    return false;
}

static void note(void *self, const struct model_outcome *o)
{
    struct met *m = self;
    if (o->serial != m->serial) {
        m->executions++;
        m->circles += has_circle(o->execution);
    }
    m->serial = o->serial;
    litmus_add(&m->lines, m->litmus, o->final, o->hangs);
}

/** @return whether all was met */
static bool meet(struct litmus *l, bool guesses, uint64_t points, struct met *m, char *out, size_t size)
{
    memset(m, 0, sizeof *m);
    m->litmus = l;
    l->guesses = guesses;
    struct model_program p = litmus_program(l);
    bool complete = model_enumerate(&p, &(struct model_limits){.points = points, .seconds = 20}, note, m) == INCOMPLETE_NOT;
    litmus_lines_write(&m->lines, out, size);
    return complete;
}

static void test_random(void)
{
    static struct litmus l;
    static struct met with, without;
    static char got[LITMUS_LINES * LITMUS_LINE], expected[LITMUS_LINES * LITMUS_LINE];
    int wrong = 0, circles = 0;
    for (long i = 0; i < PROGRAMS && wrong < 3; i++) {
        char text[1200];
        random_reductions(i, text, sizeof text);
        litmus_parse(&l, text);
        if (!meet(&l, true, POINTS, &with, expected, sizeof expected))
            continue;
        meet(&l, true, 0, &with, expected, sizeof expected); /* without a bound under which some are passed over */
        bool complete = meet(&l, false, 0, &without, got, sizeof got);
        circles += with.circles > 0;
        if (complete && with.executions == without.executions && with.circles == without.circles && !strcmp(got, expected))
            continue;
        wrong++;
        fprintf(stderr, "\n%ld: %s\nguessing (%d, %d with circles):\n%s\nwithout (%d, %d):\n%s\n", i, text, with.executions, with.circles,
                expected, without.executions, without.circles, got);
    }
    CU_ASSERT_EQUAL(wrong, 0);
    CU_ASSERT(circles > PROGRAMS / 100);
}

static void ignore(void *self, const struct model_outcome *o)
{
    (void)self, (void)o;
}

/** Reads and reductions of two words by four threads: no value is tried that nothing leads to. */
static void test_bounds(void)
{
    static const struct { const char *text; uint64_t points; } programs[] = {
        {"red x 1; red x 2; R x a rlx.gpu; F sc.gpu; R x b rlx.gpu | red x 2; R x c rlx.gpu; R x d rlx.gpu; red x 1 | "
         "R y e rlx.gpu; R y f rlx.gpu; red y 1; F sc.gpu; red y 1 | R x g rlx.gpu; red x 1; R x h rlx.gpu; R y h rlx.gpu", 40000},
        {"B 0 1 2 1: red x 1; R y a rlx.gpu; R x b rlx.gpu; F sc.gpu; red y 2 | R y c rlx.gpu; F sc.gpu; R y d rlx.gpu; red x 1; red x 2 | "
         "R y e acq.gpu; red x 1; F sc.gpu; R z f acq.gpu; R z g rlx.gpu | R x g rlx.gpu; F sc.gpu; red x 1; F sc.gpu; R x h rlx.gpu", 80000},
        {"R x a acq.gpu; R x b rlx.gpu; W y 2 rel.gpu; R y c rlx.gpu | R x d rlx.gpu; red x 1; red x 1; R x e acq.gpu | "
         "red x 2; add x 1 - rlx.gpu; R y f rlx.gpu; R x g rlx.gpu | W y 2 rlx.gpu; F sc.gpu; red x 1 rlx.sys; W y 1; R x h rlx.gpu", 500000},
    };
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++) {
        static struct litmus l;
        litmus_parse(&l, programs[i].text);
        struct model_program p = litmus_program(&l);
        struct model_limits limits = {.by_outcome = true, .points = programs[i].points};
        CU_ASSERT_EQUAL(model_enumerate(&p, &limits, ignore, NULL), INCOMPLETE_NOT);
    }
}

UNIT_MAIN("model: circles without guesses", {"random programs", test_random}, {"bounds", test_bounds})
