/**
 * @file by_model.c
 * See by_model.h: which threads matter, the enumeration, and what each execution leaves.
 */
#include "rerun/explore/by_model_kept.h"

#include "execute/cluster.h"
#include "execute/machine.h"
#include "execute/meeting.h"

#include <stdlib.h>
#include <string.h>

#include "model/interleavings.h"
#include "report/reporter.h"
#include "rerun/explore/execution_events.h"

#define MAX_RESTARTS 64
#define MAX_LAUNCH_THREADS 4096

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
    model_step_copy(step, &n->step);
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
    if (n && n->faulted && !b->lone.why)
        b->lone.why = INCOMPLETE_FAULT;
    for (int i = 0; n && i < n->private_writes.count; i++)
        put(b, words, n->private_writes.data[i].location, n->private_writes.data[i].value);
}

uint32_t *by_model_contents(struct by_model *b, const struct model_outcome *o)
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
    uint32_t *words = by_model_contents(b, o);
    struct outcome_record *r = outcomes_add(&b->outcomes, words, o->hangs, o->serial);
    if (r && b->judges)
        by_model_judge(b, r, o);
    else if (r && !r->events && b->outcomes.records.count <= SHOWN_OUTCOMES)
        r->events = execution_events(&b->lone, b->thread, o->execution);
    free(words);
}

/* ---- The enumeration ---- */

struct model_program by_model_program(struct by_model *b)
{
    return (struct model_program){.threads = b->threads, .locations = b->lone.shared_count, .place = b->place,
                                  .weight = b->weight, .initial = b->lone.initial, .next = next_step, .exchange = exchange, .self = b};
}

bool by_model_begin(struct by_model *b)
{
    if (!b->keeps)
        outcomes_drop(&b->outcomes);
    b->keeps = false;
    free(b->race);
    free(b->wait);
    free(b->late);
    b->race = b->wait = b->late = NULL;
    lone_again(&b->lone);
    return choose_threads(b);
}

/** One try; `stale` afterwards: more memory is shared than was known. @return why it is not complete */
static enum incomplete_cause enumerate(struct by_model *b, const struct model_limits *limits)
{
    if (!by_model_begin(b))
        return INCOMPLETE_NOT;
    struct model_program p = by_model_program(b);
    return model_enumerate(&p, limits, found, b);
}

struct by_model *by_model_open(struct machine *m, const struct grid_config *const *configs, int count)
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

void by_model_close(struct by_model *b)
{
    outcomes_close(&b->outcomes);
    lone_close(&b->lone);
    free(b->race);
    free(b->wait);
    free(b->late);
    free(b->passive);
    free(b->alike);
    free(b->stands);
    free(b);
}

enum incomplete_cause by_model_enumerate(struct by_model *b, const struct model_limits *limits)
{
    enum incomplete_cause incomplete = INCOMPLETE_NOT;
    for (int i = 0; i < (b->once ? 1 : MAX_RESTARTS) && !b->lone.why && (i == 0 || b->lone.stale || outcomes_grow(&b->outcomes)); i++)
        incomplete = enumerate(b, limits);
    return b->lone.stale ? INCOMPLETE_SHARING : incomplete;
}

/** @param by_value  one execution of each outcome. What an earlier call has met stands; then executions are not counted */
static enum incomplete_cause enumerate_within(struct by_model *b, double part, bool by_value)
{
    b->outcomes.uncounted = b->keeps;
    enum incomplete_cause incomplete = by_model_enumerate(b, &(struct model_limits){
        .by_outcome = true, .by_value = by_value, .seconds = part * exhaustive_seconds(), .enough = &b->outcomes.full});
    b->keeps = true;
    return incomplete;
}

static bool took_too_long(enum incomplete_cause why)
{
    return why == INCOMPLETE_TIME || why == INCOMPLETE_EXECUTIONS;
}

/** Tries and states of a walk over interleavings. */
#define WALK_TRIES 16
#define WALK_STATES 500000

static void found_interleaving(void *self, const struct model_outcome *o)
{
    struct by_model *b = self;
    uint32_t *words = by_model_contents(b, o);
    struct outcome_record *r = outcomes_add(&b->outcomes, words, o->hangs, 0);
    if (r && !r->events && o->execution && b->outcomes.records.count <= SHOWN_OUTCOMES)
        r->events = execution_events(&b->lone, b->thread, o->execution);
    free(words);
}

/** Loops that change memory have executions without number, and some a finite number of states: are the outcomes those of interleavings, which a walk
 *  knows? What it meets is possible, anyhow. */
static bool know_by_walk(struct by_model *b)
{
    struct interleavings how = {.points = WALK_STATES, .waits = true, .shows = true, .only = true};
    bool all = false;
    b->outcomes.uncounted = true;
    for (int i = 0; i < WALK_TRIES && !b->lone.why && (i == 0 || b->lone.stale || outcomes_grow(&b->outcomes)); i++) {
        b->keeps = i == 0;
        if ((i > 0 || b->lone.stale) && !by_model_begin(b))
            continue; /* more memory is shared than was known */
        struct model_program p = by_model_program(b);
        all = model_interleavings(&p, &how, found_interleaving, b);
    }
    b->keeps = true;
    return all && !b->lone.why && !b->lone.stale && !b->outcomes.full && !outcomes_miss(&b->outcomes);
}

enum incomplete_cause explore_by_model(struct machine *m, const struct grid_config *config,
                                       const struct outcomes_out *out)
{
    struct by_model *b = by_model_open(m, &config, 1);
    b->lone.outside = b->lone.shares_freely = true;
    reporter_replay(machine_reporter(m), true); /* a thread may trap on values that no execution gives it */
    enum incomplete_cause incomplete = enumerate_within(b, COUNTING_PART, false);
    if (incomplete && !b->lone.why && know_by_walk(b))
        incomplete = INCOMPLETE_NOT;
    for (int last = 0; last < 2 && took_too_long(incomplete) && !b->outcomes.full; last++)
        incomplete = enumerate_within(b, last ? LAST_PART : BY_VALUE_PART, !last);
    if (b->outcomes.full) /* that is why */
        incomplete = INCOMPLETE_NOT;
    reporter_replay(machine_reporter(m), false);
    enum incomplete_cause why = b->lone.why;
    if (!why && incomplete && !b->outcomes.records.count)
        why = b->lone.bound && incomplete == INCOMPLETE_ROUNDS ? incomplete : b->lone.bound; /* a loop of the thread's own, after all */
    if (!why)
        outcomes_tell(&b->outcomes, config->kernel->name, incomplete, INCOMPLETE_NOT, out);
    by_model_close(b);
    return why;
}
