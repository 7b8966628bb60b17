/**
 * @file quiet_global.c
 * See quiet_global.h.
 */
#include "execute/quiet_global.h"

#include <string.h>

#include "analyse/written.h"
#include "execute/grid_run.h"
#include "execute/plain_access.h"
#include "execute/quiet_shared.h"
#include "execute/worker.h"

void machine_let_quiet(struct machine *m, bool may)
{
    m->may_be_quiet = may;
}

/** Does a grid that runs so leave all to the common ways: the newest values, by hooks for plain accesses, alone on one device? */
static bool is_common(const struct machine *m, const struct grid *g)
{
    return m->may_be_quiet && m->checked && g->config.last && m->schedule == SCHEDULE_NATURAL && !m->chooser.how && !m->options.counters && m->options.devices == 1 &&
           !m->observers.plain_loads.others && m->grids.count == 1 && !g->parent && !g->config.lone && g->cluster_blocks == 1;
}

/** The allocation to which the parameter at `at` points; NULL: to none. */
static struct allocation *pointed_to(const struct machine *m, const struct grid *g, uint32_t at)
{
    uint64_t value;
    if (at + sizeof value > g->config.kernel->param_bytes)
        return NULL;
    memcpy(&value, g->params + at, sizeof value);
    struct allocation *a = memory_find(m->memory, value);
    return a && !a->freed ? a : NULL;
}

static bool is_written(const struct machine *m, const struct grid *g, const struct written *w, const struct allocation *a)
{
    for (int i = 0; i < w->count; i++)
        if (pointed_to(m, g, w->param[i]) == a)
            return true;
    return false;
}

/** Is it memory that only kernels and operations of this program's streams reach? */
static bool is_own(const struct allocation *a)
{
    return a->kind == ALLOC_DEVICE && !a->mapped && !a->in_file && !a->front && !a->own_reach && a->bytes <= PLAIN_BYTES && a->base % 4 == 0;
}

/** Do all who hear of loads want nothing of those? */
static bool all_agree(const struct observer_set *set, const struct grid *g, const struct allocation *a)
{
    for (int i = 0; i < set->count; i++)
        if (set->hooks[i]->load && !set->hooks[i]->plain_untold && !(set->hooks[i]->quiet_global && set->hooks[i]->quiet_global(set->self[i], g, a)))
            return false;
    return true;
}

/** Tells compiled code how many loads nobody need be told of. */
static void let_loads(struct machine *m)
{
    m->workers[0].untold = quiet_untold(&m->workers[0]);
    worker_forget(&m->workers[0]);
}

void quiet_global_begin(struct machine *m, struct grid *g)
{
    if (!is_common(m, g))
        return;
    const struct written *w = written_of(g->config.kernel);
    for (uint32_t at = 0; w->known && !w->wrong && at < g->config.kernel->param_bytes && m->quiet_count < MOST_QUIET; at += 8) {
        struct allocation *a = pointed_to(m, g, at);
        if (!a || a->quiet || !is_own(a) || is_written(m, g, w, a) || !all_agree(&m->observers, g, a))
            continue;
        a->quiet = true;
        m->quiet[m->quiet_count++] = a;
    }
    if (m->quiet_count)
        let_loads(m);
}

void quiet_global_end(struct machine *m)
{
    if (!m->quiet_count)
        return;
    for (int i = 0; i < m->quiet_count; i++)
        m->quiet[i]->quiet = false;
    m->quiet_count = 0;
    m->workers[0].untold = NULL;
    worker_forget(&m->workers[0]);
}

const struct insn *quiet_broken(struct warp *w)
{
    struct grid *g = w->block->grid;
    written_of(g->config.kernel)->wrong = true;
    if (grid_running(g))
        g->status = GRID_AGAIN;
    return NULL;
}
