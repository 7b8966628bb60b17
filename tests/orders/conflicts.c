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
    if (copies(e) && node >= MAX_EVENTS)
        a = (struct place){e->op == OP_BULK_OUT, false, true, block_of(p, e), e->source, e->source + e->unit};
    else if (copies(e))
        a.shared = e->op != OP_BULK_OUT;
    else if (node >= MAX_EVENTS)
        a.accesses = false;
    return a;
}

static bool stores_byte(const struct play *p, int event, const struct place *of, uint32_t byte)
{
    struct place w = place_of(p, event);
    return w.accesses && w.stores && w.shared == of->shared && (!w.shared || w.block == of->block) && w.from <= byte && byte < w.to;
}

/** Is there a proxy fence behind the write, and before the copy? */
static bool is_proxy_fenced(const struct model *m, int write, int read, int memory)
{
    for (int f = 0; f < m->p->count; f++)
        if (m->p->event[f].op == OP_PROXY && m->p->event[f].value & memory && m->cause.to[write] & NODE(f) && m->closed.to[f] & NODE(read))
            return true;
    return false;
}

/** Does another write of the byte stand between the two? */
static bool is_stored_between(const struct model *m, int write, int read, const struct place *of, uint32_t byte)
{
    for (int w = 0; w < m->p->count; w++)
        if (stores_byte(m->p, w, of, byte) && m->cause.to[write] & NODE(w) && m->cause.to[w] & NODE(read))
            return true;
    return false;
}

bool lacks_proxy_fence(const struct model *m)
{
    const struct play *p = m->p;
    for (int c = 0; c < p->count; c++) {
        struct place read = place_of(p, c + MAX_EVENTS);
        for (uint32_t byte = read.from; is_bulk(&p->event[c]) && byte < read.to; byte++)
            for (int w = 0; w < p->count; w++)
                if (!is_bulk(&p->event[w]) && stores_byte(p, w, &read, byte) && m->cause.to[w] & NODE(c + MAX_EVENTS) &&
                    !is_stored_between(m, w, c + MAX_EVENTS, &read, byte) && !is_proxy_fenced(m, w, c + MAX_EVENTS, read.shared ? PROXY_SHARED : PROXY_GLOBAL))
                    return true;
    }
    return false;
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

/** Has a copy written all that both touch, behind the one, and before the other? Then the other meets the copy's, although whoever knows of the copy has not
 *  heard of its thread. */
static bool is_superseded(const struct model *m, int first, int then)
{
    const struct play *p = m->p;
    struct place a = place_of(p, first), b = place_of(p, then);
    for (uint32_t byte = a.from > b.from ? a.from : b.from; byte < a.to && byte < b.to; byte++) {
        bool written = false;
        for (int c = 0; c < p->count; c++)
            written |= p->event[c].op == OP_BULK_IN && stores_byte(p, c, &a, byte) && m->cause.to[first] & NODE(c) && m->cause.to[c] & NODE(then);
        if (!written)
            return false;
    }
    return true;
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
                               !copies(&m->p->event[a]) && !copies(&m->p->event[b]);
            bool in_vain = conflict_flags(m->p, a, b) && (races_in_vain(m, a, b) || races_in_vain(m, b, a));
            if (in_vain)
                m->raced = true;
            bool races = (conflict_data(m->p, a, b) && !is_superseded(m, a, b) && !is_superseded(m, b, a)) || conflict_flags(m->p, a, b);
            if (!ordered && !same_thread && races)
                m->raced = true;
        }
    m->raced |= lacks_proxy_fence(m);
    if (m->earlier >= 0 && !(m->cause.to[m->earlier] & NODE(m->later)))
        m->unordered = true;
}
