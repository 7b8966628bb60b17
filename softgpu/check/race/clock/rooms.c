/**
 * @file rooms.c
 * See rooms.h.
 */
#include "check/race/clock/rooms.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define STEP 64     /**< sizes are whole multiples of it */
#define SIZES 16    /**< more than SIZES * STEP bytes are malloc()'s */
#define KEPT 32768  /**< so many at most of a size */

union room {
    union room *next;
    char bytes[STEP];
};

static struct {
    union room *first;
    int count;
} kept[SIZES + 1];

static size_t size_of(size_t bytes)
{
    return (bytes + STEP - 1) / STEP;
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
    return r;
}

void room_drop(void *p, size_t bytes)
{
    size_t size = size_of(bytes);
    union room *r = p;
    if (!r || size > SIZES || kept[size].count == KEPT) {
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
        return p;
    }
    void *to = room_new(bytes);
    if (p)
        memcpy(to, p, had < bytes ? had : bytes);
    room_drop(p, had);
    return to;
}
