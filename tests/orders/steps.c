/**
 * @file steps.c
 * What plays are made of (making.h).
 */
#include "making.h"

#include <string.h>

#include "base/mix.h"

uint32_t below(struct making *m, uint32_t n)
{
    m->r += MIX_STEP;
    return (uint32_t)(mix64(m->r) >> 32) % n;
}

int any_actor(struct making *m)
{
    return (int)below(m, (uint32_t)m->p->actors);
}

struct event *add(struct making *m, enum op op, int actor)
{
    struct event *e = &m->p->event[m->p->count++];
    *e = (struct event){.op = op, .actor = actor, .spelled = below(m, 1000)};
    return e;
}

void remove_event(struct play *p, int at)
{
    memmove(&p->event[at], &p->event[at + 1], (size_t)(--p->count - at) * sizeof p->event[0]);
    p->event[p->count] = (struct event){0};
}

bool has_room(const struct making *m, int events)
{
    int hosts = 0;
    for (int i = 0; m->p->host && i < m->p->count; i++)
        hosts += is_host(m->p, m->p->event[i].actor);
    return hosts < MAX_HOST_EVENTS && (m->p->count + events) * m->p->turns <= MAX_EVENTS - 1 - (m->p->host ? MAX_HOST_EVENTS : 0);
}

/* ---- Data ---- */

enum scope any_scope(struct making *m)
{
    static const enum scope scopes[] = {CTA, CLUSTER, GPU, GPU, SYS};
    return scopes[below(m, 5)];
}

bool goes_away(const struct making *m)
{
    return m->p->cluster > 1 && (m->family == CLUSTERS || m->family == MIXED);
}

static void choose_data(struct making *m, struct event *e)
{
    static const struct { uint32_t unit, count; } sizes[] = {{4, 1}, {4, 1}, {4, 1}, {1, 1}, {2, 1}, {8, 1}, {4, 2}, {4, 4}, {2, 2}, {1, 4}, {8, 2}};
    uint32_t n = below(m, 3) ? below(m, 3) : below(m, sizeof sizes / sizeof sizes[0]);
    e->unit = sizes[n].unit, e->count = sizes[n].count;
    if (m->p->tiny)
        e->unit = 4, e->count = 1;
    e->shared = below(m, 2);
    uint32_t size = e->unit * e->count, places = m->p->tiny ? 2 : below(m, 3) ? 3 : DATA_BYTES / size;
    if (places > DATA_BYTES / size)
        places = DATA_BYTES / size;
    e->from = below(m, places) * size;
    e->byte = (uint8_t)(m->p->count * 4 + 1);
    e->away = e->shared && goes_away(m) && below(m, 2);
}

void add_access(struct making *m, int actor)
{
    uint32_t f = below(m, 20);
    struct event *e = add(m, f < 9 ? OP_LOAD : f < 19 ? OP_STORE : OP_ADD, actor);
    if ((m->family == COPIES || (m->family == MIXED && !m->p->tiny)) && below(m, 3) == 0)
        e->op = OP_COPY;
    choose_data(m, e);
    if (is_host(m->p, actor)) {
        e->op = e->op == OP_LOAD ? OP_LOAD : OP_STORE, e->shared = e->away = false, e->count = 1;
        e->strong = true, e->scope = SYS, e->order = HALF;
        return;
    }
    if (m->family == HOST && e->op == OP_ADD) /* no update of the host's memory: it may lose what the host stores */
        e->op = OP_STORE;
    e->strong = e->op <= OP_STORE && e->count == 1 && below(m, 100) < m->strong;
    if (e->strong)
        e->scope = any_scope(m), e->order = below(m, 4) ? (enum order)below(m, 2) : VOLATILE;
    if (e->op == OP_ADD)
        e->unit = 4, e->count = 1, e->from = e->from / 4 * 4, e->scope = below(m, 4) ? GPU : CTA;
    if (e->op == OP_COPY) {
        e->unit = m->p->tiny || below(m, 2) ? 4 : below(m, 2) ? 8 : 16, e->count = 1;
        e->from = e->from / e->unit * e->unit, e->shared = true, e->away = false;
        e->source = below(m, DATA_BYTES / e->unit) * e->unit;
    }
}

void add_right_access(struct making *m)
{
    for (int tries = 0; tries < 12 && has_room(m, 1); tries++) {
        add_access(m, any_actor(m));
        if (!play_races(m->p))
            return;
        m->p->event[--m->p->count] = (struct event){0};
    }
}

/* ---- Meetings ---- */

void add_barrier(struct making *m)
{
    int one = any_actor(m);
    if (is_host(m->p, one))
        return;
    uint32_t block = m->p->actor[one].block, come = 0, waits = 0, all = 0;
    for (int i = 0; i < m->p->actors; i++)
        if (m->p->actor[i].block == block)
            all |= 1u << m->p->actor[i].warp;
    bool whole = below(m, 3) == 0 || m->p->turns > 1;
    for (uint32_t w = 0; w < m->p->warps; w++)
        if (all >> w & 1 && (whole || below(m, 4))) {
            come |= 1u << w;
            waits |= (uint32_t)(whole || below(m, 2)) << w;
        }
    if (!come || !has_room(m, m->p->actors) || (!whole && m->names[block] == 15))
        return;
    m->meetings++;
    if (!waits)
        waits = come & -come;
    int name = whole ? 0 : ++m->names[block];
    for (uint32_t w = 0; w < m->p->warps; w++)
        for (int i = 0; i < m->p->actors; i++)
            if (m->p->actor[i].block == block && m->p->actor[i].warp == w && come >> w & 1) {
                struct event *e = add(m, OP_BARRIER, i);
                e->meeting = m->meetings, e->number = name, e->warps = __builtin_popcount(come);
                e->arrives = !(waits >> w & 1);
            }
}

void meet_lanes(struct making *m)
{
    int one = any_actor(m);
    uint32_t mask = 0;
    if (!has_room(m, m->p->actors))
        return;
    for (int i = 0; i < m->p->actors; i++)
        if (same_warp(m->p, one, i) && (i == one || below(m, 4)))
            mask |= 1u << m->p->actor[i].lane;
    uint32_t taken = mask, others = below(m, 2) ? below(m, 65536) * 0x10001 : 0;
    for (int i = 0; i < m->p->actors; i++)
        if (same_warp(m->p, one, i))
            others &= ~(1u << m->p->actor[i].lane);
    m->meetings++;
    for (int i = 0; i < m->p->actors; i++)
        if (same_warp(m->p, one, i) && taken >> m->p->actor[i].lane & 1) {
            struct event *e = add(m, OP_LANES, i);
            e->meeting = m->meetings, e->mask = mask | others;
        }
}

/* ---- mbarriers: who arrives in a phase has waited for the one before, and who has waited arrives ---- */

static void begin_met(struct making *m, int n)
{
    uint32_t block = m->p->actor[any_actor(m)].block;
    m->met[n].block = block;
    m->met[n].count = 1 + (int)below(m, 3);
    m->p->met_count[n] = m->met[n].count;
    m->met[n].left = m->met[n].count;
    for (int i = 0; i < m->met[n].count; i++) {
        int a = any_actor(m);
        while (m->p->actor[a].block != block && !(goes_away(m) && m->p->actor[a].block == (block ^ 1)))
            a = any_actor(m);
        m->met[n].arrivers[i] = (uint32_t)a;
    }
}

static void begin_phase(struct making *m, int n)
{
    int k = 0;
    if (!m->met[n].waiters)
        return;
    for (int i = 0; i < m->p->actors; i++)
        if (m->met[n].waiters >> i & 1)
            m->met[n].arrivers[k++] = (uint32_t)i;
    for (int i = k; i < m->met[n].count; i++)
        m->met[n].arrivers[i] = m->met[n].arrivers[below(m, (uint32_t)k)];
    m->met[n].waiters = 0, m->met[n].left = m->met[n].count, m->met[n].phase++;
}

/** All of an object at which another block arrives have the cluster's. */
static enum scope met_scope(struct making *m)
{
    return goes_away(m) || below(m, 3) == 0 ? CLUSTER : CTA;
}

/** Does the actor know that the phase before the present one is complete? Else it would take that one's parity for the one before. */
static bool knows_phase(struct making *m, int n, int actor)
{
    struct play *p = m->p;
    bool knows = m->met[n].phase == 0;
    add(m, OP_COMMIT, actor); /* a place in its program */
    for (int i = 0; i < p->count - 1 && !knows; i++)
        if (p->event[i].op == OP_AWAIT && p->event[i].flag == n && p->event[i].value == m->met[n].phase - 1 && same_block(p, p->event[i].actor, actor))
            knows = play_after(p, i, p->count - 1);
    remove_event(p, p->count - 1);
    return knows;
}

static void add_await(struct making *m, int n)
{
    int a = any_actor(m);
    if (m->p->actor[a].block != m->met[n].block || (!(m->met[n].waiters >> a & 1) && __builtin_popcount(m->met[n].waiters) == m->met[n].count) || !knows_phase(m, n, a))
        return;
    m->met[n].waiters |= 1u << a;
    struct event *e = add(m, OP_AWAIT, a);
    e->flag = n, e->shared = true, e->value = m->met[n].phase;
    e->order = below(m, 4) ? HALF : RELAXED, e->scope = met_scope(m);
    if (below(m, e->order == HALF ? 8 : 2) == 0)
        add_fence(m, a);
}

struct event *add_arrival(struct making *m, int n, int actor, enum order order)
{
    struct event *e = add(m, OP_ARRIVE, actor);
    e->flag = n, e->shared = true, e->value = m->met[n].phase, e->order = order;
    e->away = m->p->actor[actor].block != m->met[n].block;
    e->scope = met_scope(m);
    return e;
}

void meet_by_mbarrier(struct making *m)
{
    int n = (int)below(m, MAX_MET);
    if (!has_room(m, 3))
        return;
    if (!m->met[n].count)
        begin_met(m, n);
    if (!m->met[n].left && below(m, 3) == 0)
        begin_phase(m, n);
    if (!m->met[n].left) {
        add_await(m, n);
        return;
    }
    int a = (int)m->met[n].arrivers[--m->met[n].left];
    enum order order = below(m, 4) ? HALF : RELAXED;
    if (below(m, order == HALF ? 8 : 2) == 0)
        add_fence(m, a);
    add_arrival(m, n, a, order);
}

void tend_copies(struct making *m)
{
    if (!has_room(m, 2))
        return;
    int actor = any_actor(m);
    for (int i = 0; i < m->p->count; i++) /* mostly one that copies */
        if (m->p->event[i].op == OP_COPY && below(m, 2))
            actor = m->p->event[i].actor;
    if (below(m, 2))
        add(m, OP_COMMIT, actor);
    else
        add(m, OP_COPIES_WAIT, actor)->value = (int)below(m, 4) - 1;
}

/* ---- The cluster's barrier ---- */

void leave_cluster(struct making *m, uint32_t c)
{
    m->meetings++;
    for (int i = 0; i < m->p->actors; i++)
        if (m->p->actor[i].block / m->p->cluster == c) {
            struct event *e = add(m, OP_GO, i);
            e->meeting = m->meetings, e->number = m->came[c];
        }
    m->came[c] = 0;
}

void meet_in_cluster(struct making *m)
{
    uint32_t c = m->p->actor[any_actor(m)].block / m->p->cluster, relaxed = 0;
    if (m->p->cluster == 1 || !has_room(m, 4 * m->p->actors)) /* who arrives needs room to wait */
        return;
    if (m->came[c]) {
        leave_cluster(m, c);
        return;
    }
    for (int i = 0; i < m->p->actors; i++) {
        uint32_t warp = 1u << (m->p->actor[i].block % 2 * 4 + m->p->actor[i].warp);
        if (m->p->actor[i].block / m->p->cluster != c || below(m, 3))
            continue;
        relaxed |= warp;
        if (below(m, 4))
            add_fence(m, i);
    }
    m->came[c] = ++m->meetings;
    for (int i = 0; i < m->p->actors; i++)
        if (m->p->actor[i].block / m->p->cluster == c) {
            struct event *e = add(m, OP_COME, i);
            e->meeting = m->meetings;
            e->order = relaxed >> (m->p->actor[i].block % 2 * 4 + m->p->actor[i].warp) & 1 ? RELAXED : HALF;
        }
}

/* ---- Two kernels ---- */

void add_trigger(struct making *m)
{
    int actor = any_actor(m);
    if (is_of_first(m->p, actor) && has_room(m, 1))
        add(m, OP_TRIGGER, actor);
}

void add_grid_wait(struct making *m)
{
    int actor = any_actor(m);
    if (!is_of_first(m->p, actor) && has_room(m, 1))
        add(m, OP_GRID_WAIT, actor);
}
