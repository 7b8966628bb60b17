/**
 * @file clocks.c
 * See clocks.h.
 */
#include "clocks.h"

#include <stdlib.h>
#include <string.h>

#include "base/list.h"

/** What a thread knows of each actor: the last of its moments that happened before. */
struct knowledge {
    uint32_t *time;
};

/** What a fence adds to, by its scope: that of the block, that of the GPU. */
enum scope { BLOCK, GPU, SCOPES };

#define MOST_BLOCKS 4
#define SC_SETS (1 + MOST_BLOCKS)   /* of fence.sc: of those of the GPU's scope, and of all of each block */

struct thread_clock {
    struct knowledge now;
    struct knowledge fenced[SCOPES]; /**< when its last fence of at least this scope was */
    struct knowledge seen[SCOPES];   /**< by relaxed waits: what a fence of this scope makes known */
    struct knowledge sc[SC_SETS];    /**< what was known at fence.sc that come before what the thread does now, in whatever way */
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
    struct knowledge given[SCOPES], sc[SC_SETS];
};

LIST_TYPE(signals, struct signal);

struct flag_clock {
    uint32_t threads_a_block, actors;
    struct signals signals;
};

static struct knowledge nothing(uint32_t actors)
{
    struct knowledge k = {calloc(actors, sizeof *k.time)};
    if (!k.time)
        abort();
    return k;
}

static void join(struct knowledge *into, const struct knowledge *k, uint32_t actors)
{
    for (uint32_t i = 0; i < actors; i++)
        if (into->time[i] < k->time[i])
            into->time[i] = k->time[i];
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
        for (int s = 0; s < SC_SETS; s++)
            me->sc[s] = nothing(c->actors);
    }
    return c;
}

void clocks_free(struct clocks *c)
{
    for (uint32_t t = 0; t < c->threads; t++) {
        free(c->thread[t].now.time);
        for (int s = 0; s < SCOPES; s++)
            free(c->thread[t].fenced[s].time), free(c->thread[t].seen[s].time);
        for (int s = 0; s < SC_SETS; s++)
            free(c->thread[t].sc[s].time);
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

static void join_sc(struct knowledge *into, const struct knowledge *sc, uint32_t actors)
{
    for (int s = 0; s < SC_SETS; s++)
        join(&into[s], &sc[s], actors);
}

/** What the thread does from now on is not what others have come to know. */
static void go_on(struct clocks *c, uint32_t thread)
{
    c->thread[thread].now.time[thread]++;
}

void clocks_meet(struct clocks *c, const bool *comes, const bool *waits)
{
    struct knowledge all = nothing(c->actors), sc[SC_SETS];
    for (int s = 0; s < SC_SETS; s++)
        sc[s] = nothing(c->actors);
    for (uint32_t t = 0; t < c->threads; t++)
        if (comes[t])
            join(&all, &c->thread[t].now, c->actors), join_sc(sc, c->thread[t].sc, c->actors);
    for (uint32_t t = 0; t < c->threads; t++)
        if (comes[t]) {
            if (waits[t])
                join(&c->thread[t].now, &all, c->actors), join_sc(c->thread[t].sc, sc, c->actors);
            go_on(c, t);
        }
    free(all.time);
    for (int s = 0; s < SC_SETS; s++)
        free(sc[s].time);
}

void clocks_meet_all(struct clocks *c, bool relaxed)
{
    struct knowledge all = nothing(c->actors), sc[SC_SETS];
    for (int s = 0; s < SC_SETS; s++)
        sc[s] = nothing(c->actors);
    for (uint32_t t = 0; t < c->threads; t++)
        join(&all, relaxed ? &c->thread[t].fenced[GPU] : &c->thread[t].now, c->actors), join_sc(sc, c->thread[t].sc, c->actors);
    for (uint32_t t = 0; t < c->threads; t++) {
        join(&c->thread[t].now, &all, c->actors);
        join_sc(c->thread[t].sc, sc, c->actors);
        go_on(c, t);
    }
    free(all.time);
    for (int s = 0; s < SC_SETS; s++)
        free(sc[s].time);
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

void clocks_fence(struct clocks *c, uint32_t thread, bool wide, bool sc)
{
    struct thread_clock *me = &c->thread[thread];
    struct knowledge *beside = &me->sc[1 + thread / c->threads_a_block];
    join(&me->now, &me->seen[wide ? GPU : BLOCK], c->actors);
    if (sc) {
        join(&me->now, beside, c->actors);
        if (wide)
            join(&me->now, &me->sc[0], c->actors), join(&me->sc[0], &me->now, c->actors);
        join(beside, &me->now, c->actors);
    }
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
        for (int s = 0; s < SC_SETS; s++)
            free(f->signals.data[i].sc[s].time);
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
    for (int i = 0; i < SC_SETS; i++)
        made.sc[i] = nothing(c->actors);
    join_sc(made.sc, me->sc, c->actors);
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
        join_sc(me->sc, a->sc, c->actors);
        if (near)
            join(&me->seen[BLOCK], &a->given[BLOCK], c->actors);
        join(&me->seen[GPU], &a->given[near ? BLOCK : GPU], c->actors);
        if (s->strength == ORDERED && (near || s->wide))
            join(&me->now, &a->given[near ? BLOCK : GPU], c->actors);
    }
    return fine;
}
