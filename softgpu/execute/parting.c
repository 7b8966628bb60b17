/**
 * @file parting.c
 * Groups of lanes part and meet: see warp_run.c for the rules. For the interpreter's loop, and for compiled code that checkers watch.
 */
#include <assert.h>

#include "execute/engine.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

/** A new group, behind the others. What parts from others has little fuel. */
static inline struct group *append(struct warp *w, const struct insn *pc, uint32_t frame, uint32_t mask)
{
    assert(w->group_count < WARP_LANES);
    struct group *g = &w->groups[w->group_count++];
    *g = (struct group){.pc = pc, .frame = frame, .mask = mask, .state = GROUP_READY};
    if (w->fuel > GROUP_PATIENCE) {
        w->reserve += w->fuel - GROUP_PATIENCE;
        w->fuel = GROUP_PATIENCE;
    }
    return g;
}

struct group *warp_add_group(struct warp *w, const struct insn *pc, uint32_t frame, uint32_t mask)
{
    assert(mask);
    bool natural = warp_machine(w)->schedule == SCHEDULE_NATURAL;
    for (int i = 0; natural && i < w->group_count; i++) {
        struct group *g = &w->groups[i];
        if (g->pc == pc && g->frame == frame && g->state == GROUP_READY && i != w->current) {
            g->mask |= mask;
            g->parted = NULL;
            return g;
        }
    }
    return append(w, pc, frame, mask);
}

void warp_split(struct warp *w, const struct insn *in, uint32_t lanes, const struct insn *pc)
{
    struct group *g = &w->groups[w->current];
    uint32_t rest = w->mask & ~lanes;
    assert(rest && lanes);
    warp_count(w, in - 1, in);
    warp_add_group(w, pc, w->frame_offset, lanes);
    g->mask = rest;
    warp_set_mask(w, rest);
    if (pc > in && pc < w->limit)
        w->limit = pc;
}

void warp_part(struct warp *w, const struct insn *in, uint32_t running, uint32_t waiting)
{
    bool backward = in->target <= in;
    const struct insn *ahead = backward ? in + 1 : in->target, *next = backward ? in->target : in + 1;
    struct group *mine = &w->groups[w->current];
    struct group *g = w->group_count == 1 ? append(w, ahead, w->frame_offset, waiting) : warp_add_group(w, ahead, w->frame_offset, waiting);
    if (g->mask == waiting) {
        g->parted = in;
        g->parted_to = ahead;
        g->parted_others = running;
    }
    mine->mask = running;
    mine->parted = in;
    mine->parted_to = next;
    mine->parted_others = waiting;
    if (ahead < w->limit)
        w->limit = ahead;
}

/** warp_merge_first() of the running group and one other, both ready in one frame, as mostly. */
static inline int merge_two(struct warp *w)
{
    struct group *g = w->groups;
    int best = w->current, other = 1 - best;
    if (g[0].pc == g[1].pc) {
        uint32_t both = g[0].mask | g[1].mask;
        if (best)
            g[0] = g[1];
        g[0].mask = both;
        g[0].parted = NULL;
        w->group_count = 1;
        w->limit = (const struct insn *)UINTPTR_MAX;
        return 0;
    }
    if (g[other].pc < g[best].pc)
        best = other;
    w->limit = g[1 - best].pc;
    return best;
}

int warp_merge_first(struct warp *w)
{
    if (w->group_count == 2 && w->current >= 0 && w->groups[0].state == GROUP_READY && w->groups[1].state == GROUP_READY &&
        w->groups[0].frame == w->groups[1].frame)
        return merge_two(w);
    struct group *g = w->groups;
    int best = w->current, count = w->group_count;
    const struct insn *limit = (const struct insn *)UINTPTR_MAX;

    for (int i = 0; i < count; i++)
        if (g[i].state == GROUP_READY && group_before(&g[i], &g[best]))
            best = i;
    for (int i = 0; i < count; i++) {
        if (i == best || g[i].state != GROUP_READY || g[i].frame != g[best].frame)
            continue;
        if (g[i].pc != g[best].pc) {
            limit = g[i].pc < limit ? g[i].pc : limit;
            continue;
        }
        g[best].mask |= g[i].mask;
        g[best].parted = NULL;
        g[i] = g[--count];
        best = best == count ? i : best;
        i--;
    }
    w->group_count = count;
    w->limit = limit;
    return best;
}
