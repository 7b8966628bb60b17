/**
 * @file choose.c
 * Which run is next; see plan.h.
 */
#include "run/plan.h"

static bool has_reference(const struct run *run)
{
    return !run->reference || run->reference->state == RUN_ENDED;
}

bool plan_is_known_to_end(const struct cases *q, const struct plan *p)
{
    const struct case_runner *r = q->runner;
    int ended = 0;
    if (r->ended_before && r->options->jobs > 1 && r->ended_before(r->ctx, p->spec))
        return true;
    for (const struct plan *first = q->plans; first < q->plans + q->count; first++)
        ended += first->part == p->part && first->decided && !first->endless;
    return ended >= ENDLESS_ENOUGH;
}

/** The first run of a part that may begin. */
static struct run *first_of_part(const struct cases *q, const struct plan *of)
{
    for (struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count && p->part == of->part && p->ready && !p->decided; n++)
            if (p->runs[n].state == RUN_WAITING && has_reference(&p->runs[n]))
                return &p->runs[n];
    return NULL;
}

/** Of the runs that may begin, that of the case whose reference took longest, so that no long one is left for the end; before enough cases of its part
 *  have come to an end, the first of that part. Where no reference's time is wanted, or known yet, the first of all. */
static struct run *longest(const struct cases *q, struct run *first)
{
    struct run *best = first;
    for (struct plan *p = q->plans; p < q->plans + q->count && !q->runner->is_over; p++)
        for (int n = 0; n < p->count && p->ready && !p->decided; n++) {
            struct run *run = &p->runs[n];
            if (run->state == RUN_WAITING && run->reference && has_reference(run) && best->reference && has_reference(best) &&
                run->reference->child.seconds > best->reference->child.seconds)
                best = run;
        }
    if (best == first || plan_is_known_to_end(q, best->plan))
        return best;
    struct run *before = first_of_part(q, best->plan);
    return before ? before : first;
}

/** The reference's, or the lab's original's: nothing of it is the student's, so it need not wait for the compiler. */
static bool is_the_kits(const struct run *run)
{
    return run->is_reference || run->plan->spec->places;
}

/** The first run that waits. `ready`: of the cases whose turn has come; `kits`: of the kit's own code. */
static struct run *first_waiting(const struct cases *q, bool ready, bool kits)
{
    for (struct plan *p = q->plans; p < q->plans + q->count; p++)
        for (int n = 0; n < p->count && !p->decided && (p->ready || !ready); n++)
            if (p->runs[n].state == RUN_WAITING && (is_the_kits(&p->runs[n]) || !kits))
                return &p->runs[n];
    return NULL;
}

bool plan_is_any_open(const struct cases *q)
{
    bool open = false;
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        open |= p->ready && !p->decided;
    return open;
}

/** Has no case failed yet? */
static bool goes_well(const struct cases *q)
{
    bool well = true;
    for (const struct plan *p = q->plans; p < q->plans + q->count; p++)
        well &= !p->ready || !p->decided || p->record->state == STATE_OK || record_is_open(p->record);
    return well;
}

struct run *plan_choose(const struct cases *q)
{
    if (!q->going_on) /* while nvcc runs */
        return q->runner->build->has_kits ? first_waiting(q, false, true) : NULL;
    if (q->runner->is_over && q->runner->is_over(q->runner->ctx))
        return NULL;
    struct run *run = first_waiting(q, true, false);
    if (run)
        run = longest(q, run);
    else if (plan_is_any_open(q))
        run = first_waiting(q, false, true);
    if (!run && plan_is_any_open(q) && goes_well(q))
        run = first_waiting(q, false, false);
    return run;
}

struct command_choice plan_run(const struct cases *q, const struct run *run, const char *together)
{
    const struct spec_case *spec = run->plan->spec;
    uint64_t input = cases_input_seed(spec->places ? 0 : q->runner->seed, spec->name, run->repetition);
    return (struct command_choice){.spec_case = spec, .reference = run->is_reference, .together = together,
                                   .input_seed = input, .device_seed = text_mix(input), .number = run->number};
}
