/**
 * @file witness.c
 * See witness.h.
 */
#include "rerun/explore/witness.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/tells.h"
#include "execute/finding_place.h"
#include "check/race/barrier_advice.h"
#include "check/race/late.h"
#include "check/waits_for.h"
#include "execute/machine.h"
#include "report/reporter.h"
#include "rerun/explore/execution_events.h"

struct witness *witness_new(const struct execution *x, struct model_pair pair)
{
    struct witness *w = calloc(1, sizeof *w);
    assert(w);
    execution_copy(&w->execution, x);
    w->pair = pair;
    return w;
}

/** Everything that is told needs. */
struct told {
    const struct witness *witness;
    const struct lone *lone;
    const uint64_t *threads;
    struct grid *const *grids;     /**< of the launches */
};

static const struct grid *grid_of(const struct told *t, const struct model_event *e)
{
    return t->grids[lone_origin(t->lone, t->threads[e->thread]).launch];
}

static uint64_t thread_of(const struct told *t, const struct model_event *e)
{
    return lone_origin(t->lone, t->threads[e->thread]).thread;
}

static const struct lone_location *location_of(const struct told *t, const struct model_event *e)
{
    return &t->lone->locations.data[t->lone->shared[e->location]];
}

/** The block that shared memory belongs to says how its variables are called. */
static void put_place(const struct told *t, const struct model_event *e, struct finding *f)
{
    const struct lone_location *at = location_of(t, e);
    struct block block = {.grid = (struct grid *)grid_of(t, e)};
    finding_place(f, t->lone->machine, &block, at->allocation ? SPACE_GLOBAL : SPACE_SHARED,
                  at->allocation ? at->key : at->key & UINT32_MAX);
}

static void put_access(const struct told *t, int event, struct finding_access *a)
{
    const struct model_event *e = &t->witness->execution.event[event];
    const struct grid *g = grid_of(t, e);
    uint64_t thread = thread_of(t, e);
    bool atomic = e->pair >= 0;
    finding_access_site(a, g, thread / g->threads_per_block, (uint32_t)(thread % g->threads_per_block), e->cookie - 1,
                        atomic ? "atomic" : e->kind == EVENT_WRITE ? "store" : "load");
    a->type = location_of(t, e)->bytes == 8 ? PTX_U64 : PTX_U32;
    a->has_value = true;
    a->value = e->value;
}

static int line_of(const struct told *t, int event)
{
    struct finding_access a;
    put_access(t, event, &a);
    return a.line;
}

static void put_event(const struct told *t, int event, struct finding_event *out)
{
    const struct model_event *e = &t->witness->execution.event[event];
    struct finding_access a = {0};
    struct finding place = {0};
    const struct grid *g = grid_of(t, e);
    uint64_t thread = thread_of(t, e);
    finding_access_site(&a, g, thread / g->threads_per_block, (uint32_t)(thread % g->threads_per_block),
                        e->cookie ? e->cookie - 1 : 0, e->pair >= 0 ? "atomic" : execution_event_name(e));
    *out = (struct finding_event){.file = a.file, .line = a.line, .times = 1, .number = (uint64_t)event};
    snprintf(out->op, sizeof out->op, "%s", a.op);
    execution_event_order(e, out->order, sizeof out->order);
    memcpy(out->block, a.block, sizeof out->block);
    memcpy(out->thread, a.thread, sizeof out->thread);
    if (e->kind != EVENT_READ && e->kind != EVENT_WRITE)
        return;
    put_place(t, e, &place);
    snprintf(out->object, sizeof out->object, "%s", place.object[0] ? place.object : place.space);
    out->offset = place.offset;
    out->has_value = true;
    out->value = e->value;
    out->type = location_of(t, e)->bytes == 8 ? PTX_U64 : PTX_U32;
}

/** The halves of a read-modify-write are one step, told where it writes. */
static int put_events(const struct told *t, struct finding_event *events)
{
    const struct execution *x = &t->witness->execution;
    int n = 0;
    for (int i = x->locations; i < x->count; i++) {
        const struct model_event *e = &x->event[i];
        if (e->kind == EVENT_READ && e->pair >= 0)
            continue;
        put_event(t, i, &events[n]);
        if (e->kind == EVENT_WRITE && e->pair >= 0) {
            events[n].has_old = true;
            events[n].old = x->event[e->pair].value;
        }
        if (i == t->witness->pair.second && e->kind == EVENT_READ) {
            events[n].missed = x->event[t->witness->pair.first].value;
            events[n].has_missed = events[n].missed != e->value;
        }
        n++;
    }
    return n;
}

/** What orders the two: where the one comes before the other in time, with no order of memory, a barrier in that place; else fences, without
 *  which the execution is not what it is. Of a circle, which says more, advise_circle() tells. */
static void advise_order(const struct told *t, struct race_facts *r, const struct model_place *one, const struct model_place *other)
{
    const struct witness *w = t->witness;
    bool same_device = one->device == other->device;
    struct model_circle circle;
    int places[2];
    r->advice = TRY_FENCE_BETWEEN;
    if (same_device && execution_precedes(&w->execution, w->pair.first, w->pair.second))
        r->advice = one->block == other->block ? TRY_BARRIER : one->cluster == other->cluster ? TRY_CLUSTER_BARRIER : TRY_FENCE_BETWEEN;
    enum model_scope scope = !same_device ? MODEL_SYS : one->block == other->block ? MODEL_CTA : MODEL_GPU;
    if (r->advice == TRY_FENCE_BETWEEN && r->conflict == WRITE_THEN_WRITE && execution_leaves(&w->execution, w->pair.second))
        for (int i = 0; i < 2; i++) /* what is left came first in its thread, and what should be left second in its own */
            r->lines[i] = line_of(t, i ? w->pair.first : w->pair.second);
    if (r->advice != TRY_FENCE_BETWEEN || execution_circle(&w->execution, &circle) || !execution_fence_places(&w->execution, w->pair, scope, places))
        return;
    r->advice = TRY_FENCE_BEFORE;
    for (int i = 0; i < 2; i++)
        r->lines[i] = places[i] < 0 ? 0 : line_of(t, places[i]);
}

/** Two that come to one place in some executions only. What is strong on one side, or on both, is meant to meet there. */
static void advise_race(struct race_facts *r, const struct model_event *first, const struct model_event *second)
{
    enum model_scope needed = r->devices[0] ? MODEL_SYS : r->same_block ? MODEL_CTA : r->same_cluster ? MODEL_CLUSTER : MODEL_GPU;
    bool wide[2] = {first->scope >= needed, second->scope >= needed};
    r->advice = first->strong != second->strong ? TRY_STRONG : !first->strong ? TRY_KEEP_APART : wide[0] && wide[1] ? TRY_NOTHING : TRY_WIDER_SCOPE;
    int a = r->lines[0], b = r->lines[1];
    if (r->advice == TRY_STRONG && first->strong)
        r->lines[0] = b, r->lines[1] = a;
    else if (r->advice == TRY_WIDER_SCOPE && (wide[0] || wide[1]))
        r->lines[0] = r->lines[1] = wide[0] ? b : a;
}

static void put_facts(const struct told *t, struct finding *f, const struct model_event *first,
                      const struct model_event *second)
{
    const struct model_place *place = t->witness->execution.place;
    const struct model_place *one = &place[first->thread], *other = &place[second->thread];
    bool reads = second->kind == EVENT_READ;
    f->facts.race = (struct race_facts){
        .conflict = reads ? WRITE_THEN_READ : WRITE_THEN_WRITE,
        .same_value = pair_agrees(&t->witness->execution, t->witness->pair),
        .same_block = one->block == other->block,
        .same_warp = one->block == other->block && one->warp == other->warp,
        .same_cluster = one->cluster == other->cluster,
        .lines = {f->accesses[0].line, f->accesses[1].line}};
    if (t->witness->act) {
        f->cause = CAUSE_ACTED_LATE;
        f->facts.race.late = act_is_late_as(t->witness->act);
        f->facts.race.picks = t->witness->act->kind == ACT_PICKS;
        f->facts.race.told = t->witness->act->told;
    } else if (f->kind == FIND_ORDERING)
        advise_order(t, &f->facts.race, one, other);
    const struct image *im = grid_of(t, second)->config.kernel->image;
    const struct insn *insns[2] = {image_site_insn(im, first->cookie - 1), image_site_insn(im, second->cookie - 1)};
    if (f->facts.race.advice == TRY_BARRIER && insns[0] && insns[1])
        advise_ahead(f, im, insns[0], insns[1]);
    for (int i = 0; i < 2 && grid_of(t, first) != grid_of(t, second); i++) {
        const struct grid_config *c = &grid_of(t, i ? second : first)->config;
        if (one->device != other->device)
            f->facts.race.devices[i] = (uint8_t)(1 + c->device);
        else
            f->facts.race.kernels[i] = c->kernel->name;
    }
    if (f->kind == FIND_DATA_RACE)
        advise_race(&f->facts.race, first, second);
}

/** As a run tells it: a thread that has seen the other's signal lacks one half of the order. */
static void be_half_ordered(const struct told *t, struct finding *f, const struct model_missing *m)
{
    const struct model_event *event = t->witness->execution.event;
    struct race_facts *r = &f->facts.race;
    bool acquire = m->what == MISSING_ACQUIRE;
    f->kind = acquire ? FIND_MISSING_ACQUIRE : FIND_MISSING_RELEASE;
    f->cause = acquire ? CAUSE_NOT_ACQUIRED : CAUSE_NOT_RELEASED;
    r->conflict = event[m->first].kind == EVENT_READ ? READ_THEN_WRITE : event[m->second].kind == EVENT_READ ? WRITE_THEN_READ : WRITE_THEN_WRITE;
    r->signal_line = line_of(t, m->signal);
    r->via_line = line_of(t, m->seen);
    r->between_line = m->between < 0 ? 0 : line_of(t, m->between);
    r->neither = m->both;
    r->advice = acquire ? TRY_FENCE_AFTER_READ : m->both ? TRY_BOTH_FENCES : TRY_FENCE_BEFORE_SIGNAL;
    r->lines[0] = acquire ? (r->between_line ? r->between_line : r->via_line) : r->signal_line;
    r->lines[1] = m->both ? r->via_line : 0;
}

/** Both are where they are since strong accesses before them were done out of order: what keeps those in order. */
static void advise_circle(const struct told *t, struct finding *f)
{
    struct model_circle circle;
    struct race_facts *r = &f->facts.race;
    if (!execution_circle(&t->witness->execution, &circle))
        return;
    for (int i = 0; i < circle.legs; i++) {
        int lines[2] = {line_of(t, circle.leg[i].first), line_of(t, circle.leg[i].second)}, same = 0;
        while (same < r->sc_count && (r->sc_lines[same][0] != lines[0] || r->sc_lines[same][1] != lines[1]))
            same++;
        memcpy(r->sc_lines[same], lines, sizeof lines);
        r->sc_count = same == r->sc_count ? same + 1 : r->sc_count;
    }
    r->sc_instead = circle.fenced;
    r->advice = TRY_SC_FENCES;
}

/** As a run tells it: between launches that nothing orders, unless both accesses were meant to meet. */
static void be_of_streams(const struct told *t, struct finding *f, const struct model_event *first, const struct model_event *second)
{
    if (f->kind != FIND_DATA_RACE || grid_of(t, first) == grid_of(t, second) || (first->strong && second->strong))
        return;
    f->kind = FIND_STREAM_RACE;
    f->facts.race.advice = TRY_NOTHING;
    f->ops[0] = grid_of(t, first)->config.op;
    f->ops[1] = grid_of(t, second)->config.op;
}

/** The finding that has just been made shows the execution. */
static void tell_execution(const struct told *t, uint64_t op, enum finding_kind kind)
{
    struct reporter *reporter = machine_reporter(t->lone->machine);
    struct finding_wanted wanted[4];
    struct finding_event events[MODEL_EVENTS];
    int count = put_events(t, events), n = reporter_wanted(reporter, op, wanted, 4);
    for (int i = 0; i < n; i++)
        if (wanted[i].kind == kind)
            reporter_tell(reporter, wanted[i].id, events, count);
}

static bool is_made_again(const struct told *t, const struct model_event *second)
{
    const struct image *im = grid_of(t, second)->config.kernel->image;
    const struct insn *look = second->kind == EVENT_READ ? image_site_insn(im, second->cookie - 1) : NULL;
    return look && look_is_told(image_function_at(im, look), look);
}

/** The pair as a finding of that kind, or of what it is in truth. */
static struct finding finding_of(const struct told *t, enum finding_kind kind)
{
    const struct witness *w = t->witness;
    const struct execution *x = &w->execution;
    struct model_missing missing = {.what = MISSING_ORDER, .first = w->pair.first, .second = w->pair.second};
    if (kind == FIND_DATA_RACE && !pair_agrees(x, w->pair) && grid_of(t, &x->event[missing.first]) == grid_of(t, &x->event[missing.second]))
        missing = execution_misses(x, w->pair);
    const struct model_event *first = &x->event[missing.first], *second = &x->event[missing.second];
    struct finding f = {.kind = kind, .kernel = grid_of(t, second)->config.kernel->name, .access_count = 2,
                        .cause = kind == FIND_ORDERING ? CAUSE_NOT_INTERLEAVED : CAUSE_UNORDERED};
    put_access(t, missing.first, &f.accesses[0]);
    put_access(t, missing.second, &f.accesses[1]);
    if (first->kind == EVENT_WRITE && second->kind == EVENT_READ && first->value != second->value) {
        f.accesses[1].has_missed = true;
        f.accesses[1].missed = first->value;
    }
    if (kind == FIND_ORDERING)
        f.level = (w->act ? !act_is_error(w->act) && w->act->kind != ACT_CLAIMS : is_made_again(t, second)) ? LEVEL_WARNING : LEVEL_ERROR; /* the older value changed what is left */
    else if (pair_agrees(x, w->pair))
        f.level = LEVEL_WARNING;
    put_place(t, first, &f);
    put_facts(t, &f, first, second);
    if (missing.what != MISSING_ORDER)
        be_half_ordered(t, &f, &missing);
    be_of_streams(t, &f, first, second);
    if ((f.kind == FIND_DATA_RACE && w->circles) || f.facts.race.advice == TRY_FENCE_BETWEEN)
        advise_circle(t, &f);
    f.trail = (struct finding_trail){.known = true, .shown = true, .op = t->grids[0]->config.op};
    return f;
}

void witness_report(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids,
                    enum finding_kind kind)
{
    struct told t = {.witness = w, .lone = l, .threads = threads, .grids = grids};
    struct finding f = finding_of(&t, kind);
    report_finding(machine_reporter(l->machine), &f);
    tell_execution(&t, grids[0]->config.op, f.kind);
}

bool witness_is_made_again(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids)
{
    struct told t = {.witness = w, .lone = l, .threads = threads, .grids = grids};
    return is_made_again(&t, &w->execution.event[w->pair.second]);
}

void witness_advise(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids, uint64_t op, int from)
{
    struct told t = {.witness = w, .lone = l, .threads = threads, .grids = grids};
    struct finding f = finding_of(&t, FIND_DATA_RACE);
    if (f.facts.race.advice == TRY_SC_FENCES)
        reporter_advise(machine_reporter(l->machine), op, from, &f);
}

static enum wait_for awaited(const struct model_step *step, const struct lone_location *at)
{
    if (step->stop == STOP_BARRIER)
        return step->cluster ? WAIT_FOR_CLUSTER : step->members ? WAIT_FOR_LANES : WAIT_FOR_BARRIER;
    return at->allocation ? WAIT_FOR_MEMORY : WAIT_FOR_SHARED;
}

void witness_report_wait(const struct witness *w, const struct lone *l, const uint64_t *threads, struct grid *const *grids)
{
    struct told t = {.witness = w, .lone = l, .threads = threads, .grids = grids};
    const struct model_step *step = &w->waits;
    struct model_event e = step->read;
    e.thread = w->thread;
    const struct lone_location *at = step->stop == STOP_BARRIER ? NULL : location_of(&t, &e);
    const struct grid *g = grid_of(&t, &e);
    uint64_t thread = thread_of(&t, &e);
    uint32_t site = (step->stop == STOP_BARRIER ? step->cookie : e.cookie) - 1, in_block = (uint32_t)(thread % g->threads_per_block);
    struct finding f = {.kind = FIND_DEADLOCK, .cause = CAUSE_MAY_WAIT, .kernel = g->config.kernel->name, .access_count = 1};
    finding_access_site(&f.accesses[0], g, thread / g->threads_per_block, in_block, site, "wait");
    f.facts.wait = (struct wait_facts){.thread = in_block, .block = thread / g->threads_per_block, .what = awaited(step, at),
                                       .barrier = step->barrier, .blocks = g->blocks};
    const struct insn *waits = image_site_insn(g->config.kernel->image, site);
    if (at && waits)
        f.facts.wait.lost_line = waits_for_lost(g->config.kernel->image, waits);
    if (at)
        put_place(&t, &e, &f);
    f.trail = (struct finding_trail){.known = true, .shown = true, .op = grids[0]->config.op};
    report_finding(machine_reporter(l->machine), &f);
    tell_execution(&t, grids[0]->config.op, f.kind);
}
