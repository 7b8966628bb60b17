/**
 * @file stragglers.c
 * See stragglers.h. Each lane has a rank, drawn for the run, and the lowest of those that stand goes on. Where they only look at what
 * does not change, any of them does, so that nobody waits for one that is held.
 */
#include "rerun/stragglers.h"

#include "base/list.h"
#include "base/mix.h"
#include "execute/chooser.h"
#include "execute/observer.h"
#include "execute/warp.h"
#include "rerun/spins.h"
#include "rerun/thread_number.h"

/** Turns of a run, and of lanes that stand before nothing strong: they may wait for ever. */
#define MAX_TURNS (1u << 15)
#define MAX_AT_ONCE (1u << 19)
#define HELD (1ull << 63)

/** A lane that has stood. */
struct straggler {
    uint64_t thread;
    uint32_t writes;   /**< before which it has stood */
    bool before_write; /**< it stands before one now */
    bool held;
};

struct stragglers {
    uint64_t seed;
    unsigned one_in;       /**< of so many writes one is held */
    uint32_t turns, at_once, idle;
    uint64_t random;
    LIST(struct straggler) lanes;
    LIST(int) standing;    /**< places in `lanes` */
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

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct stragglers *s = self;
    (void)w;
    if (access_is_shared(a) && order_is_strong(&a->insn->mem))
        s->idle = 0;
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    if (a->wrote)
        on_store(self, w, a);
}

bool stragglers_leave(struct replay *replay, uint64_t seed, uint64_t *left)
{
    static const struct observer watching = {.name = "stragglers", .store = on_store, .atomic = on_atomic};
    static const struct chooser how = {.name = "stragglers", .visible = stragglers_visible, .next = stragglers_next};
    struct stragglers s = {.seed = mix64(seed), .one_in = 4u << seed % 4};
    observers_add(machine_observers(replay->machine), &watching, &s);
    replay_chosen(replay, &how, &s);
    observers_remove(machine_observers(replay->machine));
    *left = memory_digest(machine_memory(replay->machine), replay->start);
    LIST_FREE(&s.lanes);
    LIST_FREE(&s.standing);
    return replay_done(replay);
}
