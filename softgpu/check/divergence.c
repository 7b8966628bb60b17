/**
 * @file divergence.c
 * Barrier divergence: lanes of one warp that do not reach the same aligned barrier together
 * (PTX ISA 9.7.13.1: all threads in the warp must execute the same barrier instruction). Lanes that
 * have left the kernel do not count.
 */
#include <stdio.h>
#include <stdlib.h>

#include "check/checkers.h"
#include "execute/machine.h"
#include "report/finding.h"

static void *divergence_create(struct machine *m, int slot)
{
    (void)slot;
    return m;
}

static void divergence_diverged(void *self, struct warp *w)
{
    struct machine *m = self;
    const struct group *here = NULL, *there = NULL;
    for (int i = 0; i < w->group_count; i++) {
        const struct group *g = &w->groups[i];
        if (!here && g->state == GROUP_AT_BARRIER && g->mask != w->live)
            here = g;
        else if (!there)
            there = g;
    }
    if (!here || !there)
        return;
    struct finding f = {.kind = FIND_BARRIER_DIVERGENCE, .level = LEVEL_ERROR, .access_count = 2};
    int lane = __builtin_ctz(here->mask), other = __builtin_ctz(there->mask);
    f.kernel = w->block->grid->config.kernel->name;
    finding_access_fill(&f.accesses[0], w, lane, group_stands_at(here), "barrier");
    finding_access_fill(&f.accesses[1], w, other, group_stands_at(there),
                        there->state == GROUP_AT_BARRIER ? "barrier" : "wait");
    snprintf(f.message, sizeof f.message,
             "Thread %d of warp %d waits at the barrier on line %d while thread %d of the same warp "
             "is at line %d: all threads of a warp must reach the same barrier together.",
             w->index * WARP_LANES + lane, w->index, f.accesses[0].line,
             w->index * WARP_LANES + other, f.accesses[1].line);
    snprintf(f.rule, sizeof f.rule,
             "an aligned barrier is executed by all threads of the warp (PTX ISA 9.7.13.1)");
    snprintf(f.suggestion, sizeof f.suggestion,
             "move __syncthreads() out of the branch, so that every thread reaches line %d",
             f.accesses[0].line);
    report_finding(machine_reporter(m), &f);
}

const struct observer divergence_checker = {
    .name = "divergence",
    .create = divergence_create,
    .diverged = divergence_diverged,
};
