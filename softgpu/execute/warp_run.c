/**
 * @file warp_run.c
 * Groups of lanes: which one runs, when they merge, and the loop that runs them.
 *
 * Rules (PTX ISA 3.1, independent thread scheduling; no order among lanes is promised):
 *   1. Among the groups of the deepest frame, the lowest program counter runs first, up to the
 *      next group's program counter, so that diverged lanes meet again as early as they can.
 *   2. Groups with equal program counter and frame merge before one of them runs.
 *   3. A group that has used its fuel in backward branches runs again only after every other group
 *      that can run has had its turn.
 * The running group is groups[current], copied out into the warp's hot fields.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "analyse/loops.h"
#include "execute/engine.h"
#include "execute/schedule.h"
#include "execute/trace.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

/** One turn in so many parts a group. */
#define STRAY_ODDS 6
#define WARP_FUEL 65536

int64_t warp_fuel(void)
{
    static int64_t known; /* 0: not asked yet */
    int64_t fuel = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (!fuel) {
        const char *said = getenv("SOFTGPU_FUEL");
        fuel = said ? strtol(said, NULL, 10) : 0;
        fuel = fuel > 0 ? fuel : WARP_FUEL;
        __atomic_store_n(&known, fuel, __ATOMIC_RELAXED);
    }
    return fuel;
}

void warp_load_group(struct warp *w, int i)
{
    struct group *g = &w->groups[i];
    w->current = i;
    w->frame = w->file + g->frame;
    w->frame_offset = g->frame;
    w->look.last = w->look.again = NULL;
    if (w->mask != g->mask)
        warp_set_mask(w, g->mask);
}

const struct insn *warp_stop(struct warp *w, const struct insn *in, const struct insn *pc,
                             enum group_state state)
{
    warp_count(w, in, pc);
    struct group *g = &w->groups[w->current];
    g->pc = pc;
    g->frame = w->frame_offset;
    g->state = (uint8_t)state;
    w->current = -1;
    return NULL;
}

static void remove_group(struct warp *w, int i)
{
    w->groups[i] = w->groups[--w->group_count];
}

const struct insn *warp_stop_removed(struct warp *w, const struct insn *in)
{
    warp_count(w, in, in);
    remove_group(w, w->current);
    w->current = -1;
    return NULL;
}

bool warp_ready(const struct warp *w)
{
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].state == GROUP_READY)
            return true;
    return false;
}

static int pick_natural(struct warp *w)
{
    for (int round = 0; round < 2; round++) {
        int best = -1;
        bool waiting = false;
        for (int i = 0; i < w->group_count; i++) {
            const struct group *g = &w->groups[i];
            if (g->state != GROUP_READY)
                continue;
            if (!(g->mask & ~w->yielded_lanes))
                waiting = true;
            else if (best < 0 || group_before(g, &w->groups[best]))
                best = i;
        }
        if (best >= 0 || !waiting)
            return best;
        w->yielded_lanes = 0;
    }
    return -1;
}

/** The groups that can run. @param had_turn  lanes of those that let the others go first, unless there are none */
static int ready_groups(const struct warp *w, uint32_t had_turn, int *ready)
{
    int count = 0;
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].state == GROUP_READY && (w->groups[i].mask & ~had_turn))
            ready[count++] = i;
    return count;
}

static int pick_drawn(struct warp *w)
{
    struct machine *m = warp_machine(w);
    int ready[WARP_LANES], count = ready_groups(w, m->schedule == SCHEDULE_BACKWARD || m->schedule == SCHEDULE_STRICT ? w->yielded_lanes : 0, ready);
    if (!count) {
        w->yielded_lanes = 0;
        count = ready_groups(w, 0, ready);
    }
    if (count <= 1)
        return count ? ready[0] : -1;
    int chosen = ready[schedule_group(m, count)];
    bool patient = m->schedule == SCHEDULE_PATIENT || m->schedule == SCHEDULE_STRICT, first = patient && m->schedule_seed;
    if (patient || (m->schedule == SCHEDULE_BACKWARD && schedule_group(m, 8)))
        for (int i = 0; i < count; i++) { /* mostly the one that natural order leaves for the end */
            const struct group *a = &w->groups[chosen], *b = &w->groups[ready[i]];
            chosen = (first ? group_before(b, a) : group_before(a, b)) ? ready[i] : chosen;
        }
    return chosen;
}

/**
 * Lanes of a warp are threads of their own: now and then the random schedule lets some of a group run
 * ahead, which is what code that relies on lockstep without __syncwarp() does not stand.
 */
static void stray(struct warp *w, int chosen)
{
    struct machine *m = warp_machine(w);
    uint64_t draw = schedule_random(m);
    uint32_t all = w->groups[chosen].mask, ahead = all & (uint32_t)(draw >> 32);
    if (draw % STRAY_ODDS || !ahead || ahead == all)
        return;
    w->groups[chosen].mask = ahead;
    warp_add_group(w, w->groups[chosen].pc, w->groups[chosen].frame, all & ~ahead);
}

/** The lane that the chooser lets run, for one instruction. */
static int pick_chosen(struct warp *w)
{
    int chosen = warp_machine(w)->chosen_group;
    warp_machine(w)->chosen_group = -1;
    return chosen;
}

/** Rule 2. @return the group's index after the merge */
static int merge(struct warp *w, int chosen)
{
    for (int i = 0; i < w->group_count; i++) {
        struct group *g = &w->groups[i], *c = &w->groups[chosen];
        if (i == chosen || g->state != GROUP_READY || g->pc != c->pc || g->frame != c->frame)
            continue;
        c->mask |= g->mask;
        c->parted = NULL;
        int last = w->group_count - 1;
        remove_group(w, i);
        if (chosen == last)
            chosen = i;
        i--;
    }
    return chosen;
}

/** The program counter at which the chosen group meets the next one ahead of it. */
static const struct insn *meeting_point(const struct warp *w, int chosen, bool *others)
{
    const struct group *c = &w->groups[chosen];
    const struct insn *limit = (const struct insn *)UINTPTR_MAX;
    *others = false;
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        if (i == chosen || g->state != GROUP_READY)
            continue;
        *others = true;
        if (g->frame == c->frame && g->pc > c->pc && g->pc < limit)
            limit = g->pc;
    }
    return limit;
}

/** The loops below return NULL when the handler stopped the group, else its next instruction. */
static const struct insn *loop_fast(struct warp *w, const struct insn *in)
{
    while (in && in < w->limit)
        in = in->run(w, in);
    return in;
}

static const struct insn *loop_quantum(struct warp *w, const struct insn *in, int64_t quantum)
{
    while (in && in < w->limit && quantum-- > 0)
        in = in->run(w, in);
    return in;
}

static inline void count_branch(struct grid *g, const struct insn *in)
{
    if (insn_class(in) == INSN_BRANCH && insn_is_guarded(in))
        g->counters[COUNT_BRANCHES]++;
}

static const struct insn *loop_watched(struct warp *w, const struct insn *in, int64_t quantum)
{
    struct machine *m = warp_machine(w);
    struct grid *g = w->block->grid;
    const struct observer *who[MAX_OBSERVERS];
    void *self[MAX_OBSERVERS];
    int count = 0;
    for (int i = 0; i < m->observers.count; i++)
        if (m->observers.hooks[i]->issue) {
            who[count] = m->observers.hooks[i];
            self[count++] = m->observers.self[i];
        }
    while (in && in < w->limit && quantum-- > 0 && g->status != GRID_CANCELLED) { /* a loop that polls would go on until its fuel is gone */
        if (m->options.trace)
            trace_insn(w, in);
        count_branch(g, in);
        for (int i = 0; i < count; i++)
            who[i]->issue(self[i], w, in);
        in = in->run(w, in);
    }
    return in;
}

/** loop_watched() where instructions are counted, and nobody wants to see each one of every warp. */
static const struct insn *loop_counted(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    struct grid *g = w->block->grid;
    while (in && in < w->limit && g->status != GRID_CANCELLED) {
        count_branch(g, in);
        if (*w->closely || insn_class(in) == INSN_TENSOR)
            OBSERVE(&m->observers, issue, w, in);
        in = in->run(w, in);
    }
    return in;
}

/** loop_watched() where nobody wants to see each instruction of every warp, nor counts them. */
static const struct insn *loop_looked_at(struct warp *w, const struct insn *in)
{
    struct machine *m = warp_machine(w);
    while (in && in < w->limit) {
        if (*w->closely || insn_class(in) == INSN_TENSOR)
            OBSERVE(&m->observers, issue, w, in);
        in = in->run(w, in);
    }
    return in;
}

/**
 * The running group stands where another one does, or has passed it: rules 1 and 2 in one pass, for
 * the case that no group has used its fuel. Divergent code comes here after every few instructions.
 * @return the next instruction, of the group that is now loaded
 */
static const struct insn *meet(struct warp *w, const struct insn *in)
{
    struct group *g = &w->groups[w->current];
    warp_count(w, in - 1, in);
    g->pc = in;
    g->frame = w->frame_offset;
    warp_load_group(w, warp_merge_first(w));
    w->run_start = w->groups[w->current].pc;
    return w->run_start;
}

/** Runs the loaded group until it stops, has used the quantum, or meets others in a way that
 *  meet() does not decide. */
static void run_group(struct warp *w, const struct insn *in, int64_t quantum)
{
    struct machine *m = warp_machine(w);
    bool each = m->observers.each_issue || m->options.trace, counted = m->options.counters, bounded = quantum > 0;
    bool watched = each || ((m->observers.any_issue || counted) && bounded);
    w->unwatched = !each && !counted && !bounded && m->schedule == SCHEDULE_NATURAL;
    for (;;) {
        if (watched)
            in = loop_watched(w, in, bounded ? quantum : INT64_MAX);
        else if (bounded)
            in = loop_quantum(w, in, quantum);
        else if (counted)
            in = loop_counted(w, in);
        else if (m->observers.any_issue)
            in = loop_looked_at(w, in);
        else
            in = loop_fast(w, in);
        if (!in || bounded || w->yielded_lanes || w->preempted || m->schedule != SCHEDULE_NATURAL || w->block->grid->status == GRID_CANCELLED)
            break;
        in = meet(w, in);
    }
    if (in) {
        warp_count(w, in - 1, in);
        w->groups[w->current].pc = in;
        w->groups[w->current].frame = w->frame_offset;
        if (bounded && loop_endless_from(in)) /* turns may be too short to burn the fuel that tells it (control.c) */
            w->groups[w->current].state = GROUP_ENDLESS;
        w->current = -1;
    }
}

/** All of the warp has arrived at a barrier of the block: nothing in it has to be settled. */
static inline bool waits_whole(const struct warp *w)
{
    const struct group *g = w->groups;
    return w->group_count == 1 && g->state == GROUP_AT_BARRIER && !(g->mask & ~w->arrived_lanes);
}

/** Chooses the group that runs next, and loads it. @return false where none can run */
static bool load_next(struct warp *w)
{
    bool explored = warp_machine(w)->schedule == SCHEDULE_CHOSEN, drawn = warp_machine(w)->schedule != SCHEDULE_NATURAL;
    bool others = false;
    int chosen;
    do {
        chosen = explored                                                 ? pick_chosen(w)
                 : w->group_count == 1 && w->groups[0].state == GROUP_READY ? 0
                 : drawn                                                  ? pick_drawn(w)
                                                                          : pick_natural(w);
    } while (chosen < 0 && (warp_sync_settle(w) || barrier_settle(w) || cluster_settle(w)) && w->live);
    if (chosen < 0)
        return false;
    if (!explored && w->group_count > 1)
        chosen = merge(w, chosen);
    if (grid_run(w->block->grid)->strays)
        stray(w, chosen);
    w->limit = meeting_point(w, chosen, &others);
    w->fuel = others && w->reserve > GROUP_PATIENCE ? GROUP_PATIENCE : w->reserve;
    w->reserve -= w->fuel;
    warp_load_group(w, chosen);
    return true;
}

/** The loaded group has run. @return false where the warp's turn goes on; else `*r` */
static bool turn_ends(struct warp *w, uint64_t end, enum warp_result *r)
{
    w->reserve += w->fuel;
    w->fuel = 0;
    *r = WARP_ABORTED;
    if (!grid_running(w->block->grid))
        return true;
    *r = WARP_BLOCKED;
    if (waits_whole(w))
        return true;
    if (!warp_ready(w))
        return false; /* what waits may have to be settled, also when the turn is over */
    if (w->reserve <= 0)
        w->polled_away = 0;
    *r = WARP_YIELDED;
    return w->reserve <= 0 || w->instructions >= end || w->preempted;
}

/** Turns of groups until the warp's ends; `end`: its instructions then. */
static enum warp_result take_turns(struct warp *w, uint64_t end)
{
    enum warp_result r;
    while (w->live) {
        if (!load_next(w))
            return w->live ? WARP_BLOCKED : WARP_DONE;
        w->run_start = w->groups[w->current].pc;
        run_group(w, w->run_start, end < UINT64_MAX ? (int64_t)(end - w->instructions) : 0);
        if (turn_ends(w, end, &r))
            return r;
    }
    return WARP_DONE;
}

enum warp_result warp_run_from(struct warp *w, const struct insn *in)
{
    enum warp_result r;
    if (in)
        run_group(w, in, 0);
    return turn_ends(w, UINT64_MAX, &r) ? r : take_turns(w, UINT64_MAX);
}

enum warp_result warp_run(struct warp *w, int64_t fuel, int64_t quantum)
{
    warp_begin_turn(w, fuel);
    if (w->kept && !image_machine_code(w->block->grid->config.kernel->image, w->kept))
        w->kept = NULL; /* it will stand elsewhere, and no code that it comes to says so */
    return take_turns(w, quantum > 0 ? w->instructions + (uint64_t)quantum : UINT64_MAX);
}
