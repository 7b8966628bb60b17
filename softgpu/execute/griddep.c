/**
 * @file griddep.c
 * Grids that run beside the one that they depend on (PTX ISA 9.7.13.13, griddepcontrol): the first lets the
 * second begin, and the second waits for the first one's end.
 */
#include <assert.h>

#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/grid_life.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

bool grid_lets_dependents(const struct grid *g)
{
    return g->lets_dependents && g->dependents_for == g->blocks;
}

void grid_count_dependents_for(struct grid *g)
{
    g->dependents_for++;
    g->machine->opened |= grid_lets_dependents(g) && grid_running(g);
}

bool grid_has_begun(const struct grid *g)
{
    return g->started == g->blocks;
}

/** The first of a block's threads speaks for the block. */
const struct insn *op_griddep_launch(struct warp *w, const struct insn *in)
{
    struct block *b = w->block;
    if (b->grid->config.awaits)
        OBSERVE(&warp_machine(w)->observers, grid_dependency, w, in);
    if (b->lets_dependents)
        return in + 1;
    b->lets_dependents = true;
    b->grid->lets_dependents = true;
    grid_count_dependents_for(b->grid);
    if (!grid_lets_dependents(b->grid) || warp_machine(w)->schedule == SCHEDULE_CHOSEN)
        return in + 1;
    w->preempted = true; /* the others first: the rest of this grid is what they run beside */
    return warp_stop(w, in, in + 1, GROUP_READY);
}

const struct insn *op_griddep_wait(struct warp *w, const struct insn *in)
{
    const struct grid *g = w->block->grid;
    if (!g->config.awaits)
        return in + 1;
    if (g->config.awaited)
        return warp_stop(w, in, in, GROUP_AT_GRID);
    w->block->grid->has_waited = true;
    OBSERVE(&warp_machine(w)->observers, grid_dependency, w, in);
    return in + 1;
}

void grid_awaited_ended(struct grid *g)
{
    struct machine *m = g->machine;
    assert(g->config.awaited > 0);
    if (--g->config.awaited)
        return;
    for (int i = m->first_resident; i < m->residents.count; i++) {
        struct resident *r = &m->residents.data[i];
        if (&r->run->grid != g || !r->block)
            continue;
        r->stuck = r->ranked = false;
        for (int j = 0; j < r->block->warp_count; j++)
            for (int k = 0; k < r->block->warps[j].group_count; k++)
                if (r->block->warps[j].groups[k].state == GROUP_AT_GRID)
                    r->block->warps[j].groups[k].state = GROUP_READY;
    }
}
