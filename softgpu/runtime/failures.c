/**
 * @file failures.c
 * Failing calls that nobody looks at; see state/failure.h.
 */
#include "runtime/state/failure.h"

#include <string.h>

#include "base/list.h"
#include "execute/finding_place.h"
#include "host/call_site.h"
#include "host/result_use.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/driver/driver.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/operation.h"
#include "runtime/state/runtime.h"

/** Kept at a time; a program that fails more often is told enough. */
#define MAX_KEPT 256

struct failure {
    const struct host_thread *thread;
    bool unlooked;               /**< its result has been seen to be ignored */
    struct finding finding;
};
static LIST(struct failure) failures;

/** Why the thread's present call is about to fail. */
static __thread struct {
    enum finding_cause cause;
    struct call_facts facts;
    uint64_t address;
} because;

void failure_because(enum finding_cause cause, const struct call_facts *facts, uint64_t address)
{
    because.cause = cause;
    because.facts = *facts;
    because.address = address;
}

cudaError_t failure_to_free(const void *p)
{
    uint64_t address = (uint64_t)(uintptr_t)p;
    const struct allocation *a = memory_find(machine_memory(runtime.machine), address);
    bool twice = a && (a->freed || a->freed_by) && a->base == address;
    failure_because(twice ? CAUSE_FREE_TWICE : CAUSE_FREE_OTHER, &(struct call_facts){.address = address},
                    twice ? address : 0);
    return cudaErrorInvalidValue;
}

/** Whether a call of that name (NULL: what nvcc has put into the program) does work on the device, copies, fills or launches, that is missing where
 *  it fails. */
static bool is_work(const char *name)
{
    static const char *const works[] = {"Memcpy", "Memset", "Launch", "GraphLaunch"};
    if (!name)
        return false;
    name += strncmp(name, "cuda", 4) ? 2 : 4; /* else the driver's, cu… */
    for (size_t i = 0; i < sizeof works / sizeof *works; i++)
        if (!strncmp(name, works[i], strlen(works[i])))
            return true;
    return false;
}

/** Failures that leave nothing undone which later calls need: a warning. */
static bool is_harmless(enum finding_cause cause, cudaError_t e, const char *name)
{
    return cause == CAUSE_CALL_FAILED && e != cudaErrorMemoryAllocation && !is_work(name);
}

/** Where the call stands. One that is the last thing a host function does returns to no place of the program's: there it is the function. */
static const struct call_site *site_of_call(const struct host_thread *t)
{
    const struct call_site *c = call_site(t->call, false);
    if (c->file || !t->in_host_function || !runtime.host_function)
        return c;
    const struct host_call *h = &runtime.host_function->host;
    return call_site(h->fn ? (const void *)h->fn : (const void *)h->callback, true);
}

static struct finding finding_of(cudaError_t e)
{
    const struct host_thread *t = runtime_thread();
    const struct call_site *c = site_of_call(t);
    struct finding f = {.kind = FIND_FAILED_CALL, .cause = because.cause ? because.cause : CAUSE_CALL_FAILED,
                        .access_count = 1};
    f.level = is_harmless(f.cause, e, t->call_name) ? LEVEL_WARNING : LEVEL_OF_KIND;
    f.facts.call = because.facts;
    f.facts.call.name = t->call_name;
    f.facts.call.error = t->driver_call ? driver_error_name(driver_result(e)) : cudaGetErrorName(e);
    if (because.address)
        finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, because.address);
    f.accesses[0] = (struct finding_access){.op = t->call_name, .file = c->file, .line = c->line};
    return f;
}

static bool is_told_otherwise(cudaError_t e)
{
    return e == cudaSuccess || (e == cudaErrorNotReady && because.cause == CAUSE_NONE) || e == cudaErrorNotSupported || e == runtime.sticky ||
           e == runtime.start_error;
}

void failure_left(cudaError_t e)
{
    const struct host_thread *t = runtime_thread();
    bool another = runtime.host_range != NULL; /* the program is another process: it says whether it looks */
    if (!runtime.machine) /* before there is one, or after it: no memory to name */
        because.address = 0;
    if (runtime.options.check && !is_told_otherwise(e) && failures.count < MAX_KEPT &&
        (another || t->is_launch || result_ignored(t->returns)))
        *LIST_PUSH(&failures) = (struct failure){.thread = t, .unlooked = !another, .finding = finding_of(e)};
    because.cause = CAUSE_NONE;
    because.address = 0;
}

void failure_unlooked(void)
{
    for (int i = failures.count - 1; i >= 0; i--)
        if (failures.data[i].thread == runtime_thread()) {
            failures.data[i].unlooked = true;
            return;
        }
}

void failure_looked(void)
{
    int kept = 0;
    for (int i = 0; i < failures.count; i++)
        if (failures.data[i].thread != runtime_thread())
            failures.data[kept++] = failures.data[i];
    failures.count = kept;
}

bool failures_waiting(void)
{
    for (int i = 0; i < failures.count; i++)
        if (failures.data[i].unlooked)
            return true;
    return false;
}

void failures_tell(struct reporter *r)
{
    for (int i = 0; i < failures.count; i++)
        if (failures.data[i].unlooked)
            report_finding(r, &failures.data[i].finding);
    failures.count = 0;
}
