/**
 * @file flags.c
 * Fences, and what is done to flags (making.h).
 */
#include "making.h"

void add_fence(struct making *m, int actor)
{
    if (!has_room(m, 1))
        return;
    struct event *e = add(m, OP_FENCE, actor);
    e->scope = any_scope(m);
    e->sc = m->fences < 4 && below(m, 2);
    m->fences += e->sc;
}

/** Order and scope of an access to a flag, and a fence beside it, before a write and after a read. */
static void strengthen(struct making *m, struct event *e, bool token)
{
    e->scope = any_scope(m);
    e->order = token ? (enum order)below(m, 3) : below(m, 2) ? HALF : below(m, 4) ? RELAXED : VOLATILE;
}

static bool reaches(const struct making *m, int n, int actor)
{
    uint32_t block = m->p->actor[actor].block;
    if (is_host(m->p, actor) && m->flag[n].kind == ADDED)
        return false;
    return !m->flag[n].shared || m->flag[n].block == block || (goes_away(m) && m->flag[n].block == (block ^ 1));
}

static int new_flag(struct making *m, int kind, int actor)
{
    bool shared = below(m, 3) == 0 && !is_host(m->p, actor);
    if (m->flags[shared] == MAX_FLAGS)
        return -1;
    int n = m->flags[shared]++ + MAX_FLAGS * shared;
    m->flag[n].kind = kind, m->flag[n].value = 0, m->flag[n].shared = shared, m->flag[n].block = m->p->actor[actor].block;
    return n;
}

static int some_flag(struct making *m, int kind, int actor)
{
    int n = (int)below(m, 2 * MAX_FLAGS);
    for (int i = 0; i < 2 * MAX_FLAGS; i++, n = (n + 1) % (2 * MAX_FLAGS))
        if (m->flag[n].kind == kind && reaches(m, n, actor))
            return n;
    return -1;
}

static void take_back(struct making *m, int count)
{
    while (m->p->count > count)
        m->p->event[--m->p->count] = (struct event){0};
}

static void add_to_flag(struct making *m, enum op op, int actor, int n)
{
    bool writes = op != OP_WAIT, reads = op != OP_SIGNAL;
    int count = m->p->count;
    if (writes && !is_host(m->p, actor) && below(m, 2))
        add_fence(m, actor);
    struct event *e = add(m, op, actor);
    e->flag = n % MAX_FLAGS, e->shared = n >= MAX_FLAGS, e->away = e->shared && m->flag[n].block != m->p->actor[actor].block, e->count = m->flag[n].kind == ADDED;
    e->value = m->flag[n].value + (writes ? 1 : 0);
    if (op == OP_WAIT && m->family == POLLS)
        e->poll = below(m, 3);
    strengthen(m, e, op == OP_TOKEN || e->poll);
    if (e->count && op == OP_SIGNAL && e->order == VOLATILE)
        e->order = RELAXED;
    if (is_host(m->p, actor))
        e->scope = SYS, e->order = HALF;
    if (m->family == HOST) /* no updates, as above */
        e->spelled = e->spelled / 12 * 12 + (e->spelled % 2 ? 5 : 11);
    if (reads && !is_host(m->p, actor) && below(m, 2))
        add_fence(m, actor);
    if (play_races(m->p)) { /* scopes that do not include each other */
        take_back(m, count);
        return;
    }
    m->flag[n].value += writes;
    m->flag[n].actor = actor;
    if (op == OP_WAIT && m->flag[n].kind == ADDED)
        m->flag[n].value |= 1 << 16; /* nothing is added any more */
}

void add_signal(struct making *m)
{
    int actor = any_actor(m), n = below(m, 3) ? -1 : some_flag(m, ADDED, actor);
    if (n >= 0 && m->flag[n].value >> 16)
        n = -1;
    if (n < 0)
        n = new_flag(m, below(m, 3) || is_host(m->p, actor) ? STORED : ADDED, actor);
    if (n >= 0 && has_room(m, 3))
        add_to_flag(m, OP_SIGNAL, actor, n);
}

/** Does a first kernel wait for the second, which may not have begun? */
static bool waits_for_later(const struct making *m, int n, int actor)
{
    bool later = false;
    for (int i = 0; i < m->p->count; i++) {
        const struct event *e = &m->p->event[i];
        later |= e->op == OP_SIGNAL && e->flag == n % MAX_FLAGS && e->shared == (n >= MAX_FLAGS) && !is_of_first(m->p, e->actor);
    }
    return later && is_of_first(m->p, actor);
}

static int waits_for(const struct making *m, int n)
{
    int waits = 0;
    for (int i = 0; i < m->p->count; i++) {
        const struct event *e = &m->p->event[i];
        waits += e->op == OP_WAIT && e->flag == n % MAX_FLAGS && e->shared == (n >= MAX_FLAGS) && (!e->shared || block_of(m->p, e) == m->flag[n].block);
    }
    return waits;
}

void add_wait(struct making *m)
{
    int actor = any_actor(m), n = some_flag(m, below(m, 2) ? STORED : ADDED, actor);
    if (n < 0 || !has_room(m, 3) || waits_for_later(m, n, actor) || !(m->flag[n].value & 0xffff) || (m->family == POLLS && waits_for(m, n) == MAX_LOOKERS))
        return;
    int value = m->flag[n].value;
    m->flag[n].value &= 0xffff;
    if (m->flag[n].actor != actor || below(m, 4) == 0)
        add_to_flag(m, OP_WAIT, actor, n);
    m->flag[n].value |= value & 1 << 16;
}

void add_token(struct making *m)
{
    int actor = any_actor(m), n = below(m, 4) ? some_flag(m, TOKEN, actor) : -1;
    if (n < 0)
        n = new_flag(m, TOKEN, actor);
    if (n >= 0 && has_room(m, 3))
        add_to_flag(m, m->flag[n].value || below(m, 2) ? OP_TOKEN : OP_SIGNAL, actor, n);
}
