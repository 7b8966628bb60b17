/**
 * @file late_reads.c
 * Load buffering: reads whose write is not there yet when their thread goes on.
 *
 * By the axioms (PTX ISA 8.10.4, no thin air) dependencies and reads-from make no circle, though program order and reads-from may. So
 * an execution can be put together in an order in which each write comes before the reads of it, and a read before the writes that
 * rest on it. In such an order a thread passes by a read that takes none of the writes which are there, and does what is the same
 * whatever value the read will return: only values that it writes may rest on that, and such a write is offered to nobody before its
 * value is known. A compare-and-swap is passed by in two ways, as one that will write and as one that will not. Each write is offered to each
 * late read once; so no execution is met twice.
 *
 * Where the thread cannot do more without the value, it waits. What comes later in time without resting on the read is then out of reach:
 * what others do behind a barrier to which the thread has to come, or its own accesses behind one whose address rests on the value.
 * So when nothing can go on, such a read guesses: it takes a value that some execution has shown to be written there, and its write
 * has to follow.
 */
#include <assert.h>
#include <stdlib.h>

#include "model/search.h"

/* ---- What is known ---- */

event_set late_reads(const struct execution *x)
{
    event_set late = 0;
    FOR_EVENTS(r, x->reads)
        late |= x->source[r] == SOURCE_LATER ? event_bit(r) : 0;
    return late;
}

/** None of these is a source of another one, since it is offered to nobody. */
void late_find_open(struct point *p)
{
    p->open = 0;
    if (!p->lates)
        return;
    event_set late = late_reads(&p->x), resting = late;
    for (int e = p->x.locations; e < p->x.count; e++) {
        const struct model_event *event = &p->x.event[e];
        if (event->kind == EVENT_EXCHANGE && event->depends & resting)
            resting |= event_bit(e);
        if (event->kind == EVENT_WRITE && (event->depends & resting || (event->pair >= 0 && event_in(late, event->pair))))
            p->open |= event_bit(e);
    }
}

/** Gives the writes of a thread behind its value `from` the values that they have by now. @return false if the search ends */
static bool write_again(struct search *s, struct point *p, int thread, int from)
{
    struct search_thread *t = &p->thread[thread];
    event_set own = 0;
    int had = t->step.count;
    FOR_EVENTS(w, p->x.writes)
        own |= p->x.event[w].thread == thread && w > t->event_of[from] ? event_bit(w) : 0;
    for (int n = from + 1; n <= t->values; n++) {
        if (!s->program->next(s->program->self, thread, t->value, n, t->unknown & (event_bit(n) - 1), &t->step))
            return search_give_up(s, t->step.why ? t->step.why : INCOMPLETE_SHARING);
        int there = n < t->values ? t->step.count : had;
        for (int i = 0; i < there; i++) {
            if (t->step.event[i].kind != EVENT_WRITE)
                continue;
            if (!own)
                return search_give_up(s, INCOMPLETE_VALUES);
            p->x.event[event_first(own)].value = t->step.event[i].value;
            own &= own - 1;
        }
        if (n == t->values && t->state == THREAD_NEEDS)
            return search_enter(s, p, thread, had);
    }
    return true;
}

/** A value is known. @return as search_return_value() */
static bool know(struct search *s, struct point *p, const struct late *l, uint64_t value)
{
    struct search_thread *t = &p->thread[l->thread];
    p->x.event[l->read].value = value;
    t->value[l->value] = value;
    t->unknown &= ~event_bit(l->value);
    return write_again(s, p, l->thread, l->value);
}

/* ---- Going on without a value ---- */

bool late_may_be(struct search *s, const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    struct loose *l = s->late ? domain_loose(&s->domain, thread, t->step.read.cookie) : NULL;
    if (!l || l->waits || t->idle)
        return false;
    s->domain.dropped |= p->lates == MAX_LATE;
    return p->lates < MAX_LATE;
}

/** Adds the pending read as a late one. @return false as search_return_value() */
static bool go_on(struct search *s, struct point *p, int thread, struct late l, uint64_t value, bool known)
{
    struct search_thread *t = &p->thread[thread];
    l.thread = thread, l.value = t->values, l.there = t->considered;
    l.read = search_add_read(s, p, thread, value, SOURCE_LATER);
    if (l.read < 0)
        return false;
    p->late[p->lates++] = l;
    t->unknown |= known ? 0 : event_bit(t->values);
    return search_return_value(s, p, thread, l.read, value) && search_fits(s, p, -1);
}

void late_go_on(struct search *s, struct point *p, int thread)
{
    const struct model_step *step = &p->thread[thread].step;
    if (step->swaps) {
        struct point *next = search_copy(s, p);
        struct late other = {.takes = LATE_OTHER, .expects = step->expects}, equal = {.takes = LATE_EQUAL, .expects = step->expects};
        if (go_on(s, next, thread, other, step->expects ^ 1, false))
            search_explore(s, next);
        search_drop(s, next);
        if (go_on(s, p, thread, equal, step->expects, false))
            search_explore(s, p);
    } else if (go_on(s, p, thread, (struct late){.takes = LATE_ANY}, s->program->initial[step->read.location], false)) {
        search_explore(s, p);
    }
}

/* ---- Its write comes ---- */

/** The thread's own writes behind the read, which it cannot see. */
static event_set own_behind(const struct point *p, int read)
{
    event_set behind = 0, later = p->x.writes & ~(event_bit(read) - 1);
    FOR_EVENTS(w, later)
        behind |= event_in(p->x.before[w], read) ? event_bit(w) : 0;
    return behind;
}

static bool may_take(const struct point *p, const struct late *l, int write)
{
    const struct model_event *w = &p->x.event[write];
    return l->takes == LATE_ANY || (l->takes == LATE_EQUAL) == (w->value == l->expects);
}

/** The thread has what it waited for, and only comes back to where it was: it may wait for ever, which is seen of reads that are not late. */
static void learn_that_it_waits(struct search *s, const struct point *p, const struct late *l)
{
    struct loose *loose = domain_loose(&s->domain, l->thread, p->x.event[l->read].cookie);
    if (loose && !loose->waits)
        loose->waits = s->domain.missed = true;
}

bool late_offers(struct search *s, struct point *p)
{
    for (int i = 0; i < p->lates; i++) {
        struct late *l = &p->late[i];
        int location = p->x.event[l->read].location;
        event_set fresh = p->x.of_location[location] & p->x.writes & ~l->there & ~p->open & ~own_behind(p, l->read);
        l->there |= fresh;
        for (event_set left = fresh, together; left && !s->incomplete; left &= ~together) {
            int w = event_first(left);
            together = s->limits->by_value ? by_value_like(&p->x, w, left) : event_bit(w);
            if (!may_take(p, l, w))
                continue;
            struct point *next = search_copy(s, p);
            execution_set_source(&next->x, l->read, w);
            next->late[i] = next->late[--next->lates];
            if (know(s, next, l, p->x.event[w].value) && search_fits(s, next, l->read))
                search_explore(s, next);
            else if (next->thread[l->thread].step.stop == STOP_AGAIN)
                learn_that_it_waits(s, p, l);
            search_drop(s, next);
        }
        if (!search_may_be_written(s, p, l->thread, l->read, location))
            return false;
    }
    return true;
}

/* ---- Guesses ---- */

/** May what others do, or what the thread does without resting on it, come before the value that it waits for? */
static bool may_help(const struct search *s, const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    return !t->step.binds || s->domain.meets[thread] > t->values;
}

/** The late read takes this value, and its write has to follow. */
static void guess_value(struct search *s, const struct point *p, int number, uint64_t value)
{
    const struct late *l = &p->late[number];
    if (l->takes != LATE_ANY && (l->takes == LATE_EQUAL) != (value == l->expects))
        return;
    struct point *next = search_copy(s, p);
    next->late[number].takes = LATE_EQUAL, next->late[number].expects = value;
    if (know(s, next, &next->late[number], value) && search_fits(s, next, -1))
        search_explore(s, next);
    search_drop(s, next);
}

/** Every value that may come, but for those that cannot be what it takes. */
static void guess_late(struct search *s, const struct point *p, int number)
{
    const struct late *l = &p->late[number];
    const struct written *written = &s->domain.written[p->x.event[l->read].location];
    s->domain.dropped |= written->more;
    for (int i = 0; i < written->count && !s->incomplete; i++)
        guess_value(s, p, number, written->value[i]);
}

/** The thread's own writes that the late read may take, once what they rest on has come. */
static event_set own_open(const struct point *p, int number)
{
    const struct late *l = &p->late[number];
    const struct model_event *read = &p->x.event[l->read];
    return p->open & p->x.of_location[read->location] & p->x.before[l->read];
}

/** A late read of unknown value that the write rests on; -1: there is none. */
static int rests_on_late(const struct point *p, int thread, int write)
{
    for (int i = 0; i < p->lates; i++)
        if (p->late[i].thread == thread && event_in(p->thread[thread].unknown, p->late[i].value) &&
            (event_in(p->x.event[write].depends, p->late[i].read) || p->x.event[write].pair == p->late[i].read))
            return i;
    return -1;
}

/** It may take what its own thread has written before it, whose value is guessed first. */
static void guess_own(struct search *s, const struct point *p, int number)
{
    const struct late *l = &p->late[number];
    const struct written *written = &s->domain.written[p->x.event[l->read].location];
    event_set own = own_open(p, number);
    FOR_EVENTS(w, own) {
        int below = rests_on_late(p, l->thread, w), i = 0;
        uint64_t value = p->x.event[w].value;
        while (i < written->count && written->value[i] != value)
            i++;
        if (below >= 0)
            guess_late(s, p, below);
        else if (i == written->count)
            guess_value(s, p, number, value);
    }
}

/** The same of a read that is still to be made. */
static void guess_pending(struct search *s, const struct point *p, int thread)
{
    const struct written *written = &s->domain.written[p->thread[thread].step.read.location];
    s->domain.dropped |= written->more || p->lates == MAX_LATE;
    if (p->lates == MAX_LATE)
        return;
    for (int i = 0; i < written->count && !s->incomplete; i++) {
        struct point *next = search_copy(s, p);
        if (go_on(s, next, thread, (struct late){.takes = LATE_EQUAL, .expects = written->value[i]}, written->value[i], true))
            search_explore(s, next);
        search_drop(s, next);
    }
}

/** The late read that the thread needs; -1: it needs none. */
static int needed(const struct point *p, int thread)
{
    const struct search_thread *t = &p->thread[thread];
    for (int i = 0; i < p->lates && t->state == THREAD_NEEDS; i++)
        if (p->late[i].thread == thread && event_in(t->step.needs & t->unknown, p->late[i].value))
            return i;
    return -1;
}

/** An execution has a value for each read, so any thread will do: one for which few are known. */
void late_guess(struct search *s, const struct point *p)
{
    int best = -1, best_late = -1, fewest = 0;
    for (int t = 0; t < p->x.threads && s->late; t++) {
        int late = needed(p, t);
        const struct search_thread *thread = &p->thread[t];
        bool pending = thread->state == THREAD_READS && domain_loose(&s->domain, t, thread->step.read.cookie);
        if (!pending && (late < 0 || !may_help(s, p, t)))
            continue;
        int location = pending ? thread->step.read.location : p->x.event[p->late[late].read].location;
        const struct written *written = &s->domain.written[location];
        if (best >= 0 && written->count + written->more >= fewest)
            continue;
        best = t, best_late = pending ? -1 : late, fewest = written->count + written->more;
    }
    if (best < 0)
        return;
    if (!s->domain.guessed)
        s->domain.guessed = s->domain.grew = true;
    if (best_late < 0)
        guess_pending(s, p, best);
    else {
        guess_late(s, p, best_late);
        guess_own(s, p, best_late);
    }
}
