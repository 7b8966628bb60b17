/**
 * @file standstill.c
 * See standstill.h.
 */
#include "check/standstill.h"

#include "execute/machine.h"

#define MAX_READS (1u << 20)   /* of a round, that are kept */
#define MOVES 64u              /* a wait may be tried again as often, each time for a time of its own */
#define GROUP_READS 64u        /* of each group, before all are taken to repeat themselves */

static void clear(struct standstill *s)
{
    hash_set_clear(&s->made);
    s->reads = s->newest = 0;
}

void standstill_begin(struct standstill *s, struct machine *m)
{
    clear(s);
    s->on = true;
    s->quiet = s->moved = 0;
    machine_hold_clock(m);
}

void standstill_end(struct standstill *s, struct machine *m)
{
    s->on = false;
    hash_set_free(&s->made);
    machine_release_clock(m);
}

bool standstill_read(struct standstill *s, uint64_t key, bool *known)
{
    bool is_new = hash_set_add(&s->made, key);
    s->reads++;
    if (is_new)
        s->newest = s->reads;
    *known = !is_new;
    return s->made.count < MAX_READS;
}

bool standstill_repeats(const struct standstill *s, uint64_t groups)
{
    return s->reads - s->newest >= 2 * s->newest + GROUP_READS * groups;
}

bool standstill_round(struct standstill *s, struct machine *m, uint64_t enough)
{
    s->quiet += s->reads;
    s->moved++;
    if (s->moved >= MOVES && s->quiet >= enough)
        return true;
    clear(s);
    machine_hold_clock(m);
    return false;
}
