/**
 * @file bulk.c
 * Bulk copies (making.h). Each mbarrier is for one copy to shared memory.
 */
#include "making.h"

static void add_proxy_fence(struct making *m, int actor)
{
    static const int memories[] = {PROXY_GLOBAL | PROXY_SHARED, PROXY_GLOBAL | PROXY_SHARED, PROXY_SHARED, PROXY_GLOBAL};
    add(m, OP_PROXY, actor)->value = memories[below(m, 4)];
}

static struct event *add_copy(struct making *m, enum op op, int actor)
{
    struct event *e = add(m, op, actor);
    e->shared = op == OP_BULK_IN;
    e->unit = m->p->tiny || below(m, 4) ? 16 : 32, e->count = 1;
    e->from = e->unit == 16 ? below(m, 2) * 16 : 0;
    e->source = e->unit == 16 ? below(m, 2) * 16 : 0;
    return e;
}

/** The mbarrier waits for the copy and for the one that begins it. */
static void copy_in(struct making *m, int n, int actor)
{
    enum order order = below(m, 2) ? HALF : RELAXED;
    m->met[n].block = m->p->actor[actor].block;
    add_arrival(m, n, actor, order)->scope = below(m, 2) ? CTA : CLUSTER;
    int arrival = m->p->count - 1;
    struct event *e = add_copy(m, OP_BULK_IN, actor);
    e->flag = n;
    m->p->event[arrival].count = e->unit;
    struct event *done = add(m, OP_COMPLETE, actor);
    done->flag = n, done->shared = true, done->order = HALF, done->scope = CLUSTER;
}

static void wait_for_copy(struct making *m, int n)
{
    int actor = any_actor(m);
    if (m->p->actor[actor].block != m->met[n].block)
        return;
    struct event *e = add(m, OP_AWAIT, actor);
    e->flag = n, e->shared = true, e->order = below(m, 4) ? HALF : RELAXED, e->scope = below(m, 3) ? CTA : CLUSTER;
    if (e->order == RELAXED)
        add_fence(m, actor);
}

/** Somebody who mostly has a copy in a group. */
static int who_copies(struct making *m)
{
    int actor = any_actor(m);
    for (int i = 0; i < m->p->count; i++)
        if (m->p->event[i].op == OP_BULK_OUT && below(m, 2))
            actor = m->p->event[i].actor;
    return actor;
}

static void add_bulk_step(struct making *m)
{
    int n = (int)below(m, MAX_MET), actor = any_actor(m);
    switch (below(m, 6)) {
    case 0:
    case 1:
        if (m->p->met_count[n]) {
            wait_for_copy(m, n);
        } else {
            copy_in(m, n, actor);
            m->p->met_count[n] = 1;
        }
        break;
    case 2: add_copy(m, OP_BULK_OUT, actor); break;
    case 3: add_proxy_fence(m, actor); break;
    case 4: add(m, OP_BULK_COMMIT, who_copies(m)); break;
    default: {
        struct event *e = add(m, OP_BULK_WAIT, who_copies(m));
        e->value = below(m, 3) == 0, e->arrives = below(m, 3) == 0;
    }
    }
}

void tend_bulk(struct making *m)
{
    for (int tries = 0; tries < 6 && has_room(m, 4 + 2 * m->p->actors); tries++) {
        struct play before = *m->p;
        add_bulk_step(m);
        if (!play_races(m->p))
            return;
        *m->p = before;
    }
}

void end_bulk(struct making *m)
{
    for (int a = 0; a < m->p->actors; a++) {
        bool any = false;
        for (int i = 0; i < m->p->count; i++)
            any |= m->p->event[i].op == OP_BULK_OUT && m->p->event[i].actor == a;
        if (!any)
            continue;
        add(m, OP_BULK_COMMIT, a);
        add(m, OP_BULK_WAIT, a)->arrives = below(m, 2);
    }
}

bool bulk_is_left(const struct play *p)
{
    for (int i = 0; i < p->count; i++) {
        int committed = -1;
        bool left = p->event[i].op == OP_BULK_OUT;
        for (int j = i + 1; j < p->count && left; j++) {
            const struct event *f = &p->event[j];
            committed += f->actor == p->event[i].actor && f->op == OP_BULK_COMMIT;
            left = f->actor != p->event[i].actor || f->op != OP_BULK_WAIT || committed < f->value;
        }
        if (left)
            return true;
    }
    return false;
}
