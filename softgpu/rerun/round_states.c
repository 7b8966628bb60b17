/**
 * @file round_states.c
 * See round_states.h. A state is hashed to 64 bits. Ways that have not been taken come first; behind them a way is drawn, so that a walk which can come
 * back to each of finitely many states comes to take each way out of each. Taking them in turn does not: it was seen to go round some of them for very long.
 */
#include "rerun/round_states.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "execute/machine.h"
#include "execute/run_events.h"
#include "rerun/explore/lane_state.h"

/** Places in memory that are written. */
#define MOST_WRITTEN 256
/** Where nothing new has been met or tried for so many turns for each way, those that are left lead out of states which do not come back: they are forgotten. */
#define TURNS_A_WAY 64
#define LEAST_TURNS 1000

static void forget(struct round_states *s)
{
    if (s->at)
        memset(s->at, 0, s->size * sizeof *s->at);
    s->count = s->ways = s->untried = s->known = 0;
}

static bool is_known(const struct round_states *s, const uint8_t *host, unsigned bytes)
{
    for (int i = 0; i < s->written.count; i++)
        if (s->written.data[i].host == host && s->written.data[i].bytes == bytes)
            return true;
    return false;
}

bool round_states_write(struct round_states *s, const struct mem_access *a, uint32_t lanes)
{
    for (uint32_t m = lanes; m; m &= m - 1) {
        const uint8_t *host = a->host[__builtin_ctz(m)];
        unsigned bytes = a->insn->mem.bytes * a->insn->mem.count;
        if (is_known(s, host, bytes))
            continue;
        if (s->written.count == MOST_WRITTEN)
            return false;
        *LIST_PUSH(&s->written) = (struct written){host, bytes};
        forget(s);
    }
    return true;
}

/** All threads of a warp: a sum, for groups stand in no order. */
static uint64_t warp_state(const struct warp *w)
{
    uint64_t sum = 0;
    for (int i = 0; i < w->group_count; i++)
        for (uint32_t m = w->groups[i].mask; m; m &= m - 1) {
            int lane = __builtin_ctz(m);
            const struct group *g = &w->groups[i];
            uint64_t h = mix_in(lane_state(w, lane, g->pc, false), g->state | (uint64_t)g->barrier << 8 | (uint64_t)g->frame << 16);
            sum += mix64(mix_in(h, (uint64_t)lane | (uint64_t)(w->arrived_lanes >> lane & 1) << 8));
        }
    return sum;
}

static uint64_t state_of(const struct round_states *s, const struct machine *m)
{
    const struct block *b;
    bool stuck;
    uint64_t h = 1;
    for (int i = 0; machine_resident(m, i, &b, &stuck); i++)
        for (int j = 0; b && j < b->warp_count; j++)
            h = mix_in(h, b->warps[j].live ? warp_state(&b->warps[j]) : 0);
    for (int i = 0; i < s->written.count; i++)
        for (unsigned k = 0; k < s->written.data[i].bytes; k++)
            h = mix_in(h, s->written.data[i].host[k]);
    return mix64(h);
}

static struct round_state *find(struct round_state *at, uint64_t size, uint64_t hash)
{
    uint64_t i = hash & (size - 1);
    while (at[i].ways && at[i].hash != hash)
        i = (i + 1) & (size - 1);
    return &at[i];
}

static void grow(struct round_states *s)
{
    uint64_t size = s->size ? 2 * s->size : 1024;
    struct round_state *wide = calloc(size, sizeof *wide);
    assert(wide);
    for (uint64_t i = 0; i < s->size; i++)
        if (s->at[i].ways)
            *find(wide, size, s->at[i].hash) = s->at[i];
    free(s->at);
    s->at = wide;
    s->size = size;
}

uint32_t round_states_leave(struct round_states *s, const struct machine *m, uint32_t ways)
{
    if (2 * (s->count + 1) > s->size)
        grow(s);
    uint64_t hash = state_of(s, m);
    struct round_state *at = find(s->at, s->size, hash);
    if (!at->ways) { /* met for the first time */
        *at = (struct round_state){.hash = hash, .ways = ways};
        s->count++, s->met++, s->known = 0;
        s->ways += ways;
        s->untried += ways;
    } else if (++s->known > LEAST_TURNS + TURNS_A_WAY * s->ways && s->untried) {
        forget(s);
        return round_states_leave(s, m, ways);
    }
    s->untried -= at->tried < ways;
    s->known = at->tried < ways ? 0 : s->known;
    return at->tried++ < ways ? at->tried - 1 : (uint32_t)(mix64(++s->turns) % ways);
}

void round_states_free(struct round_states *s)
{
    free(s->at);
    LIST_FREE(&s->written);
    memset(s, 0, sizeof *s);
}
