/**
 * @file rooms.c
 * See rooms.h.
 */
#include "check/race/clock/rooms.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/host_memory.h"

#define STEP 64     /**< sizes are whole multiples of it */
#define SIZES 16    /**< more than SIZES * STEP bytes are malloc()'s */
#define KEPT 32768  /**< so many at most of a size */
#define LOOK_BYTES (64ull << 20) /**< with so many more than at the last look, whether the host has memory left is asked again */

union room {
    union room *next;
    char bytes[STEP];
};

static struct {
    union room *first;
    int count;
} kept[SIZES + 1];

static uint64_t held, look_at = LOOK_BYTES; /* bytes of malloc()'s; at how many the host is looked at */

static size_t size_of(size_t bytes)
{
    return (bytes + STEP - 1) / STEP;
}

/** Many threads that each know of many take more than any memory: who runs them ends them in time. */
static void hold(size_t bytes)
{
    held += bytes;
    if (held < look_at)
        return;
    look_at = held + LOOK_BYTES;
    if (host_memory_look("", host_memory_part()))
        host_memory_set_short(held);
}

static void let_go(size_t bytes)
{
    held -= bytes;
    if (held + 2 * LOOK_BYTES < look_at)
        look_at = held + LOOK_BYTES;
}

void *room_new(size_t bytes)
{
    size_t size = size_of(bytes);
    union room *r = size <= SIZES ? kept[size].first : NULL;
    if (r) {
        kept[size].first = r->next;
        kept[size].count--;
        return r;
    }
    r = malloc(size * STEP);
    assert(r);
    hold(size * STEP);
    return r;
}

void room_drop(void *p, size_t bytes)
{
    size_t size = size_of(bytes);
    union room *r = p;
    if (!r || size > SIZES || kept[size].count == KEPT) {
        let_go(r ? size * STEP : 0);
        free(r);
        return;
    }
    r->next = kept[size].first;
    kept[size].first = r;
    kept[size].count++;
}

void *room_grow(void *p, size_t had, size_t bytes)
{
    size_t before = size_of(had), size = size_of(bytes);
    if (p && before == size)
        return p;
    if (p && before > SIZES && size > SIZES) {
        p = realloc(p, size * STEP);
        assert(p);
        let_go(before * STEP);
        hold(size * STEP);
        return p;
    }
    void *to = room_new(bytes);
    if (p)
        memcpy(to, p, had < bytes ? had : bytes);
    room_drop(p, had);
    return to;
}
