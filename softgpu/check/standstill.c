/**
 * @file standstill.c
 * See standstill.h.
 */
#include "check/standstill.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "execute/machine.h"

#define MAX_READS (1u << 20)   /* of a round, that are kept */
#define MOVES 64u              /* a wait may be tried again as often, each time for a time of its own */
#define GROUP_READS 64u        /* of each group, before all are taken to repeat themselves */

static void clear(struct standstill *s)
{
    if (s->set)
        memset(s->set, 0, s->room * sizeof *s->set);
    s->count = 0;
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
    free(s->set);
    s->set = NULL;
    s->room = s->count = 0;
    machine_release_clock(m);
}

static bool put(uint64_t *set, uint32_t room, uint64_t key)
{
    uint32_t i = (uint32_t)(key >> 20) & (room - 1);
    while (set[i] && set[i] != key)
        i = (i + 1) & (room - 1);
    bool there = set[i] == key;
    set[i] = key;
    return !there;
}

static void grow(struct standstill *s)
{
    uint32_t room = s->room ? 2 * s->room : 1024;
    uint64_t *set = calloc(room, sizeof *set);
    assert(set);
    for (uint32_t i = 0; i < s->room; i++)
        if (s->set[i])
            put(set, room, s->set[i]);
    free(s->set);
    s->set = set;
    s->room = room;
}

bool standstill_read(struct standstill *s, uint64_t key, bool *known)
{
    if (2 * s->count >= s->room)
        grow(s);
    bool is_new = put(s->set, s->room, key | 1);
    s->count += is_new;
    s->reads++;
    if (is_new)
        s->newest = s->reads;
    *known = !is_new;
    return s->count < MAX_READS;
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
