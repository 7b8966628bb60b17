/**
 * @file overlap.c
 * Copies whose two sides overlap: what they leave is not defined (CUDA Runtime API, cudaMemcpy).
 */
#include "runtime/memory/copy.h"

#include "execute/finding_place.h"
#include "host/call_site.h"
#include "report/finding.h"
#include "report/reporter.h"
#include "runtime/state/host_thread.h"
#include "runtime/state/runtime.h"

void copy_look_for_overlap(const char *name, const struct box_copy *box)
{
    uint64_t bytes = box->width;
    bool apart = box->dst >= box->src + bytes || box->src >= box->dst + bytes || box->dst == box->src;
    if (!runtime.options.check || !runtime.machine || box->height > 1 || box->depth > 1 || apart)
        return;
    const struct call_site *c = call_site(runtime_thread()->call, false);
    struct finding f = {.kind = FIND_DATA_RACE, .cause = CAUSE_COPY_OVERLAPS, .access_count = 1};
    f.facts.call = (struct call_facts){.name = name, .bytes = bytes, .write = true};
    finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, box->dst);
    f.accesses[0] = (struct finding_access){.op = name, .file = c->file, .line = c->line};
    report_finding(machine_reporter(runtime.machine), &f);
}
