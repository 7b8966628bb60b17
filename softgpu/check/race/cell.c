/**
 * @file cell.c
 * Chunks of shadow cells, and what hangs off a cell.
 */
#include "check/race/cell.h"

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
            cell_clear(&s->chunk[i][j]);
        free(s->chunk[i]);
    }
    free(s);
}

struct cell *shadow_add_chunk(struct shadow *s, uint64_t chunk)
{
    s->chunk[chunk] = calloc(CHUNK_WORDS, sizeof *s->chunk[chunk]);
    assert(s->chunk[chunk]);
    return s->chunk[chunk];
}

void cell_drop_sync(struct cell *c)
{
    if (!(c->flags & CELL_SYNC))
        return;
    struct sync *s = c->sync;
    message_drop(s->message);
    view_drop(s->read_sc);
    for (int i = 0; i < s->pasts; i++)
        message_drop(s->past[i].message);
    free(s);
    c->sync = NULL;
    c->flags &= ~(uint32_t)CELL_SYNC;
}

void cell_clear(struct cell *c)
{
    if (c->flags & CELL_SPLIT) {
        for (int i = 0; i < 4; i++)
            cell_drop_sync(&c->bytes[i]);
        free(c->bytes);
    } else {
        cell_drop_sync(c);
    }
    memset(c, 0, sizeof *c);
}

void cell_split(struct cell *c)
{
    if (c->flags & CELL_SPLIT)
        return;
    struct cell *bytes = calloc(4, sizeof *bytes);
    assert(bytes);
    cell_drop_sync(c);
    for (unsigned i = 0; i < 4; i++) {
        bytes[i] = *c;
        if (c->write.agent)
            bytes[i].write.unit = (uint8_t)(c->write.unit + i);
        if (c->read.agent && !(c->read.flags & EPOCH_LIST))
            bytes[i].read.unit = (uint8_t)(c->read.unit + i);
        bytes[i].old = c->old >> (8 * i) & 0xff;
    }
    memset(c, 0, sizeof *c);
    c->flags = CELL_SPLIT;
    c->bytes = bytes;
}

struct sync *cell_sync(struct cell *c)
{
    if (!(c->flags & CELL_SYNC)) {
        c->sync = calloc(1, sizeof *c->sync);
        assert(c->sync);
        c->flags |= CELL_SYNC;
    }
    return c->sync;
}
