/**
 * @file host_kernels.c
 * Stream races, seen from a kernel: its accesses against the ranges of operations (host.c) that it is not ordered after. Mostly none is near:
 * the memory around an access in which there is none is remembered, until ranges or grids change.
 */
#include "check/race/explain.h"
#include "check/race/host.h"
#include "check/race/race.h"
#include "check/race/stream_race.h"
#include "execute/finding_place.h"
#include "execute/machine.h"
#include "report/finding.h"
#include "report/reporter.h"

void host_grid_begin(struct race *race, const struct grid *g)
{
    race->clear.grid = NULL;
    if (race->running == 0)
        race->any_unordered_range = false;
    for (int i = 0; i < race->ranges.count && !race->any_unordered_range; i++)
        race->any_unordered_range = !op_set_has(&g->before, race->ranges.data[i].op);
}

static const struct host_range *range_at(const struct race *race, const struct grid *g,
                                         uint64_t address, unsigned bytes, bool writes)
{
    for (int i = 0; i < race->ranges.count; i++) {
        const struct host_range *r = &race->ranges.data[i];
        if ((writes || r->writes) && ranges_overlap(address, bytes, r->base, r->bytes) &&
            !op_set_has(&g->before, r->op))
            return r;
    }
    return NULL;
}

/** Finds how far around `from` to `to` no range lies that the grid is not ordered after. @return false: one is right there */
static bool find_clear(struct race *race, const struct grid *g, uint64_t from, uint64_t to)
{
    struct clear_memory c = {.grid = g, .to = UINT64_MAX};
    for (int i = 0; i < race->ranges.count; i++) {
        const struct host_range *r = &race->ranges.data[i];
        if (op_set_has(&g->before, r->op))
            continue;
        if (ranges_overlap(from, to - from, r->base, r->bytes))
            return false;
        if (r->base < from)
            c.from = c.from > r->base + r->bytes ? c.from : r->base + r->bytes;
        else
            c.to = c.to < r->base ? c.to : r->base;
    }
    race->clear = c;
    return true;
}

/** Is a range that the grid is not ordered after within `from` to `to`? */
static bool is_near(struct race *race, const struct grid *g, uint64_t from, uint64_t to)
{
    const struct clear_memory *c = &race->clear;
    return !(c->grid == g && c->from <= from && to <= c->to) && !find_clear(race, g, from, to);
}

bool host_meets(struct race *race, const struct warp *w, const struct plain_access *p)
{
    uint32_t least = UINT32_MAX, most = 0;
    for (uint32_t m = p->mask; m; m &= m - 1) {
        uint32_t at = p->at[__builtin_ctz(m)];
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    return is_near(race, w->block->grid, p->base + least, p->base + most + 4 + 4ull * p->more);
}

/** The same of an access of any kind, of `bytes` a lane. */
static bool meets(struct race *race, const struct warp *w, const struct mem_access *a, unsigned bytes)
{
    uint64_t least = UINT64_MAX, most = 0;
    for (uint32_t m = a->mask; m; m &= m - 1) {
        uint64_t at = a->address[__builtin_ctz(m)];
        least = at < least ? at : least;
        most = at > most ? at : most;
    }
    return a->mask && is_near(race, w->block->grid, least, most + bytes);
}

/** A kernel reads what a stream has written as a signal. Which of its accesses come after that is not followed: all. */
static void hear(struct race *race, struct grid *g, const struct host_range *r)
{
    report_incomplete(machine_reporter(race->machine), INCOMPLETE_VALUE_SIGNAL);
    op_set_join(&g->before, &r->known);
    op_set_join(&((struct launch *)g->check[race->slot])->known, &r->known);
}

void host_check_access(struct race *race, const struct warp *w, const struct mem_access *a, uint32_t wrote)
{
    if (!race->any_unordered_range || (a->space != SPACE_GLOBAL && a->space != SPACE_CONST))
        return;
    const struct grid *g = w->block->grid;
    unsigned bytes = (unsigned)a->insn->mem.bytes * a->insn->mem.count;
    for (uint32_t m = meets(race, w, a, bytes) ? a->mask : 0; m; m &= m - 1) {
        int lane = __builtin_ctz(m);
        const bool writes = wrote >> lane & 1;
        const struct host_range *r = range_at(race, g, a->address[lane], bytes, writes);
        if (!r)
            continue;
        if (r->value && order_is_strong(&a->insn->mem) && reach_of(a->insn->mem.scope) == REACH_SYSTEM) {
            if (r->writes && !writes)
                hear(race, w->block->grid, r);
            continue;
        }
        if (explained_often(race, ((uint64_t)a->insn->site << 36) ^ (r->op << 3) ^ (writes ? 4u : 0u) ^ 2u))
            return;
        struct finding f = {.kernel = g->config.kernel->name};
        struct stream_use kernel = stream_kernel(&g->config);
        finding_place(&f, race->machine, NULL, SPACE_GLOBAL, a->address[lane]);
        f.accesses[0].op = r->name;
        finding_access_fill(&f.accesses[1], w, lane, a->insn, writes ? "store" : "load");
        stream_report(race, &f, &(struct stream_use){.op = r->op, .name = r->name, .by = &r->by}, &kernel);
        return;
    }
}
