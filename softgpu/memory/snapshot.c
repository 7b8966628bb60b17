/**
 * @file snapshot.c
 * Copies of all device-visible contents, for running a launch again under another schedule.
 *
 * A launch can make and free allocations itself (malloc in device code): restoring frees those made
 * since, and brings back those freed since. Other memory made since (the grid-sync workspace) stays. And what a
 * copy of the whole process needs: memory of its own.
 */
#include "memory/memory.h"
#include "memory/space.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mix.h"
#include "base/zeroed.h"

/** Of one allocation. */
struct saved {
    bool live;            /**< when it was taken */
    bool blank;           /**< nobody had looked at it: there is nothing to copy */
    uint8_t *copy;
    uint8_t *initialised; /**< the same of allocation->initialised; NULL where there is none */
};

struct memory_snapshot {
    uint64_t used[MEMORY_DEVICES];
    int count;
    struct saved *saved;  /**< by allocation id */
};

static uint8_t *copy_of(const void *bytes, uint64_t count)
{
    uint8_t *copy = malloc(count ? count : 1);
    if (!copy)
        abort();
    return memcpy(copy, bytes, count);
}

static void save(struct saved *s, const struct allocation *a)
{
    s->live = !a->freed;
    s->blank = s->live && a->blank;
    if (!s->live || s->blank)
        return;
    s->copy = copy_of(a->host, a->bytes);
    if (a->initialised)
        s->initialised = copy_of(a->initialised, a->initialised_bytes);
}

struct memory_snapshot *memory_save(struct memory *m)
{
    struct memory_snapshot *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    memcpy(s->used, m->used, sizeof s->used);
    s->count = m->all.count;
    s->saved = calloc((size_t)s->count + 1, sizeof *s->saved);
    if (!s->saved)
        abort();
    for (int i = 0; i < s->count; i++)
        save(&s->saved[i], m->all.data[i]);
    return s;
}

/** Puts back what a live allocation held, which may have been freed since. */
static void restore(struct memory *m, struct allocation *a, const struct saved *s)
{
    if (a->freed) {
        if (!backing_create(m, a))
            abort();
        a->freed = false;
        if (m->allocated)
            m->allocated(m->hook_self, a);
    }
    if (s->blank && !a->blank && a->initialised)
        zeroed_clear(a->initialised, a->initialised_bytes);
    a->blank = s->blank;
    if (s->copy)
        memcpy(a->host, s->copy, a->bytes);
    if (a->initialised && s->initialised)
        memcpy(a->initialised, s->initialised, a->initialised_bytes);
}

void memory_restore(struct memory *m, const struct memory_snapshot *s)
{
    assert(s->count <= m->all.count);
    for (int i = s->count; i < m->all.count; i++)
        if (!m->all.data[i]->freed && m->all.data[i]->kind == ALLOC_DEVICE_HEAP)
            memory_free(m, m->all.data[i]->base);
    for (int i = 0; i < s->count; i++)
        if (s->saved[i].live)
            restore(m, m->all.data[i], &s->saved[i]);
    memcpy(m->used, s->used, sizeof m->used);
}

uint64_t memory_digest(const struct memory *m, const struct memory_snapshot *s)
{
    uint64_t h = MIX_STEP; /* of 0, zeros would make nothing new */
    for (int i = 0; i < s->count && i < m->all.count; i++) {
        const struct allocation *a = m->all.data[i];
        if (!s->saved[i].live || a->freed || (s->saved[i].blank && contents_are_poison(a)))
            continue; /* whether somebody has looked at poison makes no difference */
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
        free(s->saved[i].copy);
        free(s->saved[i].initialised);
    }
    free(s->saved);
    free(s);
}

/** New memory with the same bytes, mapped in the place of both mappings. */
static bool part(struct allocation *a, uint64_t bytes)
{
    int fd = memfd_create("softgpu", MFD_CLOEXEC);
    bool ok = fd >= 0 && ftruncate(fd, (off_t)bytes) == 0;
    for (uint64_t done = 0; ok && done < bytes;) {
        ssize_t n = write(fd, a->host + done, bytes - done);
        ok = n > 0;
        done += ok ? (uint64_t)n : 0;
    }
    uint8_t *places[] = {a->host, a->front};
    for (int i = 0; ok && i < 2; i++)
        ok = mmap(places[i], bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED, fd, 0) != MAP_FAILED;
    if (fd >= 0)
        close(fd);
    return ok;
}

bool memory_separate(struct memory *m)
{
    bool ok = true;
    for (int i = 0; i < m->all.count; i++) {
        struct allocation *a = m->all.data[i];
        if (a->front && !a->freed)
            ok &= part(a, m->backing.data[i].bytes);
    }
    return ok;
}
