/**
 * @file stream_race.c
 * What there is to say about a stream race: both operations with stream and call, and what is missing
 * between them: an event recorded too early, one that another stream waited for, or none at all.
 */
#include "analyse/flow.h"
#include "analyse/paths.h"
#include "analyse/polls.h"
#include "check/race/stream_race.h"
#include "execute/machine.h"

#include <string.h>

#include "host/call_site.h"
#include "report/ptx_line.h"
#include "report/reporter.h"

#define MAX_NOTES 4096

void stream_note(struct race *race, const struct order_note *n)
{
    if (race->notes.count >= MAX_NOTES) {
        memmove(race->notes.data, race->notes.data + MAX_NOTES / 2,
                (size_t)(MAX_NOTES / 2) * sizeof *race->notes.data);
        race->notes.count = MAX_NOTES / 2;
    }
    *LIST_PUSH(&race->notes) = *n;
}

struct stream_use stream_kernel(const struct grid_config *config)
{
    return (struct stream_use){
        .op = config->op, .kernel = true, .name = config->kernel->name, .by = &config->by, .code = config->kernel, .awaits = config->awaits};
}

/* ---- what the host did to order them ---- */

static const struct order_note *note_of_record(const struct race *race, uint64_t record)
{
    for (int i = 0; record && i < race->notes.count; i++)
        if (race->notes.data[i].kind == NOTE_RECORD && race->notes.data[i].op == record)
            return &race->notes.data[i];
    return NULL;
}

/** The latest note of this kind by stream `stream` (0 = any) between two operations. */
static const struct order_note *latest(const struct race *race, int kind, uint64_t stream,
                                       uint64_t after, uint64_t before)
{
    for (int i = race->notes.count - 1; i >= 0; i--) {
        const struct order_note *n = &race->notes.data[i];
        if ((int)n->kind == kind && (!stream || n->by.stream == stream) && n->op > after &&
            n->op < before)
            return n;
    }
    return NULL;
}

/** Another stream than `stream` that waits for the event of this record. */
static const struct order_note *other_wait(const struct race *race, uint64_t record, uint64_t stream)
{
    for (int i = 0; i < race->notes.count; i++) {
        const struct order_note *n = &race->notes.data[i];
        if (n->kind == NOTE_WAIT && n->record == record && n->by.stream != stream)
            return n;
    }
    return NULL;
}

static const struct call_site *called_at(const struct order_note *n)
{
    return n ? call_site(n->by.call, false) : NULL;
}

static void set_gap(struct stream_facts *s, enum stream_gap gap, const struct order_note *wait,
                    const struct order_note *record)
{
    s->gap = gap;
    s->waited = called_at(wait);
    s->recorded = called_at(record);
}

static bool legacy_beside_apart(const struct stream_use *a, const struct stream_use *b)
{
    return (a->by->stream == 1 && b->by->apart) || (b->by->stream == 1 && a->by->apart);
}

static bool is_insn(const struct insn *in, const void *that)
{
    return in == that;
}

/** Has the kernel a loop that waits for memory to change? Then it may be the host that it waits for. */
static bool polls(const struct function *kernel)
{
    for (const struct insn *in = kernel ? kernel->entry : NULL; in && in < kernel->end; in++)
        if (insn_class(in) == INSN_LOAD && in->mem.space != SPACE_SHARED && order_is_strong(&in->mem) && load_polls(kernel, in))
            return true;
    return false;
}

/** The line on which the kernel waits for memory to change, before it reads; 0: there is none. */
static int waits_before(const struct function *kernel, const struct insn *read)
{
    for (const struct insn *in = kernel && read && flow_holds(kernel, read) ? kernel->entry : NULL; in && in < kernel->end; in++)
        if (insn_class(in) == INSN_LOAD && in != read && in->mem.space != SPACE_SHARED && order_is_strong(&in->mem) && load_polls(kernel, in) &&
            path_find(kernel, in, read, NULL, NULL) == PATH_AHEAD && path_find(kernel, kernel->entry, read, is_insn, in) == PATH_NONE)
            return insn_line_to_say(kernel->image, in);
    return 0;
}

/** What `op`, an operation or a record, or with 0 anything, has waited for within the kernel `first`, in place of its end. */
static const struct order_note *early_between(const struct race *race, uint64_t first, uint64_t op)
{
    for (int i = race->notes.count - 1; i >= 0; i--) {
        const struct order_note *n = &race->notes.data[i];
        if ((n->kind == NOTE_TRIGGER || n->kind == NOTE_BEGUN) && (!op || n->op == op) && n->record == first)
            return n;
    }
    return NULL;
}

static void set_early(struct stream_facts *s, const struct order_note *early, const struct order_note *wait, enum stream_advice advice)
{
    set_gap(s, early->kind == NOTE_TRIGGER ? GAP_TRIGGER : GAP_BEGUN, wait, NULL);
    s->advice = advice;
}

/** The host touched memory: which wait came closest? */
static void find_unwaited(const struct race *race, const struct stream_use *first,
                          const struct stream_use *second, struct stream_facts *s)
{
    const struct order_note *sync = latest(race, NOTE_SYNC, 0, first->op, UINT64_MAX);
    const struct order_note *record = sync ? note_of_record(race, sync->record) : NULL;
    bool function = second->by->function;
    bool same_graph = first->by->graph && second->by->graph == first->by->graph;
    s->advice = !function    ? polls(first->code) ? TRY_FLAG_OR_SYNCHRONIZE : TRY_SYNCHRONIZE
                : same_graph ? TRY_FUNCTION_IN_GRAPH : TRY_WAIT_BEFORE_FUNCTION;
    s->wait_line = !function && second->writes ? waits_before(first->code, first->read) : 0;
    s->advice = s->wait_line ? TRY_WRITE_BEFORE_FLAG : s->advice;
    const struct order_note *early = function || !sync || !sync->record ? NULL : early_between(race, first->op, sync->record);
    if (early) {
        set_early(s, early, sync, s->advice);
    } else if (function) {
        set_gap(s, GAP_FUNCTION, NULL, NULL);
    } else if (record && record->by.stream == first->by->stream && record->op < first->op) {
        set_gap(s, GAP_EARLY_EVENT_HOST, sync, record);
    } else if (sync && sync->by.stream != first->by->stream) {
        set_gap(s, GAP_OTHER_STREAM_HOST, sync, NULL);
        s->other = sync->by.stream;
    } else {
        set_gap(s, GAP_NOT_WAITED, NULL, NULL);
    }
}

/** An event of the first's stream was recorded behind it; why does it not help? */
static void find_unused(const struct race *race, const struct stream_use *first, const struct stream_use *second,
                        const struct order_note *wait, const struct order_note *waited,
                        const struct order_note *record, struct stream_facts *s)
{
    const struct order_note *other = other_wait(race, record->op, second->by->stream);
    s->advice = TRY_WAIT_FOR_EVENT;
    if (waited && wait->op > first->op && waited->by.stream != first->by->stream) {
        set_gap(s, GAP_OTHER_EVENT, wait, record);
        s->other = waited->by.stream;
    } else if (other) {
        set_gap(s, GAP_OTHER_WAITS, other, record);
        s->other = other->by.stream;
    } else {
        set_gap(s, first->by->staged                    ? GAP_STAGED
                   : legacy_beside_apart(first, second) ? GAP_DEFAULT_APART
                                                        : GAP_NO_WAIT,
                NULL, record);
    }
}

/** Does a kernel that the second awaits wait for the end of the first? */
static bool is_awaited_between(const struct race *race, const struct stream_use *first, const struct stream_use *second)
{
    bool any = false;
    for (int i = 0; i < race->launches.count && !any; i++) {
        const struct launch *l = race->launches.data[i];
        any = op_set_has(second->awaits, l->op) && op_set_has(&l->may_await, first->op);
    }
    return any;
}

/** Two operations in streams: is there an event that was meant to order them? */
static void find_unordered(const struct race *race, const struct stream_use *first,
                           const struct stream_use *second, struct stream_facts *s)
{
    const struct order_note *wait = latest(race, NOTE_WAIT, second->by->stream, 0, second->op);
    const struct order_note *record = latest(race, NOTE_RECORD, first->by->stream, first->op, UINT64_MAX);
    const struct order_note *waited = wait ? note_of_record(race, wait->record) : NULL;
    const struct order_note *early = latest(race, NOTE_WAIT, first->by->stream, 0, first->op);
    const struct order_note *own = early_between(race, first->op, second->op);
    const struct order_note *events = wait && wait->record ? early_between(race, first->op, wait->record) : NULL;
    if (second->ahead) {
        set_gap(s, GAP_SOURCE_AHEAD, NULL, NULL);
        s->advice = TRY_STREAM_ORDER;
    } else if (first->by->batch && first->by->batch == second->by->batch) {
        set_gap(s, GAP_BATCH, NULL, NULL);
        s->advice = TRY_TWO_BATCHES;
    } else if (own || events) {
        set_early(s, own ? own : events, wait, own && own->kind == NOTE_TRIGGER && second->kernel ? TRY_GRID_WAIT : TRY_RECORD_AND_WAIT);
    } else if (first->kernel && second->kernel && first->by->stream == second->by->stream) {
        bool next = !second->awaits || op_set_has(second->awaits, first->op), between = !next && is_awaited_between(race, first, second);
        set_gap(s, next ? GAP_PROGRAMMATIC : between ? GAP_PROGRAMMATIC_EARLY : GAP_PROGRAMMATIC_CHAIN, NULL, NULL); /* a stream keeps the order of all others */
        s->advice = next || between ? TRY_GRID_WAIT : TRY_GRID_WAIT_BETWEEN;
    } else if (waited && waited->by.stream == first->by->stream && waited->op < first->op) {
        set_gap(s, GAP_EARLY_EVENT, wait, waited);
        s->advice = TRY_RECORD_LATER;
    } else if (waited && waited->by.graph && waited->by.graph == first->by->graph && waited->op > first->op) {
        set_gap(s, GAP_EARLY_NODE, wait, waited);
        s->advice = TRY_DEPENDENCY;
    } else if ((wait && !wait->record && wait->op > first->op) || (early && !early->record && !wait)) {
        s->second_waits = wait; /* else: what was to come first was issued second, by another thread perhaps */
        set_gap(s, GAP_NO_EVENT_YET, wait ? wait : early, NULL);
        s->advice = TRY_WAIT_LATER;
    } else if (record) {
        find_unused(race, first, second, wait, waited, record, s);
    } else {
        set_gap(s, first->by->staged                    ? GAP_STAGED
                   : legacy_beside_apart(first, second) ? GAP_DEFAULT_APART
                                                        : GAP_NOTHING,
                NULL, NULL);
        s->advice = TRY_RECORD_AND_WAIT;
    }
}

/* ---- the finding ---- */

static struct stream_party party(const struct stream_use *u)
{
    bool host = u->op == 0, node = u->by->graph && !host;
    const struct call_site *call = call_site(u->by->call, host);
    return (struct stream_party){
        .what = !host ? u->kernel ? PARTY_KERNEL : PARTY_CALL : u->writes ? PARTY_HOST_WRITE : PARTY_HOST_READ,
        .name = u->name, .function = host && u->by->function, .node = node, .staged = u->by->staged,
        .stream = u->by->stream, .captured = u->by->captured, .call = call,
        .issued = node ? call_site(u->by->launch, false) : call};
}

/** The lines of calls, where the finding has none. */
static void fill_call(struct finding_access *a, const struct stream_use *u)
{
    a->stream = u->op ? u->by->stream : 0;
    if (a->file || a->ptx_line)
        return;
    const struct call_site *c = call_site(u->by->call, u->op == 0);
    a->file = c->file;
    a->line = c->line;
}

void stream_report(struct race *race, struct finding *f, const struct stream_use *a,
                   const struct stream_use *b)
{
    /* In the order of issue, which is how the programmer sees them; the host's own access is last. */
    bool swapped = a->op == 0 || (b->op && b->op < a->op);
    const struct stream_use *first = swapped ? b : a, *second = swapped ? a : b;
    struct stream_facts *s = &f->facts.stream;
    fill_call(&f->accesses[0], a);
    fill_call(&f->accesses[1], b);
    if (swapped) {
        struct finding_access t = f->accesses[0];
        f->accesses[0] = f->accesses[1];
        f->accesses[1] = t;
    }
    f->kind = FIND_STREAM_RACE;
    f->access_count = 2;
    f->ops[0] = first->op;
    f->ops[1] = second->op;
    *s = (struct stream_facts){.first = party(first), .second = party(second)};
    if (!second->op || !second->by->stream) {
        f->cause = CAUSE_HOST_EARLY;
        find_unwaited(race, first, second, s);
    } else if (first->by->graph && first->by->graph == second->by->graph) {
        const struct order_note *early = early_between(race, first->op, second->op), *any = early_between(race, first->op, 0);
        f->cause = CAUSE_NODES;
        if (early)
            set_early(s, early, NULL, early->kind == NOTE_TRIGGER ? TRY_GRID_WAIT : TRY_DEPENDENCY);
        else if (any)
            set_early(s, any, NULL, TRY_RECORD_AND_WAIT);
    } else {
        f->cause = CAUSE_STREAMS;
        find_unordered(race, first, second, s);
    }
    report_finding(machine_reporter(race->machine), f);
}
