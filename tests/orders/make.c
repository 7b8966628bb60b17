/**
 * @file make.c
 * Makes plays (play.h). An access is taken only if nothing races then, so that what has been made so far is right by whatever orders it; half of the plays
 * then get one fault: something that orders is left out or made weaker, or one access comes in anywhere.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "making.h"

const char *const family_names[FAMILY_COUNT] = {"flags", "barriers", "lanes", "met", "copies", "tokens", "clusters", "mixed", "polls", "phases", "bulk", "early", "host"};

static void place_actors(struct making *m)
{
    struct play *p = m->p;
    bool lanes = m->family == LANES || (m->family != FLAGS && m->family != POLLS && m->family != HOST && below(m, 2)), one = m->family == MET || m->family == PHASES || m->family == COPIES || m->family == BULK || m->family == BARRIERS || m->family == LANES;
    p->blocks = one ? 1 + (below(m, 4) == 0) : 1 + below(m, p->tiny ? 2 : 4);
    if (m->family == CLUSTERS)
        p->blocks = p->tiny || below(m, 3) ? 2 : 4;
    if (m->family == EARLY)
        p->blocks = 2 + below(m, 3), p->first = 1 + below(m, p->blocks - 1);
    p->cluster = p->blocks % 2 == 0 && m->family != EARLY && m->family != HOST && (m->family == CLUSTERS || below(m, 2)) ? 2 : 1;
    p->warps = m->family == LANES ? 1 + (below(m, 3) == 0) : 1 + below(m, p->tiny ? 3 : 4);
    p->actors = 2 + (int)below(m, p->tiny ? 3 : MAX_ACTORS - 1);
    for (int i = 0; i < p->actors; i++) {
        struct actor *a = &p->actor[i];
        bool taken = true;
        for (int tries = 0; taken; tries++) {
            *a = (struct actor){below(m, p->blocks), below(m, p->warps), lanes || tries > 20 ? below(m, 32) : 0};
            taken = false;
            for (int j = 0; j < i; j++)
                taken |= p->actor[j].block == a->block && p->actor[j].warp == a->warp && p->actor[j].lane == a->lane;
        }
    }
    if (m->family == HOST)
        p->host = true, p->actor[p->actors - 1] = (struct actor){p->blocks, 0, 0};
}

static void add_step(struct making *m)
{
    static void (*const steps[FAMILY_COUNT][5])(struct making *) = {
        [FLAGS] = {add_signal, add_wait, add_wait},
        [BARRIERS] = {add_barrier},
        [LANES] = {meet_lanes, meet_lanes, meet_lanes, add_barrier},
        [MET] = {meet_by_mbarrier},
        [COPIES] = {tend_copies, tend_copies, tend_copies, add_barrier},
        [TOKENS] = {add_token},
        [CLUSTERS] = {meet_in_cluster, meet_in_cluster, add_signal, add_wait, meet_by_mbarrier},
        [MIXED] = {0},
        [PHASES] = {0},
        [HOST] = {add_signal, add_wait, add_wait, add_barrier},
        [EARLY] = {add_trigger, add_grid_wait, add_signal, add_wait, add_barrier},
        [BULK] = {tend_bulk, tend_bulk, tend_bulk, add_barrier},
        [POLLS] = {add_signal, add_wait, add_wait},
    };
    enum family f = m->family == MIXED ? (enum family)below(m, MIXED) : m->family;
    if (m->family == MIXED && m->p->tiny && f == COPIES)
        return;
    uint32_t n = 0;
    while (n < 5 && steps[f][n])
        n++;
    steps[f][below(m, n)](m);
}

/** In a loop: is each phase begun only when the one before has been waited for, and not complete before all have that wait for it? */
static bool phases_go_round(const struct play *turns)
{
    struct play all;
    const struct play *p = play_unrolled(turns, &all);
    for (int i = 0; i < p->count; i++) {
        const struct event *e = &p->event[i];
        bool begins = e->op != OP_ARRIVE || e->value == 0, stays = e->op != OP_AWAIT, ends = true;
        for (int j = 0; j < p->count; j++) {
            const struct event *f = &p->event[j];
            if (f->flag != e->flag || block_of(p, f) != block_of(p, e))
                continue;
            begins |= f->op == OP_AWAIT && f->value == e->value - 1 && play_waits(p, j, i);
            ends &= f->op != OP_ARRIVE || f->value != e->value + 1;
            stays |= f->op == OP_ARRIVE && f->value == e->value + 1 && play_waits(p, i, j);
        }
        if (!begins || !(stays || ends))
            return false;
    }
    return true;
}

/** Is each phase of an mbarrier begun only when the one before is complete, and waited for only then? */
static bool phases_follow(const struct play *p)
{
    if (p->turns > 1)
        return phases_go_round(p);
    for (int i = 0; i < p->count; i++) {
        const struct event *e = &p->event[i];
        bool follows = (e->op != OP_ARRIVE && e->op != OP_AWAIT) || e->value == 0;
        for (int j = 0; j < i && !follows; j++) {
            const struct event *f = &p->event[j];
            follows = f->op == OP_AWAIT && f->flag == e->flag && f->value == e->value - 1 && block_of(p, f) == block_of(p, e) && play_after(p, j, i);
        }
        if (!follows)
            return false;
    }
    return true;
}

/** Leaves out or weakens one that orders. */
static void weaken(struct making *m)
{
    struct play *p = m->p;
    struct play before = *p;
    if (!p->count)
        return;
    int at = (int)below(m, (uint32_t)p->count);
    for (int i = 0; i < p->count && p->event[at].op <= OP_COPY; i++)
        at = (at + 1) % p->count;
    struct event *e = &p->event[at];
    int meeting = e->meeting;
    if (is_host(p, e->actor) && e->op != OP_WAIT)
        return;
    if (is_of_cluster(e)) { /* a warp's arrival */
        for (int i = 0; i < p->count; i++)
            if (p->event[i].op == OP_COME && p->event[i].meeting == (e->op == OP_GO ? e->number : meeting) && same_warp(p, p->event[i].actor, e->actor))
                p->event[i].order = RELAXED;
    } else if (meeting) {
        for (int i = p->count - 1; i >= 0; i--)
            if (p->event[i].meeting == meeting)
                remove_event(p, i);
    } else if (e->op == OP_FENCE || e->op == OP_WAIT || e->op == OP_COPIES_WAIT || e->op == OP_COMMIT || e->op == OP_PROXY ||
               (e->op == OP_AWAIT && m->family == BULK) || e->op == OP_BULK_WAIT || e->op == OP_BULK_COMMIT || e->op == OP_GRID_WAIT ||
               e->op == OP_TRIGGER) {
        if (e->op != OP_FENCE || below(m, 2))
            remove_event(p, at);
        else if (e->scope > CTA)
            e->scope--;
    } else if (e->op == OP_COMPLETE) {
        return;
    } else if (below(m, 2) && e->order != VOLATILE) {
        e->order = RELAXED;
    } else if (e->scope > CTA && !((e->op == OP_ARRIVE || e->op == OP_AWAIT) && p->cluster > 1)) {
        e->scope = (enum scope)below(m, e->scope);
    }
    if (!phases_follow(p) || bulk_is_left(p))
        *p = before;
}

void add_anywhere(struct making *m)
{
    struct play *p = m->p;
    int at = (int)below(m, (uint32_t)p->count + 1);
    while (at < p->count && at && p->event[at].meeting && p->event[at].meeting == p->event[at - 1].meeting)
        at++; /* events of a meeting stay together */
    add_access(m, any_actor(m));
    struct event e = p->event[p->count - 1];
    memmove(&p->event[at + 1], &p->event[at], (size_t)(p->count - 1 - at) * sizeof e);
    p->event[at] = e;
}

static void make_whole(struct play *p, enum family family, bool tiny, int number, uint64_t seed)
{
    struct making m = {.p = p, .family = family, .r = mix64(seed * MIX_STEP + (uint64_t)number * (MIXED + 1) + family)};
    *p = (struct play){.number = number, .tiny = tiny, .turns = 1, .met_phases = {1, 1, 1}};
    place_actors(&m);
    m.strong = !tiny && family != HOST && below(&m, 4) == 0 ? 40 : 0;
    if (!tiny && (family == BARRIERS || family == LANES || family == COPIES) && below(&m, 3) == 0) {
        p->turns = 2;
        for (int n = below(&m, 3) ? 3 : 0; n; n--) /* blocks meet as a turn begins */
            add_barrier(&m);
    }
    if (family == PHASES)
        make_phases(&m);
    for (int n = family == PHASES ? 0 : tiny ? 6 + (int)below(&m, 8) : 10 + (int)below(&m, 30); n && has_room(&m, (family == BULK ? 2 : (int)p->cluster) * MAX_ACTORS + 2); n--)
        if (below(&m, 2))
            add_right_access(&m);
        else
            add_step(&m);
    for (uint32_t c = 0; c < p->blocks / p->cluster; c++)
        if (m.came[c])
            leave_cluster(&m, c);
    if (family == BULK)
        end_bulk(&m);
    for (int n = 0; n < MAX_MET; n++) /* all arrive, so that who waits goes on */
        while (m.met[n].count && m.met[n].left && m.met[n].left < m.met[n].count && has_room(&m, 1)) {
            int actor = (int)m.met[n].arrivers[--m.met[n].left];
            add_arrival(&m, n, actor, HALF);
        }
    if (below(&m, 5) < 2)
        return;
    for (int tries = 0; tries < 8 && !play_races(p); tries++) {
        struct play right = *p;
        bool once = below(&m, 2);
        if (family == EARLY && below(&m, 3) == 0)
            add_trigger(&m);
        else if (below(&m, 2))
            weaken(&m);
        else if (has_room(&m, 1))
            add_anywhere(&m);
        if (once && !play_races(p))
            *p = right;
    }
}

/** Leaves out the events that ORDERS_WITHOUT names, and all that meets with them: for who reduces one. */
static void leave_out(struct play *p, const char *list)
{
    bool out[MAX_EVENTS] = {false}, meets[MAX_EVENTS + 1] = {false};
    for (char *end; *list; list = *end ? end + 1 : end) {
        long n = strtol(list, &end, 10);
        if (end == list || n < 0)
            return;
        if (n < p->count)
            out[n] = true, meets[p->event[n].meeting] = p->event[n].meeting;
    }
    for (int i = p->count - 1; i >= 0; i--)
        if (out[i] || meets[p->event[i].meeting])
            remove_event(p, i);
}

void make_play(struct play *p, enum family family, bool tiny, int number, uint64_t seed)
{
    const char *without = getenv("ORDERS_WITHOUT");
    make_whole(p, family, tiny, number, seed);
    if (without)
        leave_out(p, without);
}
