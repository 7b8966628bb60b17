/**
 * @file shadow_copy.c
 * See shadow_copy.h.
 */
#include "check/race/shadow/shadow_copy.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define WARPS 32

/** Chains of one location, copied once each. */
struct copied {
    const struct release_chain *from[MAX_PAST + 1];
    struct release_chain *to[MAX_PAST + 1];
    int count;
};

/** @return a reference of the caller's own */
static struct release_chain *copy_chain(struct copied *c, const struct release_chain *m)
{
    if (!m)
        return NULL;
    for (int i = 0; i < c->count; i++)
        if (c->from[i] == m)
            return chain_ref(c->to[i]);
    c->from[c->count] = m;
    return c->to[c->count++] = chain_copy(m);
}

static struct sync *copy_sync(const struct sync *from)
{
    struct copied chains = {.count = 0};
    struct sync *s = malloc(sizeof *s);
    assert(s);
    *s = *from;
    s->chain = copy_chain(&chains, from->chain);
    clock_ref(s->read_sc);
    clock_ref(s->read_sc_sys);
    for (int i = 0; i < s->pasts; i++)
        s->past[i].chain = copy_chain(&chains, from->past[i].chain);
    return s;
}

static void copy_word(struct shadow_word *to, const struct shadow_word *from)
{
    *to = *from;
    to->flags &= ~(uint32_t)WORD_LOGGED;
    if (from->flags & WORD_SPLIT) {
        to->bytes = calloc(4, sizeof *to->bytes);
        assert(to->bytes);
        for (int i = 0; i < 4; i++)
            copy_word(&to->bytes[i], &from->bytes[i]);
    } else if (from->flags & WORD_SYNC) {
        to->sync = copy_sync(from->sync);
    } else if (from->flags & WORD_LANES) {
        to->lanes = malloc(WARPS * sizeof *to->lanes);
        assert(to->lanes);
        memcpy(to->lanes, from->lanes, WARPS * sizeof *to->lanes);
    }
}

void shadow_row_copy(struct shadow_row *to, const struct shadow_row *from)
{
    uint16_t old_at = to->old_at;
    shadow_row_clear(to);
    *to = *from;
    to->old_at = old_at;
    to->words = NULL;
    to->under = 0;
    memcpy(shadow_row_old(to), shadow_row_old(from), ROW_BYTES);
    if (!from->words)
        return;
    struct shadow_word *words = shadow_open_row(to);
    for (int i = 0; i < ROW_WORDS; i++)
        copy_word(&words[i], &from->words[i]);
    to->under = from->under;
}

static bool word_written_since(const struct shadow_word *c, uint32_t agent)
{
    bool yes = false;
    for (int i = 0; i < 4 && (c->flags & WORD_SPLIT); i++)
        yes |= c->bytes[i].write.agent >= agent;
    return (c->flags & WORD_SPLIT) ? yes : c->write.agent >= agent;
}

bool shadow_row_written_since(const struct shadow_row *row, uint32_t agent, bool *strongly)
{
    bool yes = !row->words && row->write.agent >= agent;
    *strongly = false;
    for (int i = 0; row->words && i < ROW_WORDS; i++)
        if (word_written_since(&row->words[i], agent)) {
            yes = true;
            *strongly |= (row->words[i].flags & (WORD_SYNC | WORD_SPLIT)) != 0;
        }
    return yes;
}
