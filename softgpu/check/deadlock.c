/**
 * @file deadlock.c
 * Deadlock: nothing can run any more, or everything that runs only looks, again and again, at memory that nothing is left to change.
 *
 * The first is the executor's word (`stuck`). The second is a spin: as long as some lane stores a new value, reads something it has not just read, counts on
 * in a loop that its count may end (loop_state.h), passes a barrier or leaves, the program may be getting somewhere. When far more reads than there are warps
 * have brought nothing new, and every lane that can run has made such a read, twice in a row, it is not; nor when every lane has, since the last progress,
 * gone round in its loops once as before. Local memory is part of the state that a loop is in; where the clock is looked at, too, standstill.h asks whether
 * time alone ends it.
 */
#include <assert.h>
#include <stdlib.h>

#include "base/mix.h"
#include "check/checkers.h"
#include "check/deadlock.h"
#include "check/fruitless_reads.h"
#include "check/known_reads.h"
#include "check/loop_state.h"
#include "check/new_values.h"
#include "check/read_digest.h"
#include "check/standstill.h"
#include "check/stuck.h"
#include "execute/chooser.h"
#include "execute/machine.h"
#include "execute/plain_access.h"

#define FRUITLESS_BASE 100000u      /* reads in a row that bring nothing new: a round */
#define FRUITLESS_PER_WARP 100u
#define ROUNDS 2                    /* in each of which every lane has to take part */
#define ASK_AFTER 1000u             /* reads without progress: from here on, whether a spinning loop counts, */
#define REPEATS_FIRST 4096u         /* and from here on, whether all go round as before, as far as the newest values go; */
#define REPEATS_GROWTH 8            /* the next time after an eighth as many more */
#define IDLE_READS 32768u           /* a power of 2; without progress, the clock read among them: does it end by time? */
#define IDLE_PER_GROUP 64u
#define IDLE_CLOCKS 64u             /* of so many reads one of the clock */
#define EARLY_READS 20000u          /* since the last progress: not looked at, for mostly there is some again before */

struct deadlock {
    struct machine *machine;
    int slot;
    uint64_t fruitless;
    uint64_t steps;        /**< progress that there has been, */
    uint64_t early;        /**< and reads since the last that are not looked at */
    uint64_t runnable;     /**< groups of lanes, when last counted: */
    uint64_t asked;        /**< at every so many questions, and when a round has lasted for FRUITLESS_BASE reads */
    uint64_t looked_at, ask_at, round; /**< reads since the last progress; at so many it is asked whether all repeat themselves */
    int rounds;            /**< complete, in a row */
    struct fruitless_reads *reads;
    struct known_reads_room spare;
    bool hopeless;         /**< and has been told */
    bool noted;            /**< a read has been looked at since the last progress: there is something to forget */
    struct standstill standstill;
    uint64_t idle, idle_limit;   /**< reads, but of local memory, since there was progress; from here on it is asked whether they end by time */
    uint64_t clock_reads, period; /**< of the machine, at the first of these; a part of them */
    uint64_t host_pc, host_address, host_looks; /**< of the host's latest access; how often it has been the same */
};

static void *deadlock_create(struct machine *m, int slot)
{
    struct deadlock *d = calloc(1, sizeof *d);
    assert(d);
    *d = (struct deadlock){.machine = m, .slot = slot, .reads = fruitless_reads_new(), .idle_limit = IDLE_READS, .ask_at = REPEATS_FIRST, .noted = true};
    return d;
}

static void deadlock_destroy(void *self)
{
    struct deadlock *d = self;
    fruitless_reads_free(d->reads);
    hash_set_free(&d->standstill.made);
    free(d->spare.of);
    free(d);
}

/** A group that never ends is why others wait. */
static void deadlock_stuck(void *self, const struct machine *m)
{
    (void)self;
    if (!stuck_report_one(m, GROUP_ENDLESS))
        stuck_report_one(m, -1);
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
    d->early = EARLY_READS;
    if (!d->noted) /* mostly: then nothing below would change what is found later */
        return true;
    d->noted = false;
    next_round(d);
    d->rounds = 0, d->idle = 0, d->looked_at = 0, d->ask_at = REPEATS_FIRST;
    d->steps++, d->period++;
    if (d->standstill.on)
        standstill_end(&d->standstill, d->machine);
    machine_goes_on(d->machine);
    fruitless_reads_changed(d->reads);
    return true;
}

/** A read: `a`, or `plain`, of which that can be made. */
struct read_at {
    struct read_by by;
    const struct mem_access *a;
    struct plain_access *plain;
};

/** Nobody will ever come on. */
static void tell(struct deadlock *d, const struct warp *w, const struct read_at *read)
{
    struct group g = {.mask = read->by.mask, .state = GROUP_READY};
    stuck_report(d->machine, w, &g, read->by.insn, read->a ? read->a : plain_full(w, read->plain));
    d->hopeless = true;
    deadlock_goes_on(d);
}

/** Who waits may do so for ever. */
static void give_up(struct deadlock *d, const struct warp *w, const struct read_at *read)
{
    if (machine_stalls(d->machine, d->host_looks))
        return;
    d->runnable = stuck_groups_that_run(d->machine);
    if (machine_clock_reads(d->machine) > d->clock_reads) /* it may end by time */
        standstill_begin(&d->standstill, d->machine);
    else
        tell(d, w, read);
}

/** All that can run have gone round as before since the last progress: asked now and then, for each is looked at. */
static bool all_repeat(struct deadlock *d)
{
    if (d->looked_at < d->ask_at)
        return false;
    d->ask_at = d->looked_at + d->looked_at / REPEATS_GROWTH;
    return known_reads_of_all(d->machine, d->slot, REPEAT_THEMSELVES, d->round);
}

/** A round of fruitless reads is over, if all have taken part. */
static void end_round(struct deadlock *d, const struct warp *w, const struct read_at *read)
{
    if (!known_reads_of_all(d->machine, d->slot, READ_WHAT_THEY_KNEW, d->round)) {
        d->fruitless = 0;
        return;
    }
    next_round(d);
    if (++d->rounds >= ROUNDS)
        give_up(d, w, read);
}

static uint64_t patience(struct deadlock *d)
{
    if (d->fruitless == FRUITLESS_BASE || d->asked++ % FRUITLESS_BASE == 0)
        d->runnable = stuck_groups_that_run(d->machine);
    return FRUITLESS_BASE + FRUITLESS_PER_WARP * d->runnable;
}

/** Not what the warp read there the last time: but perhaps the time before. */
static void note_other_read(struct deadlock *d, const struct warp *w, const struct read_at *read, uint64_t h)
{
    bool waits = insn_class(read->by.insn) == INSN_MBARRIER;
    uint64_t local = ((const struct known_reads *)w->check[d->slot])->local;
    enum fruitless_verdict found = waits ? fruitless_waits_read(d->reads, w, read->a, patience(d))
                                         : fruitless_reads_read(d->reads, w, &read->by, mix_in(h, local), patience(d));
    if (found == READ_NEW) {
        d->fruitless = 0, d->rounds = 0;
        return;
    }
    known_reads_note(w->check[d->slot], d->round, read->by.mask, false);
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

/** A read while the clock is held. */
static void note_standing(struct deadlock *d, const struct warp *w, const struct read_at *read, uint64_t h)
{
    struct known_reads *r = w->check[d->slot];
    uint64_t state = mix_in(loop_state(w, read->by.insn, read->by.mask, LOOP_OUTERMOST), r->local);
    bool known, told = standstill_read(&d->standstill, mix_in(mix_in(mix_in(h, state), (uintptr_t)read->by.insn), (uintptr_t)w), &known);
    if (!told) { /* it gets somewhere, in registers: the next look comes later */
        d->idle_limit *= 4;
        deadlock_goes_on(d);
        return;
    }
    if (!known)
        return;
    known_reads_note(r, d->round, read->by.mask, false);
    if (!standstill_repeats(&d->standstill, d->runnable) || !known_reads_of_all(d->machine, d->slot, READ_WHAT_THEY_KNEW, d->round))
        return;
    next_round(d);
    d->runnable = stuck_groups_that_run(d->machine);
    if (standstill_round(&d->standstill, d->machine, FRUITLESS_BASE) && !machine_stalls(d->machine, d->host_looks))
        tell(d, w, read);
}

/** Does it go on for so long, for all, with looks at the clock in between, that it is worth asking? */
static bool waits_by_time(struct deadlock *d, struct known_reads *r, const struct read_at *read)
{
    if (read->a && read->a->space == SPACE_LOCAL)
        return false;
    if (!d->idle++)
        d->clock_reads = machine_clock_reads(d->machine);
    if (r->period != d->period)
        r->period = d->period, r->idle = 0;
    r->idle |= read->by.mask;
    if (d->idle & (d->idle_limit / 2 - 1)) /* each read comes here: the limit is a power of 2 */
        return false;
    d->runnable = stuck_groups_that_run(d->machine);
    bool all = d->idle >= d->idle_limit + IDLE_PER_GROUP * d->runnable && known_reads_of_all(d->machine, d->slot, READ_IDLY, d->period);
    d->period++;
    return all && (machine_clock_reads(d->machine) - d->clock_reads) * IDLE_CLOCKS >= d->idle;
}

static void note_digest(struct deadlock *d, const struct warp *w, const struct read_at *read, uint64_t h)
{
    struct known_reads *r = w->check[d->slot];
    d->noted = true;
    if (d->standstill.on) {
        note_standing(d, w, read, h);
        return;
    }
    if (waits_by_time(d, r, read)) {
        next_round(d);
        standstill_begin(&d->standstill, d->machine);
    }
    known_reads_since(r, d->steps);
    bool ask = ++d->looked_at > ASK_AFTER;
    if (!known_reads_has(r, w, &read->by, h, ask)) {
        note_other_read(d, w, read, h);
        return;
    }
    known_reads_note(r, d->round, read->by.mask, ask && !machine_has_chooser(d->machine) && known_reads_repeat(r, w, &read->by));
    if (++d->fruitless >= patience(d))
        end_round(d, w, read);
    else if (all_repeat(d))
        give_up(d, w, read);
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
    struct known_reads *of = w->check[((struct deadlock *)self)->slot];
    if (a->space == SPACE_LOCAL) /* nobody else waits for that */
        of->local ^= changed_values(a);
    else if (has_new_values(a))
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

static void deadlock_warp_arrive(void *self, const struct warp *w, const struct insn *in, const uint32_t members[32])
{
    (void)in, (void)members;
    known_reads_meet(w->check[((struct deadlock *)self)->slot]);
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
    .warp_arrive = deadlock_warp_arrive,
    .exit = deadlock_exit,
    .host_touch = deadlock_host_touch,
    .stuck = deadlock_stuck,
};
