/**
 * @file arena.h
 * Bump allocation with one lifetime: everything of a parsed module, or of a decoded program.
 *
 * Memory comes zeroed and aligned to 16. Out of memory aborts (our third kind of error).
 */
#ifndef SOFTGPU_BASE_ARENA_H
#define SOFTGPU_BASE_ARENA_H

#include <stddef.h>

struct arena_chunk;

/** Zero-initialise to create; arena_free() releases all of it. */
struct arena {
    struct arena_chunk *chunks;
    size_t used; /**< bytes handed out, for limits */
};

void *arena_alloc(struct arena *a, size_t bytes);
/** Copies `len` bytes and adds a NUL. */
char *arena_strndup(struct arena *a, const char *s, size_t len);
void arena_free(struct arena *a);

#endif
