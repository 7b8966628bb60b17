/**
 * @file snapshot.c
 * Copies of all device-visible contents, for running a launch again under another schedule.
 *
 * A launch can make and free allocations itself (malloc in device code): restoring frees those made
 * since, and brings back those freed since. Other memory made since (the grid-sync workspace) stays. And what a
 * copy of the whole process needs: memory of its own.
 */
#include "memory/snapshot.h"

#include "memory/followed.h"
#include "memory/memory.h"
#include "memory/pages.h"
#include "memory/space.h"

#include <assert.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/mix.h"
#include "base/zeroed.h"

/** Of one of an allocation's ranges. */
struct part {
    uint8_t *copy;                 /**< as a whole; NULL: it is followed, or there is none */
    struct pages_changes *changes; /**< followed, and this is not the first snapshot: what has changed since that */
    bool followed;
};

/** Of one allocation. */
struct saved {
    bool live;            /**< when it was taken */
    bool blank;           /**< nobody had looked at it: there is nothing to copy */
    bool owed;            /**< it is still to be copied, and has not changed since */
    struct part part[FOLLOWED];
};

struct memory_snapshot {
    struct memory *memory;
    uint64_t used[MEMORY_DEVICES];
    int count;
    bool owes;            /**< some of what it saves is still to be copied */
    struct saved *saved;  /**< by allocation id */
};

static uint8_t *copy_of(const void *bytes, uint64_t count)
{
    uint8_t *copy = malloc(count ? count : 1);
    if (!copy)
        abort();
    return memcpy(copy, bytes, count);
}

struct bytes {
    uint8_t *at;
    uint64_t count;
};

static struct bytes range_of(const struct allocation *a, enum followed which)
{
    return which == FOLLOWED_BYTES ? (struct bytes){a->host, a->bytes} : (struct bytes){a->initialised, a->initialised_bytes};
}

/* ---- Ranges that are followed ---- */

static void followed_lost(struct memory *m, const struct allocation *a, enum followed which)
{
    struct pages **p = &m->backing.data[a->id].followed[which];
    pages_lost(*p);
    if (m->first) /* which has to bring it back */
        return;
    pages_free(*p);
    *p = NULL;
}

void followed_end(struct memory *m, const struct allocation *a)
{
    for (int which = 0; which < FOLLOWED; which++)
        followed_lost(m, a, (enum followed)which);
}

void memory_initialised_ends(struct memory *m, const struct allocation *a)
{
    followed_lost(m, a, FOLLOWED_INITIALISED);
}

/** Are its bytes mapped for it alone, and reached by nobody but this process? */
static bool may_be_followed(const struct memory *m, const struct allocation *a, struct bytes range)
{
    return m->checked && m->backing.data[a->id].mapped && !alloc_kind_is_shared(a->kind) && !a->front && !a->mapped && !a->in_file &&
           range.count >= PAGES_LEAST && (uintptr_t)range.at % 4096 == 0;
}

/** The range's pages from now on; NULL: it is copied as a whole. */
static struct pages *follow(struct memory *m, const struct allocation *a, enum followed which)
{
    struct bytes range = range_of(a, which);
    struct pages **p = &m->backing.data[a->id].followed[which];
    if (*p && !pages_are(*p, range.at, range.count))
        followed_lost(m, a, which);
    if (!*p && may_be_followed(m, a, range))
        *p = pages_new(range.at, range.count);
    return *p;
}

static void save_part(struct memory *m, const struct allocation *a, enum followed which, bool first, struct part *part)
{
    struct bytes range = range_of(a, which);
    if (!range.at)
        return;
    struct pages *p = first ? follow(m, a, which) : m->backing.data[a->id].followed[which];
    part->followed = p != NULL;
    if (!p)
        part->copy = copy_of(range.at, range.count);
    else if (first)
        pages_keep(p);
    else
        part->changes = pages_changes(p);
}

static void save_parts(struct memory *m, struct saved *s, const struct allocation *a, bool first)
{
    s->owed = false;
    for (int which = 0; which < FOLLOWED; which++)
        save_part(m, a, (enum followed)which, first, &s->part[which]);
}

uint64_t memory_copied(const struct memory *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < m->all.count; i++) {
        const struct allocation *a = m->all.data[i];
        for (int which = 0; which < FOLLOWED && !a->freed && !a->blank; which++) {
            struct bytes range = range_of(a, (enum followed)which);
            sum += range.at && !may_be_followed(m, a, range) ? range.count : 0;
        }
    }
    return sum;
}

uint64_t memory_locked(const struct memory *m)
{
    uint64_t sum = 0;
    for (int i = 0; i < m->all.count; i++) {
        const struct allocation *a = m->all.data[i];
        sum += !a->freed && (a->kind == ALLOC_HOST || a->kind == ALLOC_REGISTERED) ? a->bytes : 0;
    }
    return sum;
}

/** What there is; nothing of it has been copied. */
static struct memory_snapshot *begin(struct memory *m)
{
    struct memory_snapshot *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->memory = m;
    memcpy(s->used, m->used, sizeof s->used);
    s->count = m->all.count;
    s->saved = calloc((size_t)s->count + 1, sizeof *s->saved);
    if (!s->saved)
        abort();
    for (int i = 0; i < s->count; i++) {
        const struct allocation *a = m->all.data[i];
        bool live = !a->freed, blank = live && a->blank;
        s->saved[i] = (struct saved){.live = live, .blank = blank, .owed = live && !blank};
    }
    s->owes = true;
    return s;
}

void memory_save_rest(struct memory_snapshot *s, bool but_quiet)
{
    struct memory *m = s->memory;
    bool owes = false;
    for (int i = 0; i < s->count && s->owes; i++) {
        const struct allocation *a = m->all.data[i];
        if (!s->saved[i].owed)
            continue;
        if (but_quiet && a->quiet)
            owes = true;
        else
            save_parts(m, &s->saved[i], a, m->first == s);
    }
    s->owes = owes;
}

struct memory_snapshot *memory_save_later(struct memory *m)
{
    if (m->first)
        return memory_save(m);
    return m->first = begin(m);
}

struct memory_snapshot *memory_save(struct memory *m)
{
    struct memory_snapshot *s = begin(m);
    if (m->first) {
        memory_save_rest(m->first, false); /* of which this one keeps the changes */
        m->further++;
    } else {
        m->first = s;
    }
    memory_save_rest(s, false);
    return s;
}

static void restore_part(struct memory *m, const struct allocation *a, enum followed which, const struct part *part)
{
    struct bytes range = range_of(a, which);
    struct pages *p = m->backing.data[a->id].followed[which];
    if (!range.at)
        return;
    if (part->copy)
        memcpy(range.at, part->copy, range.count);
    if (!part->followed)
        return;
    if (!pages_are(p, range.at, range.count))
        pages_found(p, range.at);
    pages_return(p, part->changes);
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
    for (int which = 0; which < FOLLOWED; which++)
        restore_part(m, a, (enum followed)which, &s->part[which]);
}

void memory_restore(struct memory *m, struct memory_snapshot *s)
{
    assert(s->count <= m->all.count);
    memory_save_rest(s, false); /* it has not changed so far, but from now on it may */
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

/** Copies of what was freed while the first snapshot stood. */
static void forget_lost(struct memory *m)
{
    for (int i = 0; i < m->all.count; i++)
        if (m->all.data[i]->freed)
            followed_end(m, m->all.data[i]);
}

void memory_snapshot_free(struct memory_snapshot *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        for (int which = 0; which < FOLLOWED; which++) {
            free(s->saved[i].part[which].copy);
            pages_changes_free(s->saved[i].part[which].changes);
        }
    struct memory *m = s->memory;
    if (m->first == s) {
        assert(!m->further);
        m->first = NULL;
        forget_lost(m);
    } else {
        m->further--;
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
