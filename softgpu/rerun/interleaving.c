/**
 * @file interleaving.c
 * Writes down what the threads of a finding do, until the finding occurs again.
 *
 * Of each of the two threads the last few events are kept, of the other threads of their blocks only
 * the signal and its reading. Accesses to other memory are left out unless they are strong. Polls that
 * follow one another count as one event.
 */
#include "rerun/interleaving.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "execute/observer.h"
#include "execute/machine.h"
#include "execute/finding_place.h"
#include "report/finding.h"
#include "report/reporter.h"

#define MAX_WATCHES 16   /* findings for one run; more wait for the next */
#define KEPT 10          /* events of each of the two threads */
#define KEPT_SIGNALS 2   /* of the others in their blocks */

enum role { FIRST, SECOND, SIGNALS, ROLES };

struct track {
    struct finding_event events[KEPT];
    uint32_t sites[KEPT];
    int count, room;
};

/** One finding under watch. */
struct watch {
    struct finding_wanted finding;
    struct track tracks[ROLES];
    struct finding_event conflict;   /**< the first access itself, however long ago */
    bool has_conflict, stopping, done;
};

struct interleaving {
    struct machine *machine;
    struct watch watches[MAX_WATCHES];
    int count;
    uint64_t events;                 /**< so far, to put them in order */
};

/* ---- Events ---- */

static bool is_event(const struct finding_event *a, const struct finding_event *b)
{
    return a->line == b->line && strcmp(a->op, b->op) == 0 &&
           memcmp(a->block, b->block, sizeof a->block) == 0 &&
           memcmp(a->thread, b->thread, sizeof a->thread) == 0 && a->offset == b->offset;
}

static void track_add(struct track *t, uint32_t site, const struct finding_event *e)
{
    if (t->count && t->sites[t->count - 1] == site && is_event(&t->events[t->count - 1], e)) {
        uint32_t times = t->events[t->count - 1].times;
        t->events[t->count - 1] = *e;
        t->events[t->count - 1].times = times + 1;
        return;
    }
    if (t->count == t->room) {
        t->count--;
        memmove(t->events, t->events + 1, (size_t)t->count * sizeof *t->events);
        memmove(t->sites, t->sites + 1, (size_t)t->count * sizeof *t->sites);
    }
    t->sites[t->count] = site;
    t->events[t->count++] = *e;
}

/** Which part in the finding the thread plays, ROLES if none. */
static enum role role_of(const struct watch *watch, const struct warp *w, int lane, uint32_t site)
{
    uint64_t launch = w->block->grid->config.op, block = w->block->index;
    uint32_t thread = (uint32_t)(w->index * WARP_LANES + lane);
    const struct finding_trail *t = &watch->finding.trail;
    if (watch->done)
        return ROLES;
    if (launch == t->launch[1] && block == t->block[1] && thread == t->thread[1])
        return SECOND;
    if (launch == t->launch[0] && block == t->block[0] && thread == t->thread[0])
        return FIRST;
    bool signal = site && (site == t->signal || site == t->via);
    return signal && (block == t->block[0] || block == t->block[1]) ? SIGNALS : ROLES;
}

static struct finding_event event_at(struct interleaving *self, const struct warp *w, int lane,
                                     const struct insn *in, const char *op)
{
    struct finding_access a;
    struct finding_event e = {.times = 1, .number = self->events++};
    finding_access_fill(&a, w, lane, in, op);
    snprintf(e.op, sizeof e.op, "%s", op);
    e.file = a.file;
    e.line = a.line;
    e.type = a.type;
    memcpy(e.block, a.block, sizeof e.block);
    memcpy(e.thread, a.thread, sizeof e.thread);
    return e;
}

static void name_order(struct finding_event *e, enum mem_order order, enum mem_scope scope)
{
    static const char *const orders[] = {
        [ORDER_WEAK] = "",          [ORDER_RELAXED] = "relaxed", [ORDER_VOLATILE] = "volatile",
        [ORDER_ACQUIRE] = "acquire", [ORDER_RELEASE] = "release", [ORDER_ACQ_REL] = "acq_rel",
        [ORDER_SC] = "sc",          [ORDER_NC] = "nc",           [ORDER_MMIO] = "mmio"};
    static const char *const scopes[] = {
        [SCOPE_NONE] = "", [SCOPE_CTA] = ".cta", [SCOPE_CLUSTER] = ".cluster",
        [SCOPE_GPU] = ".gpu", [SCOPE_SYS] = ".sys"};
    snprintf(e->order, sizeof e->order, "%s%s", orders[order],
             order == ORDER_WEAK || order == ORDER_NC || order == ORDER_VOLATILE ? ""
                                                                                 : scopes[scope]);
}

/* ---- Memory ---- */

static bool touches(const struct watch *watch, const struct mem_access *a, int lane)
{
    const struct finding_trail *t = &watch->finding.trail;
    uint64_t bytes = (uint64_t)a->insn->mem.bytes * a->insn->mem.count;
    return t->space == (enum ptx_space)a->space && a->address[lane] < t->address + t->bytes &&
           t->address < a->address[lane] + bytes;
}

/** The element that the finding speaks of, else the first. */
static int element_of(const struct watch *watch, const struct mem_access *a, int lane)
{
    uint64_t at = watch->finding.trail.address - a->address[lane];
    int e = touches(watch, a, lane) && watch->finding.trail.address >= a->address[lane]
                ? (int)(at / a->insn->mem.bytes)
                : 0;
    return e < a->insn->mem.count ? e : 0;
}

static void fill_value(const struct watch *watch, struct finding_event *e,
                       const struct mem_access *a, int lane)
{
    unsigned bytes = a->insn->mem.bytes;
    int element = element_of(watch, a, lane);
    uint64_t newest = 0;
    if (bytes > 8)
        return;
    e->has_value = true;
    e->value = a->value[element][lane];
    if (strcmp(e->op, "atomic") == 0) {
        e->has_old = true;
        e->old = a->old[element & 1][lane];
        if (a->insn->mem.atom == ATOM_CAS && !(a->wrote >> lane & 1))
            e->value = e->old;
        return;
    }
    memcpy(&newest, a->host[lane] + (size_t)element * bytes, bytes);
    e->has_missed = strcmp(e->op, "load") == 0 && newest != e->value;
    e->missed = newest;
}

static void fill_place(struct interleaving *self, struct finding_event *e, const struct warp *w,
                       const struct mem_access *a, int lane, int element)
{
    struct finding f = {0};
    finding_place(&f, self->machine, w->block, (enum ptx_space)a->space,
                  a->address[lane] + (uint64_t)element * a->insn->mem.bytes);
    memcpy(e->object, f.object, sizeof e->object);
    if (!e->object[0])
        snprintf(e->object, sizeof e->object, "%s", f.space ? f.space : "global");
    e->offset = f.offset;
}

static void watch_lane(struct interleaving *self, struct watch *watch, const struct warp *w,
                       const struct mem_access *a, int lane, const char *op)
{
    const struct insn *in = a->insn;
    const struct finding_trail *t = &watch->finding.trail;
    enum role role = role_of(watch, w, lane, in->site);
    bool strong = order_is_strong(&in->mem);
    if (role == ROLES || !(strong || touches(watch, a, lane)))
        return;
    struct finding_event e = event_at(self, w, lane, in, op);
    name_order(&e, in->mem.order, in->mem.scope);
    fill_value(watch, &e, a, lane);
    fill_place(self, &e, w, a, lane, element_of(watch, a, lane));
    track_add(&watch->tracks[role], in->site, &e);
    if (role == FIRST && in->site == t->site[0] && touches(watch, a, lane)) {
        watch->conflict = e;
        watch->has_conflict = true;
    }
}

/** Findings that the checkers have made again: their second access is the one that reaches us now. */
static void note_recurred(struct interleaving *self)
{
    int id;
    while (reporter_recurred(machine_reporter(self->machine), &id))
        for (int i = 0; i < self->count; i++)
            self->watches[i].stopping |= self->watches[i].finding.id == id;
}

/** One warp's access for all watches; the finding that occurred with it is complete. */
static void watch_access(struct interleaving *self, const struct warp *w, const struct mem_access *a,
                         const char *op)
{
    note_recurred(self);
    for (int i = 0; i < self->count; i++) {
        struct watch *watch = &self->watches[i];
        const struct finding_trail *t = &watch->finding.trail;
        if (watch->done || (w->block->index != t->block[0] && w->block->index != t->block[1]))
            continue;
        for (uint32_t m = a->mask; m; m &= m - 1)
            watch_lane(self, watch, w, a, __builtin_ctz(m), op);
        watch->done = watch->stopping;
    }
}

static void on_load(void *self, const struct warp *w, const struct mem_access *a)
{
    watch_access(self, w, a, "load");
}

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    watch_access(self, w, a, "store");
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    watch_access(self, w, a, "atomic");
}

/* ---- Order ---- */

static void watch_lanes(struct interleaving *self, const struct warp *w, const struct insn *in, uint32_t lanes,
                        const char *op, enum mem_order order, enum mem_scope scope)
{
    for (int i = 0; i < self->count; i++)
        for (uint32_t m = lanes; m; m &= m - 1) {
            int lane = __builtin_ctz(m);
            struct watch *watch = &self->watches[i];
            enum role role = role_of(watch, w, lane, in->site);
            if (role == ROLES)
                continue;
            struct finding_event e = event_at(self, w, lane, in, op);
            name_order(&e, order, scope);
            track_add(&watch->tracks[role], in->site, &e);
        }
}

static void on_fence(void *self, const struct warp *w, const struct insn *in, enum mem_order order,
                     enum mem_scope scope)
{
    watch_lanes(self, w, in, w->mask, "fence", order, scope);
}

static void on_barrier(void *self, const struct warp *w, const struct insn *in, int barrier,
                       enum barrier_kind kind)
{
    (void)barrier;
    watch_lanes(self, w, in, w->mask, kind == BARRIER_ARRIVE ? "barrier arrive" : "barrier",
                ORDER_WEAK, SCOPE_NONE);
}

static void on_warp_sync(void *self, const struct warp *w, const struct insn *in, uint32_t members)
{
    watch_lanes(self, w, in, members, "warp barrier", ORDER_WEAK, SCOPE_NONE);
}

static const struct observer interleaving_observer = {
    .name = "interleaving",
    .load = on_load,
    .store = on_store,
    .atomic = on_atomic,
    .fence = on_fence,
    .barrier_arrive = on_barrier,
    .warp_sync = on_warp_sync,
};

/* ---- A run ---- */

struct interleaving *interleaving_begin(struct machine *m, uint64_t op)
{
    struct finding_wanted list[MAX_WATCHES];
    int n = reporter_wanted(machine_reporter(m), op, list, MAX_WATCHES);
    if (!n)
        return NULL;
    struct interleaving *w = calloc(1, sizeof *w);
    assert(w);
    w->machine = m;
    w->count = n;
    for (int i = 0; i < n; i++) {
        w->watches[i].finding = list[i];
        for (int r = 0; r < ROLES; r++)
            w->watches[i].tracks[r].room = r == SIGNALS ? KEPT_SIGNALS : KEPT;
    }
    observers_add(machine_observers(m), &interleaving_observer, w); /* behind the checkers */
    reporter_replay(machine_reporter(m), true);
    return w;
}

bool interleaving_doubts_order(const struct interleaving *w)
{
    for (int i = 0; i < w->count; i++)
        if (w->watches[i].finding.kind == FIND_ORDERING && w->watches[i].finding.trail.shown)
            return true;
    return false;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = ((const struct finding_event *)a)->number;
    uint64_t y = ((const struct finding_event *)b)->number;
    return (x > y) - (x < y);
}

static void tell(struct interleaving *self, const struct watch *watch)
{
    struct finding_event all[ROLES * KEPT + 1];
    int n = 0;
    bool conflict_kept = !watch->has_conflict;
    for (int r = 0; r < ROLES; r++)
        for (int i = 0; i < watch->tracks[r].count; i++) {
            all[n] = watch->tracks[r].events[i];
            conflict_kept |= all[n].number == watch->conflict.number;
            n++;
        }
    if (!conflict_kept)
        all[n++] = watch->conflict;
    qsort(all, (size_t)n, sizeof all[0], by_number);
    reporter_tell(machine_reporter(self->machine), watch->finding.id, all, n);
}

void interleaving_tell(struct interleaving *w)
{
    observers_remove(machine_observers(w->machine));
    for (int i = 0; i < w->count; i++)
        if (w->watches[i].done)
            tell(w, &w->watches[i]);
}

void interleaving_end(struct interleaving *w, bool changed)
{
    struct reporter *r = machine_reporter(w->machine);
    reporter_replay(r, false);
    for (int i = 0; changed && i < w->count; i++)
        if (w->watches[i].finding.kind == FIND_ORDERING && w->watches[i].finding.trail.shown)
            reporter_bites(r, w->watches[i].finding.id);
    free(w);
}
