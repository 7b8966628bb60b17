/**
 * @file deadlock.c
 * Deadlock: nothing can run any more, or everything that runs only looks, again and again, at memory
 * that nothing is left to change.
 *
 * The first is the executor's word (`stuck`). The second is a spin: as long as some lane stores a new
 * value, reads something it has not just read, counts on in a loop that its count may end (loop_state.h), passes
 * a barrier or leaves, the program may be getting somewhere. When far more reads than there are warps
 * have brought nothing new, and every lane that can run has made such a read, twice in a row, it is not.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/checkers.h"
#include "check/deadlock.h"
#include "check/fruitless_reads.h"
#include "check/known_reads.h"
#include "check/new_values.h"
#include "check/read_digest.h"
#include "check/waits_for.h"
#include "execute/machine.h"
#include "execute/finding_place.h"
#include "execute/plain_access.h"
#include "report/finding.h"
#include "report/reporter.h"

#define FRUITLESS_BASE 100000u      /* reads in a row that bring nothing new: a round */
#define FRUITLESS_PER_WARP 100u
#define ROUNDS 2                    /* in each of which every lane has to take part */
#define FRUITLESS_ASK 1000u         /* from here on, whether a spinning loop counts */
#define EARLY_READS 20000u          /* since the last progress: not looked at, for mostly there is some again before */

struct deadlock {
    struct machine *machine;
    int slot;
    uint64_t fruitless;
    uint64_t steps;        /**< progress that there has been, */
    uint64_t early;        /**< and reads since the last that are not looked at */
    uint64_t runnable;     /**< groups of lanes, when last counted: */
    uint64_t asked;        /**< at every so many questions, and when a round has lasted for FRUITLESS_BASE reads */
    uint64_t round;
    int rounds;            /**< complete, in a row */
    struct fruitless_reads *reads;
    struct known_reads_room spare;
    bool hopeless;         /**< and has been told */
    uint64_t host_pc, host_address, host_looks; /**< of the host's latest access; how often it has been the same */
};

static void *deadlock_create(struct machine *m, int slot)
{
    struct deadlock *d = calloc(1, sizeof *d);
    assert(d);
    d->machine = m;
    d->slot = slot;
    d->reads = fruitless_reads_new();
    return d;
}

static void deadlock_destroy(void *self)
{
    struct deadlock *d = self;
    fruitless_reads_free(d->reads);
    free(d->spare.of);
    free(d);
}

/* ---- Who waits for whom ---- */

/** The first live group of a block, in a state if `state` >= 0. */
static const struct group *first_group(const struct block *b, int state, const struct warp **warp)
{
    for (int i = 0; i < b->warp_count; i++)
        for (int j = 0; j < b->warps[i].group_count; j++)
            if (state < 0 || b->warps[i].groups[j].state == state) {
                *warp = &b->warps[i];
                return &b->warps[i].groups[j];
            }
    return NULL;
}

/** `read`: the access that finds the same again and again; NULL where the group stands still. */
static void report(struct deadlock *d, const struct warp *w, const struct group *g,
                   const struct insn *in, const struct mem_access *read)
{
    const struct grid *grid = w->block->grid;
    struct finding f = {.kind = FIND_DEADLOCK, .cause = g->state == GROUP_ENDLESS ? CAUSE_ENDLESS : CAUSE_WAIT,
                        .kernel = grid->config.kernel->name, .access_count = 1};
    int lane = __builtin_ctz(g->mask ? g->mask : 1);
    finding_access_fill(&f.accesses[0], w, lane, in, "wait");
    f.facts.wait = (struct wait_facts){
        .thread = (uint32_t)(w->index * WARP_LANES + lane), .block = w->block->index, .what = waits_for(g, in), .barrier = (int)g->barrier,
        .expected = w->block->barriers[g->barrier].expected, .threads = grid->threads_per_block, .blocks = grid->blocks,
        .waiting = grid->blocks - grid->started, .running = grid->started - grid->finished, .ended = grid->finished,
        .lost_line = read ? waits_for_lost(grid->config.kernel->image, in) : 0};
    const struct allocation *of = read && read->space == SPACE_GLOBAL ? memory_find(machine_memory(d->machine), read->address[lane]) : NULL;
    f.facts.wait.host = of && (of->kind == ALLOC_MANAGED || of->kind == ALLOC_HOST || of->kind == ALLOC_REGISTERED);
    if (read)
        finding_place(&f, d->machine, read->owner ? read->owner : w->block, (enum ptx_space)read->space, read->address[lane]);
    const struct mbarrier *b = read && insn_class(in) == INSN_MBARRIER ? block_mbarrier(read->owner, read->address[lane]) : NULL;
    if (b)
        f.facts.wait.what = WAIT_FOR_PHASE, f.facts.wait.arrivals = b->pending, f.facts.wait.bytes = b->tx,
        f.facts.wait.untouched = b->pending == b->expected && !b->tx;
    report_finding(machine_reporter(d->machine), &f);
}

/** Reports one group of the blocks that are left, of those in `state` if that is not negative.
 *  @return false if there is none */
static bool report_stuck(struct deadlock *d, const struct machine *m, int state)
{
    const struct block *b;
    bool stuck;
    for (int i = 0; machine_resident(m, i, &b, &stuck); i++) {
        const struct warp *w = NULL;
        const struct group *g = b ? first_group(b, state, &w) : NULL;
        if (!g)
            continue;
        report(d, w, g, group_stands_at(g), NULL);
        return true;
    }
    return false;
}

/** A group that never ends is why others wait. */
static void deadlock_stuck(void *self, const struct machine *m)
{
    if (!report_stuck(self, m, GROUP_ENDLESS))
        report_stuck(self, m, -1);
}

/* ---- Spins ---- */

static void next_round(struct deadlock *d)
{
    d->round++;
    d->fruitless = 0;
}

bool deadlock_goes_on(void *self)
{
    struct deadlock *d = self;
    next_round(d);
    d->rounds = 0;
    d->steps++;
    d->early = EARLY_READS;
    machine_goes_on(d->machine);
    fruitless_reads_changed(d->reads);
    return true;
}

static void note_fruitless(const struct deadlock *d, struct known_reads *r, uint32_t lanes)
{
    if (r->round != d->round)
        r->lanes = 0;
    r->round = d->round;
    r->lanes |= lanes;
}

static bool can_run(const struct group *g)
{
    return g->state == GROUP_READY || g->state == GROUP_SLEEPING;
}

/** Whether all lanes that can run have read what they knew in this round: one that only computes would
 *  not, and it may store something in the end. */
static bool all_take_part(const struct deadlock *d)
{
    const struct block *b;
    bool stuck;
    for (int i = 0; machine_resident(d->machine, i, &b, &stuck); i++) {
        if (!b && !stuck)
            return false;
        for (int j = 0; b && j < b->warp_count; j++) {
            const struct warp *w = &b->warps[j];
            const struct known_reads *r = w->check[d->slot];
            uint32_t lanes = r && r->round == d->round ? r->lanes : 0;
            for (int k = 0; w->live && k < w->group_count; k++)
                if (can_run(&w->groups[k]) && w->groups[k].mask & ~lanes)
                    return false;
        }
    }
    return true;
}

/** A read: `a`, or `plain`, of which that can be made. */
struct read_at {
    struct read_by by;
    const struct mem_access *a;
    struct plain_access *plain;
};

/** A round of fruitless reads is over, if all have taken part. */
static void end_round(struct deadlock *d, const struct warp *w, const struct read_at *read)
{
    d->fruitless = 0;
    if (!all_take_part(d))
        return;
    next_round(d);
    if (++d->rounds < ROUNDS || machine_stalls(d->machine, d->host_looks))
        return;
    struct group g = {.mask = read->by.mask, .state = GROUP_READY};
    report(d, w, &g, read->by.insn, read->a ? read->a : plain_full(w, read->plain));
    d->hopeless = true;
    deadlock_goes_on(d);
}

/** Groups of lanes that can run: those that wait at a barrier read nothing, and need no patience. */
static uint64_t groups_that_run(const struct deadlock *d)
{
    const struct block *b;
    bool stuck;
    uint64_t count = 0;
    for (int i = 0; machine_resident(d->machine, i, &b, &stuck); i++)
        for (int j = 0; b && j < b->warp_count; j++)
            for (int k = 0; k < b->warps[j].group_count; k++)
                count += can_run(&b->warps[j].groups[k]);
    return count;
}

static uint64_t patience(struct deadlock *d)
{
    if (d->fruitless == FRUITLESS_BASE || d->asked++ % FRUITLESS_BASE == 0)
        d->runnable = groups_that_run(d);
    return FRUITLESS_BASE + FRUITLESS_PER_WARP * d->runnable;
}

/** Not what the warp read there the last time: but perhaps the time before. */
static void note_other_read(struct deadlock *d, const struct warp *w, const struct read_at *read, uint64_t h)
{
    bool waits = insn_class(read->by.insn) == INSN_MBARRIER;
    enum fruitless_verdict found = waits ? fruitless_waits_read(d->reads, w, read->a, patience(d)) : fruitless_reads_read(d->reads, w, &read->by, h, patience(d));
    if (found == READ_NEW) {
        d->fruitless = 0, d->rounds = 0;
        return;
    }
    note_fruitless(d, w->check[d->slot], read->by.mask);
    if (found == READ_ENOUGH)
        end_round(d, w, read);
}

static void deadlock_block_begin(void *self, struct block *b)
{
    struct deadlock *d = self;
    struct known_reads *of_warps = known_reads_begin(&d->spare, b->warp_count);
    for (int i = 0; i < b->warp_count; i++)
        b->warps[i].check[d->slot] = &of_warps[i];
    deadlock_goes_on(d);
}

static void deadlock_block_end(void *self, const struct block *b)
{
    struct deadlock *d = self;
    known_reads_end(&d->spare, b->warps[0].check[d->slot], b->warp_count);
    deadlock_goes_on(d);
}

/** Is a read one of the first since there was progress? Whoever makes no more of it comes by again. */
static inline bool is_early(struct deadlock *d)
{
    return d->early && d->early--;
}

static void note_digest(struct deadlock *d, const struct warp *w, const struct read_at *read, uint64_t h)
{
    struct known_reads *r = w->check[d->slot];
    known_reads_since(r, d->steps);
    if (!known_reads_has(r, w, &read->by, h, d->fruitless > FRUITLESS_ASK)) {
        note_other_read(d, w, read, h);
        return;
    }
    note_fruitless(d, r, read->by.mask);
    if (++d->fruitless >= patience(d))
        end_round(d, w, read);
}

static void note_read(struct deadlock *d, const struct warp *w, const struct mem_access *a, bool old)
{
    if (!a->insn->mem.frame_relative && !is_early(d)) /* not of what was passed to a function */
        note_digest(d, w, &(struct read_at){.by = {a->insn, a->mask}, .a = a}, read_digest(a, old));
}

static void deadlock_load(void *self, const struct warp *w, const struct mem_access *a)
{
    note_read(self, w, a, false);
}

static uint64_t *deadlock_plain_untold(void *self)
{
    return &((struct deadlock *)self)->early;
}

static void deadlock_plain_load(void *self, const struct warp *w, struct plain_access *p)
{
    if (!is_early(self))
        note_digest(self, w, &(struct read_at){.by = {p->insn, p->mask}, .plain = p}, read_digest_word(p));
}

static void deadlock_plain_store(void *self, const struct warp *w, struct plain_access *p)
{
    (void)w;
    if (plain_has_new_values(p))
        deadlock_goes_on(self);
}

static void deadlock_store(void *self, const struct warp *w, const struct mem_access *a)
{
    (void)w;
    if (has_new_values(a))
        deadlock_goes_on(self);
}

static void deadlock_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    if (atomic_has_new_values(a))
        deadlock_goes_on(self);
    else
        note_read(self, w, a, true);
}

static void deadlock_plain_atomic(void *self, const struct warp *w, struct plain_access *p)
{
    if (plain_atomic_has_new_values(p))
        deadlock_goes_on(self);
    else
        note_read(self, w, plain_full(w, p), true);
}

static void deadlock_async(void *self, const struct warp *w, const struct async_event *e)
{
    (void)w;
    if (e->kind == ASYNC_COPY || e->kind == ASYNC_BULK)
        deadlock_goes_on(self);
}

/** A wait is a read of the barrier: the last lane's speaks for all. */
static void deadlock_mbarrier(void *self, const struct warp *w, const struct mbarrier_event *e)
{
    if (e->kind != MBARRIER_WAIT)
        deadlock_goes_on(self);
    else if (!(e->access->mask >> e->lane >> 1))
        note_read(self, w, e->access, false);
}

/** The host goes on: it stores, or is not still at the same load. */
static bool deadlock_host_touch(void *self, const struct host_touch *t)
{
    struct deadlock *d = self;
    bool same = !t->write && t->pc == d->host_pc && t->address == d->host_address;
    d->host_looks = same ? d->host_looks + 1 : 0;
    if (!same)
        deadlock_goes_on(d);
    d->host_pc = t->pc, d->host_address = t->address;
    return false;
}

/** The executor ends one grid, and asks again of the next. */
static bool deadlock_hopeless(void *self)
{
    struct deadlock *d = self;
    bool hopeless = d->hopeless && !memory_is_outside(machine_memory(d->machine)); /* another process may write */
    d->hopeless = false;
    return hopeless;
}

static void deadlock_barrier(void *self, const struct block *b, int barrier)
{
    (void)b, (void)barrier;
    deadlock_goes_on(self);
}

static void deadlock_cluster_complete(void *self, const struct cluster *c)
{
    (void)c;
    deadlock_goes_on(self);
}

static void deadlock_exit(void *self, const struct warp *w, uint32_t lanes)
{
    (void)w, (void)lanes;
    deadlock_goes_on(self);
}

const struct observer deadlock_checker = {
    .name = "deadlock",
    .create = deadlock_create, .destroy = deadlock_destroy,
    .block_begin = deadlock_block_begin, .block_end = deadlock_block_end,
    .load = deadlock_load, .store = deadlock_store,
    .plain_load = deadlock_plain_load, .plain_untold = deadlock_plain_untold,
    .plain_store = deadlock_plain_store,
    .atomic = deadlock_atomic, .plain_atomic = deadlock_plain_atomic,
    .async = deadlock_async,
    .mbarrier = deadlock_mbarrier,
    .hopeless = deadlock_hopeless,
    .barrier_complete = deadlock_barrier, .barrier_met = deadlock_barrier,
    .cluster_complete = deadlock_cluster_complete,
    .exit = deadlock_exit,
    .host_touch = deadlock_host_touch,
    .stuck = deadlock_stuck,
};
