/**
 * @file met.c
 * See met.h. Events are named by their thread and their place there, so that it is all one in which order the search has added them.
 */
#include "model/met.h"

#include <string.h>

#include "base/mix.h"

static uint64_t name_of(const struct execution *x, int event)
{
    const struct model_event *e = &x->event[event];
    uint64_t low = (uint64_t)x->before[event], high = (uint64_t)(x->before[event] >> 64);
    uint64_t place = (uint64_t)(__builtin_popcountll(low) + __builtin_popcountll(high));
    return e->thread < 0 ? (uint64_t)e->location : ((uint64_t)e->thread + 1) << 32 | place;
}

uint64_t execution_hash(const struct execution *x, uint32_t hanging)
{
    uint64_t sum = hanging;
    for (int e = x->locations; e < x->count; e++) {
        uint64_t own = mix64(mix64(name_of(x, e)) + x->event[e].cookie);
        if (x->source[e] >= 0)
            own = mix64(own + name_of(x, x->source[e]));
        event_set later = x->barrier[e] | x->meets[e];
        FOR_EVENTS(b, later)
            sum += mix64(own + name_of(x, b));
        sum += mix64(own + x->event[e].value);
    }
    return mix64(sum);
}

/* ---- All that an execution consists of ---- */

struct writing {
    uint8_t *at;
};

/** Seven bits a byte, the highest one set but in the last. */
static void put(struct writing *w, uint64_t value)
{
    for (; value > 127; value >>= 7)
        *w->at++ = (uint8_t)(value | 128);
    *w->at++ = (uint8_t)value;
}

static void put_set(struct writing *w, event_set events, const uint8_t *number)
{
    event_set renumbered = 0;
    FOR_EVENTS(e, events)
        renumbered |= event_bit(number[e]);
    put(w, renumbered != 0);
    if (!renumbered)
        return;
    memcpy(w->at, &renumbered, sizeof renumbered);
    w->at += sizeof renumbered;
}

/** Numbers events thread by thread. Initial writes keep their numbers. */
static void number_events(const struct execution *x, uint8_t *number)
{
    int next = x->locations;
    for (int e = 0; e < x->locations; e++)
        number[e] = (uint8_t)e;
    for (int t = 0; t < x->threads; t++)
        for (int e = x->locations; e < x->count; e++)
            if (x->event[e].thread == t)
                number[e] = (uint8_t)next++;
}

/** A word each has at most 10 bytes, a set 17. */
#define MOST_BYTES (16 + 11 * MODEL_THREADS + MODEL_EVENTS * (4 * 10 + 2 * 17))

bool execution_is_new(struct byte_set *met, const struct execution *x, uint32_t hanging)
{
    uint8_t bytes[MOST_BYTES], number[MODEL_EVENTS];
    struct writing w = {bytes};
    number_events(x, number);
    put(&w, hanging);
    for (int t = 0; t < x->threads; t++) {
        for (int e = x->locations; e < x->count; e++) {
            const struct model_event *event = &x->event[e];
            if (event->thread != t)
                continue;
            put(&w, (uint64_t)event->kind + 1);
            put(&w, event->cookie);
            put(&w, x->source[e] >= 0 ? number[x->source[e]] + 1u : 0);
            put(&w, event->value);
            put_set(&w, x->barrier[e], number);
            put_set(&w, x->meets[e], number);
        }
        put(&w, 0);
    }
    return byte_set_add(met, execution_hash(x, hanging), bytes, (size_t)(w.at - bytes));
}
