/**
 * @file read_turns.c
 * See read_turns.h.
 */
#include "check/race/shadow/read_turns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/shadow/read_ranges.h"
#include "execute/plain_access.h"

#define SLOTS (2 * READ_FORMS_MOST)
#define NO_FORM UINT32_MAX
#define HALF_WARP 16

/* ---- Forms ---- */

/** The number of the form in which the lanes lie; NO_FORM: there is no room for one more. */
static uint32_t form_of(struct read_turns *t, uint32_t mask, const uint32_t at[READ_LANES])
{
    struct read_form form = {.mask = mask};
    uint64_t hash = mask;
    unsigned first = (unsigned)__builtin_ctz(mask);
    for (unsigned l = 0; l < READ_LANES; l++)
        form.behind[l] = (at[l] - at[first]) & -(mask >> l & 1);
    for (unsigned l = 0; l < READ_LANES; l += 2)
        hash = mix_in(hash, (uint64_t)form.behind[l] << 32 | form.behind[l + 1]);
    if (!t->form) {
        t->form = malloc(READ_FORMS_MOST * sizeof *t->form);
        t->slot = calloc(SLOTS, sizeof *t->slot);
        assert(t->form && t->slot);
    }
    uint32_t i = (uint32_t)(hash >> 32) & (SLOTS - 1);
    for (; t->slot[i]; i = (i + 1) & (SLOTS - 1))
        if (!memcmp(&t->form[t->slot[i] - 1], &form, sizeof form))
            return t->slot[i] - 1u;
    if (t->forms == READ_FORMS_MOST)
        return NO_FORM;
    t->form[t->forms] = form;
    t->slot[i] = (uint16_t)++t->forms;
    return t->forms - 1;
}

/* ---- Entries ---- */

static struct range_read entry_of(const struct open_turns *o)
{
    return (struct range_read){.offset = o->at[__builtin_ctz(o->mask)], .mask = o->mask, .step = o->form, .agent = o->agent, .time = o->time, .site = o->site,
                               .warp = o->warp, .flags = o->flags, .kind = RANGE_FORM, .log2_bytes = o->size & 7, .log2_elements = o->size >> 3 & 3,
                               .apart = o->apart, .turns = o->count};
}

static void close(struct read_ranges *r, struct open_turns *o)
{
    if (!o->count)
        return;
    read_ranges_keep(r, entry_of(o));
    o->count = 0;
    r->turns.pending--;
}

void read_turns_close(struct read_ranges *r)
{
    for (int i = 0; r->turns.pending && i < TURNS_OPEN; i++)
        close(r, &r->turns.open[i]);
}

uint32_t read_turns_pending(const struct read_ranges *r, struct range_read *to)
{
    uint32_t n = 0;
    for (int i = 0; r->turns.pending && i < TURNS_OPEN; i++)
        if (r->turns.open[i].count)
            to[n++] = entry_of(&r->turns.open[i]);
    return n;
}

void read_turns_empty(struct read_ranges *r)
{
    struct read_turns *t = &r->turns;
    free(t->form);
    free(t->slot);
    memset(t, 0, sizeof *t);
}

/* ---- Reads ---- */

static uint8_t size_of(const struct range_read *read)
{
    return (uint8_t)(read->log2_bytes | read->log2_elements << 3);
}

/** Do the same lanes read, at the same time and by the same instruction? */
static bool is_same(const struct open_turns *o, const struct range_read *read)
{
    return o->site == read->site && o->agent == read->agent && o->warp == read->warp && o->mask == read->mask && o->time == read->time &&
           o->flags == read->flags && o->size == size_of(read);
}

/** Do all lanes read `moved` bytes behind where the first time was? Of the first of them it is known. */
static bool are_moved(const struct open_turns *o, const uint32_t at[READ_LANES], unsigned shape, uint32_t moved)
{
    uint32_t differs = 0;
    if (shape == o->shape && (shape == PLAIN_ROW || shape == PLAIN_PAIRS || shape == PLAIN_ONE))
        return true;
    if (shape == o->shape && (shape == PLAIN_ROWS || shape == PLAIN_HALVES))
        return at[HALF_WARP] - o->at[HALF_WARP] == moved;
    if (o->mask == UINT32_MAX)
        for (unsigned l = 0; l < READ_LANES; l++)
            differs |= at[l] - o->at[l] - moved;
    else
        for (uint32_t m = o->mask; m; m &= m - 1)
            differs |= at[__builtin_ctz(m)] - o->at[__builtin_ctz(m)] - moved;
    return !differs;
}

/** From here on. */
static void begin(struct open_turns *o, const struct range_read *read, const uint32_t at[READ_LANES], unsigned shape)
{
    o->agent = read->agent;
    o->time = read->time;
    o->site = read->site;
    o->mask = read->mask;
    o->warp = read->warp;
    o->flags = read->flags;
    o->size = size_of(read);
    o->shape = (uint8_t)shape;
    o->count = o->moved = 0;
    memcpy(o->at, at, sizeof o->at);
}

bool read_turns_add(struct read_ranges *r, const struct range_read *read, const uint32_t at[READ_LANES], unsigned shape)
{
    struct open_turns *o = &r->turns.open[read->site % TURNS_OPEN];
    unsigned first = (unsigned)__builtin_ctz(read->mask);
    uint32_t moved = at[first] - o->at[first], step = moved - o->moved;
    if (!is_same(o, read) || !are_moved(o, at, shape, moved)) {
        close(r, o);
        begin(o, read, at, shape);
        return false;
    }
    if (!step)
        return true; /* once more */
    if (o->count > 1 && step != o->apart)
        close(r, o);
    if (!o->count) {
        uint32_t form = form_of(&r->turns, read->mask, at);
        begin(o, read, at, shape);
        if (form == NO_FORM)
            return false;
        o->form = form;
        o->apart = 0;
        r->turns.pending++;
    } else {
        o->apart = step;
        o->moved = moved;
    }
    o->count++;
    return true;
}
