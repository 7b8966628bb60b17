/**
 * @file walk_meet.c
 * See walk.h: where threads meet. A barrier that orders memory is passed with empty buffers, but by a thread that meets only others which use no memory.
 */
#include "model/walk.h"

/** Gives the thread the value for which it waits. */
static void give(struct walk *w, int t, uint64_t value)
{
    int node = walk_node_after(w, t, w->thread[t].node, value);
    if (node < 0)
        return;
    struct walk_thread *at = walk_change(w, t);
    at->node = node;
    at->done = 0;
}

/** Is `t` one of those that meet where `like` stands? */
static bool is_asked(const struct model_program *p, int t, int like, const struct model_step *step)
{
    const struct model_place *a = &p->place[t], *b = &p->place[like];
    return a->device == b->device && a->block == b->block &&
           (!step->members || (a->warp == b->warp && step->members >> a->lane & 1));
}

/** Warps of the thread's block, of those with one of these threads. */
static int warps_of(const struct model_program *p, int thread, uint32_t threads)
{
    int warps = 0;
    for (int t = 0; t < p->threads; t++) {
        bool first = (threads >> t & 1) && p->place[t].block == p->place[thread].block && p->place[t].device == p->place[thread].device;
        for (int s = 0; s < t && first; s++)
            first = !(threads >> s & 1) || p->place[s].block != p->place[t].block || p->place[s].device != p->place[t].device || p->place[s].warp != p->place[t].warp;
        warps += first;
    }
    return warps;
}

/** Is it a barrier that counts warps, and lets go before all of the block have come, or which some only arrive at? */
static bool is_not_followed(const struct walk *w, int thread, const struct model_step *step)
{
    return step->cluster || step->arrive_only || (step->expected && !step->members && step->expected < warps_of(w->program, thread, UINT32_MAX));
}

/** All who are asked have come, or ended: one bit each; 0: not yet. By a barrier that counts warps who has ended is waited for, but for lanes of a warp that comes. */
static uint32_t who_meets(const struct walk *w, int like)
{
    const struct model_step *step = walk_step(w, like);
    uint32_t all = 0;
    for (int t = 0; t < w->program->threads; t++) {
        const struct model_step *other = walk_step(w, t);
        if (!is_asked(w->program, t, like, step) || walk_has_ended(w, t))
            continue;
        if (w->thread[t].done < other->count || other->stop != STOP_BARRIER || other->cluster || other->barrier != step->barrier ||
            other->members != step->members || other->exchanges != step->exchanges || other->expected != step->expected || other->arrive_only)
            return 0;
        all |= 1u << t;
    }
    return step->expected && !step->members && warps_of(w->program, like, all) < step->expected ? 0 : all;
}

/** Are their writes where the barrier needs them? One that meets only threads which use no memory is not asked. */
static bool are_there(struct walk *w, uint32_t all)
{
    uint32_t use = all & w->quiet;
    if (!(use & (use - 1))) {
        w->for_quiet |= all & ~use;
        return true;
    }
    bool there = true;
    for (uint32_t m = all; m; m &= m - 1)
        there &= !w->thread[__builtin_ctz(m)].delayed;
    return there;
}

static uint64_t reduced(const struct walk *w, uint32_t all, enum model_reduction how)
{
    const struct model_program *p = w->program;
    uint64_t ones = 0, threads = 0;
    for (uint32_t m = all; m; m &= m - 1) {
        int t = __builtin_ctz(m);
        uint64_t weight = p->weight ? (uint64_t)p->weight[t] : 1;
        threads += weight;
        ones += walk_step(w, t)->given ? weight : 0;
    }
    return how == REDUCE_COUNT ? ones : how == REDUCE_AND ? ones == threads : how == REDUCE_OR ? ones != 0 : 0;
}

static void meet(struct walk *w, uint32_t all)
{
    const struct model_program *p = w->program;
    const struct model_step *first = walk_step(w, __builtin_ctz(all));
    struct model_exchange e = {.what = first->what};
    uint64_t gets[MODEL_THREADS];
    for (uint32_t m = all; m && first->exchanges; m &= m - 1) {
        int t = __builtin_ctz(m), lane = p->place[t].lane;
        e.lanes |= 1u << lane;
        e.brings[lane][0] = walk_step(w, t)->brings[0];
        e.brings[lane][1] = walk_step(w, t)->brings[1];
    }
    for (uint32_t m = all; m; m &= m - 1) {
        int t = __builtin_ctz(m);
        gets[t] = first->exchanges ? p->exchange(p->self, &e, p->place[t].lane) : reduced(w, all, (enum model_reduction)walk_step(w, t)->reduces);
    }
    walk_note_meeting(w, first, all);
    for (uint32_t m = all; m && !w->failed; m &= m - 1)
        give(w, __builtin_ctz(m), gets[__builtin_ctz(m)]);
}

/** Has everybody in the thread's cluster arrived at the phase, or ended? */
static bool has_passed(const struct walk *w, int thread)
{
    const struct model_place *place = w->program->place;
    for (int t = 0; t < w->program->threads; t++)
        if (place[t].cluster == place[thread].cluster && place[t].device == place[thread].device && !walk_has_ended(w, t) &&
            w->thread[t].came < walk_step(w, thread)->barrier)
            return false;
    return true;
}

bool walk_may_meet(const struct walk *w, int t)
{
    const struct model_step *step = walk_step(w, t);
    if (step->cluster && step->wait_only)
        return has_passed(w, t);
    if (is_not_followed(w, t, step))
        return true;
    return who_meets(w, t) != 0;
}

void walk_meet(struct walk *w, int t)
{
    const struct model_step *step = walk_step(w, t);
    int changes = w->undo.count, traces = w->trail.count;
    if (step->cluster && step->arrive_only) {
        if (step->relaxed ? walk_latest_delayed(&w->thread[t], -1) >= 0 : w->thread[t].delayed > 0)
            return; /* a relaxed one has what its thread's last fence has */
        walk_note_meeting(w, step, 1u << t);
        walk_change(w, t)->came = step->barrier;
        give(w, t, 0);
    } else if (step->cluster && step->wait_only) {
        if (!has_passed(w, t))
            return;
        walk_note_meeting(w, step, 1u << t);
        give(w, t, 0);
    } else if (is_not_followed(w, t, step)) {
        w->failed = true;
    } else {
        uint32_t all = who_meets(w, t);
        if (!all || __builtin_ctz(all) != t || !(step->exchanges || are_there(w, all)))
            return;
        meet(w, all);
    }
    walk_explore(w);
    walk_back(w, changes);
    w->trail.count = traces;
}
