/**
 * @file chosen_turn.c
 * Turns under SCHEDULE_CHOSEN: every lane is a group of its own, and runs one instruction at a time.
 * Instructions that no other thread can notice run at once; when every lane stands before one that
 * others can notice, the chooser says which goes on.
 */
#include "execute/engine.h"
#include "execute/schedule.h"
#include "execute/warp_run.h"

#define FEW_CANDIDATES 256

/** Makes each lane of the warp's ready groups a group of its own. */
static void split_lanes(struct warp *w)
{
    for (int i = 0; i < w->group_count; i++) {
        while (w->groups[i].state == GROUP_READY &&
               (w->groups[i].mask & (w->groups[i].mask - 1))) {
            uint32_t lane = w->groups[i].mask & -w->groups[i].mask;
            w->groups[i].mask &= ~lane;
            warp_add_group(w, w->groups[i].pc, w->groups[i].frame, lane);
        }
    }
}

static bool give_turn(struct machine *m, struct turn *t, int resident, int warp, int group)
{
    *t = (struct turn){.resident = resident, .warp = warp, .quantum = 1};
    m->chosen_group = group;
    return true;
}

/** Warps whose lanes all wait: some may be able to meet now. @return true if one did */
static bool settle(struct block *b)
{
    for (int i = 0; i < b->warp_count; i++) {
        struct warp *w = &b->warps[i];
        if (w->live && !warp_ready(w) && (warp_sync_settle(w) || barrier_settle(w) || cluster_settle(w)))
            return true;
    }
    return false;
}

bool chosen_pick(struct machine *m, struct turn *t)
{
    struct turn at[MOST_CANDIDATES];
    const struct chooser *how = m->chooser.how;
    int groups[MOST_CANDIDATES], count = 0, most = how->most ? how->most : FEW_CANDIDATES;
    bool more = false;
again:
    for (int i = m->first_resident; i < m->residents.count; i++) {
        int r = how->blocks < 0 ? m->first_resident + m->residents.count - 1 - i : i;
        struct block *b = m->residents.data[r].block;
        if (!b) {
            *t = (struct turn){.resident = r, .warp = 0, .quantum = 1};
            m->chosen_group = 0;
            return true;
        }
        if (settle(b)) {
            count = 0;
            goto again;
        }
        for (int k = 0; k < b->warp_count; k++) {
            struct warp *w = &b->warps[k];
            split_lanes(w);
            for (int g = 0; g < w->group_count; g++) {
                if (w->groups[g].state != GROUP_READY)
                    continue;
                if (!how->visible(m->chooser.self, w, &w->groups[g]))
                    return give_turn(m, t, r, k, g);
                more = count == most;
                if (more) /* too many to choose from, wherever the rest may stand */
                    goto choose;
                at[count] = (struct turn){.resident = r, .warp = k};
                groups[count++] = g;
            }
        }
        if (how->blocks && count)
            break;
    }
    if (count == 0)
        return false;
choose:;
    int chosen = how->next(m->chooser.self, count, more);
    if (chosen < 0) {
        chosen = 0;
        grid_cut(&m->residents.data[at[0].resident].run->grid);
    }
    return give_turn(m, t, at[chosen].resident, at[chosen].warp, groups[chosen]);
}
