/**
 * @file block_signals.c
 * See block_signals.h.
 */
#include "check/race/block_signals.h"

#include <stdlib.h>

#include "check/race/agents.h"

#define MOST_WARPS 32 /* of a block */

static void *zeroes(size_t count, size_t size)
{
    void *p = calloc(count, size);
    if (!p)
        abort();
    return p;
}

static struct signal_times *of_thread(struct block_signals *s, uint32_t thread)
{
    struct signal_times **warp = &s->warps[thread / WARP_LANES % MOST_WARPS];
    if (!*warp)
        *warp = zeroes(WARP_LANES, sizeof **warp);
    return &(*warp)[thread % WARP_LANES];
}

void signals_of_another(struct block_signals *s, uint64_t place, const struct contribution *c, bool keep)
{
    if (!s->one) {
        s->one = c->thread + 1u;
        return;
    }
    if (s->one != SIGNALS_OF_SEVERAL && keep) {
        s->warps = zeroes(MOST_WARPS, sizeof *s->warps);
        *of_thread(s, s->one - 1) = s->any;
    }
    s->one = SIGNALS_OF_SEVERAL;
    if (s->warps)
        signal_made(of_thread(s, c->thread), place, c->time);
}

void signals_forget(struct block_signals *s)
{
    if (!s->warps)
        return;
    for (int i = 0; i < MOST_WARPS; i++)
        free(s->warps[i]);
    free(s->warps);
    s->warps = NULL;
}

static bool may_tell(const struct signal_times *t, uint32_t time, uint64_t first, uint64_t last)
{
    bool elsewhere = t->at < first || t->at > last;
    return (elsewhere ? later_of(t->there, t->elsewhere) : t->elsewhere) >= time;
}

bool signals_may_tell(const struct block_signals *s, uint32_t thread, uint32_t time, uint64_t first, uint64_t last)
{
    if (!may_tell(&s->any, time, first, last))
        return false;
    if (s->of_all >= time || (s->one == SIGNALS_OF_SEVERAL && !s->warps))
        return true;
    if (s->one != SIGNALS_OF_SEVERAL)
        return s->one == thread + 1;
    const struct signal_times *lanes = s->warps[thread / WARP_LANES % MOST_WARPS];
    return lanes && may_tell(&lanes[thread % WARP_LANES], time, first, last);
}
