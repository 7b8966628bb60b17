/**
 * @file judge_model.c
 * See by_model.h: what an ordinary run of a small launch may do beside what it has done.
 */
#include "rerun/explore/by_model_kept.h"

#include <stdlib.h>

#include "analyse/polls.h"
#include "analyse/swaps.h"
#include "check/race/late.h"
#include "execute/machine.h"
#include "model/delayed.h"
#include "model/interleavings.h"
#include "report/reporter.h"
#include "rerun/explore/late_acts.h"

/** States of a walk over interleavings, times threads; so many count for one point. */
#define WALK_POINTS 800000
#define WALK_SHARE 4
#define RESTARTS 16
/** Instructions of threads that are run alone, for a point, where the launch is not small: each such run begins anew. */
#define LONE_INSTRUCTIONS 1024
/** An advice is worth less of the search than a finding. */
#define ADVICE_SHARE 8
/** Of the search for one execution of each outcome, where all have been too many. */
#define OUTCOMES_POINTS 15000
/** Executions that race are asked for a circle so often. */
#define MOST_CIRCLES 200

/** Has a race been met in which it matters who writes last? */
static bool has_race(const struct by_model *b)
{
    return b->race && !pair_agrees(&b->race->execution, b->race->pair);
}

/** Does one of the threads that have ended, end with a fault? */
static bool has_fault(struct by_model *b, const struct model_outcome *o)
{
    for (int t = 0; t < b->threads; t++) {
        const struct lone_node *n = lone_step(&b->lone, b->thread[t], o->values[t], o->value_count[t], 0);
        if (n && n->faulted)
            return true;
    }
    return false;
}

/** The first thread that never ends. NULL where another one's fault ends the launch. */
static struct witness *waiting(struct by_model *b, const struct model_outcome *o)
{
    int t = __builtin_ctz(o->waiting);
    if (has_fault(b, o))
        return NULL;
    const struct lone_node *n = lone_step(&b->lone, b->thread[t], o->values[t], o->value_count[t], 0);
    if (!n || (n->step.stop != STOP_READ && n->step.stop != STOP_BARRIER))
        return NULL;
    struct witness *w = witness_new(o->execution, (struct model_pair){-1, -1});
    w->thread = t;
    model_step_copy(&w->waits, &n->step);
    return w;
}

/** Keeps the first of two values that is met, else the first. A later one may show that strong accesses in a circle are not its cause. */
static void note_race(struct by_model *b, const struct execution *x, struct model_pair pair)
{
    bool circle = execution_has_circle(x);
    if (!b->race || (!has_race(b) && !pair_agrees(x, pair))) {
        bool other = b->race && !b->race->circles;
        free(b->race);
        b->race = witness_new(x, pair);
        b->race->circles = circle && !other;
    }
    b->race->circles = b->race->circles && circle;
    b->circles++;
    b->settled = !b->race->circles;
}

/** The first is kept, but for one that is an error beside one that is not. */
static void note_late(struct by_model *b, struct witness *late)
{
    bool better = late && (!b->late || act_is_error(late->act));
    free(better ? b->late : late);
    b->late = better ? late : b->late;
}

void by_model_judge(struct by_model *b, struct outcome_record *r, const struct model_outcome *o)
{
    struct model_pair pair;
    if ((!has_race(b) || (b->race->circles && b->circles < MOST_CIRCLES)) && execution_races(o->execution, o->relations, &pair))
        note_race(b, o->execution, pair);
    if (o->hangs && !b->wait)
        b->wait = waiting(b, o);
    if (!b->late || !act_is_error(b->late->act))
        note_late(b, late_act_in(&b->lone, b->thread, o));
    if (r->interleaves || execution_interleaves(o->execution, o->final, &pair) || execution_interleaves_but_places(o->execution, o->final))
        r->interleaves = true;
    else if (!r->odd && pair.first >= 0 && !(b->once && execution_draws_places(o->execution))) /* another execution of the outcome may have drawn the same */
        r->odd = witness_new(o->execution, pair);
}

static void found_nothing(void *self, const struct model_outcome *o)
{
    (void)self;
    (void)o;
}

static void found_interleaving(void *self, const struct model_outcome *o)
{
    struct by_model *b = self;
    if (o->hangs) {
        b->wait = b->wait || !o->execution ? b->wait : waiting(b, o);
        return;
    }
    uint32_t *words = by_model_contents(b, o);
    struct outcome_record *r = outcomes_add(&b->outcomes, words, false, 0);
    if (r)
        r->interleaves = true;
    free(words);
}

/** @return true: no more is looked for */
static bool found_race(void *self, const struct execution *x, struct model_pair pair)
{
    struct by_model *b = self;
    if (has_race(b) || (b->race && pair_agrees(x, pair)))
        return has_race(b);
    note_race(b, x, pair);
    return has_race(b);
}

/** Every interleaving, or a race that one of them has. */
static bool know_interleavings(struct by_model *b, uint64_t points)
{
    struct model_program p = by_model_program(b);
    b->lone.most_runs = b->lone.runs + points / 2;
    struct interleavings how = {.points = points, .raced = found_race, .waits = true};
    bool all = model_interleavings(&p, &how, found_interleaving, b);
    return all && !b->lone.why && !b->lone.stale && !outcomes_miss(&b->outcomes);
}

static bool has_odd(const struct by_model *b)
{
    for (int i = 0; i < b->outcomes.records.count; i++)
        if (b->outcomes.records.data[i].odd && !b->outcomes.records.data[i].interleaves)
            return true;
    return false;
}

static void found_delayed(void *self, const struct model_outcome *o)
{
    struct by_model *b = self;
    struct model_pair pair;
    uint32_t *words = by_model_contents(b, o);
    struct outcome_record *r = outcomes_add(&b->outcomes, words, false, 0);
    b->unshown |= r && !r->interleaves && !o->execution;
    if (r && !r->interleaves && !r->odd && o->execution) {
        struct witness *w = witness_new(o->execution, (struct model_pair){-1, -1});
        bool odd = execution_possible(&w->execution) && !execution_interleaves(&w->execution, o->final, &pair) && pair.first >= 0 &&
                   !execution_interleaves_but_places(&w->execution, o->final);
        w->pair = odd ? pair : w->pair;
        if (odd)
            r->odd = w;
        else
            free(w);
        b->delayed |= odd;
    }
    free(words);
}

/** A thread that polls is at worst late; so is a compare-and-swap that fails, or a look that leads to one. */
static bool waits(void *self, int thread, const struct model_event *read)
{
    const struct by_model *b = self;
    const struct function *f;
    const struct insn *in = lone_insn(&b->lone, b->thread[thread], read->cookie, &f);
    return in && (insn_class(in) == INSN_ATOMIC || load_polls(f, in) || load_is_tried(f, in));
}

/** Looks for contents that writes leave which reach memory late. @return are all interleavings known? */
static bool walk(struct by_model *b)
{
    uint64_t points = WALK_POINTS / (uint64_t)(b->threads ? b->threads : 1);
    bool known = know_interleavings(b, points);
    if (b->lone.why || b->lone.stale || has_race(b) || (known && has_odd(b)))
        return known;
    struct model_program p = by_model_program(b);
    struct delayed_walk how = {.points = points, .enough = &b->delayed, .waits = waits};
    b->lone.most_runs = b->lone.runs + points / 2;
    bool all = model_delayed(&p, &how, known ? found_delayed : found_nothing, b);
    b->unknown = !b->delayed && (b->unshown || (how.mirrored && !(known && all)));
    b->walked = known && all && !b->delayed && !b->unshown;
    return known;
}

/** More memory has turned out to be shared. @return false if it cannot begin again */
static bool walk_again(struct by_model *b)
{
    struct witness *race = b->race, *wait = b->wait; /* stand */
    b->race = b->wait = NULL;
    b->delayed = b->unshown = false;
    bool begun = by_model_begin(b);
    b->race = race;
    b->wait = wait;
    return begun || b->lone.stale;
}

/** Where the enumeration was cut short. All interleavings are known with far fewer states, so that contents which none of them leaves are told all the
 *  same: those that it has met, or else those of a weaker walk. @return are all interleavings known? */
static bool judge_interleavings(struct by_model *b, uint64_t points)
{
    uint64_t steps = b->steps;
    bool all_taken = b->lone.runs >= b->lone.most_runs || (b->lone.most_issued && b->lone.issued >= b->lone.most_issued);
    if (b->lone.why == INCOMPLETE_LONG && all_taken)
        b->lone.why = INCOMPLETE_NOT; /* the search took them all: a walk needs few */
    b->lone.most_issued = b->small ? 0 : b->lone.issued + points * LONE_INSTRUCTIONS;
    if (has_race(b) || b->lone.why || b->lone.stale || outcomes_miss(&b->outcomes))
        return false;
    bool known = walk(b);
    for (int i = 0; i < RESTARTS && b->lone.stale && walk_again(b); i++)
        known = !b->lone.stale && walk(b);
    b->steps = steps + (b->steps - steps) / WALK_SHARE;
    return known && !b->lone.stale;
}

/** So many runs of a thread alone may the search take: waits need about one a point, what has no loops half as many. */
static uint64_t runs_for(uint64_t points)
{
    return points / 2 > LOOP_POINTS ? points / 2 : points < LOOP_POINTS ? points : LOOP_POINTS;
}

/** The enumeration; @return why it was cut short */
static enum incomplete_cause judge_all(struct by_model *b, struct machine *m, uint64_t points, const bool *enough)
{
    b->judges = b->lone.rounds_freely = true;
    b->lone.most_runs = runs_for(points);
    machine_set_schedule(m, SCHEDULE_NATURAL, 0); /* a thread by itself, whatever was run last */
    reporter_replay(machine_reporter(m), true); /* a thread may trap on values that no execution gives it */
    return by_model_enumerate(b, &(struct model_limits){.by_outcome = true, .points = points, .work = points, .enough = enough});
}

static bool are_all_judged(const struct by_model *b, enum incomplete_cause incomplete)
{
    return !b->lone.why && !incomplete && !b->outcomes.full && !outcomes_miss(&b->outcomes);
}

/** An execution that leaves what no interleaving does; rather one that nobody makes up for. */
static const struct witness *odd_to_tell(const struct by_model *b, struct grid *const *grids, bool complete)
{
    const struct witness *odd = NULL;
    for (int i = 0; i < b->outcomes.records.count; i++) {
        const struct outcome_record *r = &b->outcomes.records.data[i];
        if (r->interleaves || !r->odd || (r->hangs && !complete))
            continue;
        if (!witness_is_made_again(r->odd, &b->lone, b->thread, grids))
            return r->odd;
        odd = odd ? odd : r->odd;
    }
    return odd;
}

/**
 * Every interleaving is known, and the enumeration was cut short before it met anything that none of them leaves: one execution of each outcome is looked for. That takes
 * far fewer points, and tells nothing of the others.
 * @return why that was cut short
 */
static enum incomplete_cause judge_outcomes(struct by_model *b, uint64_t points)
{
    struct witness *race = b->race, *late = b->late; /* stand */
    b->race = b->late = NULL;
    b->keeps = b->once = true;
    b->lone.most_runs = b->lone.runs + runs_for(points);
    enum incomplete_cause incomplete = by_model_enumerate(b, &(struct model_limits){.by_outcome = true, .by_value = true, .points = points, .work = points});
    if (race) {
        free(b->race);
        b->race = race;
    }
    if (late)
        note_late(b, late);
    return incomplete;
}

/** Is it worth that? */
static bool is_outcomes_asked(const struct by_model *b)
{
    return !has_race(b) && !has_odd(b) && !b->wait && !b->lone.why && !b->lone.stale && !b->outcomes.full;
}

uint64_t judge_by_model(struct machine *m, const struct grid_config *const *configs, int count, struct grid *const *grids,
                        uint64_t points, bool small, struct by_model_reach *reach)
{
    struct by_model *b = by_model_open(m, configs, count);
    b->small = small;
    b->lone.most_issued = small ? 0 : points * LONE_INSTRUCTIONS;
    enum incomplete_cause incomplete = judge_all(b, m, points, NULL);
    bool known = incomplete ? judge_interleavings(b, points) : has_odd(b) && know_interleavings(b, points / 4);
    if (incomplete && known && is_outcomes_asked(b)) {
        incomplete = judge_outcomes(b, points < OUTCOMES_POINTS ? points : OUTCOMES_POINTS);
        known = !b->lone.stale;
    }
    reporter_replay(machine_reporter(m), false);
    reach->complete = are_all_judged(b, incomplete);
    reach->walked = known && b->walked && !has_race(b) && !has_odd(b) && !b->wait && !b->late && !b->lone.stale;
    if (b->race && !b->lone.why)
        witness_report(b->race, &b->lone, b->thread, grids, FIND_DATA_RACE);
    else if (b->wait && !b->lone.why && !b->lone.stale)
        witness_report_wait(b->wait, &b->lone, b->thread, grids);
    if (b->late && !has_race(b) && !b->lone.why && !b->lone.stale)
        witness_report(b->late, &b->lone, b->thread, grids, FIND_ORDERING);
    const struct witness *odd = reach->complete || known ? odd_to_tell(b, grids, reach->complete) : NULL;
    if (odd && !has_race(b))
        witness_report(odd, &b->lone, b->thread, grids, FIND_ORDERING);
    if (b->unknown && !reach->complete && !odd)
        report_incomplete_once(machine_reporter(m), INCOMPLETE_DELAYED);
    uint64_t taken = b->steps;
    by_model_close(b);
    return taken;
}

uint64_t advise_by_model(struct machine *m, const struct grid_config *const *configs, int count, struct grid *const *grids, uint64_t points, int from)
{
    struct by_model *b = by_model_open(m, configs, count);
    enum incomplete_cause incomplete = judge_all(b, m, points / ADVICE_SHARE, &b->settled);
    reporter_replay(machine_reporter(m), false);
    if (are_all_judged(b, incomplete) && b->race && b->race->circles)
        witness_advise(b->race, &b->lone, b->thread, grids, configs[0]->op, from);
    uint64_t taken = b->steps;
    by_model_close(b);
    return taken;
}
