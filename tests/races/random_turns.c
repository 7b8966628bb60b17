/**
 * @file random_turns.c
 * Exchanges in which who comes last, who goes first, and which element a thread gets, comes out in the run: all do the same, so that what
 * conflicts does so whichever it is.
 */
#include "making.h"

/** Scope and order of one access that takes part, each right or not. */
static void strengthen(struct making *m, struct step *s, uint32_t flag, bool fenced, bool wide)
{
    s->flag = flag, s->strength = fenced ? RELAXED : ORDERED, s->wide = wide && !slips(m, 8);
}

static void loop(struct making *m, uint32_t turns)
{
    add(m, ACT_LOOP)->turns = turns;
}

/** Each block stores, and takes a ticket; the last reads what all have stored. */
void exchange_by_ticket(struct making *m)
{
    if (m->flags + 1 > MAX_FLAGS || !take_part(m, false))
        return;
    bool fenced = one_in(m, 2), wide = m->k->blocks > 1, early = fenced && slips(m, 5), late = fenced && slips(m, 5), alone = one_in(m, 3);
    uint32_t flag = (uint32_t)m->flags++;
    access_part(m, one_in(m, 4) ? ACT_ADD : ACT_STORE, FORM_OWN, 0);
    if (early)
        add_fence(m, wide); /* before the barrier: of what each thread did alone */
    order(m, ACT_BARRIER);
    if (fenced && !early)
        add_fence(m, wide);
    strengthen(m, guarded(add(m, ACT_TICKET), GUARD_BELOW, 1), flag, fenced, wide);
    if (fenced && !late)
        add_fence(m, wide);
    add(m, ACT_BARRIER);
    add(m, ACT_LEARN)->flag = flag;
    if (late)
        add_fence(m, wide); /* behind the barrier: by those that took no ticket */
    loop(m, m->k->blocks);
    struct step *s = guarded(access_part(m, one_in(m, 4) ? ACT_STORE : ACT_LOAD, FORM_AFFINE, 0), GUARD_LAST, alone ? 1 : m->k->threads);
    s->c = m->k->threads, s->predicated = false;
    add(m, ACT_LOOP_END);
}

/** Some threads, one after another, read and write one element. */
void exchange_by_lock(struct making *m)
{
    bool shared = one_in(m, 4);
    if (m->flags + 1 > MAX_FLAGS || !take_part(m, shared))
        return;
    bool fenced = one_in(m, 2), wide = !shared && m->k->blocks > 1, weak = one_in(m, 4);
    uint32_t flag = (uint32_t)m->flags++;
    struct step *s = guarded(add(m, ACT_LOCK), PICK(&m->r, GUARD_BELOW, GUARD_EVERY), 1);
    s->bound = s->guard == GUARD_BELOW ? 1 : PICK(&m->r, 8, 16, 32, 32);
    strengthen(m, s, flag, fenced, wide);
    if (fenced)
        add_fence(m, wide);
    access_part(m, ACT_LOAD, FORM_FIXED, 0)->predicated = false;
    access_part(m, ACT_STORE, FORM_FIXED, 0)->predicated = false;
    if (fenced)
        add_fence(m, wide && !slips(m, 8));
    s = add(m, ACT_UNLOCK);
    strengthen(m, s, flag, fenced, wide);
    s->until = one_in(m, 2);
    if (fenced && weak && !s->until)
        s->strength = VOLATILE, s->wide = true;
}

/** Each thread stores where nobody else does, as a counter tells it; then all read. */
void exchange_claimed(struct making *m)
{
    if (m->flags + 2 > MAX_FLAGS || !take_part(m, false))
        return;
    add(m, ACT_CLAIM)->flag = (uint32_t)m->flags++;
    access_part(m, ACT_STORE, FORM_CLAIMED, 0)->predicated = false;
    struct message msg = to_all(m);
    send(m, &msg);
    receive(m, &msg);
    access_part(m, ACT_LOAD, FORM_REVERSED, 0);
}

/** All, or half, of a block's threads arrive at an mbarrier, and all, or the other half, wait for them. */
void exchange_by_mbarrier(struct making *m)
{
    if (m->met + 1 > MAX_FLAGS || !take_part(m, one_in(m, 2)))
        return;
    uint32_t threads = m->k->threads, half = threads / 2, base = m->part.shared ? 0 : threads, flag = (uint32_t)m->met++;
    bool whole = one_in(m, 2);
    struct step *s = access_part(m, ACT_STORE, FORM_OWN, 0);
    if (!whole)
        guarded(s, GUARD_BELOW, half);
    s = add(m, ACT_ARRIVE);
    s->flag = flag, s->strength = ORDERED, s->until = whole ? threads : half;
    if (!whole)
        guarded(s, GUARD_BELOW, half);
    bool waits = !faulty(m);
    if (waits || whole) {
        s = add(m, ACT_AWAIT);
        s->flag = flag, s->strength = ORDERED;
        if (!whole)
            guarded(s, GUARD_FROM, half);
        else if (!waits)
            guarded(s, GUARD_BELOW, half); /* the others read without having waited */
    }
    if (whole)
        access_part(m, ACT_LOAD, FORM_XOR, half == 16 ? 16 : 32);
    else
        guarded(access_part(m, ACT_LOAD, FORM_AFFINE, 0u - half), GUARD_FROM, half)->b = base;
}

/** Threads of each block of a cluster store, for themselves or in the next one's shared memory, and arrive at the next one's mbarrier; there others wait for them. */
void exchange_by_far_mbarrier(struct making *m)
{
    bool shared = m->k->blocks > 2 || !one_in(m, 3);
    if (m->met + 1 > MAX_FLAGS || !take_part(m, shared))
        return;
    bool whole = one_in(m, 2), fenced = one_in(m, 2);
    uint32_t threads = m->k->threads, taken = whole ? threads : threads / 2, flag = (uint32_t)m->met++;
    guarded(access_part(m, ACT_STORE, FORM_OWN, 0), GUARD_BELOW, taken)->remote = shared;
    if (fenced)
        add_fence(m, !slips(m, 8));
    struct step *s = guarded(add(m, ACT_ARRIVE), GUARD_BELOW, taken);
    strengthen(m, s, flag, fenced, true);
    s->until = taken, s->remote = true;
    s = guarded(add(m, ACT_AWAIT), GUARD_BELOW, faulty(m) ? taken / 2 : threads);
    strengthen(m, s, flag, fenced, true);
    s->remote = true;
    if (fenced)
        add_fence(m, !slips(m, 8));
    if (one_in(m, 4))
        add(m, ACT_BARRIER);
    if (shared)
        guarded(access_part(m, one_in(m, 4) ? ACT_STORE : ACT_LOAD, FORM_XOR, whole ? PICK(&m->r, 1, 16) : 1), GUARD_BELOW, taken);
    else /* of two blocks: the other's */
        guarded(access_part(m, ACT_LOAD, FORM_REVERSED, 0), GUARD_FROM, threads - taken);
}
