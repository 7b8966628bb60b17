/**
 * @file stray.c
 * The host's loads and stores of device memory, of which the program dies.
 */
#include "execute/finding_place.h"
#include "host/call_site.h"
#include "memory/layout.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/memory/host_watch.h"
#include "runtime/state/runtime.h"

/* The program uses device memory, which it cannot: it is told before it dies of it. */
void host_watch_stray(uint64_t address, bool write, uint64_t pc)
{
    const struct call_site *c = call_site((const void *)(uintptr_t)pc, true);
    struct finding f = {.kind = FIND_HOST_ACCESS, .cause = CAUSE_HOST_STRAYS, .access_count = 1};
    if (address - DEVICE_BASE >= DEVICE_BYTES || !runtime.machine || !runtime.options.check)
        return;
    f.facts.call.write = write;
    finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, address);
    f.accesses[0] = (struct finding_access){.op = write ? "host store" : "host load", .file = c->file, .line = c->line};
    report_finding(machine_reporter(runtime.machine), &f);
}
