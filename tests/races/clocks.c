/**
 * @file clocks.c
 * See clocks.h.
 */
#include "clocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

#define MOST_BLOCKS 4
#define SC_SETS (1 + MOST_BLOCKS)   /* of fence.sc: of those of the GPU's scope, and of all of each block */

/** What is known: what happened before; what was known at fence.sc that happened before; and at those which come before the next fence.sc only, since
 *  something behind them was observed by something that happened before. The last does not go on with a signal: observation is one step of
 *  causality (PTX ISA 8.9.6), so a thread in the middle that does not acquire ends it. */
enum part { BEFORE, AT_SC, OBSERVED_SC = AT_SC + SC_SETS, PARTS = OBSERVED_SC + SC_SETS };

/** What a thread knows of each actor: the last of its moments. One part behind another. */
struct knowledge {
    uint32_t *time;
};

/** What a fence adds to, by its scope: that of the block, that of the GPU. */
enum scope { BLOCK, GPU, SCOPES };

struct thread_clock {
    struct knowledge now;
    struct knowledge fenced[SCOPES]; /**< when its last fence of at least this scope was */
    struct knowledge seen[SCOPES];   /**< by relaxed waits: what a fence of this scope makes known */
    uint32_t copies;
    LIST(uint32_t) groups;           /**< up to which copy each reaches */
};

struct clocks {
    uint32_t threads, threads_a_block, actors;
    struct thread_clock *thread;
};

/** What a signal hands on to a waiter of the same block, and of others. */
struct signal {
    uint32_t thread;
    struct moment at;
    bool wide;
    struct knowledge given[SCOPES], sc; /**< sc: all that the thread knew */
};

LIST_TYPE(signals, struct signal);

struct flag_clock {
    uint32_t threads_a_block, actors;
    struct signals signals;
};

static struct knowledge nothing(uint32_t actors)
{
    struct knowledge k = {calloc((size_t)PARTS * actors, sizeof *k.time)};
    if (!k.time)
        abort();
    return k;
}

static void join_part(struct knowledge *into, enum part part, const struct knowledge *k, enum part of, uint32_t actors)
{
    uint32_t *time = into->time + (size_t)part * actors;
    const uint32_t *other = k->time + (size_t)of * actors;
    for (uint32_t i = 0; i < actors; i++)
        if (time[i] < other[i])
            time[i] = other[i];
}

static void join(struct knowledge *into, const struct knowledge *k, uint32_t actors)
{
    for (int part = 0; part < PARTS; part++)
        join_part(into, (enum part)part, k, (enum part)part, actors);
}

struct clocks *clocks_new(uint32_t blocks, uint32_t threads_a_block)
{
    uint32_t threads = blocks * threads_a_block;
    struct clocks *c = calloc(1, sizeof *c);
    if (!c || !(c->thread = calloc(threads, sizeof *c->thread)))
        abort();
    if (blocks > MOST_BLOCKS)
        abort();
    c->threads = threads, c->threads_a_block = threads_a_block, c->actors = 2 * threads;
    for (uint32_t t = 0; t < threads; t++) {
        struct thread_clock *me = &c->thread[t];
        me->now = nothing(c->actors);
        me->now.time[t] = 1;
        for (int s = 0; s < SCOPES; s++)
            me->fenced[s] = nothing(c->actors), me->seen[s] = nothing(c->actors);
    }
    return c;
}

void clocks_free(struct clocks *c)
{
    for (uint32_t t = 0; t < c->threads; t++) {
        free(c->thread[t].now.time);
        for (int s = 0; s < SCOPES; s++)
            free(c->thread[t].fenced[s].time), free(c->thread[t].seen[s].time);
        LIST_FREE(&c->thread[t].groups);
    }
    free(c->thread);
    free(c);
}

struct moment clocks_now(const struct clocks *c, uint32_t thread)
{
    return (struct moment){thread, c->thread[thread].now.time[thread]};
}

struct moment clocks_copy(struct clocks *c, uint32_t thread)
{
    return (struct moment){c->threads + thread, ++c->thread[thread].copies};
}

bool clocks_before(const struct clocks *c, struct moment m, uint32_t thread)
{
    return m.time <= c->thread[thread].now.time[m.actor];
}

/** What the thread does from now on is not what others have come to know. */
static void go_on(struct clocks *c, uint32_t thread)
{
    c->thread[thread].now.time[thread]++;
}

void clocks_meet(struct clocks *c, const bool *comes, const bool *waits)
{
    struct knowledge all = nothing(c->actors);
    for (uint32_t t = 0; t < c->threads; t++)
        if (comes[t])
            join(&all, &c->thread[t].now, c->actors);
    for (uint32_t t = 0; t < c->threads; t++)
        if (comes[t]) {
            if (waits[t])
                join(&c->thread[t].now, &all, c->actors);
            go_on(c, t);
        }
    free(all.time);
}

void clocks_meet_all(struct clocks *c, bool relaxed)
{
    struct knowledge all = nothing(c->actors);
    for (uint32_t t = 0; t < c->threads; t++)
        join(&all, relaxed ? &c->thread[t].fenced[GPU] : &c->thread[t].now, c->actors);
    for (uint32_t t = 0; t < c->threads; t++) {
        join(&c->thread[t].now, &all, c->actors);
        go_on(c, t);
    }
    free(all.time);
}

void clocks_commit(struct clocks *c, uint32_t thread)
{
    *LIST_PUSH(&c->thread[thread].groups) = c->thread[thread].copies;
}

void clocks_groups_done(struct clocks *c, uint32_t thread, uint32_t but)
{
    struct thread_clock *me = &c->thread[thread];
    if ((uint32_t)me->groups.count > but)
        me->now.time[c->threads + thread] = me->groups.data[(uint32_t)me->groups.count - 1 - but];
}

void clocks_copies_done(struct clocks *c, uint32_t thread)
{
    c->thread[thread].now.time[c->threads + thread] = c->thread[thread].copies;
}

/** The thread's fence.sc comes behind those of the two sets that it has heard of, and the next ones of these sets behind it. */
static void fence_in(struct thread_clock *me, int set, int other, uint32_t actors)
{
    join_part(&me->now, BEFORE, &me->now, (enum part)(OBSERVED_SC + set), actors);
    join_part(&me->now, BEFORE, &me->now, (enum part)(OBSERVED_SC + other), actors);
    join_part(&me->now, (enum part)(AT_SC + set), &me->now, BEFORE, actors);
    join_part(&me->now, (enum part)(AT_SC + other), &me->now, BEFORE, actors);
}

void clocks_fence(struct clocks *c, uint32_t thread, bool wide, bool sc)
{
    struct thread_clock *me = &c->thread[thread];
    int beside = 1 + (int)(thread / c->threads_a_block);
    join(&me->now, &me->seen[wide ? GPU : BLOCK], c->actors);
    if (sc)
        fence_in(me, beside, wide ? 0 : beside, c->actors);
    for (int s = BLOCK; s <= (wide ? GPU : BLOCK); s++)
        join(&me->fenced[s], &me->now, c->actors);
    go_on(c, thread);
}

struct flag_clock *flag_clock_new(const struct clocks *c)
{
    struct flag_clock *f = calloc(1, sizeof *f);
    if (!f)
        abort();
    f->threads_a_block = c->threads_a_block, f->actors = c->actors;
    return f;
}

void flag_clock_free(struct flag_clock *f)
{
    for (int i = 0; i < f->signals.count; i++) {
        for (int s = 0; s < SCOPES; s++)
            free(f->signals.data[i].given[s].time);
        free(f->signals.data[i].sc.time);
    }
    LIST_FREE(&f->signals);
    free(f);
}

/** Is the signal observed, and are the two morally strong: does each have the other's thread in its scope? */
static bool together(const struct flag_clock *f, const struct signal *a, uint32_t thread, bool wide)
{
    return a->thread / f->threads_a_block == thread / f->threads_a_block || (a->wide && wide);
}

/** Does none of the signals so far conflict with what the thread does to the flag now? */
static bool none_conflicts(const struct clocks *c, const struct flag_clock *f, uint32_t thread, bool wide)
{
    for (int i = 0; i < f->signals.count; i++)
        if (!together(f, &f->signals.data[i], thread, wide) && !clocks_before(c, f->signals.data[i].at, thread))
            return false;
    return true;
}

bool clocks_signal(struct clocks *c, struct flag_clock *f, uint32_t thread, const struct step *s)
{
    struct thread_clock *me = &c->thread[thread];
    struct signal made = {.thread = thread, .at = clocks_now(c, thread), .wide = s->wide};
    bool fine = none_conflicts(c, f, thread, s->wide);
    for (int scope = BLOCK; scope < SCOPES; scope++) {
        made.given[scope] = nothing(c->actors);
        join(&made.given[scope], &me->fenced[scope], c->actors);
        if (s->strength == ORDERED && (s->wide || scope == BLOCK))
            join(&made.given[scope], &me->now, c->actors);
    }
    made.sc = nothing(c->actors);
    join(&made.sc, &me->now, c->actors);
    *LIST_PUSH(&f->signals) = made;
    go_on(c, thread);
    return fine;
}

bool clocks_wait(struct clocks *c, struct flag_clock *f, uint32_t thread, const struct step *s)
{
    struct thread_clock *me = &c->thread[thread];
    bool fine = none_conflicts(c, f, thread, s->wide);
    for (int i = 0; i < f->signals.count; i++) {
        const struct signal *a = &f->signals.data[i];
        bool near = a->thread / f->threads_a_block == thread / f->threads_a_block;
        if (!together(f, a, thread, s->wide))
            continue;
        for (int set = 0; set < SC_SETS; set++)
            join_part(&me->now, (enum part)(OBSERVED_SC + set), &a->sc, (enum part)(AT_SC + set), c->actors);
        if (near)
            join(&me->seen[BLOCK], &a->given[BLOCK], c->actors);
        join(&me->seen[GPU], &a->given[near ? BLOCK : GPU], c->actors);
        if (s->strength == ORDERED && (near || s->wide))
            join(&me->now, &a->given[near ? BLOCK : GPU], c->actors);
    }
    return fine;
}
