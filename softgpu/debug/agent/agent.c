/**
 * @file agent.c
 * The observer: counts, notices, stops.
 *
 * While it is not stopped it costs a few compares an instruction; where there is no debugger it is not there.
 */
#include "debug/agent/agent.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check/checkers.h"
#include "check/race/history.h"
#include "check/race/later.h"
#include "debug/agent/state.h"
#include "debug/talk.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "rerun/rerun.h"

/** Instructions between two looks at whether the debugger wants something. */
#define LOOK_EVERY 16384
/** Instructions between two copies, at first. */
#define COPY_EVERY 50000

struct agent agent = {.fd = -1};

_Noreturn void agent_give_up(void)
{
    _exit(1);
}

static bool counts(void)
{
    return agent.open && !agent.hidden;
}

/* ---- Instructions ---- */

static void next_attention(void)
{
    uint64_t at = agent.count + LOOK_EVERY;
    at = agent.next_copy < at ? agent.next_copy : at;
    at = agent.conditions.until < at ? agent.conditions.until : at;
    agent.attention = at;
}

/** Something is due before instruction `agent.count`. */
static void attend(void)
{
    if (agent.count >= agent.next_copy) {
        agent.next_copy = agent.is_copy ? UINT64_MAX : agent.count + agent.interval; /* a copy makes those that it is asked for */
        copy_keep();
    }
    if (agent.count >= agent.conditions.until) {
        struct stop there = {.reason = "there"};
        bool asked = !agent.conditions.scan && agent.conditions.here;
        if (!asked || !conditions_meet(&agent.conditions, agent.warp, agent.insn, &there))
            there = (struct stop){.reason = "there"};
        agent.conditions.here = false;
        agent.conditions.scan = false;
        agent_stop(&there);
    } else if (talk_waiting(agent.fd, 0)) {
        struct stop pause = {.reason = "pause"};
        agent.conditions.scan = false;
        agent_stop(&pause);
        agent.conditions.here = false;
    } else {
        agent.conditions.here = true;
    }
    next_attention();
}

static void on_issue(void *self, const struct warp *w, const struct insn *in)
{
    struct stop stop;
    (void)self;
    if (!counts())
        return;
    agent.count++;
    agent.grid = w->block->grid;
    agent.warp = w;
    agent.insn = in;
    agent.access = NULL;
    agent.conditions.here = true;
    if (agent.count >= agent.attention)
        attend();
    if (agent.conditions.here && conditions_meet(&agent.conditions, w, in, &stop)) {
        agent_stop(&stop);
        next_attention();
    }
}

/* ---- What instructions do ---- */

static void touch(const struct warp *w, const struct mem_access *a, bool reads, bool writes)
{
    struct stop stop;
    if (!counts())
        return;
    agent.access = a;
    if (conditions_touch(&agent.conditions, w, a, reads, writes, &stop))
        agent_stop(&stop);
    agent.access = NULL;
    next_attention();
}

/** Where races are checked, all writes of the run are remembered for could.c. */
static struct race *remembers(void)
{
    return counts() && agent.history ? observers_find(machine_observers(agent.machine), &race_checker) : NULL;
}

static void on_load(void *self, const struct warp *w, const struct mem_access *a)
{
    struct race *race = remembers();
    (void)self;
    if (race)
        history_load(agent.history, race, w, a);
    if (race && ahead_looks())
        later_load(ahead_looks(), race, w, a);
    if (agent.conditions.watches.count)
        touch(w, a, true, false);
}

static void on_store(void *self, const struct warp *w, const struct mem_access *a)
{
    struct race *race = remembers();
    (void)self;
    if (race)
        history_store(agent.history, race, w, a);
    if (race && ahead_looks())
        later_store(ahead_looks(), race, w, a);
    if (agent.conditions.watches.count)
        touch(w, a, false, true);
}

static void on_atomic(void *self, const struct warp *w, const struct mem_access *a)
{
    struct race *race = remembers();
    (void)self;
    if (race)
        history_atomic(agent.history, race, w, a);
    if (race && ahead_looks())
        later_atomic(ahead_looks(), race, w, a);
    if (agent.conditions.watches.count)
        touch(w, a, true, a->wrote != 0);
}

/** Stops for something that is no place in the code. */
static void stop_for(const char *reason, const struct warp *w, const char *text)
{
    struct stop stop = {.reason = reason};
    if (w) {
        stop.has_thread = true;
        stop.thread = (struct thread_at){w->block->index,
                                         (uint32_t)(w->index * WARP_LANES + __builtin_ctz(w->mask))};
    }
    snprintf(stop.text, sizeof stop.text, "%s", text);
    agent_stop(&stop);
    next_attention();
}

static void on_barrier(void *self, const struct warp *w, const struct insn *in, int barrier, enum barrier_kind kind)
{
    char text[64];
    (void)self, (void)in, (void)kind;
    if (!counts() || !agent.conditions.barriers)
        return;
    snprintf(text, sizeof text, "barrier %d", barrier);
    stop_for("barrier", w, text);
}

/** Breakpoints may wait for what has been loaded since. */
static void see_loads(void)
{
    if (agent.conditions.breaks.count && agent.conditions.loads != machine_loads(agent.machine))
        place_breaks(&agent.conditions);
}

static void on_host_op(void *self, const struct host_op *op)
{
    (void)self;
    agent.warp = NULL;
    agent.insn = NULL;
    if (!agent.open || agent.conditions.scan)
        return;
    agent.call = op->by.call;
    see_loads();
    int id = conditions_call(&agent.conditions, op->by.call);
    if (id >= 0) {
        struct stop stop = {.reason = "breakpoint", .id = id};
        snprintf(stop.text, sizeof stop.text, "%s", op->name);
        agent_stop(&stop);
        next_attention();
    } else if (agent.conditions.host) {
        stop_for("host", NULL, op->name);
    }
    agent.call = NULL;
}

static void on_grid_begin(void *self, struct grid *g)
{
    (void)self;
    if (!counts())
        return;
    agent.grid = g;
    agent.warp = NULL;
    agent.insn = NULL;
    agent.begin = agent.count + 1;
    see_loads();
    if (copy_is_due())
        agent.next_copy = agent.begin; /* with its first instruction */
    next_attention();
}

/** Host code follows. A copy without the program's other threads cannot run it: some wait for them, some have left
 *  locks behind. */
static void come_to_edge(void)
{
    if (!agent.is_copy || agent.alone)
        return;
    agent.conditions.scan = false;
    stop_for("edge", NULL, "the program's other threads are not in this copy");
    agent_give_up();
}

static void on_grid_end(void *self, const struct grid *g)
{
    const struct block *b;
    bool stuck;
    (void)self;
    if (agent.grid == g && counts() && ahead_looks())
        stop_for("ahead", NULL, "");
    if (agent.grid == g) {
        agent.grid = NULL;
        agent.warp = NULL;
        agent.insn = NULL;
    }
    if (counts() && agent.conditions.step.kind != STEP_NONE && !agent.conditions.scan)
        stop_for("step", NULL, "the thread's run has ended");
    if (counts() && !agent.in_launch && !machine_resident(agent.machine, 0, &b, &stuck))
        come_to_edge();
}

static void on_exit_lanes(void *self, const struct warp *w, uint32_t lanes)
{
    const struct step *s = &agent.conditions.step;
    (void)self;
    if (counts() && s->kind != STEP_NONE && !agent.conditions.scan && w->block->index == s->thread.block &&
        w->index == (int)(s->thread.thread / WARP_LANES) && (lanes >> s->thread.thread % WARP_LANES & 1))
        stop_for("step", w, "the thread leaves the kernel");
}

static void *create(struct machine *m, int slot)
{
    agent.machine = m;
    agent.slot = slot;
    history_free(agent.history);
    agent.history = history_new();
    return &agent;
}

static const struct observer agent_observer = {
    .name = "debugger",
    .wants_issue = true,
    .create = create,
    .grid_begin = on_grid_begin,
    .grid_end = on_grid_end,
    .issue = on_issue,
    .load = on_load,
    .store = on_store,
    .atomic = on_atomic,
    .barrier_arrive = on_barrier,
    .exit = on_exit_lanes,
    .host_op = on_host_op,
};

/* ---- Runs, findings ---- */

static void on_launch(void *self, const struct grid_config *config, bool begins)
{
    (void)self, (void)config;
    agent.hidden = agent.in_launch = begins;
    history_forget(agent.history);
    if (!begins)
        come_to_edge();
}

static void on_run(void *self, int number, enum schedule_kind kind, bool begins)
{
    static const char *const orders[] = {[SCHEDULE_NATURAL] = "in natural order", [SCHEDULE_RANDOM] = "in random order",
                                         [SCHEDULE_PCT] = "by random priorities", [SCHEDULE_CHOSEN] = "as chosen"};
    (void)self;
    if (begins) {
        history_forget(agent.history);
        agent.runs++;
        snprintf(agent.run_words, sizeof agent.run_words, "run %d of the launch, %s", number + 1, orders[kind]);
    }
    agent.hidden = !begins;
}

static const struct run_listener runs_listener = {.launch = on_launch, .run = on_run};

static void on_finding(const struct finding *f, const char *line)
{
    if (!agent.open || !agent.conditions.findings)
        return;
    const struct finding_access *a = &f->accesses[f->access_count > 1 ? 1 : 0];
    struct stop stop = {.reason = "finding", .finding = json_loads(line, 0, NULL)};
    if (agent.insn && f->access_count && a->has_thread) {
        const uint32_t *shape = agent.grid->config.block, *blocks = agent.grid->config.grid;
        stop.has_thread = true;
        stop.thread.block = a->block[0] + (uint64_t)blocks[0] * (a->block[1] + (uint64_t)blocks[1] * a->block[2]);
        stop.thread.thread = a->thread[0] + shape[0] * (a->thread[1] + shape[1] * a->thread[2]);
    }
    const struct finding_trail *t = &f->trail;
    if (t->known && json_is_object(stop.finding))
        json_object_set_new(stop.finding, "trail",
                            json_pack("{s:I,s:I,s:b,s:[I,I],s:[i,i],s:[i,i],s:i,s:i,s:b,s:b}", "address", (json_int_t)t->address,
                                      "bytes", (json_int_t)t->bytes, "shared", t->space == SPACE_SHARED, "block",
                                      (json_int_t)t->block[0], (json_int_t)t->block[1], "thread", (int)t->thread[0],
                                      (int)t->thread[1], "site", (int)t->site[0], (int)t->site[1], "via", (int)t->via,
                                      "signal", (int)t->signal, "signalled", t->signal || t->via, "shown", t->shown));
    snprintf(stop.text, sizeof stop.text, "%s", finding_kinds[f->kind].name);
    agent_stop(&stop);
    next_attention();
    json_decref(stop.finding);
}

/* ---- Life ---- */

/** The descriptor in the environment, which the program's own children must not have. */
static int find_end(void)
{
    const char *text = getenv(TALK_VARIABLE);
    int fd = text ? atoi(text) : -1;
    unsetenv(TALK_VARIABLE);
    return fd > 2 && fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 ? fd : -1;
}

void debug_attach(struct machine *m, struct rerun *r, pid_t (*copy)(void))
{
    bool first = agent.fd < 0;
    if (first)
        agent.fd = find_end();
    if (agent.fd < 0)
        return;
    agent.open = true;
    agent.rerun = r;
    agent.copy = copy;
    agent.interval = agent.interval ? agent.interval : COPY_EVERY;
    machine_debugged(m);
    observers_open(machine_observers(m), m, &agent_observer);
    rerun_listen(r, &runs_listener, &agent);
    reporter_interrupt(machine_reporter(m), on_finding);
    if (first) {
        struct stop ready = {.reason = "ready"};
        agent.next_copy = UINT64_MAX;
        agent_stop(&ready);
    }
    next_attention();
}

void debug_end(void)
{
    struct stop end = {.reason = "end"};
    if (!agent.open)
        return;
    agent.grid = NULL;
    agent.insn = NULL;
    agent.warp = NULL;
    agent.conditions.scan = false;
    agent_stop(&end);
}

void debug_closing(void)
{
    struct conditions *c = &agent.conditions;
    agent.grid = NULL;
    agent.insn = NULL;
    agent.warp = NULL;
    c->launches = c->barriers = c->host = c->scan = false;
    c->step.kind = STEP_NONE;
    c->until = UINT64_MAX;
}

void debug_detach(void)
{
    agent.open = false;
    agent.hidden = false;
    history_free(agent.history);
    agent.history = NULL;
    marks_forget();
    places_forget();
}
