/**
 * @file test_late.c
 * How many reads may be late (search.h), and guess: up to each bound all is found, past it the enumeration says that it is not.
 */
#include <string.h>

#include "model/enumerate.h"
#include "unit.h"

enum { CHOICE, DATA, FLAG, LOCATIONS };

/** Thread 0 reads which branch to take, reads data as often as that says or until they are 0, by loads of the branch's own, and sets a
 *  flag; thread 1 reads the flag and stores the data, thread 2 the choices, one by one. So data that thread 0 reads may be what its own
 *  flag has led to; each of its reads has to guess, since the next one rests on it, and the flag does not. */
struct program {
    int branches, reads;    /**< branches 1 to `branches` read so often, */
    int rest;               /**< and one more so often; 0: there is none */
};

/** Stores that rest on nothing, or on the choice. */
static void store(struct model_step *step, int location, uint64_t value, event_set depends)
{
    step->event[step->count++] = (struct model_event){.kind = EVENT_WRITE, .strong = true, .scope = MODEL_GPU, .pair = -1, .location = location,
                                                      .value = value, .depends = depends};
}

static void load(struct model_step *step, int location, uint32_t cookie, event_set depends)
{
    step->stop = STOP_READ;
    step->read = (struct model_event){.kind = EVENT_READ, .strong = true, .scope = MODEL_GPU, .pair = -1, .location = location, .cookie = cookie,
                                      .depends = depends};
}

static bool next_step(void *self, int thread, const uint64_t *values, int count, event_set unknown, struct model_step *step)
{
    const struct program *p = self;
    *step = (struct model_step){.stop = STOP_END};
    if (thread == 1) {
        if (count == 0)
            load(step, FLAG, 1, 0);
        else
            store(step, DATA, 1, 1);
        return true;
    }
    for (int i = 1; thread == 2 && i <= p->branches + (p->rest > 0); i++)
        store(step, CHOICE, (uint64_t)i, 0);
    if (thread == 2)
        return true;
    event_set needs = unknown & (1 | (count > 1 ? event_bit(count - 1) : 0));
    if (needs) {
        step->stop = STOP_NEEDS;
        step->needs = needs, step->binds = needs & 1;
        return true;
    }
    uint64_t choice = count ? values[0] : 0;
    int reads = !choice ? 0 : choice <= (uint64_t)p->branches ? p->reads : p->rest;
    if (count == 0)
        load(step, CHOICE, 1, 0);
    else if (count <= reads && (count == 1 || values[count - 1]))
        load(step, DATA, (uint32_t)choice * 64 + (uint32_t)count, 1);
    else if (choice)
        store(step, FLAG, 1, 1);
    return true;
}

struct counts {
    int all, circles;    /**< outcomes; those in which the data come and the flag was seen */
};

static void note(void *self, const struct model_outcome *o)
{
    struct counts *c = self;
    bool data = false;
    for (int i = 1; i < o->value_count[0]; i++)
        data |= o->values[0][i] == 1;
    c->all++;
    c->circles += data && o->values[1][0] == 1;
}

static enum incomplete_cause enumerate(struct program p, struct counts *c)
{
    static const uint64_t initial[LOCATIONS];
    struct model_place place[3] = {{.block = 0}, {.block = 1}, {.block = 2}};
    struct model_program program = {.threads = 3, .locations = LOCATIONS, .place = place, .initial = initial, .next = next_step, .self = &p};
    memset(c, 0, sizeof *c);
    return model_enumerate(&program, &(struct model_limits){0}, note, c);
}

/** Reads until 0: none sees the data or all do, since they are strong; and the flag is seen or not. */
static void test_at_once(void)
{
    struct counts c;
    CU_ASSERT_EQUAL(enumerate((struct program){.branches = 1, .reads = 3}, &c), INCOMPLETE_NOT);
    CU_ASSERT_EQUAL(c.all, 1 + 2 * 2); /* the choice is not seen, or it is */
    CU_ASSERT_EQUAL(c.circles, 1);
    CU_ASSERT_EQUAL(enumerate((struct program){.branches = 1, .reads = 32}, &c), INCOMPLETE_NOT);
    CU_ASSERT_EQUAL(c.all, 1 + 2 * 2);
    CU_ASSERT_EQUAL(c.circles, 1);
    CU_ASSERT_EQUAL(enumerate((struct program){.branches = 1, .reads = 33}, &c), INCOMPLETE_GUESSES);
}

/** 256 loads of thread 0, of which an execution has 15 at most; and one load more. */
static void test_in_all(void)
{
    struct counts c;
    CU_ASSERT_EQUAL(enumerate((struct program){.branches = 17, .reads = 15, .rest = 1}, &c), INCOMPLETE_NOT);
    CU_ASSERT_EQUAL(c.circles, 18);
    CU_ASSERT_EQUAL(enumerate((struct program){.branches = 17, .reads = 15, .rest = 2}, &c), INCOMPLETE_GUESSES);
}

UNIT_MAIN("model: reads that are late", {"in one execution", test_at_once}, {"in all", test_in_all})
