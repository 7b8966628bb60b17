/**
 * @file host.c
 * Stream races: copies, memsets and kernels that touch the same memory and that neither a stream,
 * an event nor a synchronisation orders.
 *
 * Host operations are ranges, not shadow words. Each new operation is held against the ranges of earlier
 * ones and against the shadow words that unordered kernels have touched; a kernel that begins while some
 * range is unordered with it has its accesses held against that range.
 */
#include <string.h>

#include "check/race/constant_reads.h"
#include "check/race/host.h"
#include "check/race/launches.h"
#include "check/race/race.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/shadow/row_atomics.h"
#include "check/race/shadow/row_parts.h"
#include "check/race/stream_race.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/finding.h"
#include "report/reporter.h"

#define MAX_RANGES 4096   /* operations kept that the host has not waited for */

/* ---- Findings ---- */

static void fill_host(struct finding_access *a, const char *name)
{
    memset(a, 0, sizeof *a);
    a->op = name;
}

static void report_word(struct race *race, const struct epoch *e, const struct host_op *op,
                        uint64_t address, bool word_writes)
{
    const struct agent *a = &race->agents.data[e->agent];
    const struct grid_config *config = &a->launch->grid.config;
    struct finding f = {.kernel = config->kernel->name};
    struct stream_use kernel = stream_kernel(config);
    finding_place(&f, race->machine, NULL, SPACE_GLOBAL, address);
    finding_access_site(&f.accesses[0], &a->launch->grid, a->block, e->thread, e->site,
                        word_writes ? "store" : "load");
    fill_host(&f.accesses[1], op->name);
    stream_report(race, &f, &kernel, &(struct stream_use){.op = op->op, .name = op->name, .by = &op->by,
                                                          .ahead = op->read_after && op_set_has(op->read_after, config->op)});
}

/* ---- A host operation ---- */

/** Is the launch of `agent` not ordered before `op`? */
static bool unordered(const struct race *race, uint32_t agent, const struct host_op *op)
{
    return agent && agent >= race->floor && !agent_is_host(race, agent) &&
           !op_set_has(op->before, race->agents.data[agent].launch->op);
}

/** An operation against the words of a range. */
struct asker {
    struct race *race;
    const struct host_op *op;
};

static bool is_unordered(const void *self, uint32_t agent)
{
    const struct asker *x = self;
    return unordered(x->race, agent, x->op);
}

static bool reaches_system(uint8_t flags)
{
    return (flags & EPOCH_STRONG) && reach_of(flags >> EPOCH_SCOPE_SHIFT) == REACH_SYSTEM;
}

/** A stream's write of a value, and one who reads it as a signal: both strong. */
static bool signals_to(const struct asker *x, uint8_t flags)
{
    return x->op->value && reaches_system(flags);
}

/** One of the agents `from` to `to` in a set of readers. @return agent 0: none is unordered */
static struct epoch unordered_among(const struct asker *x, uint32_t set, uint32_t from, uint32_t to)
{
    struct readers_walk w;
    const struct reader *r;
    readers_walk(&w, x->race->readers, set);
    w.floor = from;
    w.ceiling = to;
    while ((r = readers_next(&w)))
        if (!signals_to(x, r->flags) && is_unordered(x, r->agent))
            return (struct epoch){.agent = r->agent, .site = r->site, .flags = r->flags, .thread = (uint16_t)reader_thread(r)};
    return (struct epoch){0};
}

/** The last agent of a launch, but for those of its copies. */
static uint32_t last_agent(const struct race *race, const struct launch *l)
{
    uint32_t end = UINT32_MAX;
    for (int i = 0; i < race->launches.count; i++) {
        uint32_t first = race->launches.data[i]->first_agent;
        end = first > l->first_agent && first - 1 < end ? first - 1 : end;
    }
    return end;
}

/** A reader that is not ordered before the operation, of all that the word keeps; agent 0: there is none. */
static struct epoch unordered_reader(const struct asker *x, struct shadow_word *c)
{
    struct race *race = x->race;
    if (word_has_group(c) && c->read.flags & EPOCH_BLOCKS) /* of several launches, perhaps */
        word_open_group(race->readers, c);
    struct epoch e = word_has_group(c) ? word_group_newest(c) : c->read;
    if (word_has_group(c) || !e.agent || !(e.flags & EPOCH_LIST))
        return !signals_to(x, e.flags) && is_unordered(x, e.agent) ? e : (struct epoch){0};
    struct epoch found = {0};
    for (int i = 0; i < race->launches.count && !found.agent; i++) {
        const struct launch *l = race->launches.data[i];
        if (l->first_agent >= race->floor && !op_set_has(x->op->before, l->op))
            found = unordered_among(x, e.time, l->first_agent, last_agent(race, l));
    }
    return found.agent || !race->copies ? found : unordered_among(x, e.time, race->floor, UINT32_MAX);
}

/** A stream waits for what a kernel has written. Which of the kernel's accesses lie before that is not followed: all of
 *  them, for what comes after the wait. */
static void signalled_by(struct race *race, const struct shadow_word *c, const struct host_op *op)
{
    if (!op->learned || !op->read_bytes)
        return;
    const struct launch *launch = race->agents.data[c->write.agent].launch;
    op_set_join(op->learned, &launch->known);
    op_set_add(op->learned, launch->op);
    report_incomplete(machine_reporter(race->machine), INCOMPLETE_VALUE_SIGNAL);
}

/** @return true if something was reported */
static bool check_word(const struct asker *x, struct shadow_word *c, uint64_t address, bool writes)
{
    struct race *race = x->race;
    const struct host_op *op = x->op;
    if (c->flags & WORD_SPLIT) {
        for (int i = 0; i < 4; i++)
            if (check_word(x, &c->bytes[i], address + (uint64_t)i, writes))
                return true;
        return false;
    }
    if (signals_to(x, c->write.flags) && unordered(race, c->write.agent, op)) {
        signalled_by(race, c, op); /* both strong */
        return false;
    }
    if (unordered(race, c->write.agent, op)) {
        report_word(race, &c->write, op, address, true);
        return true;
    }
    struct epoch r = writes ? unordered_reader(x, c) : (struct epoch){0};
    if (r.agent) {
        report_word(race, &r, op, address, false);
        return true;
    }
    return false;
}

/** A copy into constant memory against what kernels have read there. */
static void check_constants(struct race *race, const struct host_op *op)
{
    struct allocation *a = op->write_bytes ? memory_find(machine_memory(race->machine), op->write_base) : NULL;
    if (!a || a->kind != ALLOC_CONSTANT)
        return;
    for (uint64_t at = op->write_base & ~3ull; at < op->write_base + op->write_bytes && at < a->base + a->bytes; at += 4) {
        int i = 0;
        struct epoch e;
        while ((e = constants_reader(race, a, at - a->base, &i)).agent)
            if (unordered(race, e.agent, op)) {
                report_word(race, &e, op, at, false);
                return;
            }
    }
}

static bool any_unordered_launch(const struct race *race, const struct host_op *op)
{
    for (int i = launches_known(race, op->before); i < race->launches.count; i++)
        if (race->launches.data[i]->first_agent >= race->floor &&
            !op_set_has(op->before, race->launches.data[i]->op))
            return true;
    return false;
}

/** Is what a row tells of all its words at once ordered before the operation? It stays closed then. */
static bool row_is_ordered(const struct asker *x, const struct shadow_row *row, bool writes)
{
    if (row->owes)
        return !is_unordered(x, row->atomics->last);
    if (row->parted)
        return !row_parts_any(row->parts, writes, is_unordered, x);
    return !row->words && !is_unordered(x, row->write.agent) && !(writes && is_unordered(x, row->read.agent));
}

/** The shadow words in a range against the operation: one finding is enough. Reads that all lie before it may stay beside the words. */
static void check_words(struct race *race, const struct host_op *op, uint64_t base, uint64_t bytes,
                        bool writes)
{
    struct allocation *a = bytes ? memory_find(machine_memory(race->machine), base) : NULL;
    if (!a || !a->shadow)
        return;
    struct asker x = {.race = race, .op = op};
    uint64_t from = base - (a->base & ~3ull);
    if (writes && read_ranges_any(a->shadow, from, from + bytes, is_unordered, &x))
        read_ranges_settle(a->shadow, race->floor, race->readers);
    read_log_settle(a->shadow, 0, race->readers);
    uint64_t first = a->base & ~3ull, to = base + bytes < a->base + a->bytes ? base + bytes : a->base + a->bytes;
    for (uint64_t at = base & ~3ull; at < to;) {
        const struct shadow_row *row = shadow_peek_row(a->shadow, at - first);
        if (!row || row_is_ordered(&x, row, writes)) {
            at += ROW_BYTES - (at - first) % ROW_BYTES;
            continue;
        }
        struct shadow_word *c = shadow_peek(a->shadow, at - first);
        if (c && check_word(&x, c, at, writes))
            return;
        at += 4;
    }
}

/** Copies may meet in the host's own memory, too: that is no allocation's, and no allocation is near it. */
static void place_range(struct finding *f, struct race *race, uint64_t address)
{
    if (memory_find(machine_memory(race->machine), address))
        finding_place(f, race->machine, NULL, SPACE_GLOBAL, address);
    else
        f->space = "host";
}

static void check_ranges(struct race *race, const struct host_op *op, uint64_t base,
                         uint64_t bytes, bool writes)
{
    for (int i = 0; bytes && i < race->ranges.count; i++) {
        const struct host_range *r = &race->ranges.data[i];
        if ((!writes && !r->writes) || r->op == op->op || (r->value && op->value) || op_set_has(op->before, r->op) ||
            !ranges_overlap(base, bytes, r->base, r->bytes))
            continue;
        struct finding f = {0};
        place_range(&f, race, base > r->base ? base : r->base);
        fill_host(&f.accesses[0], r->name);
        fill_host(&f.accesses[1], op->name);
        stream_report(race, &f, &(struct stream_use){.op = r->op, .name = r->name, .by = &r->by},
                      &(struct stream_use){.op = op->op, .name = op->name, .by = &op->by,
                                           .ahead = op->read_after && op_set_has(op->read_after, r->op)});
        return;
    }
}

/** Of what the host has waited for, everything that is still to begin comes after. */
static void forget_waited(struct race *race, const struct op_set *waited)
{
    int kept = 0;
    for (int i = 0; i < race->ranges.count; i++) {
        struct host_range *r = &race->ranges.data[i];
        if (op_set_has(waited, r->op))
            op_set_free(&r->known);
        else
            race->ranges.data[kept++] = *r;
    }
    race->ranges.count = kept;
}

static void forget_oldest(struct race *race)
{
    op_set_free(&race->ranges.data[0].known);
    race->ranges.count--;
    memmove(race->ranges.data, race->ranges.data + 1, (size_t)race->ranges.count * sizeof *race->ranges.data);
    if (!race->told_forgotten)
        report_incomplete(machine_reporter(race->machine), INCOMPLETE_OPERATIONS);
    race->told_forgotten = true;
}

static void remember(struct race *race, const struct host_op *op, uint64_t base, uint64_t bytes,
                     bool writes)
{
    if (!bytes)
        return;
    race->clear.grid = NULL;
    int kept = 0;
    for (int i = 0; i < race->ranges.count; i++) { /* what is ordered before this needs no record:
                                                      conflicts with it show up here first */
        const struct host_range *r = &race->ranges.data[i];
        bool covered = op_set_has(op->before, r->op) && r->base >= base &&
                       r->base + r->bytes <= base + bytes && writes;
        if (!covered)
            race->ranges.data[kept++] = *r;
        else
            op_set_free(&race->ranges.data[i].known);
    }
    race->ranges.count = kept;
    if (kept >= MAX_RANGES)
        forget_waited(race, op->waited);
    if (race->ranges.count >= MAX_RANGES)
        forget_oldest(race);
    race->any_unordered_range |= race->running > 0; /* of a grid that has begun, and goes on beside it */
    struct host_range *r = LIST_PUSH(&race->ranges);
    *r = (struct host_range){.op = op->op, .base = base, .bytes = bytes, .writes = writes, .name = op->name,
                             .by = op->by, .value = op->value};
    if (op->value && writes) {
        op_set_copy(&r->known, op->before);
        op_set_add(&r->known, op->op);
    }
}

void host_operation(struct race *race, const struct host_op *op)
{
    struct host_op reads = *op; /* a source that is read out of its stream's order: `read_after` becomes what that would have been */
    if (op->read_after) {
        reads.before = op->read_after;
        reads.read_after = op->before;
    }
    struct host_op writes = *op;
    writes.read_after = NULL;
    check_ranges(race, &writes, op->write_base, op->write_bytes, true);
    check_ranges(race, &reads, op->read_base, op->read_bytes, false);
    if (any_unordered_launch(race, &reads)) {
        check_words(race, &writes, op->write_base, op->write_bytes, true);
        check_words(race, &reads, op->read_base, op->read_bytes, false);
        check_constants(race, &writes);
    }
    remember(race, op, op->write_base, op->write_bytes, true);
    remember(race, op, op->read_base, op->read_bytes, false);
}
