/**
 * @file stray.c
 * The host's loads and stores of device memory, of which the program dies.
 */
#include "execute/finding_place.h"
#include "host/call_site.h"
#include "host/library_code.h"
#include "memory/layout.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/memory/host_watch.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"

/** A mapping ends with its page: beyond that an access is not this memory's any more. */
#define PAGE 4096ull
/** free() and its kin look for what malloc() keeps so many bytes before the memory, or fewer. */
#define MALLOC_HEADER 16ull

/** The memory that starts right behind `address`, where the C library's own book-keeping would be. */
static const struct allocation *given_to_free(const struct host_stray *s)
{
    for (uint64_t before = 8; s->by.owner == OWNER_C_LIBRARY && !s->write && before <= MALLOC_HEADER; before += 8) {
        const struct allocation *a = memory_find(machine_memory(runtime.machine), s->address + before);
        if (a && a->base == s->address + before)
            return a;
    }
    return NULL;
}

/** Is it beside memory that the host may use, or in what was such memory? */
static bool is_at_shared(const struct allocation *a, uint64_t address)
{
    return a && alloc_kind_is_shared(a->kind) && address + PAGE >= a->base && address < a->base + a->bytes + PAGE;
}

static enum finding_cause cause_of(const struct host_stray *s, const struct allocation *a)
{
    if (s->by.owner == OWNER_SELF)
        return CAUSE_CALL_STRAYS;
    if (a && s->address - a->base >= a->bytes)
        return CAUSE_HOST_BEYOND;
    return a && a->freed ? CAUSE_HOST_AFTER_FREE : CAUSE_HOST_STRAYS;
}

/** Of the program's frames the innermost that is no library's template; the innermost where all are. */
static const struct call_site *site_of(const struct host_stray *s)
{
    for (int i = 0; i < s->by.count; i++) {
        const struct call_site *c = call_site((const void *)(uintptr_t)s->by.frames[i], true);
        if (c->file && c->line && !library_file(c->file))
            return c;
    }
    return call_site(s->by.count ? (const void *)(uintptr_t)s->by.frames[0] : NULL, true);
}

/* The program uses device memory, which it cannot: it is told before it dies of it. */
void host_watch_stray(const struct host_stray *s)
{
    struct finding f = {.kind = FIND_HOST_ACCESS, .access_count = 1};
    if (!runtime.machine || !runtime.options.check)
        return;
    const struct allocation *freed = given_to_free(s), *a = freed;
    if (!a && !(a = memory_find(machine_memory(runtime.machine), s->address)))
        a = memory_nearest(machine_memory(runtime.machine), s->address);
    if (s->address - DEVICE_BASE >= DEVICE_BYTES && !freed && !is_at_shared(a, s->address))
        return;
    f.cause = freed ? CAUSE_HOST_FREES : cause_of(s, a);
    f.facts.call.write = s->write;
    f.facts.call.name = runtime_thread()->call_name;
    finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, freed ? freed->base : s->address);
    const struct call_site *c = site_of(s);
    f.accesses[0] = (struct finding_access){.op = s->write ? "host store" : "host load", .file = c->file, .line = c->line};
    report_finding(machine_reporter(runtime.machine), &f);
}
