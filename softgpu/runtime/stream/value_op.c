/**
 * @file value_op.c
 * See value_op.h.
 */
#include "runtime/state/value_op.h"

#include <dirent.h>
#include <string.h>

#include "execute/finding_place.h"
#include "execute/observer.h"
#include "host/call_site.h"
#include "memory/followed.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/state/execution.h"
#include "runtime/state/runtime.h"

/** Writes that are remembered; of each word the latest. */
#define MAX_WRITTEN 4096

/** Writes of one word that are remembered: the latest. */
#define MAX_PAST 8

/** What a stream has written, and what is known to be done for whoever sees it. */
struct write_past {
    uint64_t op, value;
    struct op_set known;
};
struct written {
    uint64_t address;
    unsigned bytes;
    int count;
    struct write_past past[MAX_PAST]; /**< oldest first */
};
static LIST(struct written) written;
/** The same of all other writes, together: the findings file says `incomplete`, and whoever waits for one of them is taken to know it all. */
static struct op_set forgotten;
static bool any_forgotten;

struct operation *value_op(const char *name, const struct value_step *steps, int count)
{
    struct operation *op = operation_new(OP_VALUE, name);
    op->values = calloc(1, sizeof *op->values + (size_t)count * sizeof *steps);
    if (!op->values)
        abort();
    op->values->refs = 1;
    op->values->count = count;
    memcpy(op->values->step, steps, (size_t)count * sizeof *steps);
    return op;
}

void value_steps_drop(struct value_steps *s)
{
    if (!s || --s->refs)
        return;
    free(s->given);
    free(s);
}

bool value_steps_alike(const struct value_steps *a, const struct value_steps *b)
{
    bool alike = a->count == b->count && (!a->given || !b->given || a->given_count == b->given_count);
    for (int i = 0; alike && i < a->count; i++)
        alike = a->step[i].bytes == b->step[i].bytes && (a->step[i].how == VALUE_WRITE) == (b->step[i].how == VALUE_WRITE);
    return alike;
}

/* ---- one step ---- */

/* What is there now. @return false where there is no memory any more */
static bool current(const struct value_step *s, uint64_t *value)
{
    uint32_t narrow;
    if (s->outside) {
        *value = __atomic_load_n(s->outside, __ATOMIC_ACQUIRE);
        return true;
    }
    const void *at = memory_translate(machine_memory(runtime.machine), s->address, s->bytes);
    if (at && s->bytes == 8)
        *value = __atomic_load_n((const uint64_t *)at, __ATOMIC_ACQUIRE);
    else if (at) {
        narrow = __atomic_load_n((const uint32_t *)at, __ATOMIC_ACQUIRE);
        *value = narrow;
    }
    return at != NULL;
}

/* Does the wait end with this value? */
static bool ends_with(const struct value_step *s, uint64_t now)
{
    uint64_t all = s->bytes == 8 ? UINT64_MAX : UINT32_MAX;
    switch (s->how) {
    case VALUE_AT_LEAST: /* the difference as a signed number (driver API, CUstreamWaitValue_flags) */
        return s->bytes == 8 ? (int64_t)(now - s->value) >= 0 : (int32_t)((uint32_t)now - (uint32_t)s->value) >= 0;
    case VALUE_EQUAL:
        return now == (s->value & all);
    case VALUE_AND:
        return (now & s->value & all) != 0;
    case VALUE_NOR:
        return (~(now | s->value) & all) != 0;
    case VALUE_WRITE:
        break;
    }
    return true;
}

static bool is_satisfied(const struct value_step *s)
{
    uint64_t now;
    return !current(s, &now) || ends_with(s, now); /* that it is gone is found when the step is taken */
}

static void forget_past(struct written *w)
{
    while (w->count)
        op_set_free(&w->past[--w->count].known);
}

/* `was`: what was there before; if no stream's write has left that, nobody sees those any more. */
static void remember(const struct operation *op, const struct value_step *s, uint64_t was)
{
    int i = 0;
    while (i < written.count && written.data[i].address != s->address)
        i++;
    if (i == written.count && i < MAX_WRITTEN)
        *LIST_PUSH(&written) = (struct written){.address = s->address};
    if (i == MAX_WRITTEN) {
        if (!any_forgotten)
            report_incomplete(machine_reporter(runtime.machine), INCOMPLETE_VALUE_WRITES);
        any_forgotten = true;
        operation_known(op, &forgotten);
        return;
    }
    struct written *w = &written.data[i];
    if (w->count && (w->bytes != s->bytes || w->past[w->count - 1].value != was))
        forget_past(w);
    if (w->count == MAX_PAST) {
        op_set_free(&w->past[0].known);
        memmove(w->past, w->past + 1, (MAX_PAST - 1) * sizeof *w->past);
        w->count--;
    }
    struct write_past *p = &w->past[w->count++];
    *p = (struct write_past){.op = op->number, .value = s->bytes == 8 ? s->value : (uint32_t)s->value};
    w->bytes = s->bytes;
    operation_known(op, &p->known);
}

static const struct write_past *latest(const struct written *w)
{
    return &w->past[w->count - 1];
}

/* The first write with which the wait may have ended: of those that end it up to now, in a row, the latest that it comes after, or else the oldest. */
static const struct write_past *first_seen(const struct written *w, const struct operation *op, const struct value_step *s)
{
    int i = w->count - 1;
    while (i > 0 && !op_set_has(&op->before, w->past[i].op) && ends_with(s, w->past[i - 1].value))
        i--;
    return &w->past[i];
}

/* The stream's write that made the word what it is; NULL: something else did. */
static const struct written *writer_of(uint64_t address)
{
    for (int i = 0; i < written.count; i++) {
        const struct written *w = &written.data[i];
        uint64_t now;
        if (address - w->address < w->bytes && current(&(struct value_step){.bytes = w->bytes, .address = w->address}, &now) &&
            now == latest(w)->value)
            return w;
    }
    return NULL;
}

/* `op` has learned that these are done: so has whatever comes after it. */
static void pass_on(struct operation *op, const struct op_set *more)
{
    op_set_join(&op->before, more);
    for (struct operation *o = runtime.queue_head; o; o = o->next)
        if (o != op && (op_set_has(&o->before, op->number) || op_set_has(&o->behind, op->number)))
            op_set_join(&o->before, more);
    for (struct stream *s = runtime.streams; s; s = s->next)
        if (op_set_has(&s->ordered, op->number))
            op_set_join(&s->ordered, more);
}

static void observe(struct operation *op, const struct value_step *s)
{
    struct op_set learned = {0};
    bool writes = s->how == VALUE_WRITE;
    struct host_op h = {.op = op->number, .name = op->name, .before = &op->before, .waited = &runtime.host_done, .by = op->by, .defines = true,
                        .value = true, .learned = &learned};
    *(writes ? &h.write_base : &h.read_base) = s->address;
    *(writes ? &h.write_bytes : &h.read_bytes) = s->bytes;
    const struct written *w = writes ? NULL : writer_of(s->address);
    if (w)
        op_set_join(&learned, &first_seen(w, op, s)->known);
    else if (!writes && memory_find(machine_memory(runtime.machine), s->address)->kind == ALLOC_HOST)
        op_set_join(&learned, &runtime.host_done); /* the program wrote it, by itself */
    if (!writes && !w && any_forgotten)
        op_set_join(&learned, &forgotten);
    OBSERVE(machine_observers(runtime.machine), host_op, &h);
    pass_on(op, &learned);
    op_set_free(&learned);
}

/* @return false where the memory is gone */
static bool take(struct operation *op, const struct value_step *s)
{
    void *at = s->outside ? s->outside : memory_change(machine_memory(runtime.machine), s->address, s->bytes);
    uint64_t was;
    if (!at || !current(s, &was))
        return false;
    if (s->how == VALUE_WRITE && s->bytes == 8)
        __atomic_store_n((uint64_t *)at, s->value, __ATOMIC_RELEASE);
    else if (s->how == VALUE_WRITE)
        __atomic_store_n((uint32_t *)at, (uint32_t)s->value, __ATOMIC_RELEASE);
    if (!runtime.options.check || s->outside)
        return true;
    observe(op, s);
    if (s->how == VALUE_WRITE)
        remember(op, s, was);
    return true;
}

bool value_ready(const struct operation *op)
{
    return op->values_done == op->values->count || is_satisfied(&op->values->step[op->values_done]);
}

bool value_go_on(struct operation *op)
{
    for (; op->values_done < op->values->count; op->values_done++) {
        const struct value_step *s = &op->values->step[op->values_done];
        if (!is_satisfied(s))
            return false;
        if (!take(op, s)) {
            runtime_say("%s: the memory at 0x%llx has been freed", op->name, (unsigned long long)s->address);
            op->status = runtime.sticky = cudaErrorIllegalAddress;
            return true;
        }
    }
    return true;
}

void values_seen_by_host(uint64_t address, struct op_set *also)
{
    const struct written *w = written.count ? writer_of(address) : NULL;
    if (!w)
        return;
    op_set_join(&runtime.host_done, &latest(w)->known);
    op_set_join(also, &latest(w)->known);
    host_function_learns(&latest(w)->known);
}

void values_reset(void)
{
    for (int i = 0; i < written.count; i++)
        forget_past(&written.data[i]);
    written.count = 0;
    op_set_free(&forgotten);
    forgotten = (struct op_set){0};
    any_forgotten = false;
}

/* ---- waits without an end ---- */

static struct operation *waiting_one(void)
{
    for (struct operation *op = runtime.queue_head; op; op = op->next) {
        bool free_to_go = op->kind == OP_VALUE && op->state == OP_QUEUED;
        for (int i = 0; free_to_go && i < op->deps.count; i++)
            free_to_go = op->deps.data[i]->state == OP_DONE;
        if (free_to_go && !value_ready(op))
            return op;
    }
    return NULL;
}

bool values_wait(void)
{
    return waiting_one() != NULL;
}

/* Threads of the program that do not wait for the device. -1: cannot be told. */
static int threads_that_go_on(void)
{
    DIR *d = opendir("/proc/self/task");
    int count = 0;
    if (!d)
        return -1;
    for (const struct dirent *e; (e = readdir(d));)
        count += e->d_name[0] != '.';
    closedir(d);
    return count - runtime_threads() - runtime.waiting;
}

static void tell(const struct operation *op, const struct value_step *s, uint64_t holds)
{
    const struct call_site *c = call_site(op->by.call, false);
    struct finding f = {.kind = FIND_DEADLOCK, .cause = CAUSE_VALUE_WAIT, .access_count = 1};
    f.accesses[0] = (struct finding_access){.op = op->name, .file = c->file, .line = c->line, .stream = op->by.stream};
    f.facts.value = (struct value_facts){.name = op->name, .how = (int)s->how, .value = s->value, .holds = holds};
    finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, s->address);
    report_finding(machine_reporter(runtime.machine), &f);
}

void values_give_up(void)
{
    struct operation *op = waiting_one();
    const struct value_step *s = op ? &op->values->step[op->values_done] : NULL;
    uint64_t holds = 0;
    if (!op || s->outside || runtime.running_grids || runtime.host_function || runtime.shared_outside || threads_that_go_on() != 0)
        return;
    current(s, &holds);
    tell(op, s, holds);
    runtime_say("%s waits for a value that nobody can write any more", op->name);
    runtime.sticky = cudaErrorLaunchTimeout;
    operations_cancel(runtime.sticky);
}
