/**
 * @file vain_turns.c
 * Turns that come to nothing. Where a thousand blocks wait for each other in a row, all but one poll what has not changed, and
 * most of the turns that a schedule gives are theirs: the time grows with the square of the blocks. So when many turns in a row have
 * been spent on that, a warp whose poll would find what it found before, or another value that it would only look again for (vain_looks.h: each
 * waits for a number of its own), is passed over: the turn counts as one that was spent in vain. Where that has let somebody come on, few such turns do the next time.
 *
 * Not for ever: a loop may count how often it has looked, or do something else besides. Once each resident has been passed over several times
 * and nothing came of it, every turn is taken, until one of them does something else. A warp whose lanes poll places of their own always does:
 * so each warp has its turn after some at the latest, for who never looks is never seen to wait in vain (check/deadlock.c).
 *
 * Of thousands of warps that all poll each also looks less often before it gives its turn away in natural order: each look in vain is told to all checkers.
 */
#include <string.h>

#include "execute/engine.h"
#include "execute/grid_run.h"
#include "execute/schedule.h"
#include "execute/vain_looks.h"
#include "memory/memory.h"

#define VAIN_TURNS 64        /* in a row, */
#define VAIN_AGAIN 4         /* and where somebody has come on the last time that others were passed over */
#define VAIN_POLLS 4         /* that a warp has made in a row, of one place and with one result */
#define RESIDENTS_ASKED 64     /* from the running one on, of whom so many who wait at the place */
#define WAITERS_ASKED 8
#define ROUNDS_PASSED_OVER 4 /* of as many turns as there are residents */
#define CROWD 128            /* warps; of twice as many each polls half as often in a turn, at least an eighth */
#define MOST_SHORTER 3
#define PASSED_IN_ROW 128    /* turns of one warp */

/** What stands now where the warp has looked, of which one group can run. @return false where it cannot be told */
static bool look_now(const struct machine *m, const struct warp *w, int *group, uint64_t *now)
{
    int running = 0;
    for (int i = 0; i < w->group_count; i++)
        if (w->groups[i].state == GROUP_READY || w->groups[i].state == GROUP_SLEEPING) {
            *group = i;
            running++;
        }
    *now = 0;
    if (!w->awaits.bytes || w->awaits.bytes > sizeof *now || running != 1)
        return false;
    const struct allocation *a = memory_find(m->memory, w->awaits.address);
    uint64_t offset = a ? w->awaits.address - a->base : 0;
    if (!a || a->freed || !a->host || offset + w->awaits.bytes > a->bytes)
        return false;
    memcpy(now, a->host + offset, w->awaits.bytes);
    return true;
}

/** Would all that can run of the warp read what it has read, again and again, before, or what it would only look again for? */
static bool waits(const struct machine *m, struct warp *w)
{
    int group;
    uint64_t now;
    return look_now(m, w, &group, &now) && ((now == w->awaits.value && w->awaits.times >= VAIN_POLLS) ||
                                            (m->schedule != SCHEDULE_NATURAL && looks_in_vain(w, group, w->awaits.address, now)));
}

/** Has the warp waited for what stands there now, which it has not seen? */
static bool is_let_go(const struct machine *m, struct warp *w)
{
    int group;
    uint64_t now;
    return look_now(m, w, &group, &now) && now != w->awaits.value && !looks_in_vain(w, group, w->awaits.address, now);
}

bool schedule_lets_go(const struct machine *m, const struct warp *w, uint64_t address)
{
    int count = m->residents.count - m->first_resident, asked = 0;
    for (int k = 0; k < count && k < RESIDENTS_ASKED && asked < WAITERS_ASKED; k++) {
        const struct block *b = m->residents.data[m->first_resident + (m->cursor - m->first_resident + k) % count].block;
        for (int i = 0; b && i < b->warp_count && asked < WAITERS_ASKED; i++) {
            struct warp *other = &b->warps[i];
            if (other == w || other->awaits.address != address || !other->live || !warp_ready(other))
                continue;
            asked++;
            if (is_let_go(m, other))
                return true;
        }
    }
    return false;
}

/** The warp, or all warps of the block that can run; there must be one: where all stand at a barrier, something has been done. */
static bool all_wait(const struct machine *m, const struct block *b, int warp)
{
    bool any = false;
    if (warp >= 0)
        return waits(m, &b->warps[warp]);
    for (int i = 0; i < b->warp_count; i++)
        if (b->warps[i].live && warp_ready(&b->warps[i])) {
            if (!waits(m, &b->warps[i]))
                return false;
            any = true;
        }
    return any;
}

void schedule_begins_turn(struct machine *m, const struct grid *g)
{
    uint64_t warps = (uint64_t)(m->residents.count - m->first_resident) * g->warps_per_block;
    unsigned shorter = 0;
    while (m->schedule == SCHEDULE_NATURAL && shorter < MOST_SHORTER && warps >> shorter > CROWD)
        shorter++;
    if (m->schedule == SCHEDULE_NATURAL)
        m->poll_cost = (int64_t)POLL_COST << shorter;
}

void schedule_went(struct machine *m, const struct block *b, const struct turn *t)
{
    if (b && b->live_warps && all_wait(m, b, t->warp))
        m->vain_turns++;
    else {
        m->waits_in_row |= m->passed_over > 0;
        m->vain_turns = m->passed_over = 0;
    }
}

bool schedule_passes_over(struct machine *m, const struct turn *t)
{
    const struct block *b = m->residents.data[t->resident].block;
    uint64_t most = ROUNDS_PASSED_OVER * (uint64_t)(m->residents.count - m->first_resident);
    m->waits_in_row &= m->passed_over < most;
    if (m->vain_turns < (m->waits_in_row ? VAIN_AGAIN : VAIN_TURNS) || m->passed_over >= most || !b || m->schedule == SCHEDULE_CHOSEN || m->schedule == SCHEDULE_PATIENT ||
        !all_wait(m, b, t->warp))
        return false;
    struct warp *w = &b->warps[t->warp < 0 ? 0 : t->warp];
    if (w->passed_over == PASSED_IN_ROW) {
        w->passed_over = 0;
        return false;
    }
    w->passed_over++;
    m->passed_over++;
    schedule_done(m, t, true);
    return true;
}
