/**
 * @file row_reads.c
 * See row_reads.h.
 */
#include "check/race/shadow/row_reads.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/zeroed.h"

#define FEWEST 64u
#define MOST_A_CHUNK 64u  /* entries: a chunk's rows two by two, by two launches; 2.5 KB where the rows would take 7 */
#define WANTED_MOST 16u   /* chunks, for each of which all entries are gone through, before all are given theirs at once and no more is kept of that launch */
#define WHOLE_WORD 0x20   /* struct epoch's `unit` */

static size_t bytes_of(const struct shadow *s)
{
    return sizeof *s->row_reads + s->chunks * sizeof *s->row_reads->chunk;
}

void row_reads_free(struct shadow *s)
{
    if (s->row_reads)
        free(s->row_reads->at);
    zeroed_free(s->row_reads, bytes_of(s));
}

/** The row of half `half` of one of an entry's reads. */
static uint32_t row_at(const struct row_read *e, uint32_t time, unsigned half)
{
    return e->row + time * (uint32_t)e->stride + half * (uint32_t)e->apart;
}

/* ---- Giving rows their readers ---- */

static void give(struct shadow *s, const struct row_read *e, uint32_t row, unsigned half)
{
    s->chunk[row / CHUNK_ROWS][row % CHUNK_ROWS].read = (struct epoch){.agent = e->agent, .time = e->time, .site = e->site, .unit = WHOLE_WORD,
                                                                       .thread = (uint16_t)(e->warp * 32u + half * ROW_WORDS)};
}

/** Entries came one after another. */
static void give_one(struct shadow *s, uint64_t chunk)
{
    const struct row_reads *r = s->row_reads;
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < 2 * r->at[i].count; k++) {
            uint32_t row = row_at(&r->at[i], k / 2, k % 2);
            if (row / CHUNK_ROWS == chunk)
                give(s, &r->at[i], row, k % 2);
        }
}

static void give_all(struct shadow *s)
{
    struct row_reads *r = s->row_reads;
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < 2 * r->at[i].count; k++) {
            uint32_t row = row_at(&r->at[i], k / 2, k % 2);
            uint64_t chunk = row / CHUNK_ROWS;
            if (r->chunk[chunk].newest && !s->chunk[chunk])
                shadow_make_chunk(s, chunk);
            if (r->chunk[chunk].newest)
                give(s, &r->at[i], row, k % 2);
        }
    for (uint32_t i = 0; i < r->count; i++)
        for (uint32_t k = 0; k < 2 * r->at[i].count; k++)
            r->chunk[row_at(&r->at[i], k / 2, k % 2) / CHUNK_ROWS] = (struct rows_kept){0};
    r->count = r->wanted = 0;
}

void row_reads_give(struct shadow *s, uint64_t chunk)
{
    struct row_reads *r = s->row_reads;
    if (++r->wanted > WANTED_MOST) {
        r->not_for = r->chunk[chunk].floor;
        give_all(s);
        return;
    }
    give_one(s, chunk);
    r->chunk[chunk] = (struct rows_kept){0};
}

/* ---- Keeping ---- */

/** Does an entry tell of a row that is not among `later`, which later entries tell of? Its rows are among them then. */
static bool tells(const struct row_reads *r, const struct row_read *e, uint64_t *later)
{
    bool any = false;
    for (uint32_t k = 0; k < 2 * e->count; k++) {
        uint32_t row = row_at(e, k / 2, k % 2);
        uint64_t *of = &later[row / CHUNK_ROWS], bit = 1ull << row % CHUNK_ROWS;
        any |= r->chunk[row / CHUNK_ROWS].newest && !(*of & bit);
        *of |= bit;
    }
    return any;
}

/** Leaves out what later launches' reads have taken the place of. @return false: that is not much, and all rows have been given their readers */
static bool leave_out(struct shadow *s)
{
    struct row_reads *r = s->row_reads;
    uint64_t *later = zeroed_new(s->chunks * sizeof *later);
    uint32_t to = r->count;
    assert(later);
    for (uint32_t i = r->count; i-- > 0;)
        if (tells(r, &r->at[i], later))
            r->at[--to] = r->at[i];
    r->count -= to;
    memmove(r->at, r->at + to, r->count * sizeof *r->at);
    zeroed_free(later, s->chunks * sizeof *later);
    memset(r->recent, 0xff, sizeof r->recent);
    if (r->count <= r->most / 4 * 3)
        return true;
    give_all(s);
    return false;
}

/** Is it what the entry's warp does, one step on? */
static bool goes_on(struct row_read *e, const struct row_read *read)
{
    int32_t step = (int32_t)(read->row - row_at(e, e->count - 1, 0));
    if (e->agent != read->agent || e->time != read->time || e->site != read->site || e->warp != read->warp || e->apart != read->apart ||
        (e->count > 1 && step != e->stride))
        return false;
    e->stride = step;
    e->count++;
    return true;
}

static struct row_reads *reads_of(struct shadow *s)
{
    if (!s->row_reads) {
        s->row_reads = zeroed_new(bytes_of(s));
        assert(s->row_reads);
        uint64_t most = (s->chunks + 1) * MOST_A_CHUNK;
        s->row_reads->most = most < UINT32_MAX / 2 ? (uint32_t)most : UINT32_MAX / 2;
    }
    return s->row_reads;
}

/** Could the row, had it its own state, take the read as its only one? */
static bool takes(struct rows_kept *c, uint32_t row, uint32_t floor)
{
    if (c->newest < floor) {
        c->rows = 0;
        c->floor = floor;
    }
    return c->floor == floor && !(c->rows >> row % CHUNK_ROWS & 1);
}

static void note(struct rows_kept *c, uint32_t row, uint32_t agent)
{
    c->rows |= 1ull << row % CHUNK_ROWS;
    c->newest = agent > c->newest ? agent : c->newest;
}

bool row_reads_add(struct shadow *s, const struct row_read *read, uint32_t floor)
{
    uint32_t low = read->row, high = row_at(read, 0, 1);
    if (s->chunk[low / CHUNK_ROWS] || s->chunk[high / CHUNK_ROWS])
        return false;
    struct row_reads *r = reads_of(s);
    if (r->not_for == floor)
        return false;
    struct rows_kept *of_low = &r->chunk[low / CHUNK_ROWS], *of_high = &r->chunk[high / CHUNK_ROWS];
    if (!takes(of_low, low, floor) || !takes(of_high, high, floor))
        return false;
    uint32_t *recent = &r->recent[read->site % ROW_READS_RECENT];
    if (*recent >= r->count || !goes_on(&r->at[*recent], read)) {
        if (r->count == r->most && !leave_out(s))
            return false;
        if (r->count == r->room) {
            r->room = r->room ? 2 * r->room : FEWEST;
            r->at = realloc(r->at, r->room * sizeof *r->at);
            assert(r->at);
        }
        *recent = r->count;
        r->at[r->count++] = *read;
    }
    note(of_low, low, read->agent);
    note(of_high, high, read->agent);
    return true;
}
