/**
 * @file by_value.c
 * Outcomes without all executions: which of the writes of one value a read sees is left open.
 *
 * What threads do rests on values alone. So a read that is offered writes of one value takes them together, and the search keeps one
 * choice that fits what is there. Where it does not fit any more another one is looked for; where there is none, no execution has these
 * values. Writes that come later are offered anew, so that the search has no more points than one for each execution.
 *
 * When nothing can go on, choices are judged for each content of memory that is not met yet: writes which may be the last ones are put
 * behind those that must be related to them, and the choice has to fit that. So each outcome is met, though not each execution, and
 * what is told of is an execution that the axioms allow.
 */
#include <string.h>

#include "base/mix.h"
#include "model/axioms.h"
#include "model/met.h"
#include "model/search.h"

event_set by_value_like(const struct execution *x, int write, event_set writes)
{
    event_set like = 0;
    FOR_EVENTS(w, writes)
        like |= x->event[w].value == x->event[write].value ? event_bit(w) : 0;
    return like;
}

void by_value_offer(struct point *p, int read, event_set writes)
{
    if (!(writes & (writes - 1)))
        return;
    p->choice[read] = writes;
    p->loose |= event_bit(read);
}

/* ---- A choice that fits ---- */

static void choose(struct execution *x, int read, int write)
{
    x->source[read] = write;
    x->coherence.settled &= ~(1u << x->event[read].location);
}

/** Nothing is chosen for the reads, nor known of what follows. */
static void choose_none(struct execution *x, event_set reads)
{
    FOR_EVENTS(r, reads)
        x->source[r] = SOURCE_ANY;
    memset(x->coherence.order, 0, sizeof x->coherence.order[0] * (size_t)x->count);
    x->coherence.settled = 0;
}

static int event_last(event_set s)
{
    uint64_t high = (uint64_t)(s >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)s);
}

/** Do the axioms allow it, with these writes as the last ones of their locations? */
static bool ends_with(struct execution *x, event_set ends)
{
    if (!execution_possible(x))
        return false;
    FOR_EVENTS(w, ends)
        if (x->coherence.order[w])
            return false;
    return true;
}

/** Chooses writes for the reads that are left, the latest first, on `x`, which what has been chosen fits. */
static bool choose_rest(const struct point *p, struct execution *x, event_set left, event_set ends)
{
    struct coherence before;
    if (!left)
        return true;
    int read = event_last(left), had = p->x.source[read];
    event_set all = p->choice[read];
    left &= ~event_bit(read);
    coherence_copy(&before, &x->coherence, x->count);
    for (bool first = had >= 0 && event_in(all, had); all; first = false) {
        int w = first ? had : event_first(all);
        all &= ~event_bit(w);
        choose(x, read, w);
        if (ends_with(x, ends) && choose_rest(p, x, left, ends))
            return true;
        coherence_copy(&x->coherence, &before, x->count);
    }
    choose(x, read, SOURCE_ANY);
    return false;
}

/** Chooses anew for all reads. */
static bool choose_again(struct point *p)
{
    struct execution x; /* what is used of it is set: it is large */
    execution_copy(&x, &p->x);
    choose_none(&x, p->loose);
    if (!execution_possible(&x) || !choose_rest(p, &x, p->loose, 0))
        return false;
    execution_copy(&p->x, &x);
    return true;
}

/** Another write for a read alone, from whose choice nothing has followed yet. */
static bool choose_other(struct point *p, int read)
{
    int had = p->x.source[read];
    event_set all = p->choice[read] & ~event_bit(had);
    FOR_EVENTS(w, all) {
        choose(&p->x, read, w);
        if (execution_possible(&p->x))
            return true;
    }
    choose(&p->x, read, had);
    return false;
}

bool search_fits(struct point *p, int read)
{
    if (execution_possible(&p->x))
        return true;
    return p->loose && ((read >= 0 && event_in(p->loose, read) && choose_other(p, read)) || choose_again(p));
}

/* ---- The end ---- */

struct ending {
    struct search *s;
    const struct point *p;
    uint64_t final[MODEL_LOCATIONS];
};

/** What an outcome consists of: what threads have read, who waits, what memory holds. */
struct outcome_name {
    uint64_t word[MODEL_THREADS * (THREAD_VALUES + 1) + MODEL_LOCATIONS + 1];
    size_t count;
    uint64_t hash;
};

static void name_outcome(struct outcome_name *n, const struct search *s, const struct point *p, const uint64_t *final)
{
    n->count = 0;
    for (int t = 0; t < p->x.threads; t++) {
        const struct search_thread *thread = &p->thread[t];
        n->word[n->count++] = (uint64_t)thread->values;
        memcpy(n->word + n->count, thread->value, sizeof *thread->value * (size_t)thread->values);
        n->count += (size_t)thread->values;
    }
    memcpy(n->word + n->count, final, sizeof *final * (size_t)p->x.locations);
    n->count += (size_t)p->x.locations;
    n->word[n->count++] = s->hanging;
    n->hash = 0;
    for (size_t i = 0; i < n->count; i++)
        n->hash = mix_in(n->hash, n->word[i]);
}

bool by_value_is_new(struct search *s, const struct point *p, const uint64_t *final)
{
    struct outcome_name n;
    name_outcome(&n, s, p, final);
    return byte_set_add(&s->seen, n.hash, n.word, sizeof *n.word * n.count);
}

static bool is_met(const struct ending *e)
{
    struct outcome_name n;
    name_outcome(&n, e->s, e->p, e->final);
    return byte_set_has(&e->s->seen, n.hash, n.word, sizeof *n.word * n.count);
}

/** Writes of a location that nothing puts before another one. */
static event_set may_be_last(const struct execution *x, int location)
{
    event_set last = 0;
    FOR_EVENTS(w, x->of_location[location] & x->writes)
        last |= x->coherence.order[w] ? 0 : event_bit(w);
    return last;
}

/** Has all been met that may be left from `location` on, with what `final` has before it? */
static bool all_met(struct ending *e, const struct execution *x, int location)
{
    if (location == x->locations)
        return is_met(e);
    bool all = true;
    for (event_set last = may_be_last(x, location); last && all; last &= ~by_value_like(x, event_first(last), last)) {
        e->final[location] = x->event[event_first(last)].value;
        all = all_met(e, x, location + 1);
    }
    return all;
}

/** Puts the writes before `end` that must be related to it. */
static void put_last(struct execution *x, int location, int end)
{
    event_set others = x->morally_strong[end] & x->of_location[location] & x->writes;
    FOR_EVENTS(w, others)
        x->coherence.order[w] |= event_bit(end);
    x->coherence.settled &= ~(1u << location);
}

/** Judges one choice for each content that is not met yet and has those of `final`, which `ends` write, before `location`. */
static void end_each(struct ending *e, const struct execution *x, int location, event_set ends)
{
    if (e->s->incomplete || all_met(e, x, location))
        return;
    struct execution next; /* what is used of it is set: it is large */
    execution_copy(&next, x);
    if (location == x->locations) {
        if (choose_rest(e->p, &next, e->p->loose, ends))
            search_judge(e->s, e->p, &next);
        return;
    }
    event_set last = may_be_last(x, location);
    FOR_EVENTS(w, last) {
        coherence_copy(&next.coherence, &x->coherence, x->count);
        put_last(&next, location, w);
        if (!ends_with(&next, ends | event_bit(w)))
            continue;
        e->final[location] = x->event[w].value;
        end_each(e, &next, location + 1, ends | event_bit(w));
    }
}

void by_value_finish(struct search *s, const struct point *p)
{
    struct ending e = {.s = s, .p = p};
    struct execution x; /* what is used of it is set: it is large */
    execution_copy(&x, &p->x);
    choose_none(&x, p->loose);
    if (execution_possible(&x))
        end_each(&e, &x, 0, 0);
}
