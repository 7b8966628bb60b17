/**
 * @file test_choose.c
 * Which run of a submission is next (grader/run/choose.c): the longest as soon as its case is known to come to an end, the first before that.
 */
#include <string.h>

#include "run/plan.h"
#include "unit.h"

#define CASES 4
#define LONG 3 /* the case whose reference took longest */

static struct spec_part parts[2];
static struct spec_case specs[CASES];
static struct record_case records[CASES];
static struct run runs[CASES][2];
static struct plan plans[CASES];
static struct options options;
static struct build build = {.has_kits = true};
static const struct spec_case *ended_earlier;

static bool ended_before(void *ctx, const struct spec_case *spec)
{
    (void)ctx;
    return spec == ended_earlier;
}

static struct case_runner runner = {.build = &build, .options = &options, .ended_before = ended_before};

/** Four cases of one part whose turn has come, all references done, and nothing known of earlier grades. */
static struct cases four_cases(void)
{
    memset(records, 0, sizeof records);
    ended_earlier = NULL;
    options.jobs = 2;
    for (int i = 0; i < CASES; i++) {
        runs[i][0] = (struct run){.plan = &plans[i], .is_reference = true, .state = RUN_ENDED, .child = {.seconds = i == LONG ? 3 : 1}};
        runs[i][1] = (struct run){.plan = &plans[i], .reference = &runs[i][0]};
        plans[i] = (struct plan){.spec = &specs[i], .record = &records[i], .part = &parts[0], .runs = runs[i], .count = 2, .ready = true};
    }
    return (struct cases){.runner = &runner, .plans = plans, .count = CASES, .going_on = true};
}

/** @return the case of the run that begins next */
static int next_case(const struct cases *q)
{
    struct run *run = plan_choose(q);
    return run ? (int)(run->plan - plans) : -1;
}

static void end(int i, bool endless)
{
    runs[i][1].state = RUN_ENDED;
    plans[i].decided = true;
    plans[i].endless = endless;
}

static void test_first(void)
{
    struct cases q = four_cases();
    CU_ASSERT_EQUAL(next_case(&q), 0);
    end(0, false);
    CU_ASSERT_EQUAL(next_case(&q), 1);
    end(1, true); /* two of them, and one may be in a loop that never ends */
    CU_ASSERT_EQUAL(next_case(&q), 2);
}

static void test_two_have_ended(void)
{
    struct cases q = four_cases();
    end(0, false);
    end(1, false);
    CU_ASSERT_EQUAL(next_case(&q), LONG);
    plans[0].part = &parts[1]; /* another part's says nothing */
    CU_ASSERT_EQUAL(next_case(&q), 2);
}

static void test_has_ended_earlier(void)
{
    struct cases q = four_cases();
    ended_earlier = &specs[LONG];
    CU_ASSERT_EQUAL(next_case(&q), LONG);
    runs[LONG][1].state = RUN_STARTED;
    CU_ASSERT_EQUAL(next_case(&q), 0);
    q = four_cases();
    ended_earlier = &specs[2]; /* not the longest */
    CU_ASSERT_EQUAL(next_case(&q), 0);
    q = four_cases();
    ended_earlier = &specs[LONG];
    options.jobs = 1; /* the others would wait for it */
    CU_ASSERT_EQUAL(next_case(&q), 0);
}

UNIT_MAIN("choose", {"the first", test_first}, {"two have ended", test_two_have_ended}, {"has ended in an earlier grade", test_has_ended_earlier})
