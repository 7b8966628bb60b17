/**
 * @file poll_orders.c
 * Threads that wait by atomics for one flag. Each such look is an update, so that whoever looks later takes its value from it, and sees by it what it has
 * seen, and what its thread has released by it (PTX ISA 8.9.2, 8.9.5). Which comes first is chance: every order is tried. That a load sees a look is chance, too,
 * where it need not.
 */
#include "causality.h"

static bool same_place(const struct play *p, int a, int b)
{
    return p->event[a].op == OP_WAIT && p->event[b].op == OP_WAIT && same_flag(p, &p->event[a], &p->event[b]);
}

void find_lookers(struct model *m)
{
    const struct play *p = m->p;
    for (int i = 0; i < p->count; i++) {
        struct lookers l = {.waits = {i}, .count = 1};
        bool any = updates(&p->event[i]);
        if (p->event[i].op != OP_WAIT || is_looker(m, i))
            continue;
        for (int j = i + 1; j < p->count; j++)
            if (same_place(p, i, j) && l.count < MAX_LOOKERS)
                any |= updates(&p->event[j]), l.waits[l.count++] = j;
        if (any && l.count > 1)
            m->lookers[m->looked_at++] = l;
    }
}

bool is_looker(const struct model *m, int event)
{
    for (int n = 0; n < m->looked_at; n++)
        for (int i = 0; i < m->lookers[n].count; i++)
            if (m->lookers[n].waits[i] == event)
                return true;
    return false;
}

/** What those that look in this order observe. */
static void observe_in_order(struct model *m, const struct lookers *l)
{
    const struct play *p = m->p;
    nodes seen[MAX_LOOKERS];
    int before = -1;
    for (int i = 0; i < l->count; i++) {
        const struct event *r = &p->event[l->waits[i]];
        seen[i] = 0;
        if (before >= 0 && mutual(p, &p->event[l->waits[before]], r))
            seen[i] = seen[before] | NODE(l->waits[before]);
        for (int w = 0; before < 0 && w < p->count; w++)
            if (observes(p, &p->event[w], r) && mutual(p, &p->event[w], r))
                seen[i] |= NODE(w);
        for (int w = 0; w < p->count; w++)
            if (seen[i] & NODE(w)) {
                add_edge(&m->observed, w, l->waits[i]);
                synchronise(m, w, l->waits[i]);
            }
        if (updates(r))
            before = i;
    }
}

static void try_order(struct model *m, int n, int at, void (*then)(struct model *m))
{
    struct lookers *l = &m->lookers[n];
    if (at == l->count) {
        struct relation base = m->base, observed = m->observed;
        observe_in_order(m, l);
        try_polls(m, n + 1, then);
        m->base = base, m->observed = observed;
        return;
    }
    for (int i = at; i < l->count && !m->raced; i++) {
        int chosen = l->waits[i];
        l->waits[i] = l->waits[at], l->waits[at] = chosen;
        try_order(m, n, at + 1, then);
        l->waits[at] = l->waits[i], l->waits[i] = chosen;
    }
}

void try_polls(struct model *m, int n, void (*then)(struct model *m))
{
    if (n == m->looked_at)
        then(m);
    else
        try_order(m, n, 0, then);
}

bool polls_fit(const struct model *m)
{
    for (int n = 0; n < m->looked_at; n++)
        for (int i = 0; i < m->lookers[n].count; i++)
            for (int j = i + 1; j < m->lookers[n].count; j++) {
                int a = m->lookers[n].waits[i], b = m->lookers[n].waits[j];
                if (m->cause.to[b] & NODE(a) && (updates(&m->p->event[a]) || updates(&m->p->event[b])))
                    return false;
            }
    return true;
}
