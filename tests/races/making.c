/**
 * @file making.c
 * See making.h.
 */
#include "making.h"

#define FIRST_GLOBAL 1200u         /* words; before it lie the elements of accesses to none but the own */

bool one_in(struct making *m, uint32_t n)
{
    return random_below(&m->r, n) == 0;
}

bool faulty(struct making *m)
{
    return random_below(&m->r, 100) < m->faults;
}

bool slips(struct making *m, uint32_t n)
{
    return m->faults && one_in(m, n);
}

struct step *add(struct making *m, enum act act)
{
    struct step *s = &m->k->step[m->k->count++];
    *s = (struct step){.act = act, .block = ANY_BLOCK};
    return s;
}

struct step *order(struct making *m, enum act act)
{
    static struct step none;
    return faulty(m) ? &none : add(m, act);
}

struct step *access_part(struct making *m, enum act act, enum form form, uint32_t d)
{
    struct step *s = add(m, act);
    s->shared = m->part.shared, s->array = m->part.array, s->base = m->part.base;
    s->unit = 4, s->count = 1;
    s->form = form, s->a = 1, s->d = d;
    s->predicated = one_in(m, 2);
    m->k->has_shared |= s->shared;
    return s;
}

struct step *guarded(struct step *s, enum guard guard, uint32_t bound)
{
    s->guard = guard, s->bound = bound;
    return s;
}

bool take_part(struct making *m, bool shared)
{
    uint32_t words = shared ? m->k->threads : m->k->threads * m->k->blocks, arrays = shared ? SHARED_ARRAYS : GLOBAL_ARRAYS;
    uint32_t first = shared ? 0 : FIRST_GLOBAL, all = (shared ? SHARED_BYTES : GLOBAL_BYTES) / 4, n = (uint32_t)(shared ? m->shared_parts++ : m->global_parts++);
    m->part = (struct part){shared, (int)(n % arrays), first + n / arrays * words};
    return m->part.base + words <= all;
}

void add_fence(struct making *m, bool wide)
{
    order(m, ACT_FENCE)->wide = wide;
}

void send(struct making *m, const struct message *msg)
{
    bool turned = msg->fenced && slips(m, 6);
    if (turned)
        add_fence(m, msg->wide); /* before the barrier: of what its thread did alone */
    order(m, ACT_BARRIER);
    if (msg->fenced && !turned)
        add_fence(m, msg->wide && !slips(m, 8));
    struct step *s = guarded(add(m, ACT_SIGNAL), GUARD_BELOW, 1);
    s->flag = msg->flag, s->block = msg->from, s->strength = msg->strength;
    s->wide = (msg->wide && !slips(m, 8)) || msg->strength == VOLATILE;
}

void receive(struct making *m, const struct message *msg)
{
    struct step *s = guarded(add(m, ACT_WAIT), GUARD_BELOW, PICK(&m->r, 1, 1, 1, 32, m->k->threads));
    s->flag = msg->flag, s->block = msg->to, s->strength = msg->strength;
    s->until = msg->from == ANY_BLOCK ? m->k->blocks : 1;
    s->wide = (msg->wide && !slips(m, 8)) || msg->strength == VOLATILE;
    bool turned = msg->fenced && slips(m, 6), all = s->bound == m->k->threads && one_in(m, 2);
    if (turned && !all)
        order(m, ACT_BARRIER);
    if (msg->fenced)
        add_fence(m, msg->wide);
    if (!turned && !all)
        order(m, ACT_BARRIER);
}

struct message to_all(struct making *m)
{
    struct message msg = {ANY_BLOCK, ANY_BLOCK, (uint32_t)m->flags++, RELAXED, one_in(m, 2), m->k->blocks > 1};
    msg.strength = msg.fenced ? RELAXED : ORDERED;
    return msg;
}
