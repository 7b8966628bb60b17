/**
 * @file conflicts.c
 * Which events of a play race in an execution (PTX ISA 8.7.1).
 */
#include "causality.h"

struct place {
    bool shared, stores, accesses;
    uint32_t block, from, to;
};

static struct place place_of(const struct play *p, int node)
{
    const struct event *e = &p->event[node % MAX_EVENTS];
    struct place a = {e->shared, e->op != OP_LOAD, e->op <= OP_COPY, block_of(p, e), e->from, e->from + e->unit * e->count};
    if (e->op == OP_COPY && node >= MAX_EVENTS)
        a = (struct place){false, false, true, 0, e->source, e->source + e->unit};
    else if (e->op == OP_COPY)
        a.shared = true;
    else if (node >= MAX_EVENTS)
        a.accesses = false;
    return a;
}

static bool conflict_data(const struct play *p, int a, int b)
{
    struct place x = place_of(p, a), y = place_of(p, b);
    const struct event *e = &p->event[a % MAX_EVENTS], *f = &p->event[b % MAX_EVENTS];
    if (!x.accesses || !y.accesses || x.shared != y.shared || (x.shared && x.block != y.block) || (!x.stores && !y.stores))
        return false;
    if (x.from >= y.to || y.from >= x.to)
        return false;
    return !(is_strong(e) && is_strong(f) && mutual(p, e, f) && e->from == f->from && e->unit == f->unit);
}

/** Strong accesses to a flag, neither of which has the other in its scope. */
static bool conflict_flags(const struct play *p, int a, int b)
{
    if (a >= MAX_EVENTS || b >= MAX_EVENTS)
        return false;
    const struct event *e = &p->event[a], *f = &p->event[b];
    bool one = writes_flag(e) || reads_flag(e), other = writes_flag(f) || reads_flag(f);
    return one && other && (writes_flag(e) || writes_flag(f) || updates(e) || updates(f)) && same_flag(p, e, f) && !of_mbarrier(e) && !mutual(p, e, f);
}

/** Does the write come before the reader's event begins: before something in program order, or a meeting, behind which that stands? */
static bool comes_first(const struct model *m, int write, int reader)
{
    if (m->p->event[write].actor == m->p->event[reader].actor)
        return write < reader;
    nodes behind = m->cause.to[write] | m->observed.to[write] | NODE(write);
    for (int i = 0; i < m->p->count; i++)
        if (behind & NODE(i) && m->program.to[i] & NODE(reader))
            return true;
    return false;
}

/** Who waits looks there in vain before, which orders nothing: does that race with an event that writes, or that an update in vain conflicts with? */
static bool races_in_vain(const struct model *m, int reader, int write)
{
    const struct play *p = m->p;
    const struct event *r = &p->event[reader], *e = &p->event[write % MAX_EVENTS];
    if (!writes_flag(e) && !updates(e) && r->poll != UPDATES)
        return false;
    if (reader >= MAX_EVENTS || !reads_flag(r) || r->actor == p->event[write].actor || m->closed.to[reader] & NODE(write) || comes_first(m, write, reader))
        return false;
    for (int w = 0; w < p->count; w++) /* no look is in vain */
        if (observes(p, &p->event[w], r) && p->event[w].value == r->value - (r->op == OP_TOKEN) && comes_first(m, w, reader))
            return false;
    return r->op != OP_TOKEN || r->value > 1;
}

void look_for_races(struct model *m)
{
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < a; b++) {
            bool ordered = (m->cause.to[a] & NODE(b)) || (m->cause.to[b] & NODE(a));
            bool same_thread = m->p->event[a % MAX_EVENTS].actor == m->p->event[b % MAX_EVENTS].actor && a < MAX_EVENTS && b < MAX_EVENTS &&
                               m->p->event[a].op != OP_COPY && m->p->event[b].op != OP_COPY;
            bool in_vain = conflict_flags(m->p, a, b) && (races_in_vain(m, a, b) || races_in_vain(m, b, a));
            if (in_vain)
                m->raced = true;
            if (!ordered && !same_thread && (conflict_data(m->p, a, b) || conflict_flags(m->p, a, b)))
                m->raced = true;
        }
    if (m->earlier >= 0 && !(m->cause.to[m->earlier] & NODE(m->later)))
        m->unordered = true;
}
