/**
 * @file fence_log.c
 * See fence_log.h. The times of one key hang one behind another, the latest first, each with a jump over some before it (a
 * skew-binary list): a look goes back over n of them in about log n steps.
 */
#include "check/race/clock/fence_log.h"

#include <assert.h>
#include <stdlib.h>

#include "base/list.h"
#include "check/race/clock/chain_index.h"

/** Beside the keys of threads and warps (vector_clock.h), and CLOCK_EVERY_KEY: when anything of the agent was added first. */
#define ANYTHING (CLOCK_EVERY_KEY - 1)

/** A time of a key, and the fence that added it. The first of all is nobody's, and ends each list. */
struct added {
    uint32_t time, fence, before, jump, depth;
};

struct fence_log {
    uint32_t refs, fences;
    uint64_t number;
    LIST(struct added) added;
    struct chain_index last;    /**< by agent and key: its last time in `added` */
    struct vector_clock *clock; /**< fence_log_clock(), of fences up to */
    uint32_t clock_upto;
};

struct fence_log *fence_log_new(void)
{
    static uint64_t last;
    struct fence_log *o = calloc(1, sizeof *o);
    assert(o);
    o->refs = 1;
    o->number = ++last;
    *LIST_PUSH(&o->added) = (struct added){0};
    return o;
}

struct fence_log *fence_log_ref(struct fence_log *o)
{
    if (o)
        o->refs++;
    return o;
}

void fence_log_drop(struct fence_log *o)
{
    if (!o || --o->refs > 0)
        return;
    LIST_FREE(&o->added);
    free(o->last.at);
    clock_drop(o->clock);
    free(o);
}

uint64_t fence_log_number(const struct fence_log *o)
{
    return o->number;
}

uint32_t fence_log_now(const struct fence_log *o)
{
    return o->fences;
}

static uint64_t key_of(uint32_t agent, uint32_t key)
{
    return (uint64_t)agent << 32 | key;
}

/** The place of the key's last time; 0 if there is none. */
static uint32_t last_of(const struct fence_log *o, uint32_t agent, uint32_t key)
{
    int at = chain_index_get(&o->last, key_of(agent, key));
    return at < 0 ? 0 : (uint32_t)at;
}

static void put(struct fence_log *o, uint32_t agent, uint32_t key, uint32_t time)
{
    uint32_t at = last_of(o, agent, key);
    struct added before = o->added.data[at], jumped = o->added.data[before.jump];
    if (at && before.time >= time)
        return;
    bool far = before.depth - jumped.depth == jumped.depth - o->added.data[jumped.jump].depth;
    chain_index_put(&o->last, key_of(agent, key), o->added.count);
    *LIST_PUSH(&o->added) = (struct added){.time = time, .fence = o->fences, .before = at, .jump = far ? jumped.jump : at, .depth = before.depth + 1};
}

static void put_later(void *self, uint32_t agent, uint32_t key, uint32_t time)
{
    put(self, agent, ANYTHING, 1);
    put(self, agent, key, time);
}

bool fence_log_add(struct fence_log *o, struct vector_clock *before, const struct vector_clock *known)
{
    if ((uint32_t)o->added.count >= FENCE_LOG_MOST)
        return false;
    o->fences++;
    clock_later(known, before, put_later, o);
    return true;
}

static uint32_t time_upto(const struct fence_log *o, uint32_t upto, uint32_t at)
{
    const struct added *all = o->added.data;
    while (all[at].fence > upto)
        at = all[all[at].jump].fence > upto ? all[at].jump : all[at].before;
    return all[at].time;
}

uint32_t fence_log_time(const struct fence_log *o, uint32_t upto, uint32_t agent, uint32_t thread, uint32_t *uniform)
{
    *uniform = 0;
    if (!fence_log_has(o, upto, agent))
        return 0;
    *uniform = time_upto(o, upto, last_of(o, agent, CLOCK_EVERY_KEY));
    uint32_t own = time_upto(o, upto, last_of(o, agent, clock_thread_key(thread)));
    uint32_t warp = time_upto(o, upto, last_of(o, agent, clock_warp_key(thread / 32)));
    return own > warp ? own : warp;
}

bool fence_log_has(const struct fence_log *o, uint32_t upto, uint32_t agent)
{
    return o && time_upto(o, upto, last_of(o, agent, ANYTHING));
}

struct vector_clock *fence_log_clock(struct fence_log *o, uint32_t upto)
{
    if (o->clock_upto == upto)
        return o->clock;
    clock_drop(o->clock);
    o->clock = NULL;
    o->clock_upto = upto;
    for (uint32_t i = 0; o->last.at && i <= o->last.mask; i++) {
        uint32_t agent = (uint32_t)(o->last.at[i].key >> 32), key = (uint32_t)o->last.at[i].key;
        uint32_t time = agent && key != ANYTHING ? time_upto(o, upto, (uint32_t)o->last.at[i].value) : 0;
        if (key == CLOCK_EVERY_KEY)
            clock_add(&o->clock, agent, time);
        else
            clock_add_key(&o->clock, agent, key, time);
    }
    return o->clock;
}
