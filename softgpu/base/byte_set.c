/**
 * @file byte_set.c
 * See byte_set.h.
 */
#include "base/byte_set.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/** Its place, or the free one where it belongs. */
static struct byte_string *find(const struct byte_set *s, uint64_t hash, const void *bytes, size_t n)
{
    uint64_t i = hash & (s->size - 1);
    for (; s->strings[i].at; i = (i + 1) & (s->size - 1)) {
        const struct byte_string *b = &s->strings[i];
        if (b->hash == hash && b->bytes == n && !memcmp(s->text + b->at - 1, bytes, n))
            break;
    }
    return &s->strings[i];
}

static void grow(struct byte_set *s)
{
    struct byte_string *old = s->strings;
    uint64_t size = s->size;
    s->size = size ? 2 * size : 256;
    s->strings = calloc(s->size, sizeof *s->strings);
    assert(s->strings);
    for (uint64_t i = 0; i < size; i++)
        if (old[i].at)
            *find(s, old[i].hash, s->text + old[i].at - 1, old[i].bytes) = old[i];
    free(old);
}

uint64_t byte_set_number(const struct byte_set *s, uint64_t hash, const void *bytes, size_t n)
{
    const struct byte_string *b = s->size ? find(s, hash, bytes, n) : NULL;
    return b && b->at ? b->number + 1 : 0;
}

bool byte_set_has(const struct byte_set *s, uint64_t hash, const void *bytes, size_t n)
{
    return byte_set_number(s, hash, bytes, n) != 0;
}

bool byte_set_add(struct byte_set *s, uint64_t hash, const void *bytes, size_t n)
{
    if (2 * (s->count + 1) > s->size)
        grow(s);
    struct byte_string *b = find(s, hash, bytes, n);
    if (b->at)
        return false;
    if (s->used + n > s->room) {
        s->room = 2 * (s->room + n);
        s->text = realloc(s->text, s->room);
        assert(s->text);
    }
    if (n)
        memcpy(s->text + s->used, bytes, n);
    *b = (struct byte_string){.hash = hash, .at = s->used + 1, .bytes = n, .number = s->count};
    s->used += n;
    s->count++;
    return true;
}

void byte_set_free(struct byte_set *s)
{
    free(s->strings);
    free(s->text);
    *s = (struct byte_set){.size = 0};
}
