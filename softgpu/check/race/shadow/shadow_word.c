/**
 * @file shadow_word.c
 * Chunks of shadow words, and what hangs off one.
 */
#include "check/race/shadow/shadow_word.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct shadow *shadow_new(uint64_t bytes)
{
    uint64_t chunks = (bytes + 4 * CHUNK_WORDS - 1) / (4 * CHUNK_WORDS);
    struct shadow *s = calloc(1, sizeof *s + chunks * sizeof *s->chunk);
    assert(s);
    s->chunks = chunks;
    return s;
}

void shadow_free(struct shadow *s)
{
    if (!s)
        return;
    for (uint64_t i = 0; i < s->chunks; i++) {
        for (int j = 0; s->chunk[i] && j < CHUNK_WORDS; j++)
            word_clear(&s->chunk[i][j]);
        free(s->chunk[i]);
    }
    free(s);
}

struct shadow_word *shadow_add_chunk(struct shadow *s, uint64_t chunk)
{
    s->chunk[chunk] = calloc(CHUNK_WORDS, sizeof *s->chunk[chunk]);
    assert(s->chunk[chunk]);
    return s->chunk[chunk];
}

void word_drop_sync(struct shadow_word *c)
{
    if (!(c->flags & WORD_SYNC))
        return;
    struct sync *s = c->sync;
    chain_drop(s->chain);
    clock_drop(s->read_sc);
    for (int i = 0; i < s->pasts; i++)
        chain_drop(s->past[i].chain);
    free(s);
    c->sync = NULL;
    c->flags &= ~(uint32_t)WORD_SYNC;
}

void word_clear(struct shadow_word *c)
{
    if (c->flags & WORD_SPLIT) {
        for (int i = 0; i < 4; i++)
            word_drop_sync(&c->bytes[i]);
        free(c->bytes);
    } else {
        word_drop_sync(c);
    }
    memset(c, 0, sizeof *c);
}

void word_split(struct shadow_word *c)
{
    if (c->flags & WORD_SPLIT)
        return;
    struct shadow_word *bytes = calloc(4, sizeof *bytes);
    assert(bytes);
    word_drop_sync(c);
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = *c;
        if (c->write.agent)
            bytes[i].write.unit = (uint8_t)(c->write.unit + i);
        if (c->read.agent && !(c->read.flags & EPOCH_LIST))
            bytes[i].read.unit = (uint8_t)(c->read.unit + i);
        bytes[i].old = c->old >> (8 * i) & 0xff;
    }
    memset(c, 0, sizeof *c);
    c->flags = WORD_SPLIT;
    c->bytes = bytes;
}

struct sync *word_sync(struct shadow_word *c)
{
    if (!(c->flags & WORD_SYNC)) {
        c->sync = calloc(1, sizeof *c->sync);
        assert(c->sync);
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
        if (s->chunk[i])
            words += words_each_set(s->chunk[i], CHUNK_WORDS, floor, fn, self);
    return words;
}
