/**
 * @file arrange.c
 * See course.h: steps are ranked. Older values are taken one by one, as long as no circle arises.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "rerun/course_kept.h"

/** A walk along the links, from a step to what comes before it. */
struct walk {
    LIST(struct link) stack;   /**< a step, and the link at which the walk goes on from it */
    uint8_t *seen;             /**< a byte a step */
};

static void walk_to(const struct course *c, struct walk *w, int step)
{
    w->seen[step] = 1;
    *LIST_PUSH(&w->stack) = (struct link){step, c->after.data[step]};
}

/** Goes on to a step before the one on top that has not been seen. @return false: the top has none left, and is off */
static bool walk_on(const struct course *c, struct walk *w, int *left)
{
    struct link *top = &w->stack.data[w->stack.count - 1];
    while (top->more >= 0) {
        const struct link *l = &c->links.data[top->more];
        top->more = l->more;
        if (!w->seen[l->step]) {
            walk_to(c, w, l->step);
            return true;
        }
    }
    *left = top->step;
    w->stack.count--;
    return false;
}

static bool must_come_before(const struct course *c, struct walk *w, int first, int second)
{
    int left;
    memset(w->seen, 0, (size_t)c->steps.count);
    w->stack.count = 0;
    walk_to(c, w, second);
    while (w->stack.count && !w->seen[first])
        walk_on(c, w, &left);
    return w->seen[first];
}

/** Which of those not taken yet is the next that an interleaving is asked to have: first what is more than a look. */
static int next_missed(const struct course *c, const bool *taken, unsigned variant)
{
    int best = -1;
    uint64_t best_key = 0;
    for (int i = 0; i < c->missed.count; i++) {
        uint64_t key = variant == 0   ? (uint64_t)(c->missed.count - i)
                       : variant == 1 ? (uint64_t)i
                                      : mix64((uint64_t)variant * MIX_STEP + (uint64_t)i) >> 8;
        key |= c->missed.data[i].looks ? 0 : 1ull << 60;
        if (!taken[i] && (best < 0 || key > best_key)) {
            best = i;
            best_key = key;
        }
    }
    return best;
}

static void rank_all(struct course *c, struct walk *w)
{
    int rank = 0, left;
    memset(w->seen, 0, (size_t)c->steps.count);
    w->stack.count = 0;
    for (int i = 0; i < c->steps.count; i++) {
        if (w->seen[i])
            continue;
        walk_to(c, w, i);
        while (w->stack.count)
            if (!walk_on(c, w, &left))
                c->steps.data[left].rank = rank++;
    }
}

int course_arrange(struct course *c, unsigned variant)
{
    struct walk w = {.seen = malloc((size_t)c->steps.count + 1)};
    bool *taken = calloc((size_t)c->missed.count + 1, sizeof *taken);
    int links = c->links.count, *after = malloc(((size_t)c->missed.count + 1) * sizeof *after), given_up = 0;
    assert(w.seen && taken && after);
    for (int i = 0; i < c->missed.count; i++) {
        c->steps.data[c->missed.data[i].read].given_up = false;
        after[i] = c->after.data[c->missed.data[i].write];
    }
    for (int i; (i = next_missed(c, taken, variant)) >= 0;) {
        const struct missed *m = &c->missed.data[i];
        taken[i] = true;
        c->steps.data[m->read].given_up |= must_come_before(c, &w, m->write, m->read);
        if (c->steps.data[m->read].given_up)
            given_up++;
        else
            course_comes_after(c, m->write, m->read);
    }
    rank_all(c, &w);
    for (int i = 0; i < c->missed.count; i++)
        c->after.data[c->missed.data[i].write] = after[i];
    c->links.count = links;
    LIST_FREE(&w.stack);
    free(w.seen);
    free(taken);
    free(after);
    return given_up;
}
