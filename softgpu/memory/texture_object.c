/**
 * @file texture_object.c
 * The list of texture and surface objects.
 */
#include "memory/texture_object.h"

#include "memory/space.h"

uint64_t memory_add_texture(struct memory *m, const struct texture *t)
{
    struct texture *kept = malloc(sizeof *kept);
    if (!kept)
        abort();
    *kept = *t;
    *LIST_PUSH(&m->textures) = kept;
    kept->handle = (uint64_t)m->textures.count;
    return kept->handle;
}

struct texture *memory_texture(const struct memory *m, uint64_t handle)
{
    return handle && handle <= (uint64_t)m->textures.count ? m->textures.data[handle - 1] : NULL;
}
