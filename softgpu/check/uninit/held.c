/**
 * @file held.c
 * See held.h.
 */
#include "check/uninit/held.h"

#include <assert.h>
#include <stdlib.h>

#include "check/uninit/unset.h"
#include "execute/machine.h"
#include "report/reporter.h"

#define MAX_PLACES 4096

/** Where loads at one site found device memory in which nothing had been written. */
struct undefined_place {
    struct code_site load;
    uint64_t first, end;     /**< device addresses: all of it lies between them */
};

/** A finding of a launch beside which others may still write there. */
struct held_finding {
    struct pending pending;
    uint64_t op;             /**< the launch */
    struct undefined_place place;
    char *strings;           /**< owned: the finding's */
};

struct held {
    LIST(struct undefined_place) places; /**< of the launches so far */
    LIST(struct held_finding) findings;
};

static struct undefined_place *place_of(struct uninit *u, struct code_site load)
{
    for (int i = 0; u->held && i < u->held->places.count; i++)
        if (u->held->places.data[i].load.image == load.image && u->held->places.data[i].load.site == load.site)
            return &u->held->places.data[i];
    return NULL;
}

void held_note(struct uninit *u, const struct warp *w, const struct mem_access *a, int lane)
{
    const struct grid *g = w->block->grid;
    uint64_t first = a->address[lane], end = first + (uint64_t)a->insn->mem.bytes * a->insn->mem.count;
    struct code_site load = {g->config.kernel->image, a->insn->site};
    if (a->space != SPACE_GLOBAL || g->config.last)
        return;
    if (!u->held)
        u->held = calloc(1, sizeof *u->held);
    assert(u->held);
    struct undefined_place *p = place_of(u, load);
    if (!p && u->held->places.count < MAX_PLACES)
        *LIST_PUSH(&u->held->places) = (struct undefined_place){load, first, end};
    if (p)
        p->first = first < p->first ? first : p->first, p->end = end > p->end ? end : p->end;
}

void held_tell(struct uninit *u, const struct grid *g, struct pending *p)
{
    const struct undefined_place *place = g->config.last || p->finding.cause != CAUSE_UNWRITTEN ? NULL : place_of(u, p->load);
    if (!place) {
        report_finding(machine_reporter(u->machine), &p->finding);
        return;
    }
    struct held_finding *h = LIST_PUSH(&u->held->findings);
    *h = (struct held_finding){.pending = *p, .op = g->config.op, .place = *place};
    h->strings = finding_own(&h->pending.finding);
}

void held_settle(struct uninit *u, uint64_t settled)
{
    int kept = 0;
    if (!u->held)
        return;
    for (int i = 0; i < u->held->findings.count; i++) {
        struct held_finding h = u->held->findings.data[i];
        bool raced = observers_know_race(machine_observers(u->machine), h.pending.load);
        if (!raced && h.op >= settled) {
            u->held->findings.data[kept++] = h;
            continue;
        }
        if (!raced)
            report_finding(machine_reporter(u->machine), &h.pending.finding);
        free(h.strings);
    }
    u->held->findings.count = kept;
}

void held_written(struct uninit *u, const struct host_op *op)
{
    int kept = 0;
    if (!u->held)
        return;
    bool told = op->write_bytes && observers_find(machine_observers(u->machine), &race_checker);
    for (int i = 0; i < u->held->findings.count; i++) {
        struct held_finding h = u->held->findings.data[i];
        if (told && h.place.first < op->write_base + op->write_bytes && h.place.end > op->write_base && !op_set_has(op->before, h.op))
            free(h.strings);
        else
            u->held->findings.data[kept++] = h;
    }
    u->held->findings.count = kept;
}

void held_end(struct uninit *u)
{
    held_settle(u, UINT64_MAX);
    if (!u->held)
        return;
    LIST_FREE(&u->held->findings);
    LIST_FREE(&u->held->places);
    free(u->held);
}
