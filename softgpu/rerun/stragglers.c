/**
 * @file stragglers.c
 * See stragglers.h. Each lane has a rank, drawn for the run, and the lowest of those that stand goes on. Where they only look at what
 * does not change, any of them does, so that nobody waits for one that is held. In runs of the second kind a swap whose result nobody uses may fail
 * where another thread has written that place, too: a thread that does not ask whether it came in time is as right if it did not.
 */
#include "rerun/stragglers.h"

#include "analyse/flow.h"
#include "analyse/paths.h"
#include "base/list.h"
#include "base/mix.h"
#include "execute/chooser.h"
#include "execute/observer.h"
#include "execute/grid.h"
#include "execute/warp.h"
#include "rerun/explore/place_key.h"
#include "rerun/spins.h"
#include "rerun/thread_number.h"

/** Turns of a run, and of lanes that stand before nothing strong: they may wait for ever. */
#define MAX_TURNS (1u << 15)
#define MAX_AT_ONCE (1u << 19)
#define HELD (1ull << 63)
#define PLACES 1024

/** A lane that has stood. */
struct straggler {
    uint64_t thread;
    uint32_t writes;   /**< before which it has stood */
    bool before_write; /**< it stands before one now */
    bool held;
};

/** A place that has been written. Two may share one of these, and are forgotten in turns. */
struct written_place {
    uint64_t key;
    uint64_t writer;       /**< the last one, and 1 */
    bool several;          /**< there was another before it */
};

struct stragglers {
    uint64_t seed;
    unsigned one_in;       /**< of so many writes one is held */
    uint32_t turns, at_once, idle;
    uint64_t random;
    LIST(struct straggler) lanes;
    LIST(int) standing;    /**< places in `lanes` */
    bool fails;            /**< may swaps fail? */
    struct written_place written[PLACES];
};

static int number_of(struct stragglers *s, uint64_t thread)
{
    for (int i = 0; i < s->lanes.count; i++)
        if (s->lanes.data[i].thread == thread)
            return i;
    *LIST_PUSH(&s->lanes) = (struct straggler){.thread = thread};
    return s->lanes.count - 1;
}

static bool stragglers_visible(void *self, const struct warp *w, const struct group *g)
{
    struct stragglers *s = self;
    bool strong = stands_before_strong(w, g);
    if (!strong && !insn_looks_at_mbarrier(g->pc) && s->at_once <= MAX_AT_ONCE) {
        s->standing.count = 0; /* it goes on at once */
        s->at_once++;
        return false;
    }
    int i = number_of(s, thread_key(w, __builtin_ctz(g->mask)));
    struct straggler *lane = &s->lanes.data[i];
    if (strong && insn_class(g->pc) != INSN_LOAD && !lane->before_write) {
        lane->before_write = true;
        lane->held = !(mix64(mix_in(s->seed, lane->thread) + ++lane->writes) % s->one_in);
    }
    *LIST_PUSH(&s->standing) = i;
    return true;
}

static uint64_t rank_of(const struct stragglers *s, const struct straggler *lane)
{
    return mix64(mix_in(s->seed, lane->thread)) >> 1 | (lane->held ? HELD : 0);
}

/** Lanes that have looked so often, and nobody has written. */
static bool only_look(const struct stragglers *s, int count)
{
    return s->idle > 4 * (uint32_t)count + 32;
}

static int stragglers_next(void *self, int count, bool more)
{
    struct stragglers *s = self;
    const int *standing = s->standing.data + s->standing.count - count;
    int best = 0;
    if (more || s->turns++ > MAX_TURNS || s->at_once > MAX_AT_ONCE)
        return -1;
    for (int i = 1; i < count; i++)
        if (rank_of(s, &s->lanes.data[standing[i]]) < rank_of(s, &s->lanes.data[standing[best]]))
            best = i;
    if (only_look(s, count))
        best = (int)(mix64(s->random += MIX_STEP) % (uint64_t)count);
    s->lanes.data[standing[best]].before_write = s->lanes.data[standing[best]].held = false;
    s->standing.count = 0;
    s->idle++;
    return best;
}

/* ---- What has been written, and swaps in vain ---- */

static uint64_t key_of(const struct warp *w, const struct mem_access *a, int lane)
{
    return place_key(a->owner ? a->owner : w->block, (enum ptx_space)a->space, a->address[lane]);
}

static void note_writer(struct stragglers *s, uint64_t key, uint64_t writer)
{
    struct written_place *p = &s->written[mix64(key) % PLACES];
    if (p->key != key)
        *p = (struct written_place){.key = key};
    p->several |= p->writer && p->writer != writer;
    p->writer = writer;
}

/** Has another thread written there? */
static bool is_contested(const struct stragglers *s, uint64_t key, uint64_t thread)
{
    const struct written_place *p = &s->written[mix64(key) % PLACES];
    return p->key == key && p->writer && (p->several || p->writer != thread);
}

/** Is it a swap of which nobody asks whether it came in time? */
static bool swap_is_unasked(const struct function *f, const struct insn *in)
{
    return in->mem.atom == ATOM_CAS && in->mem.count == 1 && in->mem.bytes <= 8 && flow_holds(f, in) &&
           (in->dst == REG_NONE || !path_reads(f, in + 1, in->dst));
}

/** It finds another value than it expects. */
static bool stragglers_rmw_read(void *self, const struct warp *w, const struct element_of_access *at, uint64_t *value)
{
    struct stragglers *s = self;
    const struct mem_access *a = at->access;
    if (s->fails && access_is_shared(a) && swap_is_unasked(w->block->grid->config.kernel, a->insn) &&
        *value == warp_lane_word(warp_reg(w, element_operand(a->insn, 0)), a->insn->mem.bytes, at->lane) &&
        is_contested(s, key_of(w, a, at->lane), 1 + thread_key(w, at->lane)) && mix64(s->random += MIX_STEP) % 2)
        *value = ~*value;
    return true;
}

static bool stragglers_rmw_write(void *self, const struct warp *w, const struct element_of_access *at, bool wrote, uint64_t value, bool *stays)
{
    (void)self, (void)w, (void)at, (void)wrote, (void)value, (void)stays;
    return true;
}

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct stragglers *s = self;
    if (!access_is_shared(a) || !order_is_strong(&a->insn->mem))
        return;
    s->idle = 0;
    for (uint32_t m = s->fails ? a->mask : 0; m; m &= m - 1)
        note_writer(s, key_of(w, a, __builtin_ctz(m)), 1 + thread_key(w, __builtin_ctz(m)));
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    if (a->wrote)
        on_store(self, w, a);
}

bool stragglers_may_fail(const struct replay *replay)
{
    bool may = false;
    for (int i = 0; i < replay->count && !may; i++) {
        const struct function *f = replay->configs[i]->kernel;
        for (const struct insn *in = f->entry; in < f->end && !may; in++)
            may = insn_class(in) == INSN_ATOMIC && swap_is_unasked(f, in);
    }
    return may;
}

bool stragglers_leave(struct replay *replay, uint64_t seed, bool fails, uint64_t *left)
{
    static const struct observer watching = {.name = "stragglers", .store = on_store, .atomic = on_atomic};
    static const struct chooser how = {.name = "stragglers", .rmw_read = stragglers_rmw_read, .rmw_write = stragglers_rmw_write,
                                       .visible = stragglers_visible, .next = stragglers_next};
    struct stragglers s = {.seed = mix64(seed), .one_in = 4u << seed % 4, .fails = fails};
    observers_add(machine_observers(replay->machine), &watching, &s);
    replay_chosen(replay, &how, &s);
    observers_remove(machine_observers(replay->machine));
    *left = memory_digest(machine_memory(replay->machine), replay->start);
    LIST_FREE(&s.lanes);
    LIST_FREE(&s.standing);
    return replay_done(replay);
}
