/**
 * @file no_way_out.c
 * See no_way_out.h.
 */
#include "rerun/no_way_out.h"

#include <string.h>

#include "analyse/effects.h"
#include "base/mix.h"
#include "check/checkers.h"
#include "check/waits_for.h"
#include "execute/chooser.h"
#include "execute/engine.h"
#include "execute/finding_place.h"
#include "execute/grid_run.h"
#include "execute/observer.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "rerun/explore/place_key.h"
#include "rerun/round_states.h"

/** Threads of a launch, and warp instructions in which none of them ends, before it is looked at what they write. */
#define MOST_THREADS 64
#define PATIENCE (1ull << 20)
/** It comes back where so few of what memory held were new, of so many writes at least. */
#define LEAST_WRITES 64
#define WRITES_A_CONTENT 8
/** Turns of the walk over the states, and instructions of it, after which it is given up; instructions between two questions how it goes. */
#define MOST_TURNS 1000000
#define FIRST_TURNS 65536 /* half of which may lead to new states */
#define MOST_STORES 1000
#define MOST_INSTRUCTIONS (1ull << 24)
#define WALK_SLICE 256

/* ---- Is it worth a walk? ---- */

static uint64_t threads_left(const struct replay *r)
{
    const struct grid *g = r->grids[0];
    uint64_t left = (g->blocks - g->started) * g->threads_per_block;
    const struct block *b;
    bool stuck;
    for (int i = 0; machine_resident(r->machine, i, &b, &stuck); i++)
        left += b ? b->live_threads : g->threads_per_block;
    return left;
}

static int running_grids(const struct machine *m)
{
    int running = 0;
    for (int i = 0; i < m->grids.count; i++)
        running += grid_running(&m->grids.data[i]->grid);
    return running;
}

/** What is walked: a launch by itself, that nobody else helps, of threads that share memory and nothing else. */
static bool can_be_walked(const struct replay *r, uint64_t left)
{
    struct machine *m = r->machine;
    const struct grid *g = r->grids[0];
    return r->count == 1 && left > 1 && left <= MOST_THREADS && m->schedule != SCHEDULE_CHOSEN && running_grids(m) == 1 && g->cluster_blocks == 1 &&
           !g->config.awaits && (!m->may_stall || r->may_stand) && !kernel_launches(g->config.kernel) && !memory_is_outside(machine_memory(m)) &&
           observers_find(&m->observers, &deadlock_checker);
}

static uint64_t place_with(const struct mem_access *a, int lane, int element, uint64_t value)
{
    return mix_pair((uint64_t)(uintptr_t)a->host[lane] + (uint64_t)element * a->insn->mem.bytes, value);
}

static uint64_t before_store(const struct mem_access *a, int lane, int element)
{
    uint64_t value = 0;
    unsigned bytes = a->insn->mem.bytes;
    memcpy(&value, a->host[lane] + (unsigned)element * bytes, bytes < 8 ? bytes : 8);
    return value;
}

static void note_contents(struct no_way_out *n)
{
    n->writes++;
    hash_set_add(&n->met, mix64(n->contents));
}

static void look_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct no_way_out *n = self;
    (void)w;
    if (!access_is_shared(a))
        return;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        for (int e = 0; e < a->insn->mem.count; e++)
            n->contents += place_with(a, lane, e, a->value[e][lane]) - place_with(a, lane, e, before_store(a, lane, e));
    }
    note_contents(n);
}

static void look_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct no_way_out *n = self;
    (void)w;
    if (!a->wrote)
        return;
    for (uint32_t m = a->wrote; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        n->contents += place_with(a, lane, 0, a->value[0][lane]) - place_with(a, lane, 0, a->old[0][lane]);
    }
    note_contents(n);
}

static const struct observer look_observer = {.name = "no way out?", .store = look_store, .atomic = look_atomic};

static void look_on(struct no_way_out *n, struct replay *r)
{
    n->looks = true;
    n->contents = n->writes = 0;
    hash_set_clear(&n->met);
    observers_add(machine_observers(r->machine), &look_observer, n);
}

static void look_away(struct no_way_out *n, struct replay *r)
{
    if (n->looks)
        observers_remove(machine_observers(r->machine));
    n->looks = false;
}

/* ---- The walk ---- */

/** A lane before something that others may notice. */
struct standing {
    uint64_t thread;
    const struct warp *warp;
    const struct group *group;
};

struct round_walk {
    struct replay *replay;
    struct round_states states;
    LIST(struct standing) standing;   /**< those that were asked last, at the end */
    uint64_t turns;
    int stores;                       /**< how often all ways were known, and nobody stood before a read */
    bool closed, given_up;
};

/** Where only its own thread ever is. */
static bool is_private(const struct warp *w, const struct group *g)
{
    uint64_t place;
    return insn_is_memory(g->pc) && !place_key_next(w, g, &place);
}

/** Fences change nothing here, for each read gets the newest value; who arrives at a barrier first may matter, where it counts. */
static bool walk_visible(void *self, const struct warp *w, const struct group *g)
{
    struct round_walk *k = self;
    enum insn_class c = insn_class(g->pc);
    k->given_up |= c == INSN_COPY || c == INSN_MBARRIER || c == INSN_IMAGE || c == INSN_TENSOR || c == INSN_GRID;
    if (k->given_up || k->closed || !(insn_is_memory(g->pc) || c == INSN_BARRIER) || is_private(w, g)) {
        k->standing.count = 0; /* it goes on at once, and all are asked again */
        return k->given_up || k->closed;
    }
    uint64_t thread = w->block->index << 16 | (uint64_t)(w->index * WARP_LANES + __builtin_ctz(g->mask));
    *LIST_PUSH(&k->standing) = (struct standing){thread, w, g};
    return true;
}

/** The lane whose thread has `nth` lower ones beside it. */
static int thread_in_order(const struct standing *s, int count, int nth)
{
    for (int i = 0; i < count; i++) {
        int lower = 0;
        for (int j = 0; j < count; j++)
            lower += s[j].thread < s[i].thread;
        if (lower == nth)
            return i;
    }
    return 0;
}

static bool reads(const struct standing *s)
{
    return insn_class(s->group->pc) != INSN_STORE && element_target(s->group->pc, 0) != REG_NONE;
}

/** Of those that stand before memory, one that waits for what it gets there, else any. */
static const struct standing *who_waits(const struct standing *s, int count)
{
    const struct standing *any = NULL;
    for (int i = 0; i < count; i++) {
        if (!insn_is_memory(s[i].group->pc))
            continue;
        if (reads(&s[i]))
            return &s[i];
        any = any ? any : &s[i];
    }
    return any;
}

/** @return false where nobody stands before memory */
static bool tell(struct round_walk *k, const struct standing *all, int count)
{
    const struct standing *s = who_waits(all, count);
    uint64_t place;
    if (!s || !place_key_next(s->warp, s->group, &place) || (!reads(s) && k->stores++ < MOST_STORES))
        return false;
    const struct block *b = s->warp->block;
    const struct grid *g = b->grid;
    int lane = __builtin_ctz(s->group->mask);
    struct finding f = {.kind = FIND_DEADLOCK, .cause = CAUSE_NO_WAY_OUT, .kernel = g->config.kernel->name, .access_count = 1};
    finding_access_fill(&f.accesses[0], s->warp, lane, s->group->pc, "wait");
    f.facts.wait = (struct wait_facts){.thread = (uint32_t)(s->warp->index * WARP_LANES + lane), .block = b->index, .what = waits_for(s->group, s->group->pc),
                                       .threads = g->threads_per_block, .blocks = g->blocks, .waiting = g->blocks - g->started,
                                       .running = g->started - g->finished, .ended = g->finished};
    finding_place(&f, k->replay->machine, b, place & PLACE_IS_SHARED ? SPACE_SHARED : SPACE_GLOBAL,
                  place & PLACE_IS_SHARED ? (uint32_t)place : place);
    report_finding(machine_reporter(k->replay->machine), &f);
    return true;
}

static int walk_next(void *self, int count, bool more)
{
    struct round_walk *k = self;
    k->given_up |= more || ++k->turns > MOST_TURNS || (k->turns == FIRST_TURNS && k->states.met > FIRST_TURNS / 2);
    if (k->given_up || k->closed)
        return 0;
    const struct standing *s = k->standing.data + k->standing.count - count;
    k->standing.count = 0;
    uint64_t untried = k->states.untried, states = k->states.count;
    uint32_t nth = round_states_leave(&k->states, k->replay->machine, (uint32_t)count);
    k->closed = !untried && k->states.count == states && tell(k, s, count);
    return thread_in_order(s, count, (int)nth);
}

static const struct chooser walk_chooser = {.name = "no way out?", .visible = walk_visible, .next = walk_next};

static void walk_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct round_walk *k = self;
    (void)w;
    k->given_up |= access_is_shared(a) && !round_states_write(&k->states, a, a->mask);
}

static void walk_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct round_walk *k = self;
    (void)w;
    k->given_up |= !round_states_write(&k->states, a, a->wrote);
}

static void walk_memory(void *self, struct allocation *a)
{
    (void)a;
    ((struct round_walk *)self)->given_up = true;
}

static const struct observer walk_observer = {
    .name = "no way out?", .store = walk_store, .atomic = walk_atomic, .allocated = walk_memory, .freed = walk_memory};

/** @return true where the launch has come to its end as far as that goes: told, or nothing can run */
static bool walk(struct no_way_out *n, struct replay *r, uint64_t left)
{
    struct machine *m = r->machine;
    struct round_walk k = {.replay = r};
    const struct chooser *chooser = m->chooser.how;
    void *chooses = m->chooser.self;
    enum schedule_kind schedule = m->schedule;
    enum step_result step = STEP_BUDGET;
    uint64_t began = m->clock;
    bool may_stall = m->may_stall;
    machine_set_awaited(m, true, false);
    m->schedule = SCHEDULE_CHOSEN;
    machine_set_chooser(m, &walk_chooser, &k);
    observers_add(machine_observers(m), &walk_observer, &k);
    while (!k.closed && !k.given_up && m->clock - began < MOST_INSTRUCTIONS && step == STEP_BUDGET && threads_left(r) == left)
        step = machine_step(m, WALK_SLICE);
    observers_remove(machine_observers(m));
    machine_set_chooser(m, chooser, chooses);
    m->schedule = schedule;
    machine_set_awaited(m, !may_stall, false);
    bool stays = k.closed && step == STEP_BUDGET;
    n->patience = stays || threads_left(r) != left ? 1 : 4 * (n->patience + PATIENCE);
    LIST_FREE(&k.standing);
    round_states_free(&k.states);
    return stays || step == STEP_STUCK;
}

bool no_way_out_met(struct no_way_out *n, struct replay *r)
{
    uint64_t clock = r->machine->clock, left = threads_left(r);
    bool looked = n->looks;
    look_away(n, r);
    if (left != n->left || r->grids[0]->status != GRID_RUNNING) {
        n->left = left;
        n->since = clock;
        return false;
    }
    if (clock - n->since < (n->patience ? n->patience : PATIENCE) || !can_be_walked(r, left))
        return false;
    if (!looked) {
        look_on(n, r);
        return false;
    }
    n->since = clock;
    if (n->writes < LEAST_WRITES || n->met.count * WRITES_A_CONTENT > n->writes) {
        n->patience = 2 * (n->patience ? n->patience : PATIENCE);
        return false;
    }
    return walk(n, r, left);
}

void no_way_out_end(struct no_way_out *n, struct replay *r)
{
    look_away(n, r);
    hash_set_free(&n->met);
}
