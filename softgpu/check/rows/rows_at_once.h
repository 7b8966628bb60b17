/*
 * What the hooks of all checkers for loads and stores do with a row of shared memory where none has to look closer; included once by each rows_LEVEL.c, which
 * defines AT_LEVEL (base/sixteen.h) and ROWS_TABLE, the name of what is made here.
 *
 * A load is told to told_plain_load(), uninit_plain_idle() and, counted down alone, deadlock_plain_load(); a store to told_plain_store(),
 * uninit_plain_store() and deadlock_plain_store(). Each step below is one of them; what they ask before they do anything is asked first, and
 * as long as one answer is not the usual one, nothing is done: false, and they are called themselves. So no finding can come or go by this way.
 */
#include "check/deadlock.h"
#include "check/race/joining.h"
#include "check/race/stamped_rows.h"
#include "check/rows/plain_stores.h"

/** Do the lanes' words lie within the variable that the address is made of, at its words' borders? (find_shared_row() of plain_at_once.h) */
INLINE bool fits(const struct block *b, const struct insn *in, struct row r)
{
    struct shared_room room;
    if (!shared_room(b, in, 4, &room) || (uint32_t)r.at % 4 != 0)
        return false;
    const uint32_t lane0 = (uint32_t)r.at - room.first;
    if ((uint64_t)lane0 + 4 * (WARP_LANES - 1) <= room.span) /* all of the row does */
        return true;
    const uint32_t first = (uint32_t)__builtin_ctz(r.mask), last = WARP_LANES - 1 - (uint32_t)__builtin_clz(r.mask);
    return (uint64_t)(lane0 + 4 * first) + 4 * (last - first) <= room.span;
}

/* ---- In order, whatever the stamps are ---- */

/** stamps_take_load(): is the access in order, with a number? */
VECTORS static __attribute__((noinline)) bool take_load(struct race *race, const struct warp *w, const struct insn *in, struct row r)
{
    struct actor me;
    actor_begin_plain(&me, race, w, in);
    uint32_t number = number_of(&me, r.mask, one_time(&me, r.mask));
    return number && taken(me.bs->stamps, load_row(&me, r, number));
}

/** stamps_take_store() */
VECTORS static __attribute__((noinline)) bool take_store(struct race *race, const struct warp *w, const struct insn *in, struct row r)
{
    struct actor me;
    actor_begin_plain(&me, race, w, in);
    uint32_t number = number_of(&me, r.mask, one_time(&me, r.mask));
    if (!number || !taken(me.bs->stamps, store_row(&me, r, number)))
        return false;
    me.bs->shared_written = true;
    return true;
}

/* ---- The same where they are as mostly: from before the block's last barrier, or of one access of the lanes' own. Few steps, for all depends on them ---- */

/** One of a row's arrays: its stamps, and the first running lane's. */
struct stamps_now {
    uint32_t *row;
    sixteen low, high;
    uint32_t first;
};

VECTORS INLINE struct stamps_now stamps_now(uint32_t *array, struct row r)
{
    uint32_t *row = row_in(array, r.at);
    return (struct stamps_now){row, sixteen_load(row), sixteen_load(row + HALF), row[__builtin_ctz(r.mask)]};
}

/** The lanes' become `low` and `high`. Who looks at the row next is most often the next access. */
VECTORS INLINE void put_now(struct stamps_now s, struct row_lanes lanes, sixteen low, sixteen high)
{
    sixteen_store(s.row, sixteen_over(s.low, lanes.low, low));
    sixteen_store(s.row + HALF, sixteen_over(s.high, lanes.high, high));
}

/** Are there lanes whose stamps are not from before the barrier? `but_own`: nor that of the same access as the first one's, its own lane's. */
VECTORS INLINE uint32_t late_now(const struct stamps *st, struct stamps_now s, struct row r, bool but_own)
{
    const sixteen before = sixteen_all(st->before);
    uint32_t low = sixteen_some_reach(r.mask, s.low, before), high = sixteen_some_reach(r.mask >> HALF, s.high, before);
    if (but_own) {
        const struct row_stamps own = stamps_of(s.first >> STAMP_LANES);
        low = sixteen_some_differ(low, s.low, own.low);
        high = sixteen_some_differ(high, s.high, own.high);
    }
    return low | high; /* which, nobody asks */
}

/** Is that access one after which its lanes may do anything? (is_before(), of the lane's own stamp) */
INLINE bool is_own(const struct stamps *st, const struct warp *w, uint32_t stamp)
{
    const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
    return stamp < st->before || (stamp != STAMP_OPENED && s->warp == w->index && !s->together && !s->strong && !s->earlier);
}

/** number_of() */
INLINE void note_number(const struct plain_rows_ready *now, const struct warp *w, const struct insn *in)
{
    struct stamps *st = now->stamps;
    st->accesses.data[st->accesses.count++] = (struct stamped){.time = now->time, .site = in->site, .warp = (uint16_t)w->index};
}

/* ---- Since the block's last barrier nobody but the lanes themselves has come to the row's words: nobody looks at their stamps, and they are written if somebody will ---- */

/** These lanes come to the row now. @return NULL: others have been there, or who was is not known */
INLINE struct plain_row_apart *touch(struct plain_rows_ready *now, struct row r)
{
    const int32_t word = (int32_t)r.at >> 2;
    int i = 0;
    while (i < now->rows && now->row[i].row != word)
        i++;
    if (i == PLAIN_ROWS_APART)
        return NULL;
    struct plain_row_apart *row = &now->row[i];
    if (i == now->rows) {
        *row = (struct plain_row_apart){.row = word};
        now->rows++;
    }
    const uint32_t fresh = r.mask & ~row->touched;
    if (!fresh)
        return row;
    uint8_t *at = now->stamps->touched + TOUCHED_BEFORE + (word >> 3);
    const uint64_t bits = (uint64_t)fresh << (word & 7);
    uint64_t all;
    memcpy(&all, at, sizeof all);
    if (all & bits)
        return NULL;
    all |= bits;
    memcpy(at, &all, sizeof all);
    row->touched |= fresh;
    return row;
}

INLINE void note_unwritten(const struct plain_rows_ready *now, const struct warp *w, const struct insn *in, struct row r, enum unwritten which)
{
    struct stamps *st = now->stamps;
    st->accesses.data[st->accesses.count++] = (struct stamped){
        .time = now->time, .site = in->site, .warp = (uint16_t)w->index, .unwritten = (uint8_t)which, .row = (int32_t)r.at >> 2, .lanes = r.mask};
    st->unwritten = true;
}

INLINE bool load_apart(struct plain_rows_ready *now, const struct warp *w, const struct insn *in, struct row r)
{
    if (!has_number(now->stamps) || !touch(now, r))
        return now->apart = false; /* who looks closer looks at stamps */
    note_unwritten(now, w, in, r, UNWRITTEN_LOAD);
    return true;
}

/** Nor have the lanes stored there, so that what the words hold is what they held at the barrier. */
VECTORS INLINE bool store_apart(struct plain_rows_ready *now, const struct warp *w, const struct insn *in, struct row r, sixteen low, sixteen high)
{
    struct plain_row_apart *row = has_number(now->stamps) ? touch(now, r) : NULL;
    if (!row || (row->stored & r.mask))
        return now->apart = false;
    row->stored |= r.mask;
    put_row(r.at, now->stamps->old, row_lanes_of(r.mask), low, high);
    note_unwritten(now, w, in, r, UNWRITTEN_STORE);
    return true;
}

/** @return false: take_load() has to look */
VECTORS INLINE bool load_in_order(const struct plain_rows_ready *now, const struct warp *w, const struct insn *in, struct row r)
{
    struct stamps *st = now->stamps;
    const uint32_t number = (uint32_t)st->accesses.count;
    if (!has_number(st))
        return false;
    struct stamps_now write = stamps_now(st->write, r), read = stamps_now(st->read, r);
    if (late_now(st, write, r, true) | late_now(st, read, r, true) || !is_own(st, w, write.first) || !is_own(st, w, read.first))
        return false;
    const struct row_stamps own = stamps_of(number);
    put_now(read, row_lanes_of(r.mask), own.low, own.high);
    note_number(now, w, in);
    return true;
}

/** The words hold `low` and `high` before it. @return false: take_store() has to look */
VECTORS INLINE bool store_in_order(const struct plain_rows_ready *now, const struct warp *w, const struct insn *in, struct row r, sixteen low, sixteen high)
{
    struct stamps *st = now->stamps;
    const uint32_t number = (uint32_t)st->accesses.count;
    if (!has_number(st))
        return false;
    struct stamps_now write = stamps_now(st->write, r), read = stamps_now(st->read, r);
    if (late_now(st, write, r, false) | late_now(st, read, r, true) || !is_own(st, w, read.first))
        return false;
    const struct row_stamps own = stamps_of(number);
    const struct row_lanes lanes = row_lanes_of(r.mask);
    put_row(r.at, st->old, lanes, low, high);
    put_now(write, lanes, own.low, own.high); /* who has read there stays (open_kept()): a store of the same value hides no read before it */
    note_number(now, w, in);
    return true;
}

/* ---- All checkers ---- */

/** Has nobody looked at a stamp since the block's last barrier? And do stamps tell of all words? */
static bool is_apart(struct block_state *bs)
{
    struct stamps *st = bs->stamps;
    if (st->looked == st->before || st->opened.count || st->stays_open)
        return (void)stamps_begin_access(bs), false; /* from now on they are looked at */
    if (st->touching != st->before)
        stamps_begin_touching(bs);
    return true;
}

/** What has to be so for the warp's rows to be told here. It stays so as long as the warp does nothing else in this call of its code: each of these changes by what another
 *  thread or the host does, at a barrier, or by an access that the checkers' own hooks hear of. */
static __attribute__((noinline)) bool look(struct warp *w)
{
    const struct machine *m = warp_machine(w);
    const struct plain_rows *rows = &m->observers.rows;
    struct block_state *bs = w->block->check[rows->slot[ROWS_RACE]];
    const struct warp_state *ws = &bs->warps[w->index];
    if (!is_usual(m) || !is_whole(rows, w->block) || *w->closely || !ws->one_time || !stamps_begin_time(bs)) /* closely: a register may hold something undefined */
        return false;
    struct plain_rows_ready *now = &w->worker->ready; /* field by field: what rows there are need not be cleared */
    now->warp = w, now->state = bs, now->stamps = bs->stamps;
    now->untold = m->observers.plain_loads.untold, now->early = 0;
    now->time = ws->time[0];
    now->stored = false, now->calm = w->block->calm, now->apart = is_apart(bs), now->rows = 0;
    return true;
}

/* Each way with more steps is a function that ends the one before it, so that who goes on without it keeps nothing for it. */

VECTORS static bool load_row_told(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask);
VECTORS static bool store_row_told(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask);

static __attribute__((noinline)) bool load_first(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    return look(w) && load_row_told(w, in, at, mask);
}

static __attribute__((noinline)) bool store_first(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    return look(w) && store_row_told(w, in, at, mask);
}

VECTORS static __attribute__((noinline)) bool load_closely(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    const struct plain_rows_ready *now = &w->worker->ready;
    if (!take_load(now->state->race, w, in, (struct row){mask, (int32_t)at, w->block->shared}))
        return false;
    --*now->untold;
    return true;
}

/** Where stamps are looked at. */
VECTORS static __attribute__((noinline)) bool load_stamped(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    const struct plain_rows_ready *now = &w->worker->ready;
    if (!load_in_order(now, w, in, (struct row){mask, (int32_t)at, w->block->shared}))
        return load_closely(w, in, at, mask);
    --*now->untold;
    return true;
}

VECTORS static bool load_row_told(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    struct plain_rows_ready *now = &w->worker->ready;
    const struct row r = {mask, (int32_t)at, w->block->shared};
    if (now->warp != w)
        return load_first(w, in, at, mask);
    if (!fits(w->block, in, r) || !*now->untold)
        return false;
    if (!now->calm) { /* readers are collected by who adds some: in a calm block nobody does */
        if (!now->apart)
            return load_stamped(w, in, at, mask);
        if (!load_apart(now, w, in, r))
            return load_closely(w, in, at, mask);
    }
    --*now->untold;
    return true;
}

/** What a warp's first store needs, and further ones do not. */
static __attribute__((noinline)) void note_stored(struct plain_rows_ready *now, const struct warp *w)
{
    const struct plain_rows *rows = &warp_machine(w)->observers.rows;
    widen(shared_widest(w->block, rows->slot[ROWS_UNINIT]), 4);
    now->state->shared_written = true;
    now->stored = true;
}

/** There is progress: deadlock_goes_on(). As long as the warp does nothing but rows, all that a further one changes is how many loads need not be told of. */
static __attribute__((noinline)) void note_progress(struct plain_rows_ready *now, const struct warp *w)
{
    deadlock_goes_on(warp_machine(w)->observers.rows.self[ROWS_DEADLOCK]);
    now->early = *now->untold;
}

/** A row's words, as they are and as they become. */
struct row_words {
    uint32_t *host;
    sixteen old_low, old_high, low, high;
};

VECTORS INLINE struct row_words row_words(const struct warp *w, struct row r)
{
    const uint32_t *value = w->worker->plain.value;
    uint32_t *host = row_in(r.host, r.at);
    return (struct row_words){host, sixteen_load_some(r.mask, host), sixteen_load_some(r.mask >> HALF, host + HALF), sixteen_load(value), sixteen_load(value + HALF)};
}

/** It is in order. */
VECTORS INLINE bool put_words(struct plain_rows_ready *now, const struct warp *w, struct row r, struct row_words words)
{
    const bool differs = sixteen_some_differ(r.mask, words.old_low, words.low) | sixteen_some_differ(r.mask >> HALF, words.old_high, words.high);
    sixteen_store_some(words.host, r.mask, words.low);
    sixteen_store_some(words.host + HALF, r.mask >> HALF, words.high);
    if (!now->stored)
        note_stored(now, w);
    if (differs && !now->early)
        note_progress(now, w);
    if (differs)
        *now->untold = now->early;
    return true;
}

/** With more steps, as load_closely() */
VECTORS static __attribute__((noinline)) bool store_closely(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    const struct row r = {mask, (int32_t)at, w->block->shared};
    struct plain_rows_ready *now = &w->worker->ready;
    return take_store(now->state->race, w, in, r) && put_words(now, w, r, row_words(w, r));
}

/** Where stamps are looked at. */
VECTORS static __attribute__((noinline)) bool store_stamped(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    struct plain_rows_ready *now = &w->worker->ready;
    const struct row r = {mask, (int32_t)at, w->block->shared};
    const struct row_words words = row_words(w, r);
    return store_in_order(now, w, in, r, words.old_low, words.old_high) ? put_words(now, w, r, words) : store_closely(w, in, at, mask);
}

VECTORS static bool store_row_told(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask)
{
    struct plain_rows_ready *now = &w->worker->ready;
    const struct row r = {mask, (int32_t)at, w->block->shared};
    if (now->warp != w)
        return store_first(w, in, at, mask);
    if (!fits(w->block, in, r))
        return false;
    if (!now->apart)
        return store_stamped(w, in, at, mask);
    const struct row_words words = row_words(w, r);
    return store_apart(now, w, in, r, words.old_low, words.old_high) ? put_words(now, w, r, words) : store_closely(w, in, at, mask);
}

const struct plain_rows ROWS_TABLE = {.load = load_row_told, .store = store_row_told, .store_halves = store_halves, .load_calm = load_calm};
