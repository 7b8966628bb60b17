/**
 * @file freed_early.c
 * A copy or a fill whose memory was freed between its call, or the capture of its graph, and its run.
 */
#include "runtime/memory/copy.h"

#include "execute/finding_place.h"
#include "host/call_site.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/state/runtime.h"

void copy_tell_freed(const struct operation *op, uint64_t address, bool write)
{
    if (!runtime.options.check) {
        runtime_say("%s: its memory was freed before it ran", op->name);
        return;
    }
    const struct call_site *call = call_site(op->by.call, false);
    struct finding f = {.kind = FIND_USE_AFTER_FREE, .cause = CAUSE_OPERATION_FREED, .access_count = op->by.graph ? 2 : 1};
    f.facts.call = (struct call_facts){.name = op->name, .write = write};
    f.accesses[0] = (struct finding_access){.op = op->name, .file = call->file, .line = call->line, .stream = op->by.stream};
    if (op->by.graph) {
        const struct call_site *launch = call_site(op->by.launch, false);
        f.accesses[1] = (struct finding_access){.op = "graph launch", .file = launch->file, .line = launch->line, .stream = op->by.stream};
    }
    finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, address);
    report_finding(machine_reporter(runtime.machine), &f);
}
