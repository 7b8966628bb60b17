/**
 * @file hash_set.c
 * See hash_set.h.
 */
#include "base/hash_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void grow(struct hash_set *s)
{
    struct hash_set wide = {.size = s->size ? 2 * s->size : 1024};
    wide.at = calloc(wide.size, sizeof *wide.at);
    assert(wide.at);
    for (uint64_t i = 0; i < s->size; i++)
        if (s->at[i])
            hash_set_add(&wide, s->at[i]);
    free(s->at);
    *s = wide;
}

/** Where the hash is, or would be. */
static uint64_t place_of(const struct hash_set *s, uint64_t hash)
{
    uint64_t i = hash >> 17 & (s->size - 1); /* callers use the lowest bits for themselves */
    while (s->at[i] && s->at[i] != hash)
        i = (i + 1) & (s->size - 1);
    return i;
}

bool hash_set_has(const struct hash_set *s, uint64_t hash)
{
    hash = hash ? hash : 1;
    return s->size && s->at[place_of(s, hash)];
}

bool hash_set_add(struct hash_set *s, uint64_t hash)
{
    hash = hash ? hash : 1;
    if (2 * (s->count + 1) > s->size)
        grow(s);
    uint64_t i = place_of(s, hash);
    if (s->at[i])
        return false;
    s->at[i] = hash;
    s->count++;
    return true;
}

void hash_set_clear(struct hash_set *s)
{
    if (s->at)
        memset(s->at, 0, s->size * sizeof *s->at);
    s->count = 0;
}

void hash_set_free(struct hash_set *s)
{
    free(s->at);
    *s = (struct hash_set){.size = 0};
}
