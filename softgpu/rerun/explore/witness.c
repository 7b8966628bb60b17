/**
 * @file witness.c
 * See witness.h.
 */
#include "rerun/explore/witness.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/reporter.h"
#include "rerun/explore/execution_events.h"

struct witness *witness_new(const struct execution *x, struct model_pair pair)
{
    struct witness *w = malloc(sizeof *w);
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
    const struct grid *grid;
};

static const struct lone_location *location_of(const struct told *t, const struct model_event *e)
{
    return &t->lone->locations.data[t->lone->shared[e->location]];
}

/** The block that shared memory belongs to says how its variables are called. */
static void put_place(const struct told *t, const struct model_event *e, struct finding *f)
{
    const struct lone_location *at = location_of(t, e);
    struct block block = {.grid = (struct grid *)t->grid};
    finding_place(f, t->lone->machine, &block, at->allocation ? SPACE_GLOBAL : SPACE_SHARED,
                  at->allocation ? at->key : at->key & UINT32_MAX);
}

static void put_access(const struct told *t, int event, struct finding_access *a)
{
    const struct model_event *e = &t->witness->execution.event[event];
    uint64_t thread = t->threads[e->thread];
    bool atomic = e->pair >= 0;
    finding_access_site(a, t->grid, thread / t->grid->threads_per_block,
                        (uint32_t)(thread % t->grid->threads_per_block), e->cookie - 1,
                        atomic ? "atomic" : e->kind == EVENT_WRITE ? "store" : "load");
    a->type = location_of(t, e)->bytes == 8 ? PTX_U64 : PTX_U32;
    a->has_value = true;
    a->value = e->value;
}

static void put_event(const struct told *t, int event, struct finding_event *out)
{
    const struct model_event *e = &t->witness->execution.event[event];
    struct finding_access a = {0};
    struct finding place = {0};
    uint64_t thread = t->threads[e->thread];
    finding_access_site(&a, t->grid, thread / t->grid->threads_per_block,
                        (uint32_t)(thread % t->grid->threads_per_block), e->cookie ? e->cookie - 1 : 0,
                        e->pair >= 0 ? "atomic" : execution_event_name(e));
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

static void put_facts(const struct told *t, struct finding *f, const struct model_event *first,
                      const struct model_event *second)
{
    const struct model_place *place = t->witness->execution.place;
    const struct model_place *one = &place[first->thread], *other = &place[second->thread];
    bool reads = second->kind == EVENT_READ;
    f->facts.race = (struct race_facts){
        .conflict = reads ? WRITE_THEN_READ : WRITE_THEN_WRITE,
        .same_block = one->block == other->block,
        .same_warp = one->block == other->block && one->warp == other->warp,
        .advice = f->kind == FIND_ORDERING ? TRY_FENCE_BETWEEN : TRY_NOTHING,
        .lines = {f->accesses[0].line, f->accesses[1].line}};
}

void witness_report(const struct witness *w, const struct lone *l, const uint64_t *threads, const struct grid *g,
                    enum finding_kind kind)
{
    struct told t = {.witness = w, .lone = l, .threads = threads, .grid = g};
    const struct execution *x = &w->execution;
    const struct model_event *first = &x->event[w->pair.first], *second = &x->event[w->pair.second];
    struct reporter *reporter = machine_reporter(l->machine);
    struct finding f = {.kind = kind, .kernel = g->config.kernel->name, .access_count = 2,
                        .cause = kind == FIND_ORDERING ? CAUSE_NOT_INTERLEAVED : CAUSE_UNORDERED};
    put_access(&t, w->pair.first, &f.accesses[0]);
    put_access(&t, w->pair.second, &f.accesses[1]);
    if (second->kind == EVENT_READ && first->value != second->value) {
        f.accesses[1].has_missed = true;
        f.accesses[1].missed = first->value;
    }
    if (kind == FIND_ORDERING)
        f.level = LEVEL_ERROR; /* the older value changed what is left */
    put_place(&t, first, &f);
    put_facts(&t, &f, first, second);
    f.trail = (struct finding_trail){.known = true, .shown = true, .op = g->config.op};
    report_finding(reporter, &f);

    struct finding_wanted wanted[4];
    struct finding_event events[MODEL_EVENTS];
    int count = put_events(&t, events), n = reporter_wanted(reporter, g->config.op, wanted, 4);
    for (int i = 0; i < n; i++)
        if (wanted[i].kind == kind)
            reporter_tell(reporter, wanted[i].id, events, count);
}
