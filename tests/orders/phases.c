/**
 * @file phases.c
 * Loops through phases of mbarriers (making.h): threads that meet once or twice a turn, and stages that some fill and others empty.
 */
#include "making.h"

/** Some actors of the block, `but` aside; in any order. @return how many */
static int some_of(struct making *m, uint32_t block, uint32_t but, int most, int *actor)
{
    int count = 0;
    for (int tries = 0; tries < 4 * MAX_ACTORS && count < most; tries++) {
        int a = any_actor(m);
        if (m->p->actor[a].block != block || but >> a & 1)
            continue;
        but |= 1u << a;
        actor[count++] = a;
    }
    return count;
}

/** A relaxed one mostly has its fence. */
static enum order any_order(struct making *m)
{
    return below(m, 4) ? HALF : RELAXED;
}

static void arrive(struct making *m, int n, int actor, int phase)
{
    enum order order = any_order(m);
    if (order == RELAXED || below(m, 8) == 0)
        add_fence(m, actor);
    m->met[n].phase = phase;
    add_arrival(m, n, actor, order);
}

static void await(struct making *m, int n, int actor, int phase)
{
    struct event *e = add(m, OP_AWAIT, actor);
    e->flag = n, e->shared = true, e->value = phase;
    e->order = any_order(m), e->scope = below(m, 3) ? CTA : CLUSTER;
    if (e->order == RELAXED || below(m, 8) == 0)
        add_fence(m, actor);
}

static int new_met(struct making *m, int n, uint32_t block, int count)
{
    m->met[n].block = block;
    m->p->met_count[n] = count;
    return n;
}

/** All of some arrive and wait. */
static void meet_in_turns(struct making *m, int n, uint32_t block)
{
    int actor[MAX_ACTORS], count = some_of(m, block, 0, 2 + (int)below(m, 3), actor);
    int phases = 1 + (below(m, 3) == 0);
    if (!count || !has_room(m, 4 * count * phases))
        return;
    new_met(m, n, block, count);
    m->p->met_phases[n] = phases;
    for (int phase = 0; phase < phases; phase++) {
        for (int i = 0; i < count; i++)
            arrive(m, n, actor[i], phase);
        for (int i = 0; i < count; i++)
            await(m, n, actor[count - 1 - i], phase);
    }
}

/** Who fills a stage waits until it has been emptied in the turn before, if there was one. */
static void fill_in_turns(struct making *m, int full, int empty, uint32_t block)
{
    int filler[2], emptier[2], fillers = some_of(m, block, 0, 1 + (below(m, 3) == 0), filler);
    uint32_t all = 0;
    for (int i = 0; i < fillers; i++)
        all |= 1u << filler[i];
    int emptiers = some_of(m, block, all, 1 + (int)below(m, 2), emptier);
    if (!fillers || !emptiers || !has_room(m, 4 * (fillers + emptiers)))
        return;
    new_met(m, full, block, fillers);
    new_met(m, empty, block, emptiers);
    for (int i = 0; i < fillers; i++) {
        await(m, empty, filler[i], -1);
        arrive(m, full, filler[i], 0);
    }
    for (int i = 0; i < emptiers; i++) {
        await(m, full, emptier[i], 0);
        arrive(m, empty, emptier[i], 0);
    }
}

void make_phases(struct making *m)
{
    struct play *p = m->p;
    p->turns = p->tiny || below(m, 3) ? 2 : 3;
    uint32_t block = p->actor[any_actor(m)].block, other = p->actor[any_actor(m)].block;
    if (below(m, 3)) {
        fill_in_turns(m, 0, 1, block);
        if (!p->tiny && below(m, 2))
            meet_in_turns(m, 2, other);
    } else {
        meet_in_turns(m, 2, block);
        if (!p->tiny && below(m, 2))
            meet_in_turns(m, 0, other);
    }
    for (int n = p->tiny ? 6 : 12; n && has_room(m, 2); n--) {
        struct play before = *p;
        add_anywhere(m);
        if (play_races(p))
            *p = before;
    }
}
