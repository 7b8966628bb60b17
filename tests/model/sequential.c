/**
 * @file sequential.c
 * See sequential.h. It knows nothing of model/: a plain interpreter of the text, with the states it has been in.
 */
#include "sequential.h"

#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "litmus_modify.h"

#define FIRST_REGISTER 4
#define SEEN (1u << 20)

struct at {
    int pc[MODEL_THREADS];
    bool waits[MODEL_THREADS];                            /**< at a barrier with a count */
    int arrived;                                          /**< there: only one is used */
    uint64_t memory[FIRST_REGISTER + LITMUS_REGISTERS];   /**< locations, then registers */
};

struct walk {
    const struct litmus *l;
    struct litmus_lines lines;
    uint64_t *seen;
};

static bool is_new(struct walk *w, const struct at *s)
{
    uint64_t h = 1;
    for (int t = 0; t < w->l->threads; t++)
        h = mix_in(h, (uint64_t)s->pc[t] << 1 | s->waits[t]);
    h = mix_in(h, (uint64_t)s->arrived);
    for (int i = 0; i < FIRST_REGISTER + LITMUS_REGISTERS; i++)
        h = mix_in(h, s->memory[i]);
    h |= 1;
    uint32_t i = (uint32_t)(h >> 8) & (SEEN - 1);
    while (w->seen[i] && w->seen[i] != h)
        i = (i + 1) & (SEEN - 1);
    bool fresh = !w->seen[i];
    w->seen[i] = h;
    return fresh;
}

static const struct litmus_statement *next_of(const struct litmus *l, const struct at *s, int t)
{
    return s->pc[t] < l->thread[t].count ? &l->thread[t].s[s->pc[t]] : NULL;
}

static bool exchanges(const struct litmus_statement *next)
{
    return !strcmp(next->op, "any") || !strcmp(next->op, "first");
}

/** Has every thread arrived at the cluster's barrier, which each comes to once? */
static bool all_have_arrived(const struct litmus *l, const struct at *s)
{
    for (int t = 0; t < l->threads; t++)
        for (int i = s->pc[t]; i < l->thread[t].count; i++)
            if (!strcmp(l->thread[t].s[i].op, "carr"))
                return false;
    return true;
}

/** A barrier of the whole block, or an exchange: has everybody in it come, or ended? */
static bool all_have_come(const struct litmus *l, const struct at *s, int thread)
{
    const char *op = next_of(l, s, thread)->op;
    if (next_of(l, s, thread)->expected)
        return !s->waits[thread];
    if (!strcmp(op, "cwait"))
        return all_have_arrived(l, s);
    if (strcmp(op, "bar") != 0 && !exchanges(next_of(l, s, thread)))
        return true;
    for (int t = 0; t < l->threads; t++) {
        const struct litmus_statement *next = next_of(l, s, t);
        if (l->place[t].block == l->place[thread].block && next && strcmp(next->op, op))
            return false;
    }
    return true;
}

static void step_modify(struct at *s, const struct litmus_statement *next)
{
    uint64_t *place = &s->memory[next->location], old = *place;
    uint64_t by = next->from < 0 ? next->value : s->memory[FIRST_REGISTER + next->from];
    if (strcmp(next->op, "cas") != 0 || old == next->compare)
        *place = litmus_modified(next, old, by);
    if (next->into >= 0)
        s->memory[FIRST_REGISTER + next->into] = old;
}

/** A barrier with a count: the last to come lets go who waits. */
static void step_counted(const struct litmus *l, struct at *s, int thread, const struct litmus_statement *next)
{
    bool waits = next->op[0] == 'b', last = ++s->arrived == next->expected;
    s->waits[thread] = waits;
    s->pc[thread] += !waits;
    for (int t = 0; t < l->threads && last; t++) {
        s->pc[t] += s->waits[t];
        s->waits[t] = false;
    }
    s->arrived = last ? 0 : s->arrived;
}

static uint64_t operand(const struct at *s, const struct litmus_statement *of)
{
    return of->from < 0 ? of->value : s->memory[FIRST_REGISTER + of->from];
}

/** All lanes of the block that have not ended go on with what they get. */
static void step_exchange(const struct litmus *l, struct at *s, int thread)
{
    const struct at before = *s;
    bool first = next_of(l, s, thread)->op[0] == 'f', begun = false;
    uint64_t result = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int o = 0; o < l->threads; o++) {
            const struct litmus_statement *next = next_of(l, &before, o);
            if (!next || l->place[o].block != l->place[thread].block)
                continue;
            if (pass) {
                s->pc[o]++;
                if (next->into >= 0)
                    s->memory[FIRST_REGISTER + next->into] = result;
            } else if (first) {
                result = begun ? result : operand(&before, next);
                begun = true;
            } else {
                result |= operand(&before, next) != 0;
            }
        }
}

static void step(const struct litmus *l, struct at *s, int t, const struct litmus_statement *next)
{
    if (exchanges(next)) {
        step_exchange(l, s, t);
        return;
    }
    if (next->expected) {
        step_counted(l, s, t, next);
        return;
    }
    s->pc[t]++;
    if (!strcmp(next->op, "W"))
        s->memory[next->location] = next->from < 0 ? next->value : s->memory[FIRST_REGISTER + next->from];
    else if (!strcmp(next->op, "R"))
        s->memory[FIRST_REGISTER + next->into] = s->memory[next->location];
    else if (!strcmp(next->op, "if"))
        s->pc[t] += s->memory[FIRST_REGISTER + next->from] ? 0 : next->number;
    else if (!strcmp(next->op, "again"))
        s->pc[t] -= s->memory[FIRST_REGISTER + next->from] ? 0 : 2; /* the load stands right before it */
    else if (!strcmp(next->op, "bar"))
        for (int o = 0; o < l->threads; o++)
            s->pc[o] += o != t && l->place[o].block == l->place[t].block && next_of(l, s, o);
    else if (strcmp(next->op, "F") != 0 && strcmp(next->op, "carr") != 0 && strcmp(next->op, "cwait") != 0)
        step_modify(s, next);
}

/** Does the thread's next load only bring it back to itself? */
static bool waits_for_value(const struct litmus *l, const struct at *s, int t)
{
    const struct litmus_statement *next = next_of(l, s, t);
    if (!next || s->pc[t] + 1 == l->thread[t].count)
        return false;
    return !strcmp(next->op, "R") && !strcmp(next[1].op, "again") && next[1].from == next->into && !s->memory[next->location];
}

/** Threads that never end leave no registers. */
static void add_outcome(struct walk *w, const struct at *s, bool hangs)
{
    struct at left = *s;
    for (int t = 0; t < w->l->threads; t++)
        for (int i = 0; next_of(w->l, s, t) && i < w->l->thread[t].count; i++)
            if (w->l->thread[t].s[i].into >= 0)
                left.memory[FIRST_REGISTER + w->l->thread[t].s[i].into] = 0;
    litmus_add(&w->lines, w->l, left.memory, hangs);
}

static void walk(struct walk *w, const struct at *s)
{
    bool ended = true, stuck = true;
    if (!is_new(w, s))
        return;
    for (int t = 0; t < w->l->threads; t++) {
        const struct litmus_statement *next = next_of(w->l, s, t);
        ended &= !next;
        if (!next || !all_have_come(w->l, s, t) || waits_for_value(w->l, s, t))
            continue;
        struct at then = *s;
        stuck = false;
        step(w->l, &then, t, next);
        walk(w, &then);
    }
    if (stuck)
        add_outcome(w, s, !ended);
}

void sequential_outcomes(const struct litmus *l, char *out, size_t size)
{
    static struct walk w;
    struct at start;
    memset(&start, 0, sizeof start);
    memset(&w.lines, 0, sizeof w.lines);
    w.l = l;
    w.seen = calloc(SEEN, sizeof *w.seen);
    walk(&w, &start);
    litmus_lines_write(&w.lines, out, size);
    free(w.seen);
}
