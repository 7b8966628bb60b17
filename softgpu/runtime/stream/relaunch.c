/**
 * @file relaunch.c
 * Check mode runs each launch several times from the same memory: the first run in natural order,
 * the others in schedules drawn from the seed, half of them random, half priority-based (PCT). Where
 * --schedules does not say how many, a short launch has two more runs, and goes on from the first.
 *
 * Findings of all runs add up. Memory, faults and device printf are those of the last run. A run that
 * made new findings is run once more under the eyes of check/witness.c, which writes down how each of
 * them came about.
 */
#include <stdio.h>
#include <string.h>

#include "base/mix.h"
#include "check/explore/explore.h"
#include "check/witness.h"
#include "runtime/state/operation.h"

static bool muted;

static ssize_t output_write(void *cookie, const char *bytes, size_t count)
{
    (void)cookie;
    if (!muted)
        fwrite(bytes, 1, count, stdout);
    return (ssize_t)count;
}

/** Memory up to which a single run keeps a copy of its start, so that it can be watched again. */
#define MAX_SINGLE_BYTES (16u << 20)

bool relaunch_wanted(void)
{
    return runtime.options.exhaustive ||
           (runtime.options.check &&
            (runtime.options.schedules > 1 ||
             memory_used(machine_memory(runtime.machine)) <= MAX_SINGLE_BYTES));
}

FILE *relaunch_output(void)
{
    if (!runtime.options.exhaustive && !runtime.options.check)
        return stdout;
    FILE *f = fopencookie(NULL, "w", (cookie_io_functions_t){.write = output_write});
    if (!f)
        abort();
    setvbuf(f, NULL, _IONBF, 0);
    return f;
}

/* One word that differs for each seed, launch and run. */
static uint64_t draw(uint64_t seed, uint64_t op, int run)
{
    return mix64(seed + op * MIX_STEP + (uint64_t)run * 0xd1b54a32d192ed03ull);
}

static enum schedule_kind kind_of_run(int run)
{
    if (run == 0)
        return SCHEDULE_NATURAL;
    return run % 2 ? SCHEDULE_PCT : SCHEDULE_RANDOM;
}

static struct grid *run_to_end(const struct grid_config *config)
{
    struct grid *g = grid_start(runtime.machine, config);
    while (g->status == GRID_RUNNING) {
        if (machine_step(runtime.machine, 0) == STEP_STUCK)
            grid_abort(g, GRID_DEADLOCK);
    }
    return g;
}

/** Every execution that the model allows, one run each; the last run's memory stays. */
static void explore_run(struct operation *op)
{
    struct memory *memory = machine_memory(runtime.machine);
    struct memory_snapshot *start = memory_save(memory);
    struct explorer *x = explore_begin(runtime.machine);
    do {
        if (op->grid) {
            grid_destroy(op->grid);
            memory_restore(memory, start);
        }
        muted = true;
        op->grid = run_to_end(&op->config);
    } while (explore_next(x));
    muted = false;
    explore_end(x, op->config.kernel->name, stdout);
    memory_snapshot_free(start);
    if (op->grid->status == GRID_CANCELLED) { /* the last run was cut short: a plain one instead */
        grid_destroy(op->grid);
        op->grid = run_to_end(&op->config);
    }
}

/** Warp instructions of a run beyond which it is not watched again. */
#define MAX_WITNESSED (1ull << 26)

struct launch_start {
    struct memory_snapshot *memory;
    struct machine_point point;       /**< of the present run */
    enum schedule_kind kind;
    uint64_t seed;
};

static struct grid *run_again(const struct operation *op, const struct launch_start *start)
{
    memory_restore(machine_memory(runtime.machine), start->memory);
    machine_return(runtime.machine, &start->point);
    machine_set_schedule(runtime.machine, start->kind, start->seed);
    return run_to_end(&op->config);
}

/** Does the launch leave other results where reads that it relies on for order return the newest
 *  value? Memory stays as it is. */
static bool order_changes_result(const struct operation *op, const struct launch_start *start)
{
    struct memory *memory = machine_memory(runtime.machine);
    struct memory_snapshot *misled = memory_save(memory);
    machine_set_honest(runtime.machine, true);
    grid_destroy(run_again(op, start));
    machine_set_honest(runtime.machine, false);
    bool changed = memory_differs(memory, misled);
    memory_restore(memory, misled);
    memory_snapshot_free(misled);
    return changed;
}

/** Watches what the run has found, in the same run again; leaves memory as that run left it. */
static void witness_run(struct operation *op, const struct launch_start *start)
{
    struct witness *w;
    bool was_muted = muted;
    muted = true;
    while (op->grid->instructions <= MAX_WITNESSED &&
           (w = witness_begin(runtime.machine, op->number))) {
        grid_destroy(op->grid);
        op->grid = run_again(op, start);
        witness_tell(w);
        witness_end(w, witness_doubts_order(w) && order_changes_result(op, start));
    }
    muted = was_muted;
}

/** One run from the memory that `start` holds. */
static void run_once(struct operation *op, struct launch_start *start, int run)
{
    if (op->grid) {
        grid_destroy(op->grid);
        memory_restore(machine_memory(runtime.machine), start->memory);
    }
    start->kind = kind_of_run(run);
    start->seed = draw(runtime.options.seed, op->number, run);
    start->point = machine_point(runtime.machine);
    machine_set_schedule(runtime.machine, start->kind, start->seed);
    op->grid = run_to_end(&op->config);
    work_measure(op); /* the natural run, which is the first, tells how long it takes */
    witness_run(op, start);
}

/** Runs in other schedules that nobody asked for. */
#define FURTHER_RUNS 2
/** Warp instructions up to which a launch has them, and those of all launches together. */
#define FURTHER_LAUNCH (1ull << 20)
#define FURTHER_PROGRAM (1ull << 25)

/** Looks for findings that other schedules bring. Memory, the grid and what it printed stay. */
static void look_further(struct operation *op, struct launch_start *start)
{
    static uint64_t spent;
    struct memory *memory = machine_memory(runtime.machine);
    struct grid *natural = op->grid;
    if (natural->status != GRID_DONE || natural->instructions > FURTHER_LAUNCH ||
        spent > FURTHER_PROGRAM || natural->blocks * natural->threads_per_block == 1)
        return;
    struct memory_snapshot *after = memory_save(memory);
    struct machine_point point = machine_point(runtime.machine);
    memory_restore(memory, start->memory);
    op->grid = NULL;
    muted = true;
    for (int run = 1; run <= FURTHER_RUNS; run++) {
        run_once(op, start, run);
        spent += op->grid->instructions;
    }
    grid_destroy(op->grid);
    op->grid = natural;
    memory_restore(memory, after);
    machine_return(runtime.machine, &point);
    memory_snapshot_free(after);
}

/** What --counters tells of a launch: of its natural run, since other schedules split warps as no GPU
 *  would. */
struct tally {
    uint64_t instructions, lane_instructions, counters[COUNTER_COUNT];
    struct object_use uses[MAX_OBJECT_USES];
    int use_count;
};

static struct tally tally_of(const struct grid *g)
{
    struct tally t = {.instructions = g->instructions, .lane_instructions = g->lane_instructions,
                      .use_count = g->use_count};
    memcpy(t.counters, g->counters, sizeof t.counters);
    memcpy(t.uses, g->uses, sizeof t.uses);
    return t;
}

static void tally_put(struct grid *g, const struct tally *t)
{
    g->instructions = t->instructions;
    g->lane_instructions = t->lane_instructions;
    memcpy(g->counters, t->counters, sizeof t->counters);
    memcpy(g->uses, t->uses, sizeof t->uses);
    g->use_count = t->use_count;
}

void relaunch_run(struct operation *op)
{
    struct memory *memory = machine_memory(runtime.machine);
    struct launch_start start = {.memory = memory_save(memory)};
    int runs = runtime.options.schedules ? runtime.options.schedules : 1;
    op->config.op = op->number;
    op->config.before = &op->before;
    op->config.params = op->params;
    op->config.by = op->by;
    op->config.start_clock = engine_start_clock(op);
    if (runtime.options.exhaustive) {
        memory_snapshot_free(start.memory);
        explore_run(op);
        return;
    }
    struct tally natural;
    for (int run = 0; run < runs; run++) {
        muted = run + 1 < runs;
        run_once(op, &start, run);
        if (run == 0)
            natural = tally_of(op->grid);
        if (op->grid->status != GRID_DONE)
            break; /* the fault is the launch's outcome */
    }
    tally_put(op->grid, &natural);
    if (!runtime.options.schedules)
        look_further(op, &start);
    muted = false;
    machine_set_schedule(runtime.machine, SCHEDULE_NATURAL, 0);
    memory_snapshot_free(start.memory);
}
