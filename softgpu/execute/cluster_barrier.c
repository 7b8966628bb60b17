/**
 * @file cluster_barrier.c
 * The barrier of a cluster: barrier.cluster.arrive and .wait (PTX ISA 9.7.13.3).
 *
 * Every thread arrives and, later, waits. A phase is complete when all threads of the cluster that have not exited have
 * arrived. A lane's state is in two masks of its warp: it has arrived in the phase at hand, or in the one before and has not
 * waited for it. `.aligned` wants all lanes of the warp together at the arrival: a group that is not the whole warp waits
 * until the other lanes stand there too or cannot run.
 */
#include "execute/cluster.h"
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/grid_run.h"
#include "execute/handlers.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

#define ALIGNED 1u

/** Residents whose lanes can run again. */
static void wake(struct machine *m, const struct cluster *c)
{
    for (int i = m->first_resident; i < m->residents.count; i++) {
        struct resident *r = &m->residents.data[i];
        if (r->block && r->block->cluster == c)
            r->stuck = r->ranked = false;
    }
}

/** Ends the phase: everyone who waits goes on. */
static void complete(struct cluster *c, struct machine *m)
{
    OBSERVE(&m->observers, cluster_complete, c);
    c->phase++;
    c->arrived = 0;
    for (uint32_t i = 0; i < c->count; i++)
        for (int j = 0; c->blocks[i] && j < c->blocks[i]->warp_count; j++) {
            struct warp *w = &c->blocks[i]->warps[j];
            w->cluster_passed |= w->cluster_arrived;
            w->cluster_arrived = 0;
            for (int k = 0; k < w->group_count; k++)
                if (w->groups[k].state == GROUP_AT_CLUSTER && !(w->groups[k].mask & ~w->cluster_passed))
                    w->groups[k].state = GROUP_READY;
        }
    if (c->count > 1)
        wake(m, c);
}

static bool is_complete(const struct cluster *c)
{
    return c->arrived && c->arrived >= c->live_threads;
}

void cluster_exited(struct block *b)
{
    if (is_complete(b->cluster))
        complete(b->cluster, b->grid->machine);
}

/** Counts the lanes in w->mask. @return false after a fault: one has arrived and not waited */
static bool arrive(struct warp *w, const struct insn *in)
{
    struct cluster *c = w->block->cluster;
    uint32_t twice = w->mask & (w->cluster_arrived | w->cluster_passed);
    if (twice) {
        fault_plain(w, in, __builtin_ctz(twice), CAUSE_CLUSTER_ARRIVED_TWICE);
        return false;
    }
    w->cluster_arrived |= w->mask;
    c->arrived += (uint32_t)__builtin_popcount(w->mask);
    if (warp_machine(w)->checked)
        w->block->grid->counters[COUNT_BARRIERS]++;
    OBSERVE(&warp_machine(w)->observers, cluster_arrive, w, in);
    if (is_complete(c))
        complete(c, warp_machine(w));
    return true;
}

const struct insn *op_cluster_arrive(struct warp *w, const struct insn *in)
{
    const struct group *g = &w->groups[w->current];
    if (g->parted && warp_machine(w)->checked)
        OBSERVE(&warp_machine(w)->observers, parted_at_barrier, w, in);
    if (in->imm & ALIGNED && w->mask != w->live)
        return warp_stop(w, in, in, GROUP_AT_ALIGNED);
    return arrive(w, in) ? in + 1 : NULL;
}

const struct insn *op_cluster_wait(struct warp *w, const struct insn *in)
{
    uint32_t astray = w->mask & ~(w->cluster_arrived | w->cluster_passed), pass = w->mask & w->cluster_passed;
    if (astray)
        return fault_plain(w, in, __builtin_ctz(astray), CAUSE_CLUSTER_NOT_ARRIVED);
    if (!pass)
        return warp_stop(w, in, in, GROUP_AT_CLUSTER);
    if (pass != w->mask)
        warp_split(w, in, w->mask & ~pass, in); /* who has to wait comes here again */
    w->cluster_passed &= ~w->mask;
    OBSERVE(&warp_machine(w)->observers, cluster_wait, w, in);
    return in + 1;
}

/** Groups that wait for each other at one instruction become one. */
static void gather(struct warp *w)
{
    for (int i = 0; i < w->group_count; i++)
        for (int j = w->group_count - 1; j > i; j--) {
            struct group *a = &w->groups[i], *b = &w->groups[j];
            if (a->state != GROUP_AT_ALIGNED || b->state != GROUP_AT_ALIGNED || a->pc != b->pc || a->frame != b->frame)
                continue;
            a->mask |= b->mask;
            *b = w->groups[--w->group_count];
        }
}

bool cluster_settle(struct warp *w)
{
    bool any = false;
    for (int i = 0; i < w->group_count; i++) {
        if (w->groups[i].state == GROUP_AT_GRID || w->groups[i].state == GROUP_AT_CLUSTER) /* it will come */
            return false;
        any |= w->groups[i].state == GROUP_AT_ALIGNED;
    }
    if (!any)
        return false;
    gather(w);
    for (int i = 0; i < w->group_count; i++) {
        struct group *g = &w->groups[i];
        if (g->state != GROUP_AT_ALIGNED)
            continue;
        if (g->mask != w->live && !w->diverged) {
            w->diverged = true;
            OBSERVE(&warp_machine(w)->observers, diverged, w);
        }
        const struct insn *in = g->pc;
        warp_load_group(w, i);
        w->run_start = in;
        if (!arrive(w, in))
            return false;
        g = &w->groups[i];
        g->pc = in + 1;
        g->state = GROUP_READY;
        w->current = -1;
    }
    w->diverged = false;
    return warp_ready(w);
}
