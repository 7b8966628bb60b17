/**
 * @file retrace.c
 * See retrace.h. Lanes run one at a time; of those that stand before a strong access the one goes on whose step has the lowest
 * rank. A lane whose access is none of its next steps, or fails where the step wrote, has got another value than in the run: what
 * it does comes right before the next of its steps that writes, and a look in vain is not repeated until something has been written.
 */
#include "rerun/retrace.h"

#include <assert.h>
#include <limits.h>
#include <stdlib.h>

#include "analyse/effects.h"
#include "execute/chooser.h"
#include "execute/grid_life.h"
#include "execute/observer.h"
#include "report/reporter.h"
#include "rerun/course.h"
#include "rerun/explore/place_key.h"
#include "rerun/spins.h"

/** Arrangements that are tried, and their lanes' instructions in all; lanes that may stand at strong accesses at once. */
#define MAX_VARIANTS 12
#define MAX_LANE_INSTRUCTIONS (1ull << 18)
#define MAX_LANES 256

/** A lane before a strong access. */
struct standing {
    int thread;          /**< -1: one that the run had not */
    int step;            /**< which of its steps this is; -1: none */
    int rank;
    bool waits;          /**< it has looked in vain, and nothing has been written since */
};

struct retrace {
    struct course *course;
    int *at;             /**< each thread's next step */
    uint64_t *looked_at; /**< how many writes there were when it last looked in vain, and 1 */
    uint64_t *met_at;    /**< what had been done when it last looked at an mbarrier, and 1; the last of those that the run had not */
    bool *parted;        /**< has the thread got another value than in the run, since it last wrote? */
    uint64_t writes;
    uint64_t turns, most;
    uint64_t at_once, most_at_once; /**< turns of lanes that stand before nothing strong: they may wait for ever */
    LIST(struct standing) standing;
    struct standing chosen;
};

static const struct course_step *step_at(const struct retrace *r, int step)
{
    return &course_steps(r->course)->data[step];
}

/** The next step of the thread that this is: not beyond another that writes. */
static int step_of(const struct retrace *r, int thread, const struct insn *in, uint64_t place)
{
    for (int i = r->at[thread]; i >= 0; i = step_at(r, i)->next) {
        if (step_at(r, i)->in == in && step_at(r, i)->place == place)
            return i;
        if (step_at(r, i)->writes)
            break;
    }
    return -1;
}

/** Of the thread's next step that writes. */
static int rank_of_write(const struct retrace *r, int thread)
{
    int i = r->at[thread];
    while (i >= 0 && !step_at(r, i)->writes)
        i = step_at(r, i)->next;
    return i >= 0 ? step_at(r, i)->rank : INT_MAX;
}

static bool is_off(const struct warp *w, const struct group *g, const struct insn *in)
{
    if (!insn_is_guarded(in))
        return false;
    const uint32_t *guard = (const uint32_t *)(const void *)(w->file + g->frame + in->guard);
    return !((*guard >> __builtin_ctz(g->mask) & 1) ^ in->guard_negated);
}

/** A lane that waits at an mbarrier looks once whenever another one has gone on. @return false: it may */
static bool has_looked(struct retrace *r, int thread)
{
    uint64_t *last = &r->met_at[thread >= 0 ? thread : course_threads(r->course)], now = r->turns + r->at_once + 1;
    bool has = *last == now;
    *last = now;
    return has;
}

/** Such a lane, or one that has had its turns, goes on where no other has anything to do. */
static bool stand_behind(struct retrace *r)
{
    *LIST_PUSH(&r->standing) = (struct standing){.thread = -1, .step = -1, .rank = INT_MAX, .waits = true};
    return true;
}

static bool retrace_visible(void *self, const struct warp *w, const struct group *g)
{
    struct retrace *r = self;
    const struct insn *in = g->pc;
    uint64_t place;
    const bool waits = insn_looks_at_mbarrier(in);
    if (waits && !has_looked(r, course_thread(r->course, w, __builtin_ctz(g->mask)))) {
        r->standing.count = 0;
        return false;
    }
    if (waits || r->at_once > r->most_at_once)
        return stand_behind(r);
    if (!insn_is_memory(in) || !order_is_strong(&in->mem) || is_off(w, g, in) || !place_key_next(w, g, &place)) {
        r->standing.count = 0; /* it goes on at once */
        r->at_once++;
        return false;
    }
    struct standing s = {.thread = course_thread(r->course, w, __builtin_ctz(g->mask)), .step = -1, .rank = INT_MAX};
    if (s.thread >= 0) {
        s.step = step_of(r, s.thread, in, place);
        if (s.step >= 0 && r->parted[s.thread] && insn_class(in) == INSN_ATOMIC && !step_at(r, s.step)->writes)
            s.step = -1; /* a swap that failed may not fail now */
        s.rank = s.step >= 0 ? step_at(r, s.step)->rank : rank_of_write(r, s.thread);
        s.waits = s.step < 0 && r->looked_at[s.thread] == r->writes + 1;
    }
    *LIST_PUSH(&r->standing) = s;
    return true;
}

static int retrace_next(void *self, int count, bool more)
{
    struct retrace *r = self;
    struct standing *s = r->standing.data + r->standing.count - count;
    int best = 0;
    if (more || r->turns++ > r->most || r->at_once > r->most_at_once)
        return -1;
    for (int i = 1; i < count; i++)
        if (s[i].waits < s[best].waits || (s[i].waits == s[best].waits && s[i].rank < s[best].rank))
            best = i;
    r->chosen = s[best];
    r->standing.count = 0;
    return best;
}

/** The chosen lane has done it. */
static void went_on(struct retrace *r, bool wrote)
{
    const struct standing *s = &r->chosen;
    r->writes += wrote;
    if (s->thread >= 0 && s->step >= 0 && step_at(r, s->step)->writes == wrote) {
        r->at[s->thread] = step_at(r, s->step)->next;
        r->parted[s->thread] = !wrote && (r->parted[s->thread] || step_at(r, s->step)->given_up);
    } else if (s->thread >= 0) {
        r->looked_at[s->thread] = r->writes + 1;
        r->parted[s->thread] = true;
    }
}

static void on_load(void *self, const struct warp *w, const struct mem_access *a)
{
    (void)w;
    if (access_is_shared(a) && order_is_strong(&a->insn->mem))
        went_on(self, false);
}

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    (void)w;
    if (access_is_shared(a) && order_is_strong(&a->insn->mem))
        went_on(self, true);
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    (void)w;
    if (access_is_shared(a) && order_is_strong(&a->insn->mem))
        went_on(self, a->wrote != 0);
}

static const struct observer retrace_observer = {.name = "retrace", .load = on_load, .store = on_store, .atomic = on_atomic};
static const struct chooser retrace_chooser = {.name = "retrace", .visible = retrace_visible, .next = retrace_next};

/** One run in the order that the course has been arranged in. */
static bool leaves_it(struct replay *replay, struct course *course, uint64_t misled, uint64_t most_at_once)
{
    int threads = course_threads(course);
    struct retrace r = {.course = course, .most = 4 * (uint64_t)course_steps(course)->count + 1024, .most_at_once = most_at_once};
    r.at = malloc(((size_t)threads + 1) * sizeof *r.at);
    r.looked_at = calloc((size_t)threads + 1, sizeof *r.looked_at);
    r.met_at = calloc((size_t)threads + 1, sizeof *r.met_at);
    r.parted = calloc((size_t)threads + 1, sizeof *r.parted);
    assert(r.at && r.looked_at && r.met_at && r.parted);
    for (int i = 0; i < threads; i++)
        r.at[i] = course_first(course, i);
    observers_add(machine_observers(replay->machine), &retrace_observer, &r);
    replay_chosen(replay, &retrace_chooser, &r);
    observers_remove(machine_observers(replay->machine));
    LIST_FREE(&r.standing);
    free(r.at);
    free(r.looked_at);
    free(r.met_at);
    free(r.parted);
    return replay_done(replay) && memory_digest(machine_memory(replay->machine), replay->start) == misled;
}

/** Would lanes that run one by one do what the kernels mean, and soon? `lanes`: instructions of all lanes. */
static bool can_be_retraced(const struct replay *replay, uint64_t *lanes)
{
    uint64_t threads = 0;
    *lanes = 0;
    for (int i = 0; i < replay->count; i++) {
        const struct grid *g = replay->grids[i];
        if (g->cluster_blocks > 1 || kernel_launches(g->config.kernel))
            return false;
        threads += g->blocks * g->threads_per_block;
        *lanes += g->lane_instructions;
    }
    return threads <= MAX_LANES && *lanes <= MAX_LANE_INSTRUCTIONS;
}

bool retrace_leaves(struct replay *replay, uint64_t misled)
{
    bool leaves = false;
    uint64_t lanes;
    struct reporter *reporter = machine_reporter(replay->machine);
    bool replays = reporter_replay(reporter, true);
    struct course *course = course_begin(replay->machine);
    replay_again(replay, false);
    if (course_end(course) && replay_done(replay) && can_be_retraced(replay, &lanes) &&
        memory_digest(machine_memory(replay->machine), replay->start) == misled)
        for (unsigned variant = 0; !leaves && variant < MAX_VARIANTS; variant++) {
            int given_up = course_arrange(course, variant);
            leaves = leaves_it(replay, course, misled, 4 * lanes + 4096);
            if (!given_up)
                break;
        }
    course_free(course);
    reporter_replay(reporter, replays);
    return leaves;
}
