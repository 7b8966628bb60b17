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

/** Where a box's rows lie, from the lowest up. */
struct rows {
    uint64_t base;
    size_t pitch, slice, height;
};

static uint64_t row_at(const struct rows *r, size_t i)
{
    return r->base + i / r->height * r->slice + i % r->height * r->pitch;
}

/** A byte that is read and written, by whichever rows; 0: there is none. A copy of each row onto itself is none of these. */
static uint64_t shared_byte(const struct box_copy *box)
{
    const struct rows from = {box->src, box->src_pitch, box->src_slice, box->height}, to = {box->dst, box->dst_pitch, box->dst_slice, box->height};
    const size_t count = box->height * box->depth, width = box->width;
    bool alike = (box->height < 2 || from.pitch == to.pitch) && (box->depth < 2 || from.slice == to.slice);
    if (!count || !width || (from.base == to.base && alike) || row_at(&from, count - 1) + width <= to.base || row_at(&to, count - 1) + width <= from.base)
        return 0;
    for (size_t i = 0, j = 0; i < count && j < count;) {
        uint64_t read = row_at(&from, i), written = row_at(&to, j);
        if (read < written + width && written < read + width)
            return written > read ? written : read;
        read < written ? i++ : j++;
    }
    return 0;
}

void copy_look_for_overlap(const char *name, const struct box_copy *box)
{
    uint64_t bytes = box->width * box->height * box->depth, at = runtime.options.check && runtime.machine ? shared_byte(box) : 0;
    if (!at)
        return;
    const struct call_site *c = call_site(runtime_thread()->call, false);
    struct finding f = {.kind = FIND_DATA_RACE, .cause = CAUSE_COPY_OVERLAPS, .access_count = 1};
    f.facts.call = (struct call_facts){.name = name, .bytes = bytes, .write = true};
    finding_place(&f, runtime.machine, NULL, SPACE_GLOBAL, bytes == box->width ? box->dst : at);
    f.accesses[0] = (struct finding_access){.op = name, .file = c->file, .line = c->line};
    report_finding(machine_reporter(runtime.machine), &f);
}
