/**
 * @file by_value.c
 * Outcomes without all executions: which of the writes of one value a read sees is left open.
 *
 * What threads do rests on values alone. So a read that is offered writes of one value takes them together, and the search keeps one
 * choice that fits what is there: each read has any write of its value to choose from, whenever that came. Where the choice does not fit
 * any more another one is looked for; where there is none, no execution has these values. Writes that come later are offered anew, since
 * by then an earlier one may not fit. So points come again, by other ways, and of these only the first is followed (covered.h).
 *
 * When nothing can go on, choices are judged for each content of memory that is not met yet: writes which may be the last ones are put
 * behind those that must be related to them, and the choice has to fit that. So each outcome is met, though not each execution, and
 * what is told of is an execution that the axioms allow. What reductions return, which nobody uses, is no part of an outcome.
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

/** The writes that the reads of known value may take. */
struct choices {
    event_set loose;                    /**< reads that may take any of several */
    event_set of[MODEL_EVENTS];
    int had[MODEL_EVENTS];              /**< tried first */
    uint64_t *tries;                    /**< that are left; each counts as a point */
};

/** So many choices are tried for one execution where points are counted: they may multiply. */
#define MOST_CHOICES 4096

static void find_choices(struct choices *c, const struct point *p)
{
    const struct execution *x = &p->x;
    c->loose = 0;
    FOR_EVENTS(r, x->reads) {
        const struct model_event *read = &x->event[r];
        if (x->source[r] == SOURCE_LATER)
            continue;
        event_set all = x->of_location[read->location] & x->writes & ~p->open;
        c->of[r] = 0;
        c->had[r] = x->source[r];
        FOR_EVENTS(w, all)
            if (x->event[w].value == read->value && !event_in(x->before[w], r) && w != read->pair)
                c->of[r] |= event_bit(w);
        if (c->of[r] & (c->of[r] - 1))
            c->loose |= event_bit(r);
    }
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

/** Do the axioms allow it, with these writes as the last ones of their locations? Takes from the choices what they do not allow. */
static bool ends_with(struct execution *x, struct choices *c, event_set ends)
{
    if (!execution_narrow(x, c->loose, c->of))
        return false;
    FOR_EVENTS(w, ends)
        if (x->coherence.order[w])
            return false;
    return true;
}

/** Copies what is left open. */
static void choices_copy(struct choices *to, const struct choices *from)
{
    to->loose = from->loose;
    to->tries = from->tries;
    FOR_EVENTS(r, from->loose)
        to->of[r] = from->of[r], to->had[r] = from->had[r];
}

static int count_of(event_set s)
{
    return __builtin_popcountll((uint64_t)s) + __builtin_popcountll((uint64_t)(s >> 64));
}

/** Chooses the only write for each read that has one left. @return false if there is none */
static bool choose_only(struct choices *c, struct execution *x)
{
    bool any = false;
    FOR_EVENTS(r, c->loose) {
        if (c->of[r] & (c->of[r] - 1))
            continue;
        choose(x, r, event_first(c->of[r]));
        c->loose &= ~event_bit(r);
        any = true;
    }
    return any;
}

/** The read with the fewest writes to choose from, the latest of these. */
static int narrowest(const struct choices *c)
{
    int best = -1, fewest = MODEL_EVENTS + 1;
    FOR_EVENTS(r, c->loose)
        if (count_of(c->of[r]) <= fewest)
            best = r, fewest = count_of(c->of[r]);
    return best;
}

/** Chooses writes for the reads that are left, on `x`, which what has been chosen fits. @return false if that cannot be, and `x` is of no use */
static bool choose_rest(struct choices *c, struct execution *x, event_set ends)
{
    struct choices next;     /* what is used of them is set: they are large */
    struct coherence before;
    while (choose_only(c, x))
        if (!ends_with(x, c, ends))
            return false;
    if (!c->loose)
        return true;
    int read = narrowest(c), had = c->had[read];
    event_set all = c->of[read];
    c->loose &= ~event_bit(read);
    coherence_copy(&before, &x->coherence, x->count);
    for (bool first = had >= 0 && event_in(all, had); all; first = false) {
        int w = first ? had : event_first(all);
        all &= ~event_bit(w);
        FOR_EVENTS(r, c->loose)
            choose(x, r, SOURCE_ANY);
        choices_copy(&next, c);
        coherence_copy(&x->coherence, &before, x->count);
        choose(x, read, w);
        if (!*c->tries)
            return false;
        --*c->tries;
        if (ends_with(x, &next, ends) && choose_rest(&next, x, ends))
            return true;
    }
    return false;
}

/** Chooses anew for all reads. */
static bool choose_again(struct point *p, struct choices *c)
{
    struct execution x; /* what is used of it is set: it is large */
    execution_copy(&x, &p->x);
    choose_none(&x, c->loose);
    if (!ends_with(&x, c, 0) || !choose_rest(c, &x, 0))
        return false;
    execution_copy(&p->x, &x);
    return true;
}

/** Another write for a read alone, from whose choice nothing has followed yet. */
static bool choose_other(struct point *p, const struct choices *c, int read)
{
    int had = p->x.source[read];
    event_set all = c->of[read] & ~event_bit(had);
    FOR_EVENTS(w, all) {
        choose(&p->x, read, w);
        if (execution_possible(&p->x))
            return true;
    }
    choose(&p->x, read, had);
    return false;
}

static uint64_t tries_for(const struct search *s)
{
    return s->limits->points ? MOST_CHOICES : UINT64_MAX;
}

/** What has been tried counts. Where all tries have been taken it is not known whether another choice would have fitted. */
static void count_tries(struct search *s, uint64_t left)
{
    if (!s->limits->points)
        return;
    s->points += MOST_CHOICES - left;
    if (!left)
        search_give_up(s, INCOMPLETE_EXECUTIONS);
}

bool search_fits(struct search *s, struct point *p, int read)
{
    struct choices c;   /* what is used of it is set: it is large */
    uint64_t tries = tries_for(s);
    if (execution_possible(&p->x))
        return true;
    if (!s->limits->by_value)
        return false;
    late_find_open(p);
    find_choices(&c, p);
    c.tries = &tries;
    bool fits = c.loose && ((read >= 0 && event_in(c.loose, read) && choose_other(p, &c, read)) || choose_again(p, &c));
    count_tries(s, tries);
    return fits;
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
        for (int v = 0; v < thread->values; v++) /* nobody uses what a reduction returns */
            n->word[n->count++] = p->x.event[thread->event_of[v]].commutes ? 0 : thread->value[v];
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

/** Threads that wait for ever see the last write in the end. */
static bool lets_wait(const struct ending *e, int location, int end)
{
    for (uint32_t left = e->s->hanging; left; left &= left - 1)
        if (!loops_let_wait(e->s, e->p, __builtin_ctz(left), location, end))
            return false;
    return true;
}

/** Judges one choice for each content that is not met yet and has those of `final`, which `ends` write, before `location`. */
static void end_each(struct ending *e, const struct execution *x, const struct choices *c, int location, event_set ends)
{
    if (e->s->incomplete || all_met(e, x, location))
        return;
    struct execution next; /* what is used of them is set: they are large */
    struct choices left;
    execution_copy(&next, x);
    if (location == x->locations) {
        choices_copy(&left, c);
        if (choose_rest(&left, &next, ends)) {
            e->s->serial++;
            search_judge(e->s, e->p, &next);
        }
        return;
    }
    event_set last = may_be_last(x, location);
    FOR_EVENTS(w, last) {
        choices_copy(&left, c);
        coherence_copy(&next.coherence, &x->coherence, x->count);
        put_last(&next, location, w);
        if (!lets_wait(e, location, w) || !ends_with(&next, &left, ends | event_bit(w)))
            continue;
        e->final[location] = x->event[w].value;
        end_each(e, &next, &left, location + 1, ends | event_bit(w));
    }
}

void by_value_finish(struct search *s, const struct point *p)
{
    struct choices c;   /* what is used of them is set: they are large */
    struct execution x;
    struct ending e = {.s = s, .p = p};
    uint64_t tries = tries_for(s);
    s->serial++;
    if (!search_judge(s, p, &p->x))
        return;
    find_choices(&c, p);
    c.tries = &tries;
    execution_copy(&x, &p->x);
    choose_none(&x, c.loose);
    if (ends_with(&x, &c, 0))
        end_each(&e, &x, &c, 0, 0);
    count_tries(s, tries);
}
