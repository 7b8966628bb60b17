/**
 * @file test_met.c
 * Executions that hash alike are two, and one that is met again is not.
 */
#include <string.h>

#include "model/met.h"
#include "model/enumerate.h"
#include "unit.h"

/** Two threads store, two load; with these values two of the four executions hash alike. (Each event adds a word that can be
 *  undone for its value: the last of them was found by that.) */
static const uint64_t initial[2] = {5, 77}, stored[2] = {111, 18038114892325879063u};

static bool next_step(void *self, int thread, const uint64_t *values, int count, event_set unknown, struct model_step *step)
{
    (void)self, (void)values, (void)unknown;
    *step = (struct model_step){.stop = STOP_END};
    struct model_event e = {.kind = EVENT_WRITE, .strong = true, .scope = MODEL_GPU, .pair = -1, .location = thread % 2};
    if (thread < 2) {
        e.value = stored[thread];
        step->event[step->count++] = e;
    } else if (count == 0) {
        e.cookie = 1;
        step->stop = STOP_READ;
        step->read = e;
    }
    return true;
}

struct ended {
    uint64_t hash[8], seen[8][2];
    int count;
};

static void note(void *self, const struct model_outcome *o)
{
    struct ended *all = self;
    if (all->count == 8)
        return;
    all->hash[all->count] = execution_hash(o->execution, 0);
    all->seen[all->count][0] = o->values[2][0];
    all->seen[all->count++][1] = o->values[3][0];
}

static void test_hash(void)
{
    struct ended all = {.count = 0};
    struct model_place place[4] = {{.block = 0}, {.block = 1}, {.block = 2}, {.block = 3}};
    struct model_program p = {.threads = 4, .locations = 2, .place = place, .initial = initial, .next = next_step};
    int alike = 0, same = 0;
    CU_ASSERT_EQUAL(model_enumerate(&p, &(struct model_limits){0}, note, &all), INCOMPLETE_NOT);
    CU_ASSERT_EQUAL(all.count, 4);
    for (int i = 0; i < all.count; i++)
        for (int j = 0; j < i; j++) {
            alike += all.hash[i] == all.hash[j];
            same += !memcmp(all.seen[i], all.seen[j], sizeof all.seen[i]);
        }
    CU_ASSERT_EQUAL(alike, 1); /* else this test needs another value */
    CU_ASSERT_EQUAL(same, 0);
}

/** The same execution, its events added in two orders; then one read takes its value from elsewhere, or an event waits for ever. */
static void test_order(void)
{
    static struct execution x, y;
    struct model_place place[2] = {{.block = 0}, {.block = 1}};
    struct model_event write = {.kind = EVENT_WRITE, .pair = -1, .value = 5, .strong = true};
    struct model_event read = {.kind = EVENT_READ, .thread = 1, .pair = -1, .value = 5, .strong = true};
    struct byte_set met = {0};
    execution_begin(&x, 1, initial, 2, place);
    execution_begin(&y, 1, initial, 2, place);
    int w = execution_add(&x, &write, SOURCE_NONE), r = execution_add(&y, &read, SOURCE_LATER);
    execution_add(&x, &read, w);
    y.source[r] = execution_add(&y, &write, SOURCE_NONE);
    CU_ASSERT(execution_is_new(&met, &x, 0));
    CU_ASSERT_FALSE(execution_is_new(&met, &x, 0));
    CU_ASSERT_FALSE(execution_is_new(&met, &y, 0));
    y.source[r] = 0; /* the initial write's value is the same */
    CU_ASSERT(execution_is_new(&met, &y, 0));
    CU_ASSERT(execution_is_new(&met, &y, 2));
    CU_ASSERT_FALSE(execution_is_new(&met, &y, 2));
    CU_ASSERT_EQUAL(met.count, 3);
    byte_set_free(&met);
}

UNIT_MAIN("model: executions met before", {"hash", test_hash}, {"order", test_order})
