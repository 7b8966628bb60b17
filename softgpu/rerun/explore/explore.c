/**
 * @file explore.c
 * The walk over decisions, the states seen.
 */
#include "rerun/explore/explore.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "execute/chooser.h"

#define MAX_RUNS 400000
#define MAX_STATES (8u << 20)

/* ---- Decisions ---- */

int explore_choose(struct explorer *x, int count)
{
    assert(count > 0);
    if (count == 1)
        return 0;
    if (x->depth == x->path.count)
        *LIST_PUSH(&x->path) = (struct decision){.count = count};
    return x->path.data[x->depth++].chosen;
}

int explore_schedule(struct explorer *x, int count)
{
    uint64_t state = mix_in(graph_hash(&x->graph), x->standing + x->beside);
    x->standing = 0;
    if (count > 1 && x->depth == x->path.count && !hash_set_add(&x->seen, state * 2)) {
        x->pruned = true;
        return -1;
    }
    return explore_choose(x, count);
}

/** Moves on to the next path; false when all have been walked. */
static bool backtrack(struct explorer *x)
{
    while (x->path.count) {
        struct decision *last = &x->path.data[x->path.count - 1];
        if (++last->chosen < last->count)
            return true;
        x->path.count--;
    }
    return false;
}

static void record_outcome(struct explorer *x)
{
    uint32_t *words = outcomes_contents(&x->outcomes);
    outcomes_add(&x->outcomes, words, false, x->outcomes.executions + 1);
    free(words);
}

/* ---- The walk ---- */

struct explorer *explore_begin(struct machine *m)
{
    struct explorer *x = calloc(1, sizeof *x);
    assert(x);
    x->machine = m;
    x->began = clock();
    outcomes_open(&x->outcomes, m);
    machine_set_chooser(m, &explore_chooser, x);
    observers_add(machine_observers(m), &explore_observer, x);
    machine_set_schedule(m, SCHEDULE_CHOSEN, 0);
    return x;
}

static void begin_again(struct explorer *x)
{
    outcomes_drop(&x->outcomes);
    x->path.count = 0;
    hash_set_clear(&x->seen);
    x->restart = false;
}

static enum incomplete_cause past_bound(const struct explorer *x)
{
    if (x->runs >= MAX_RUNS || x->seen.count >= MAX_STATES)
        return INCOMPLETE_EXECUTIONS;
    if ((double)(clock() - x->began) / CLOCKS_PER_SEC > exhaustive_seconds())
        return INCOMPLETE_TIME;
    return x->outcomes.full ? INCOMPLETE_OUTCOMES : INCOMPLETE_NOT;
}

bool explore_next(struct explorer *x)
{
    x->restart |= outcomes_grow(&x->outcomes);
    bool whole = !x->pruned && !x->restart && !x->graph.overflow;
    x->runs++;
    if (x->graph.overflow)
        x->incomplete = x->graph.overflow;
    if (whole && hash_set_add(&x->seen, graph_hash(&x->graph) * 2 + 2))
        record_outcome(x);
    bool again = x->restart;
    if (x->restart)
        begin_again(x);
    else
        again = backtrack(x);
    enum incomplete_cause bound = past_bound(x);
    if (again && bound) {
        x->incomplete = bound;
        again = false;
    }
    if (x->graph.overflow)
        again = false;
    x->depth = 0;
    x->turns = x->standing = x->beside = 0;
    x->pruned = false;
    x->parties.count = 0;
    graph_reset(&x->graph);
    return again;
}

/* ---- The end ---- */

void explore_end(struct explorer *x, const char *kernel, enum incomplete_cause why, FILE *out)
{
    outcomes_tell(&x->outcomes, kernel, why, x->incomplete, &(struct outcomes_out){.table = out});
    observers_remove(machine_observers(x->machine));
    machine_set_chooser(x->machine, NULL, NULL);
    machine_set_schedule(x->machine, SCHEDULE_NATURAL, 0);
    outcomes_close(&x->outcomes);
    LIST_FREE(&x->path);
    LIST_FREE(&x->known);
    LIST_FREE(&x->parties);
    hash_set_free(&x->seen);
    free(x);
}
