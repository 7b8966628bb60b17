/**
 * @file pages.c
 * Copies that follow what is written, by page protection; see pages.h.
 */
#include "memory/pages.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "memory/followed.h"

#define PAGE 4096ull
#define LEAST_PIECE (16ull << 10)
/** Pieces of a range, at most, and of all: the host has 65,530 mappings for a process, and each piece may become one. */
#define MOST_PIECES 2048u
#define MOST_OF_ALL 16384u
#define MOST_RANGES 128
/** So many keepings in a row have found an open piece unchanged when it is closed: what is written by every other launch stays open. */
#define UNCHANGED 2
/** Pieces opened at once where somebody goes through a range. */
#define MOST_AHEAD 16u
/** In place of a piece's number of keepings. */
#define CLOSED UINT8_MAX

struct pages {
    uint8_t *live;        /**< NULL: lost */
    uint8_t *copy;
    uint64_t bytes, piece;
    uint32_t count;       /**< of pieces; the last may be shorter */
    uint32_t next, ahead; /**< the piece behind those opened last, and how many those were */
    bool kept;            /**< the copy has been made */
    bool entered;         /**< memory_opens() finds it: it may be closed */
    uint8_t *unchanged;   /**< of each piece: for how many keepings, or CLOSED */
};

/** Read by whatever thread has faulted: in place, never moved. */
static struct range { uintptr_t first; uint64_t bytes; struct pages *of; } ranges[MOST_RANGES];
static uint32_t pieces_of_all;
static bool (*may_close)(void);

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + PAGE - 1) / PAGE * PAGE;
}

static bool enter(struct pages *p)
{
    int i = 0;
    while (i < MOST_RANGES && ranges[i].of)
        i++;
    if (i == MOST_RANGES || pieces_of_all + p->count > MOST_OF_ALL)
        return false;
    pieces_of_all += p->count;
    p->entered = true;
    ranges[i].of = p;
    ranges[i].first = (uintptr_t)p->live;
    __atomic_store_n(&ranges[i].bytes, whole_pages(p->bytes), __ATOMIC_RELEASE);
    return true;
}

static void leave(struct pages *p)
{
    p->entered = false;
    for (int i = 0; i < MOST_RANGES; i++)
        if (ranges[i].of == p) {
            __atomic_store_n(&ranges[i].bytes, 0, __ATOMIC_RELEASE);
            ranges[i].of = NULL;
            pieces_of_all -= p->count;
        }
}

static uint64_t piece_bytes(const struct pages *p, uint32_t i)
{
    uint64_t left = p->bytes - i * p->piece;
    return left < p->piece ? left : p->piece;
}

/** Pieces from `first` up to `end` may be written, or may not. @return false where the host does not grant it */
static bool protect(const struct pages *p, uint32_t first, uint32_t end, bool close)
{
    uint64_t from = first * p->piece, to = end == p->count ? whole_pages(p->bytes) : end * p->piece;
    return mprotect(p->live + from, to - from, close ? PROT_READ : PROT_READ | PROT_WRITE) == 0;
}

/** If only some cannot be opened, for they would be one mapping more, all can. */
static bool open_pieces(struct pages *p, uint32_t first, uint32_t end)
{
    if (!protect(p, first, end, false)) {
        first = 0;
        end = p->count;
        if (!protect(p, first, end, false))
            return false;
    }
    for (uint32_t i = first; i < end; i++)
        if (p->unchanged[i] == CLOSED)
            p->unchanged[i] = 0;
    return true;
}

struct pages *pages_new(uint8_t *live, uint64_t bytes)
{
    struct pages *p = calloc(1, sizeof *p);
    assert(p && bytes && (uintptr_t)live % PAGE == 0);
    *p = (struct pages){.live = live, .bytes = bytes, .piece = LEAST_PIECE};
    while (bytes / p->piece >= MOST_PIECES)
        p->piece *= 2;
    p->count = (uint32_t)((bytes + p->piece - 1) / p->piece);
    p->unchanged = calloc(p->count, 1);
    p->copy = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert(p->unchanged);
    if (p->copy != MAP_FAILED && enter(p))
        return p;
    if (p->copy != MAP_FAILED)
        munmap(p->copy, bytes);
    free(p->unchanged);
    free(p);
    return NULL;
}

void pages_lost(struct pages *p)
{
    if (!p || !p->live)
        return;
    leave(p);
    p->live = NULL;
}

void pages_found(struct pages *p, uint8_t *live)
{
    assert(!p->live && (uintptr_t)live % PAGE == 0);
    p->live = live;
    memset(p->unchanged, 0, p->count);
    enter(p); /* else it stays open */
}

void pages_free(struct pages *p)
{
    if (!p)
        return;
    pages_lost(p);
    munmap(p->copy, p->bytes);
    free(p->unchanged);
    free(p);
}

bool pages_are(const struct pages *p, const uint8_t *live, uint64_t bytes)
{
    return p && p->live == live && p->bytes == bytes;
}

bool pages_may_be_closed(void)
{
    return may_close && may_close();
}

/** Row by row of pieces that have not changed for long enough. */
static void close_unchanged(struct pages *p)
{
    for (uint32_t i = 0; i < p->count;) {
        uint32_t first = i;
        while (i < p->count && p->unchanged[i] != CLOSED && p->unchanged[i] >= UNCHANGED)
            i++;
        if (first == i)
            i++;
        else if (protect(p, first, i, true))
            memset(p->unchanged + first, CLOSED, i - first);
    }
}

void pages_keep(struct pages *p)
{
    bool any = false;
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t at = i * p->piece, bytes = piece_bytes(p, i);
        if (p->unchanged[i] == CLOSED) {
            continue;
        } else if (p->kept && !memcmp(p->copy + at, p->live + at, bytes)) {
            p->unchanged[i] += p->unchanged[i] < UNCHANGED;
            any |= p->unchanged[i] == UNCHANGED;
        } else {
            memcpy(p->copy + at, p->live + at, bytes);
            p->unchanged[i] = 0;
        }
    }
    p->kept = true;
    if (!pages_may_be_closed())
        pages_open(p, 0, p->bytes);
    else if (any && p->entered)
        close_unchanged(p);
}

/* ---- What has changed since ---- */

struct pages_changes {
    uint8_t *bytes;       /**< of the pieces that were open, one behind the other */
    uint8_t *is_open;     /**< a flag a piece */
};

struct pages_changes *pages_changes(const struct pages *p)
{
    struct pages_changes *c = calloc(1, sizeof *c);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->count; i++)
        sum += p->unchanged[i] == CLOSED ? 0 : piece_bytes(p, i);
    if (!c || !(c->bytes = malloc(sum + 1)) || !(c->is_open = calloc(p->count, 1)))
        abort();
    uint8_t *to = c->bytes;
    for (uint32_t i = 0; i < p->count; i++) {
        c->is_open[i] = p->unchanged[i] != CLOSED;
        if (c->is_open[i])
            to = (uint8_t *)memcpy(to, p->live + i * p->piece, piece_bytes(p, i)) + piece_bytes(p, i);
    }
    return c;
}

void pages_changes_free(struct pages_changes *c)
{
    if (!c)
        return;
    free(c->bytes);
    free(c->is_open);
    free(c);
}

void pages_return(struct pages *p, const struct pages_changes *c)
{
    const uint8_t *changed = c ? c->bytes : NULL;
    for (uint32_t i = 0; i < p->count; i++) {
        uint64_t at = i * p->piece, bytes = piece_bytes(p, i);
        bool own = c && c->is_open[i];
        if (p->unchanged[i] != CLOSED) /* else it is what it was at the last keeping, and it was the same when `c` was made */
            memcpy(p->live + at, own ? changed : p->copy + at, bytes);
        changed += own ? bytes : 0;
    }
}

/* ---- Opening ---- */

void pages_open(struct pages *p, uint64_t offset, uint64_t bytes)
{
    uint32_t i = (uint32_t)(offset / p->piece), end = (uint32_t)((offset + bytes + p->piece - 1) / p->piece);
    while (i < end && p->unchanged[i] != CLOSED)
        i++;
    while (end > i && p->unchanged[end - 1] != CLOSED)
        end--;
    if (i < end)
        open_pieces(p, i, end);
}

void memory_guard(bool (*may)(void))
{
    may_close = may;
}

void memory_open_all(void)
{
    for (int i = 0; i < MOST_RANGES; i++)
        if (ranges[i].of)
            pages_open(ranges[i].of, 0, ranges[i].of->bytes);
}

bool memory_opens(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    for (int i = 0; i < MOST_RANGES; i++) {
        if (at - ranges[i].first >= __atomic_load_n(&ranges[i].bytes, __ATOMIC_ACQUIRE))
            continue;
        struct pages *p = ranges[i].of;
        uint32_t piece = (uint32_t)((at - ranges[i].first) / p->piece), left = p->count - piece;
        uint32_t ahead = piece == p->next && p->ahead < MOST_AHEAD ? 2 * p->ahead : piece == p->next ? MOST_AHEAD : 1;
        ahead = ahead < 1 ? 1 : ahead < left ? ahead : left;
        int error = errno;
        bool open = open_pieces(p, piece, piece + ahead);
        errno = error;
        p->next = piece + ahead;
        p->ahead = ahead;
        return open;
    }
    return false;
}
