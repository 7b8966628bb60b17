/**
 * @file snapshot.c
 * Copies of all device-visible contents, for running a launch again under another schedule.
 *
 * A launch can make and free allocations itself (malloc in device code): restoring frees those made
 * since, and brings back those freed since. Other memory made since (the grid-sync workspace) stays.
 */
#include "memory/memory.h"
#include "memory/space.h"

#include <assert.h>
#include <string.h>

#include "base/mix.h"

struct memory_snapshot {
    uint64_t used;
    int count;
    uint8_t **copies;     /**< by allocation id; NULL for those freed when it was taken */
    uint8_t **initialised; /**< the same of allocation->initialised; NULL where there is none */
};

struct memory_snapshot *memory_save(struct memory *m)
{
    struct memory_snapshot *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->used = m->used;
    s->count = m->all.count;
    s->copies = calloc((size_t)s->count + 1, sizeof *s->copies);
    s->initialised = calloc((size_t)s->count + 1, sizeof *s->initialised);
    if (!s->copies || !s->initialised)
        abort();
    for (int i = 0; i < s->count; i++) {
        const struct allocation *a = m->all.data[i];
        if (a->freed)
            continue;
        s->copies[i] = malloc(a->bytes ? a->bytes : 1);
        if (!s->copies[i])
            abort();
        memcpy(s->copies[i], a->host, a->bytes);
        if (!a->initialised)
            continue;
        s->initialised[i] = malloc(a->bytes / 8 + 1);
        if (!s->initialised[i])
            abort();
        memcpy(s->initialised[i], a->initialised, a->bytes / 8 + 1);
    }
    return s;
}

void memory_restore(struct memory *m, const struct memory_snapshot *s)
{
    assert(s->count <= m->all.count);
    for (int i = s->count; i < m->all.count; i++)
        if (!m->all.data[i]->freed && m->all.data[i]->kind == ALLOC_DEVICE_HEAP)
            memory_free(m, m->all.data[i]->base);
    for (int i = 0; i < s->count; i++) {
        struct allocation *a = m->all.data[i];
        if (!s->copies[i])
            continue;
        if (a->freed) {
            if (!backing_create(m, a))
                abort();
            a->freed = false;
            if (m->allocated)
                m->allocated(m->hook_self, a);
        }
        memcpy(a->host, s->copies[i], a->bytes);
        if (a->initialised && s->initialised[i])
            memcpy(a->initialised, s->initialised[i], a->bytes / 8 + 1);
    }
    m->used = s->used;
}

uint64_t memory_digest(const struct memory *m, const struct memory_snapshot *s)
{
    uint64_t h = MIX_STEP; /* of 0, zeros would make nothing new */
    for (int i = 0; i < s->count && i < m->all.count; i++) {
        const struct allocation *a = m->all.data[i];
        if (!s->copies[i] || a->freed)
            continue;
        uint64_t at = 0, word = 0;
        for (; at + sizeof word <= a->bytes; at += sizeof word) {
            memcpy(&word, a->host + at, sizeof word);
            h = mix_in(h, word);
        }
        word = 0;
        memcpy(&word, a->host + at, a->bytes - at);
        h = mix_in(h, word);
    }
    return h;
}

void memory_snapshot_free(struct memory_snapshot *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++) {
        free(s->copies[i]);
        free(s->initialised[i]);
    }
    free(s->copies);
    free(s->initialised);
    free(s);
}
