/**
 * @file arena.c
 * Bump allocation in chunks that only ever grow and are released together.
 *
 * Interface: arena.h. Invariant: a chunk's memory comes from calloc() and is handed out once, so
 * every allocation is zero without being cleared again.
 */
#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_ALIGN 16u
#define FIRST_BYTES (16u * 1024) /* each chunk is twice the one before, up to the most */
#define MOST_BYTES (256u * 1024)

struct arena_chunk {
    struct arena_chunk *next;
    size_t used, size;
    _Alignas(ARENA_ALIGN) unsigned char bytes[];
};

static struct arena_chunk *chunk_add(struct arena *a, size_t size)
{
    struct arena_chunk *c = calloc(1, sizeof *c + size);
    if (!c)
        abort();
    c->size = size;
    c->next = a->chunks;
    a->chunks = c;
    return c;
}

/** Of the chunk that comes next. */
static size_t next_size(const struct arena *a)
{
    size_t twice = a->chunks ? 2 * a->chunks->size : FIRST_BYTES;
    return twice < FIRST_BYTES ? FIRST_BYTES : twice < MOST_BYTES ? twice : MOST_BYTES;
}

void *arena_alloc(struct arena *a, size_t bytes)
{
    if (bytes > SIZE_MAX / 2)
        abort();
    size_t need = (bytes + ARENA_ALIGN - 1) & ~(size_t)(ARENA_ALIGN - 1);
    struct arena_chunk *c = a->chunks;
    if (!c || c->size - c->used < need) {
        size_t size = next_size(a);
        if (need > size / 4 && c) {
            /* A large block gets a chunk of its own behind the current one, which stays open. */
            a->chunks = c->next;
            struct arena_chunk *big = chunk_add(a, need);
            c->next = big;
            a->chunks = c;
            big->used = need;
            a->used += need;
            return big->bytes;
        }
        c = chunk_add(a, need > size ? need : size);
    }
    void *p = c->bytes + c->used;
    c->used += need;
    a->used += need;
    return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
    char *copy = arena_alloc(a, len + 1);
    memcpy(copy, s, len);
    return copy;
}

void arena_free(struct arena *a)
{
    struct arena_chunk *c = a->chunks;
    while (c) {
        struct arena_chunk *next = c->next;
        free(c);
        c = next;
    }
    a->chunks = NULL;
    a->used = 0;
}
