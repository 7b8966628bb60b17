/**
 * @file shadow_word.c
 * Chunks of shadow words, and what hangs off one.
 */
#include "check/race/shadow/shadow_rows.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/host_memory.h"
#include "base/zeroed.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/read_ranges.h"
#include "check/race/shadow/row_atomics.h"
#include "check/race/shadow/row_parts.h"
#include "check/race/shadow/row_reads.h"

/* ---- Chunks of rows, the words of a row, and what strong writes leave at a word. They come from slabs of huge pages: touching
 * them page by page would cost more than what is remembered in them. What is given back is used again. ---- */

#define SLAB_BYTES (2ull << 20)
#define SLABS_A_LOOK 16
#define SPARE_BYTES (64ull << 20)

struct free_piece {
    struct free_piece *next;
};
enum piece_kind { PIECE_CHUNK, PIECE_WORDS, PIECE_SYNC, PIECE_KINDS };
static const uint64_t piece_bytes[] = {[PIECE_CHUNK] = CHUNK_ROWS * (sizeof(struct shadow_row) + ROW_BYTES),
                                       [PIECE_WORDS] = ROW_WORDS * sizeof(struct shadow_word),
                                       [PIECE_SYNC] = sizeof(struct sync)};

_Static_assert(sizeof(struct shadow_row) % 16 == 0, "old_at");

static struct free_piece *given_back[PIECE_KINDS];
static uint8_t *slab;
static uint64_t slab_left, slabs;
static uint8_t *spare;  /* not touched until the host gives no more: for the turn to come to its end (host_memory.h) */
static uint64_t spare_left;

/** @return NULL: the host gives none */
static uint8_t *slab_map(void)
{
    void *p = mmap(NULL, 2 * SLAB_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    uintptr_t at = ((uintptr_t)p + SLAB_BYTES - 1) & ~(SLAB_BYTES - 1);
    if (at > (uintptr_t)p)
        munmap(p, at - (uintptr_t)p);
    munmap((void *)(at + SLAB_BYTES), (uintptr_t)p + SLAB_BYTES - at);
    madvise((void *)at, SLAB_BYTES, MADV_HUGEPAGE); /* where the host has none, they are small */
    return (uint8_t *)at;
}

static void slab_new(void)
{
    if (!spare) {
        spare = mmap(NULL, SPARE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        spare_left = spare != MAP_FAILED ? SPARE_BYTES : 0;
    }
    slab = slab_map();
    slabs++;
    if (!slab || (slabs % SLABS_A_LOOK == 0 && host_memory_look("", host_memory_part())))
        host_memory_set_short(slabs * SLAB_BYTES);
    if (!slab && spare_left) {
        spare_left -= SLAB_BYTES;
        slab = spare + spare_left;
    }
    assert(slab);
    slab_left = SLAB_BYTES;
}

/** All zero. */
static void *piece_new(enum piece_kind kind)
{
    struct free_piece *p = given_back[kind];
    if (p) {
        given_back[kind] = p->next;
        return memset(p, 0, piece_bytes[kind]);
    }
    if (slab_left < piece_bytes[kind])
        slab_new();
    slab_left -= piece_bytes[kind];
    return slab + slab_left;
}

static void piece_free(enum piece_kind kind, void *piece)
{
    struct free_piece *p = piece;
    p->next = given_back[kind];
    given_back[kind] = p;
}

struct shadow *shadow_new(uint64_t bytes)
{
    uint64_t chunks = (bytes + CHUNK_BYTES - 1) / CHUNK_BYTES;
    struct shadow *s = zeroed_new(sizeof *s + chunks * sizeof *s->chunk);
    assert(s);
    s->chunks = chunks;
    return s;
}

static void free_words(struct shadow_word *words)
{
    for (int i = 0; words && i < ROW_WORDS; i++)
        word_clear(&words[i]);
    if (words)
        piece_free(PIECE_WORDS, words);
}

void shadow_free(struct shadow *s)
{
    if (!s)
        return;
    for (uint64_t i = 0; i < s->chunks; i++) {
        if (!s->chunk[i])
            continue;
        for (int j = 0; j < CHUNK_ROWS; j++) {
            row_atomics_free(&s->chunk[i][j]);
            row_parts_free(&s->chunk[i][j]);
            free_words(s->chunk[i][j].words);
        }
        piece_free(PIECE_CHUNK, s->chunk[i]);
    }
    read_log_free(s->log);
    read_ranges_free(s->ranges);
    row_reads_free(s);
    zeroed_free(s, sizeof *s + s->chunks * sizeof *s->chunk);
}

struct shadow_row *shadow_make_chunk(struct shadow *s, uint64_t chunk)
{
    struct shadow_row *rows = s->chunk[chunk] = piece_new(PIECE_CHUNK);
    for (unsigned i = 0; i < CHUNK_ROWS; i++)
        rows[i].old_at = (uint16_t)((shadow_chunk_old(rows, i) - (uint8_t *)&rows[i]) / 16);
    return rows;
}

struct shadow_row *shadow_add_chunk(struct shadow *s, uint64_t chunk)
{
    struct shadow_row *rows = shadow_make_chunk(s, chunk);
    if (row_reads_has(s, chunk))
        row_reads_give(s, chunk);
    return rows;
}

static struct shadow_row *touched_row(struct shadow *s, uint64_t offset)
{
    struct shadow_row *chunk = s->chunk[offset / CHUNK_BYTES];
    if (!chunk && row_reads_has(s, offset / CHUNK_BYTES))
        chunk = shadow_add_chunk(s, offset / CHUNK_BYTES);
    struct shadow_row *row = chunk ? &chunk[offset / ROW_BYTES % CHUNK_ROWS] : NULL;
    return row && (row->words || row->parted || row->write.agent || row->read.agent) ? row : NULL;
}

const struct shadow_row *shadow_peek_row(struct shadow *s, uint64_t offset)
{
    return touched_row(s, offset);
}

struct shadow_word *shadow_peek(struct shadow *s, uint64_t offset)
{
    struct shadow_row *row = touched_row(s, offset);
    struct shadow_word *words = row ? shadow_row_words(row) : NULL;
    return row ? &(words ? words : shadow_open_row(row))[offset / 4 % ROW_WORDS] : NULL;
}

/** Does the word remember nothing that somebody asks for whom all below agent `floor` comes before, or more than its writer? */
static bool word_may_close(const struct shadow_word *c, uint32_t floor)
{
    if ((c->flags & (WORD_SPLIT | WORD_LOGGED)) || c->write.agent >= floor || c->read.agent >= floor)
        return false;
    return !(c->flags & WORD_SYNC) || (c->write.agent && !c->sync->tips);
}

bool shadow_close_row(struct shadow_row *row, uint32_t floor, uint32_t settled)
{
    uint32_t under = 0;
    if (row->owes && !row_atomics_over(row, floor))
        return false;
    for (int i = 0; i < ROW_WORDS; i++) {
        const struct shadow_word *c = &row->words[i];
        if (!word_may_close(c, floor))
            return false;
        under = c->write.agent >= settled && c->write.agent > under ? c->write.agent : under;
    }
    row->read = row->write = (struct epoch){0};
    row->has_old = false;
    row->under = under;
    if (!under)
        shadow_row_drop_under(row);
    for (int i = 0; under && i < ROW_WORDS; i++) {
        row->words[i].read.agent = 0;
        word_drop_sync(&row->words[i]);
        if (row->words[i].write.agent < settled)
            row->words[i].write.agent = 0;
    }
    return true;
}

void shadow_row_drop_under(struct shadow_row *row)
{
    free_words(row->words);
    row->words = NULL;
    row->under = 0;
}

void shadow_row_told(struct shadow_row *row)
{
    if (row->owes)
        row_atomics_told(row);
    else
        row_parts_told(row);
}

/** The words tell again, also of what has been read since. */
static struct shadow_word *reopen_row(struct shadow_row *row)
{
    for (int i = 0; i < ROW_WORDS; i++) {
        row->words[i].flags &= row->words[i].write.agent ? WORD_LANES | WORD_OLD : WORD_LANES; /* who meets the write may be shown what it found */
        if (row->read.agent)
            row->words[i].read = shadow_row_epoch(&row->read, (unsigned)i);
    }
    row->read.agent = row->under = 0;
    return row->words;
}

struct shadow_word *shadow_open_row(struct shadow_row *row)
{
    if (row->under)
        return reopen_row(row);
    struct shadow_word *words = row->words = piece_new(PIECE_WORDS);
    for (int i = 0; i < ROW_WORDS; i++) {
        if (row->write.agent)
            words[i].write = shadow_row_epoch(&row->write, (unsigned)i);
        if (row->read.agent || (row->write.flags & EPOCH_KEPT))
            words[i].read = shadow_row_epoch(&row->read, (unsigned)i);
        words[i].old = shadow_row_old(row)[i];
        words[i].flags = row->has_old ? WORD_OLD : 0;
    }
    return words;
}

void shadow_row_clear(struct shadow_row *row)
{
    row_atomics_free(row);
    row_parts_free(row);
    free_words(row->words);
    *row = (struct shadow_row){.old_at = row->old_at};
}

void word_drop_sync(struct shadow_word *c)
{
    if (!(c->flags & WORD_SYNC))
        return;
    struct sync *s = c->sync;
    chain_drop(s->chain);
    clock_drop(s->read_sc);
    clock_drop(s->read_sc_sys);
    for (int i = 0; i < s->pasts; i++)
        chain_drop(s->past[i].chain);
    piece_free(PIECE_SYNC, s);
    c->sync = NULL;
    c->flags &= ~(uint32_t)WORD_SYNC;
}

static void word_drop_lanes(struct shadow_word *c)
{
    if (!(c->flags & WORD_LANES))
        return;
    free(c->lanes);
    c->lanes = NULL;
    c->flags &= ~(uint32_t)WORD_LANES;
}

void word_clear(struct shadow_word *c)
{
    for (int i = 0; (c->flags & WORD_SPLIT) && i < 4; i++)
        word_clear(&c->bytes[i]);
    if (c->flags & WORD_SPLIT)
        free(c->bytes);
    word_drop_lanes(c);
    word_drop_sync(c);
    memset(c, 0, sizeof *c);
}

/** Of strong writes to a word the last one's chain stays with each of its bytes, and those that it did not supersede; older values do not, which are the
 *  word's. `first` has what is kept of strong reads. */
static struct sync *sync_of_byte(struct sync *of_word, bool first)
{
    struct sync *s = first ? of_word : piece_new(PIECE_SYNC);
    for (int i = 0; first && i < s->pasts; i++)
        chain_drop(s->past[i].chain);
    if (!first) {
        *s = *of_word;
        s->chain = chain_ref(of_word->chain);
        s->read_sc = s->read_sc_sys = NULL;
    }
    s->pasts = 0;
    s->has_operand = false;
    return s;
}

void word_split(struct shadow_word *c)
{
    if (c->flags & WORD_SPLIT)
        return;
    struct shadow_word *bytes = calloc(4, sizeof *bytes);
    assert(bytes && !word_has_group(c));
    word_drop_lanes(c);
    for (unsigned i = 4; i-- > 0;) { /* the first byte takes over what is the word's */
        bytes[i] = *c;
        bytes[i].flags |= WORD_BYTE;
        if (c->flags & WORD_SYNC)
            bytes[i].sync = sync_of_byte(c->sync, i == 0);
        if (c->write.agent)
            bytes[i].write.unit = (uint8_t)(c->write.unit + i);
        if ((c->read.agent || (c->write.flags & EPOCH_KEPT)) && !(c->read.flags & EPOCH_LIST))
            bytes[i].read.unit = (uint8_t)(c->read.unit + i);
        bytes[i].old = c->old >> (8 * i) & 0xff;
    }
    memset(c, 0, sizeof *c);
    c->flags = WORD_SPLIT;
    c->bytes = bytes;
}

void word_rejoin(struct shadow_word *c, uint32_t floor)
{
    for (unsigned i = 0; i < 4; i++)
        if (c->bytes[i].write.agent >= floor || c->bytes[i].read.agent >= floor)
            return;
    word_clear(c);
}

struct sync *word_sync(struct shadow_word *c)
{
    if (!(c->flags & WORD_SYNC)) {
        assert(!word_has_group(c));
        word_drop_lanes(c);
        c->sync = piece_new(PIECE_SYNC);
        c->flags |= WORD_SYNC;
    }
    return c->sync;
}

uint64_t words_each_set(struct shadow_word *words, uint64_t count, uint32_t floor,
                        uint32_t (*fn)(void *self, uint32_t set), void *self)
{
    for (uint64_t i = 0; i < count; i++) {
        struct shadow_word *c = &words[i];
        if (c->flags & WORD_SPLIT) {
            words_each_set(c->bytes, 4, floor, fn, self);
            continue;
        }
        if (c->read.agent < floor)
            c->read.agent = 0;
        if (c->read.agent && (c->read.flags & EPOCH_LIST))
            c->read.time = fn(self, c->read.time);
        if (c->flags & WORD_SYNC)
            c->sync->tips = fn(self, c->sync->tips);
    }
    return count;
}

uint64_t shadow_each_set(struct shadow *s, uint32_t floor, uint32_t (*fn)(void *self, uint32_t set), void *self)
{
    uint64_t words = 0;
    for (uint64_t i = 0; s && i < s->chunks; i++)
        for (int j = 0; s->chunk[i] && j < CHUNK_ROWS; j++)
            if (s->chunk[i][j].words)
                words += words_each_set(s->chunk[i][j].words, ROW_WORDS, floor, fn, self);
    return words;
}
