/**
 * @file by_model.c
 * See by_model.h: which threads matter, the enumeration, and what each execution leaves.
 */
#include "rerun/explore/by_model.h"
#include "execute/cluster.h"
#include "execute/machine.h"
#include "execute/meeting.h"
#include "model/interleavings.h"

#include <stdlib.h>
#include <string.h>

#include "report/reporter.h"
#include "rerun/explore/execution_events.h"
#include "rerun/explore/lone.h"
#include "rerun/explore/outcomes.h"
#include "rerun/explore/witness.h"

#define MAX_RESTARTS 64
#define MAX_LAUNCH_THREADS 4096
/** points_worth(), without loops and with them. */
#define LAUNCH_POINTS 120000
#define LOOP_POINTS 30000

struct by_model {
    struct lone lone;
    struct outcomes outcomes;
    struct model_place place[MODEL_THREADS];
    uint64_t thread[MODEL_THREADS];   /**< of the launch, by number in the model */
    int weight[MODEL_THREADS];
    int threads;
    uint64_t passive_count;
    uint64_t steps;                   /**< that threads were asked for, all tries together */
    uint64_t *passive;                /**< threads that nobody else notices */
    uint64_t *alike;                  /**< threads that another one stands for, */
    int *stands;                      /**< its number in the model */
    uint64_t alike_count;
    bool keeps;                       /**< the next try adds to the outcomes that are there */
    bool judges;                      /**< outcomes are not told, but asked whether they should be */
    struct witness *race;             /**< the first that was met, of two values if there is one */
    struct witness *wait;             /**< the first in which a thread never ends */
};

/* ---- Threads ---- */

static struct model_place place_of(const struct lone *l, uint64_t thread)
{
    struct lone_origin from = lone_origin(l, thread);
    uint64_t in_block = lone_block_threads(l, from.launch), block = from.thread / in_block;
    uint64_t cluster = from.block - block + cluster_first(l->configs[from.launch], block);
    int at = (int)(from.thread % in_block);
    return (struct model_place){.block = (int)from.block, .cluster = (int)cluster, .device = l->configs[from.launch]->device,
                                .warp = at / WARP_LANES, .lane = at % WARP_LANES};
}

/** Two steps that do nothing but fence, in the same way. Of two such fences that stand between the same barriers the second
 *  orders nothing that the first one does not. */
static bool fences_alike(const struct model_step *a, const struct model_step *b)
{
    bool alike = a->count == b->count;
    for (int i = 0; i < a->count && alike; i++) {
        const struct model_event *e = &a->event[i], *o = &b->event[i];
        alike = e->kind == EVENT_FENCE && o->kind == EVENT_FENCE && e->sc == o->sc && e->scope == o->scope &&
                e->acquire == o->acquire && e->release == o->release;
    }
    return alike;
}

/** Do threads arrive there alike, and take nothing with them that differs? */
static bool same_barrier(const struct model_step *a, const struct model_step *b)
{
    return a->barrier == b->barrier && a->expected == b->expected && a->members == b->members && a->arrive_only == b->arrive_only &&
           a->wait_only == b->wait_only && a->relaxed == b->relaxed && !a->reduces && !b->reduces && !a->exchanges && !b->exchanges;
}

/** Two threads of a block that only fence and pass barriers, the same in the same order; barriers with a count let in whole
 *  warps. */
static bool only_passes_barriers(struct lone *l, uint64_t thread, uint64_t like)
{
    struct model_place one = place_of(l, thread), other = place_of(l, like);
    uint32_t lanes = 1u << one.lane | 1u << other.lane;
    uint64_t values[MODEL_EVENTS] = {0};
    for (int n = 0; n < MODEL_EVENTS; n++) {
        const struct lone_node *a = lone_step(l, thread, values, n, 0), *b = a ? lone_step(l, like, values, n, 0) : NULL;
        if (!a || !b || !fences_alike(&a->step, &b->step) || a->step.stop != b->step.stop)
            return false;
        if (a->step.stop == STOP_END)
            return n > 0;
        if (a->step.stop != STOP_BARRIER || !same_barrier(&a->step, &b->step) || (a->step.members && lanes & ~a->step.members) ||
            (a->step.expected && one.warp != other.warp))
            return false;
    }
    return false;
}

/** Finds the threads of the model. @return false if there are too many, or all must begin again */
static bool choose_threads(struct by_model *b)
{
    b->threads = 0;
    b->passive_count = b->alike_count = 0;
    for (uint64_t t = 0; t < b->lone.threads; t++) {
        const struct lone_node *n = lone_step(&b->lone, t, NULL, 0, 0);
        if (!n)
            return false;
        if (n->step.stop == STOP_END && fences_alike(&n->step, &n->step)) { /* fences alone order nothing */
            b->passive[b->passive_count++] = t;
            continue;
        }
        int same = 0;
        struct model_place place = place_of(&b->lone, t);
        while (same < b->threads && (b->place[same].block != place.block ||
                                     !only_passes_barriers(&b->lone, t, b->thread[same])))
            same++;
        if (b->lone.stale || b->lone.why)
            return false;
        if (same < b->threads) {
            b->weight[same]++;
            b->alike[b->alike_count] = t;
            b->stands[b->alike_count++] = same;
            continue;
        }
        if (b->threads == MODEL_THREADS) {
            b->lone.why = INCOMPLETE_THREADS;
            return false;
        }
        b->place[b->threads] = place;
        b->weight[b->threads] = 1;
        b->thread[b->threads++] = t;
    }
    return true;
}

static bool next_step(void *self, int thread, const uint64_t *values, int count, event_set unknown, struct model_step *step)
{
    struct by_model *b = self;
    b->steps++;
    const struct lone_node *n = lone_step(&b->lone, b->thread[thread], values, count, unknown);
    if (!n)
        return false;
    *step = n->step;
    return true;
}

static uint64_t exchange(void *self, const struct model_exchange *e, int lane)
{
    struct brought from[WARP_LANES];
    (void)self;
    for (int i = 0; i < WARP_LANES; i++)
        from[i] = (struct brought){e->brings[i][0], (uint32_t)e->brings[i][1], (uint32_t)(e->brings[i][1] >> 32)};
    return meeting_gets((const struct insn *)(uintptr_t)e->what, e->lanes, from, lane);
}

/* ---- Outcomes ---- */

static void put(struct by_model *b, uint32_t *words, int location, uint64_t value)
{
    const struct lone_location *at = &b->lone.locations.data[location];
    if (!at->allocation)
        return;
    outcomes_note_written(&b->outcomes, at->allocation, at->offset, at->bytes);
    uint8_t *place = outcomes_place(&b->outcomes, words, at->allocation, at->offset, at->bytes);
    if (place)
        memcpy(place, &value, at->bytes);
}

/** What a thread has left in memory that only it uses. */
static void put_private(struct by_model *b, uint32_t *words, uint64_t thread, const uint64_t *values, int count)
{
    const struct lone_node *n = lone_step(&b->lone, thread, values, count, 0);
    for (int i = 0; n && i < n->private_writes.count; i++)
        put(b, words, n->private_writes.data[i].location, n->private_writes.data[i].value);
}

/** Has a race been met in which it matters who writes last? */
static bool has_race(const struct by_model *b)
{
    return b->race && !pair_agrees(&b->race->execution, b->race->pair);
}

/** The first thread that never ends. */
static struct witness *waiting(struct by_model *b, const struct model_outcome *o)
{
    int t = __builtin_ctz(o->waiting);
    const struct lone_node *n = lone_step(&b->lone, b->thread[t], o->values[t], o->value_count[t], 0);
    if (!n || (n->step.stop != STOP_READ && n->step.stop != STOP_BARRIER))
        return NULL;
    struct witness *w = witness_new(o->execution, (struct model_pair){-1, -1});
    w->thread = t;
    w->waits = n->step;
    return w;
}

/** Notes a race, a wait without end, and whether some interleaving ends as this execution does. */
static void judge(struct by_model *b, struct outcome_record *r, const struct model_outcome *o)
{
    struct model_pair pair;
    if (!has_race(b) && execution_races(o->execution, o->relations, &pair) &&
        (!b->race || !pair_agrees(o->execution, pair))) {
        free(b->race);
        b->race = witness_new(o->execution, pair);
    }
    if (o->hangs && !b->wait)
        b->wait = waiting(b, o);
    if (r->interleaves || execution_interleaves(o->execution, o->final, &pair))
        r->interleaves = true;
    else if (!r->odd && pair.first >= 0)
        r->odd = witness_new(o->execution, pair);
}

/** What memory holds in the end; for the caller to free. */
static uint32_t *contents(struct by_model *b, const struct model_outcome *o)
{
    uint32_t *words = outcomes_contents(&b->outcomes);
    for (uint64_t i = 0; i < b->passive_count; i++)
        put_private(b, words, b->passive[i], NULL, 0);
    for (int t = 0; t < b->threads; t++)
        put_private(b, words, b->thread[t], o->values[t], o->value_count[t]);
    for (uint64_t i = 0; i < b->alike_count; i++)
        put_private(b, words, b->alike[i], o->values[b->stands[i]], o->value_count[b->stands[i]]);
    for (int l = 0; l < b->lone.shared_count; l++)
        put(b, words, b->lone.shared[l], o->final[l]);
    return words;
}

static void found(void *self, const struct model_outcome *o)
{
    struct by_model *b = self;
    uint32_t *words = contents(b, o);
    struct outcome_record *r = outcomes_add(&b->outcomes, words, o->hangs, o->serial);
    if (r && b->judges)
        judge(b, r, o);
    else if (r && !r->events && b->outcomes.records.count <= SHOWN_OUTCOMES)
        r->events = execution_events(&b->lone, b->thread, o->execution);
    free(words);
}

/* ---- The enumeration ---- */

static struct model_program program_of(struct by_model *b)
{
    return (struct model_program){.threads = b->threads, .locations = b->lone.shared_count, .place = b->place,
                                  .weight = b->weight, .initial = b->lone.initial, .next = next_step, .exchange = exchange, .self = b};
}

/** One try; `stale` afterwards: more memory is shared than was known. @return why it is not complete */
static enum incomplete_cause enumerate(struct by_model *b, const struct model_limits *limits)
{
    if (!b->keeps)
        outcomes_drop(&b->outcomes);
    b->keeps = false;
    free(b->race);
    free(b->wait);
    b->race = b->wait = NULL;
    lone_again(&b->lone);
    if (!choose_threads(b))
        return INCOMPLETE_NOT;
    struct model_program p = program_of(b);
    return model_enumerate(&p, limits, found, b);
}

static struct by_model *open_model(struct machine *m, const struct grid_config *const *configs, int count)
{
    struct by_model *b = calloc(1, sizeof *b);
    if (!b)
        abort();
    lone_open(&b->lone, m, configs, count);
    outcomes_open(&b->outcomes, m);
    b->passive = calloc(b->lone.threads, sizeof *b->passive);
    b->alike = calloc(b->lone.threads, sizeof *b->alike);
    b->stands = calloc(b->lone.threads, sizeof *b->stands);
    if (!b->passive || !b->alike || !b->stands)
        abort();
    if (b->lone.threads > MAX_LAUNCH_THREADS)
        b->lone.why = INCOMPLETE_THREADS;
    return b;
}

static void close_model(struct by_model *b)
{
    outcomes_close(&b->outcomes);
    lone_close(&b->lone);
    free(b->race);
    free(b->wait);
    free(b->passive);
    free(b->alike);
    free(b->stands);
    free(b);
}

/** Until no more memory turns out to be shared, or written. */
static enum incomplete_cause enumerate_all(struct by_model *b, const struct model_limits *limits)
{
    enum incomplete_cause incomplete = INCOMPLETE_NOT;
    for (int i = 0; i < MAX_RESTARTS && !b->lone.why && (i == 0 || b->lone.stale || outcomes_grow(&b->outcomes)); i++)
        incomplete = enumerate(b, limits);
    return b->lone.stale ? INCOMPLETE_SHARING : incomplete;
}

/** @param by_value  one execution of each outcome. What an earlier call has met stands; then executions are not counted */
static enum incomplete_cause enumerate_within(struct by_model *b, double part, bool by_value)
{
    b->outcomes.uncounted = b->keeps;
    enum incomplete_cause incomplete = enumerate_all(b, &(struct model_limits){
        .by_outcome = true, .by_value = by_value, .seconds = part * exhaustive_seconds(), .enough = &b->outcomes.full});
    b->keeps = true;
    return incomplete;
}

static bool took_too_long(enum incomplete_cause why)
{
    return why == INCOMPLETE_TIME || why == INCOMPLETE_EXECUTIONS;
}

enum incomplete_cause explore_by_model(struct machine *m, const struct grid_config *config,
                                       const struct outcomes_out *out)
{
    struct by_model *b = open_model(m, &config, 1);
    b->lone.outside = true;
    enum incomplete_cause incomplete = enumerate_within(b, COUNTING_PART, false);
    for (int last = 0; last < 2 && took_too_long(incomplete); last++)
        incomplete = enumerate_within(b, last ? LAST_PART : BY_VALUE_PART, !last);
    enum incomplete_cause why = b->lone.why;
    if (!why)
        outcomes_tell(&b->outcomes, config->kernel->name, incomplete, INCOMPLETE_NOT, out);
    close_model(b);
    return why;
}

static void found_interleaving(void *self, const struct model_outcome *o)
{
    struct by_model *b = self;
    uint32_t *words = contents(b, o);
    struct outcome_record *r = outcomes_add(&b->outcomes, words, false, 0);
    if (r)
        r->interleaves = true;
    free(words);
}

/** Where the enumeration was cut short: are all interleavings known, so that contents which it has met and none of them leaves are
 *  told all the same? */
static bool know_interleavings(struct by_model *b, uint64_t points)
{
    bool odd = false;
    for (int i = 0; i < b->outcomes.records.count; i++)
        odd |= b->outcomes.records.data[i].odd && !b->outcomes.records.data[i].interleaves;
    if (!odd || has_race(b) || b->lone.why || b->lone.stale || outcomes_miss(&b->outcomes))
        return false;
    struct model_program p = program_of(b);
    b->lone.most_runs = b->lone.runs + points / 2;
    return model_interleavings(&p, points, found_interleaving, b) && !b->lone.why && !b->lone.stale && !outcomes_miss(&b->outcomes);
}

/** So many runs of a thread alone may the search take: waits need about one a point, what has no loops half as many. */
static uint64_t runs_for(uint64_t points)
{
    return points / 2 > LOOP_POINTS ? points / 2 : points < LOOP_POINTS ? points : LOOP_POINTS;
}

uint64_t judge_by_model(struct machine *m, const struct grid_config *const *configs, int count, struct grid *const *grids,
                        uint64_t points, bool *complete)
{
    struct by_model *b = open_model(m, configs, count);
    b->judges = b->lone.rounds_freely = true;
    b->lone.most_runs = runs_for(points);
    reporter_replay(machine_reporter(m), true); /* a thread may trap on values that no execution gives it */
    enum incomplete_cause incomplete = enumerate_all(b, &(struct model_limits){.by_outcome = true, .points = points, .work = points});
    bool known = know_interleavings(b, points / 4);
    reporter_replay(machine_reporter(m), false);
    *complete = !b->lone.why && !incomplete && !b->outcomes.full && !outcomes_miss(&b->outcomes);
    if (b->race && !b->lone.why)
        witness_report(b->race, &b->lone, b->thread, grids, FIND_DATA_RACE);
    else if (b->wait && !b->lone.why && !b->lone.stale)
        witness_report_wait(b->wait, &b->lone, b->thread, grids);
    for (int i = 0; (*complete || known) && !has_race(b) && i < b->outcomes.records.count; i++) {
        const struct outcome_record *r = &b->outcomes.records.data[i];
        if (r->interleaves || !r->odd || (r->hangs && !*complete))
            continue;
        witness_report(r->odd, &b->lone, b->thread, grids, FIND_ORDERING);
        break;
    }
    uint64_t taken = b->steps;
    close_model(b);
    return taken;
}

uint64_t points_worth(const struct function *f)
{
    bool strong = false, loops = false;
    for (const struct insn *in = f->entry; in < f->end; in++) {
        enum insn_class c = insn_class(in);
        bool is_strong = (c == INSN_LOAD || c == INSN_STORE || c == INSN_ATOMIC) && order_is_strong(&in->mem);
        if (c == INSN_COPY || c == INSN_MBARRIER || c == INSN_IMAGE || c == INSN_TENSOR || c == INSN_CALL || c == INSN_SWITCH ||
            (is_strong && in->mem.count > 1))
            return 0;
        loops |= c == INSN_BRANCH && in->target <= in;
        strong |= is_strong;
    }
    return !strong ? 0 : loops ? LOOP_POINTS : LAUNCH_POINTS;
}
