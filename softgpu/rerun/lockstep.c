/**
 * @file lockstep.c
 * See lockstep.h.
 */
#include "rerun/lockstep.h"

#include "base/list.h"
#include "execute/chooser.h"
#include "execute/warp.h"
#include "rerun/spins.h"
#include "rerun/thread_number.h"

/** Strong accesses of all lanes after which no step is believed in. */
#define MAX_TURNS (1u << 16)
/** Turns of lanes that do nothing strong, all together: they may wait for ever. */
#define MAX_AT_ONCE (1u << 20)

struct steps {
    const struct warp *warp;
    uint32_t done[WARP_LANES];
};

/** A lane before a strong access, or a look at an mbarrier, as places in `warps`. */
struct standing {
    int warp, lane;
    const struct insn *pc;
};

struct lockstep {
    enum step_order order;
    bool backward;
    uint32_t turns, at_once;
    LIST(struct steps) warps;
    LIST(struct standing) standing;
};

static int number_of_warp(struct lockstep *l, const struct warp *w)
{
    for (int i = 0; i < l->warps.count; i++)
        if (l->warps.data[i].warp == w)
            return i;
    *LIST_PUSH(&l->warps) = (struct steps){.warp = w};
    return l->warps.count - 1;
}

static bool lockstep_visible(void *self, const struct warp *w, const struct group *g)
{
    struct lockstep *l = self;
    if (!stands_before_strong(w, g) && !insn_looks_at_mbarrier(g->pc) && l->at_once <= MAX_AT_ONCE) {
        l->standing.count = 0; /* it goes on at once */
        l->at_once++;
        return false;
    }
    *LIST_PUSH(&l->standing) = (struct standing){number_of_warp(l, w), __builtin_ctz(g->mask), g->pc};
    return true;
}

/** The least goes first. */
static uint64_t rank_of(const struct lockstep *l, const struct standing *s)
{
    const struct steps *w = &l->warps.data[s->warp];
    uint64_t number = thread_number(w->warp, s->lane);
    switch (l->order) {
    case STEP_BY_COUNT:
        return w->done[s->lane];
    case STEP_BY_PLACE:
        return (uintptr_t)s->pc;
    default:
        return l->backward ? UINT64_MAX - 1 - number : number;
    }
}

/** Of too many to choose from, which are the first, one of these goes on alone as well. */
static int lockstep_next(void *self, int count, bool more)
{
    struct lockstep *l = self;
    const struct standing *s = l->standing.data + l->standing.count - count - more;
    int best = 0;
    uint64_t least = UINT64_MAX;
    if ((more && l->order != STEP_ALONE) || l->turns++ > MAX_TURNS || l->at_once > MAX_AT_ONCE)
        return -1;
    for (int i = 0; i < count; i++) {
        uint64_t rank = rank_of(l, &s[i]);
        if (rank < least || (l->backward && rank == least)) {
            least = rank;
            best = i;
        }
    }
    l->warps.data[s[best].warp].done[s[best].lane]++;
    l->standing.count = 0;
    return best;
}

bool lockstep_leaves(struct replay *replay, enum step_order order, enum step_blocks blocks, bool backward, uint64_t *left)
{
    const struct chooser how = {.name = "lockstep", .visible = lockstep_visible, .next = lockstep_next, .most = MOST_CANDIDATES,
                                .blocks = blocks == STEP_ALL_BLOCKS ? 0 : backward ? -1 : 1};
    struct lockstep l = {.order = order, .backward = backward};
    replay_chosen(replay, &how, &l);
    replay->given_up |= l.turns > MAX_TURNS || l.at_once > MAX_AT_ONCE;
    *left = memory_digest(machine_memory(replay->machine), replay->start);
    LIST_FREE(&l.warps);
    LIST_FREE(&l.standing);
    return replay_done(replay);
}
