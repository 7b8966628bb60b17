/**
 * @file shown_again.c
 * The run that a finding shows, made again: what is added to findings then, and which of them do not stay.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "report/reporter.h"
#include "report/reporter_state.h"
#include "report/same_finding.h"
#include "report/words/words.h"

int reporter_wanted(struct reporter *r, uint64_t op, struct finding_wanted *list, int max)
{
    int n = 0;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->entries.count && n < max; i++) {
        struct entry *e = &r->entries.data[i];
        const struct finding_trail *t = &e->finding.trail;
        if (e->listed || !t->known || t->op != op)
            continue;
        e->listed = true;
        list[n++] = (struct finding_wanted){.id = i, .kind = e->finding.kind, .trail = *t};
    }
    pthread_mutex_unlock(&r->lock);
    return n;
}

bool reporter_replay(struct reporter *r, bool on)
{
    bool was = r->replay;
    r->replay = on;
    r->recurred.count = 0;
    return was;
}

bool reporter_recurred(struct reporter *r, int *id)
{
    pthread_mutex_lock(&r->lock);
    bool any = r->recurred.count > 0;
    if (any)
        *id = r->recurred.data[--r->recurred.count];
    pthread_mutex_unlock(&r->lock);
    return any;
}

/** The value that one of the accesses of the finding had in the run shown. */
static void take_values(struct finding_access *a, const struct finding_event *e)
{
    if (!e->has_value || !a->has_value)
        return;
    a->value = e->value;
    a->type = e->type;
    if (e->has_missed) {
        a->has_missed = true;
        a->missed = e->missed;
    } else if (a->missed == a->value) {
        a->has_missed = false; /* in this run it was not missed */
    }
}

/** Does the event touch what the finding is about? Of one line other accesses may be, too. */
static bool is_at(const struct finding_event *e, const struct finding *f, const struct finding_access *a)
{
    return strcmp(e->object, f->object) == 0 && e->offset < f->offset + ptx_type_bytes(a->type) && f->offset < e->offset + ptx_type_bytes(e->type);
}

static bool is_access(const struct finding_event *e, const struct finding *f, const struct finding_access *a)
{
    return e->has_value && (!f->object[0] || is_at(e, f, a)) && e->line == a->line && strcmp(e->op, a->op) == 0 && memcmp(e->block, a->block, sizeof a->block) == 0 &&
           memcmp(e->thread, a->thread, sizeof a->thread) == 0;
}

void reporter_tell(struct reporter *r, int id, const struct finding_event *events, int count)
{
    pthread_mutex_lock(&r->lock);
    struct entry *e = &r->entries.data[id];
    e->events = calloc((size_t)count + 1, sizeof *e->events);
    assert(e->events);
    for (int i = 0; i < count; i++) {
        e->events[i] = events[i];
        e->events[i].file = events[i].file ? strdup(events[i].file) : NULL;
    }
    e->finding.events = e->events;
    e->finding.event_count = count;
    for (int side = 0; side < e->finding.access_count; side++)
        for (int i = count - 1; i >= 0; i--)
            if (is_access(&events[i], &e->finding, &e->finding.accesses[side])) {
                take_values(&e->finding.accesses[side], &events[i]);
                break;
            }
    pthread_mutex_unlock(&r->lock);
}

void reporter_advise(struct reporter *r, uint64_t op, int from, struct finding *f)
{
    finding_phrase(f);
    pthread_mutex_lock(&r->lock);
    for (int i = from; i < r->entries.count; i++) {
        struct finding *race = &r->entries.data[i].finding;
        if (race->kind == FIND_DATA_RACE && race->trail.known && race->trail.op == op)
            memcpy(race->suggestion, f->suggestion, sizeof race->suggestion);
    }
    pthread_mutex_unlock(&r->lock);
}

static void bite(struct reporter *r, struct finding *f)
{
    if (f->trail.made_again)
        return;
    r->conflicts += f->level == LEVEL_WARNING && f->kind == FIND_ORDERING;
    f->level = LEVEL_ERROR;
    finding_phrase_bites(f);
}

void reporter_bites(struct reporter *r, int id)
{
    pthread_mutex_lock(&r->lock);
    bite(r, &r->entries.data[id].finding);
    pthread_mutex_unlock(&r->lock);
}

/** May it be told as an error: has the older value been shown? Of accesses of one phase it need not be. */
static bool may_bite(const struct finding *f)
{
    return f->trail.shown || f->cause == CAUSE_SAME_PHASE;
}

int reporter_doubts_to_judge(struct reporter *r, uint64_t op, enum finding_cause cause)
{
    int doubts = 0;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->entries.count; i++)
        doubts += finding_is_doubt(&r->entries.data[i].finding, op, cause) && may_bite(&r->entries.data[i].finding);
    pthread_mutex_unlock(&r->lock);
    return doubts;
}

int reporter_doubts_order(struct reporter *r, uint64_t op, enum finding_cause cause, bool bites)
{
    int doubts = 0;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->entries.count; i++) {
        struct finding *f = &r->entries.data[i].finding;
        if (finding_is_doubt(f, op, cause) && ++doubts && bites && may_bite(f))
            bite(r, f);
    }
    pthread_mutex_unlock(&r->lock);
    return doubts;
}

/** A warning about an order in launch `op`? */
static bool is_doubt_in(const struct finding *f, uint64_t op)
{
    return finding_is_one_of(f, DOUBTS_ALL) && f->trail.known && f->trail.op == op;
}

bool reporter_doubts_by_chance(struct reporter *r, uint64_t op)
{
    bool all = true;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->entries.count; i++) {
        const struct entry *e = &r->entries.data[i];
        all &= e->by_chance || !is_doubt_in(&e->finding, op);
    }
    pthread_mutex_unlock(&r->lock);
    return all;
}

static void dismiss(struct reporter *r, int from, bool (*is_nothing)(const void *self, const struct finding *f), const void *self)
{
    int kept = from;
    pthread_mutex_lock(&r->lock);
    for (int i = from; i < r->entries.count; i++) {
        struct entry *e = &r->entries.data[i];
        if (is_nothing(self, &e->finding))
            entry_free(e);
        else
            r->entries.data[kept++] = *e;
    }
    r->entries.count = kept;
    pthread_mutex_unlock(&r->lock);
}

void reporter_dismiss_if(struct reporter *r, bool (*is_nothing)(const void *self, const struct finding *f), const void *self)
{
    dismiss(r, 0, is_nothing, self);
}

static bool is_one_of(const void *which, const struct finding *f)
{
    return finding_is_one_of(f, *(const enum doubts *)which);
}

void reporter_dismiss_doubts(struct reporter *r, int from, enum doubts which)
{
    dismiss(r, from, is_one_of, &which);
}

void reporter_dismiss_chance(struct reporter *r, uint64_t op, bool landing)
{
    int kept = 0;
    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->entries.count; i++) {
        struct entry *e = &r->entries.data[i];
        if (e->by_chance && is_doubt_in(&e->finding, op) && (!landing || e->finding.cause == CAUSE_LANDS_LATER))
            entry_free(e);
        else
            r->entries.data[kept++] = *e;
    }
    r->entries.count = kept;
    pthread_mutex_unlock(&r->lock);
}

/** Does another finding say more of the same two lines: that they are one act in two steps, or, where it is only doubted which of two writes stays, an error? What
 *  has been dismissed is none such: only its strings are gone. */
static bool is_said_better(const void *self, const struct finding *f)
{
    const struct reporter *r = self;
    for (int i = 0; i < r->entries.count && finding_is_one_of(f, DOUBTS_ALL); i++) {
        const struct finding *other = &r->entries.data[i].finding;
        bool graver = f->cause == CAUSE_LANDS_LATER && other->level == LEVEL_ERROR && other->kind == FIND_ORDERING;
        struct finding alike = *f;
        alike.cause = other->cause;
        if ((other->cause == CAUSE_ACTED_LATE || graver) && same_finding(other, &alike))
            return true;
    }
    return false;
}

void reporter_dismiss_told(struct reporter *r)
{
    dismiss(r, 0, is_said_better, r);
}
