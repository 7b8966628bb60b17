/**
 * @file stuck.c
 * See stuck.h.
 */
#include "check/stuck.h"

#include "check/waits_for.h"
#include "execute/finding_place.h"
#include "report/finding.h"
#include "report/reporter.h"

/** The first live group of a block, in a state if `state` >= 0. */
static const struct group *first_group(const struct block *b, int state, const struct warp **warp)
{
    for (int i = 0; i < b->warp_count; i++)
        for (int j = 0; j < b->warps[i].group_count; j++)
            if (state < 0 || b->warps[i].groups[j].state == state) {
                *warp = &b->warps[i];
                return &b->warps[i].groups[j];
            }
    return NULL;
}

/** These lanes are at `in`. */
static void add_standing(struct wait_facts *w, const struct image *im, const struct insn *in, uint32_t lanes)
{
    int line = site_line_to_say(insn_site(im, in)), i = 0;
    while (i < w->standings && w->standing[i].line != line)
        i++;
    if (!lanes || i == MOST_STANDING)
        return;
    if (i == w->standings)
        w->standing[w->standings++] = (struct lanes_at){0, line};
    w->standing[i].lanes |= lanes;
}

/** Where the lanes of the warp are: those of `g` at `in`. */
static void note_standings(struct wait_facts *out, const struct warp *w, const struct group *g, const struct insn *in)
{
    const struct image *im = w->block->grid->config.kernel->image;
    add_standing(out, im, in, g->mask);
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].mask & ~g->mask)
            add_standing(out, im, group_stands_at(&w->groups[i]), w->groups[i].mask & ~g->mask);
    out->left = w->full & ~w->live;
}

void stuck_report(struct machine *m, const struct warp *w, const struct group *g, const struct insn *in, const struct mem_access *read)
{
    const struct grid *grid = w->block->grid;
    struct finding f = {.kind = FIND_DEADLOCK, .cause = g->state == GROUP_ENDLESS ? CAUSE_ENDLESS : CAUSE_WAIT,
                        .kernel = grid->config.kernel->name, .access_count = 1};
    int lane = __builtin_ctz(g->mask ? g->mask : 1);
    finding_access_fill(&f.accesses[0], w, lane, in, "wait");
    f.facts.wait = (struct wait_facts){
        .thread = (uint32_t)(w->index * WARP_LANES + lane), .block = w->block->index, .what = waits_for(g, in), .barrier = (int)g->barrier,
        .expected = w->block->barriers[g->barrier].expected, .threads = grid->threads_per_block, .blocks = grid->blocks,
        .waiting = grid->blocks - grid->started, .running = grid->started - grid->finished, .ended = grid->finished,
        .lost_line = read ? waits_for_lost(grid->config.kernel->image, in) : 0};
    note_standings(&f.facts.wait, w, g, in);
    const struct allocation *of = read && read->space == SPACE_GLOBAL ? memory_find(machine_memory(m), read->address[lane]) : NULL;
    f.facts.wait.host = of && (of->kind == ALLOC_MANAGED || of->kind == ALLOC_HOST || of->kind == ALLOC_REGISTERED);
    if (read)
        finding_place(&f, m, read->owner ? read->owner : w->block, (enum ptx_space)read->space, read->address[lane]);
    const struct mbarrier *b = read && insn_class(in) == INSN_MBARRIER ? block_mbarrier(read->owner, read->address[lane]) : NULL;
    if (b)
        f.facts.wait.what = WAIT_FOR_PHASE, f.facts.wait.arrivals = b->pending, f.facts.wait.bytes = b->tx,
        f.facts.wait.untouched = b->pending == b->expected && !b->tx, f.facts.wait.phases = b->phase;
    report_finding(machine_reporter(m), &f);
}

bool stuck_report_one(const struct machine *m, int state)
{
    const struct block *b;
    bool stuck;
    for (int i = 0; machine_resident(m, i, &b, &stuck); i++) {
        const struct warp *w = NULL;
        const struct group *g = b ? first_group(b, state, &w) : NULL;
        if (!g)
            continue;
        stuck_report((struct machine *)m, w, g, group_stands_at(g), NULL);
        return true;
    }
    return false;
}

uint64_t stuck_groups_that_run(const struct machine *m)
{
    const struct block *b;
    bool stuck;
    uint64_t count = 0;
    for (int i = 0; machine_resident(m, i, &b, &stuck); i++)
        for (int j = 0; b && j < b->warp_count; j++)
            for (int k = 0; k < b->warps[j].group_count; k++)
                count += stuck_can_run(&b->warps[j].groups[k]);
    return count;
}
