/**
 * @file stamps.c
 * See stamps.h.
 */
#include "check/race/stamps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "check/race/async_proxy.h"
#include "check/race/element.h"
#include "check/race/joining.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/shadow/row_atomics.h"
#include "execute/plain_access.h"

/* ---- Blocks ---- */

static size_t touched_bytes(size_t words)
{
    return TOUCHED_BEFORE + words / 8 + TOUCHED_BEHIND;
}

static struct stamps *stamps_new(size_t words)
{
    struct stamps *st = calloc(1, sizeof *st);
    size_t bytes = ((5 * words + 2 * WARP_LANES) * sizeof *st->write + 63) & ~(size_t)63; /* vectors take whole cache lines, */
    uint32_t *all = aligned_alloc(64, bytes);
    assert(st && all);
    st->write = all + WARP_LANES; /* and rows of which lanes are missing reach beyond the words */
    st->read = st->write + words;
    st->old = st->read + words;
    st->past = st->old + words + WARP_LANES;
    st->value = st->past + words;
    memset(st->old, 0, (words + WARP_LANES) * sizeof *st->old);
    st->touched = malloc(touched_bytes(words));
    assert(st->touched);
    return st;
}

void stamps_begin(struct block_state *bs)
{
    size_t words = bs->shared_words;
    if (bs->cluster) { /* other blocks may come by */
        bs->shared = calloc(words, sizeof *bs->shared);
        assert(bs->shared);
        return;
    }
    struct spare_state *spare = &bs->race->spare;
    struct stamps *st = spare->stamps && spare->words == words ? spare->stamps : stamps_new(words);
    if (st == spare->stamps)
        spare->stamps = NULL;
    memset(st->write - WARP_LANES, 0, (2 * words + WARP_LANES) * sizeof *st->write); /* what the words held is asked where a stamp says so */
    *LIST_PUSH(&st->accesses) = (struct stamped){0};
    st->before = 1u << STAMP_LANES;
    bs->stamps = st;
}

void stamps_free(struct stamps *st)
{
    if (!st)
        return;
    LIST_FREE(&st->accesses);
    LIST_FREE(&st->opened);
    LIST_FREE(&st->earlier);
    free(st->write - WARP_LANES);
    free(st->touched);
    free(st->pasts);
    free(st);
}

void stamps_end(struct block_state *bs)
{
    struct stamps *st = bs->stamps;
    for (uint32_t i = 0; bs->shared && i < bs->shared_words; i++)
        word_clear(&bs->shared[i]);
    free(bs->shared);
    if (!st)
        return;
    st->accesses.count = st->opened.count = st->earlier.count = 0;
    st->uniform = st->copies = st->looked = st->touching = st->full = 0;
    st->written = 0;
    st->unwritten = false;
    st->stays_open = false;
    stamps_free(bs->race->spare.stamps);
    bs->race->spare.stamps = st;
    bs->race->spare.words = bs->shared_words;
}

/** struct epoch's `unit` of such an access to the word `c`. */
static uint8_t unit_of_stamped(const struct block_state *bs, const struct stamped *s, const struct shadow_word *c)
{
    return s->wide ? (uint8_t)(WIDE_WORD | ((c - bs->shared) & 1 ? 4 : 0)) : PLAIN_WORD;
}

/** The epoch of a lane's access to the word `c`. */
static struct epoch epoch_of_stamp(const struct block_state *bs, const struct shadow_word *c, uint32_t stamp)
{
    const struct stamped *s = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    return (struct epoch){.agent = s->copied ? bs->stamps->copies : bs->agent, .time = s->time, .site = s->site, .unit = unit_of_stamped(bs, s, c), .flags = s->copied ? EPOCH_PASSED : 0,
                          .thread = (uint16_t)(s->warp * WARP_LANES + stamp % WARP_LANES)};
}

/** The lanes of a warp that read the word with such a stamp together. */
static uint32_t lanes_together(const struct stamped *s, uint32_t stamp)
{
    if (s->together == PLAIN_ONE)
        return UINT32_MAX;
    return (s->together == PLAIN_PAIRS ? 1 | 1u << HALF : HALF_LANES) << stamp % WARP_LANES;
}

/** The same by a strong access. `later`: than a strong write that is the word's last. */
static void open_strong_read(const struct block_state *bs, struct shadow_word *c, uint32_t stamp, bool later)
{
    const struct stamped *s = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    const struct reader own = {.agent = bs->agent, .time = s->time, .site = s->site, .mask = 1u << stamp % WARP_LANES, .warp = s->warp,
                               .flags = s->strong, .unit = PLAIN_WORD, .seq = later ? c->sync->seq : 0};
    if (later) {
        c->sync->chain->heard = c->sync->upto + 1;
    } else if (!c->read.agent) {
        c->read = epoch_of_stamp(bs, c, stamp);
        c->read.flags = s->strong;
        return;
    }
    word_remember_read(bs->race->readers, c, own, PRUNE_OLDER);
}

/** One read, of those that a word has had; all others of the word came before it. */
static void open_read(const struct block_state *bs, struct shadow_word *c, uint32_t stamp)
{
    const struct stamped *s = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    if (s->strong) {
        open_strong_read(bs, c, stamp, c->flags & WORD_SYNC);
        return;
    }
    if (!s->together && !c->read.agent) {
        c->read = epoch_of_stamp(bs, c, stamp);
        return;
    }
    if (!s->together) {
        const struct reader own = {.agent = bs->agent, .time = s->time, .site = s->site, .mask = 1u << stamp % WARP_LANES, .warp = s->warp,
                                   .unit = unit_of_stamped(bs, s, c)};
        if (!word_group_add(c, &own, true))
            word_remember_read(bs->race->readers, c, own, PRUNE_OLDER);
        return;
    }
    word_group_add(c, &(struct reader){.agent = bs->agent, .time = s->time, .site = s->site, .mask = lanes_together(s, stamp),
                                       .warp = s->warp, .unit = PLAIN_WORD}, true);
    c->group.warps = s->warps;
}

/** All that have read the word since the block's last barrier, the first of them first. */
static void open_readers(const struct block_state *bs, struct shadow_word *c, uint32_t stamp)
{
    const struct stamps *st = bs->stamps;
    LIST(uint32_t) reads = {0};
    while (stamp) {
        const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
        *LIST_PUSH(&reads) = stamp;
        stamp = s->earlier && stamp >= st->before ? st->earlier.data[s->earlier].stamp[stamp % WARP_LANES] : 0;
    }
    while (reads.count)
        open_read(bs, c, reads.data[--reads.count]);
    LIST_FREE(&reads);
}

/** The word has been written since it was last read (epoch_kept()). Who have read it together did so before the block's last barrier. */
static void open_kept(const struct block_state *bs, struct shadow_word *c, uint32_t stamp)
{
    const struct stamped *s = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    if (s->together || s->strong || (c->flags & WORD_SYNC) || c->write.agent != bs->agent)
        return;
    c->read = epoch_of_stamp(bs, c, stamp);
    c->read.agent = 0;
    c->write.flags |= EPOCH_KEPT;
}

/** One strong write more of a word's chain. @return its place there */
static int open_strong(const struct block_state *bs, struct release_chain *m, const struct epoch *e, uint8_t flags, uint32_t warp_uniform, bool unseen)
{
    const struct contribution own = {.agent = bs->agent, .thread = e->thread, .time = e->time, .uniform = bs->uniform, .warp_uniform = warp_uniform, .site = e->site,
                                     .on = device_of(bs->race, bs->agent), .reach = reach_of(flags >> EPOCH_SCOPE_SHIFT), .unseen = unseen};
    signals_note(&bs->race->agents.data[bs->agent].signals, m->place, &own, bs->race->asks_signals);
    return chain_add(m, &own, &(struct passed){0});
}

/** An atomic made the last write, and no full barrier has come since: the chain that others go on with. Of those before it is kept the one of which
 *  `read` tells: nobody hears of them, but a plain access may race with them (check_tips()). */
static void open_chain(const struct block_state *bs, struct shadow_word *c, uint64_t word, uint8_t flags, uint32_t read)
{
    struct sync *s = word_sync(c);
    s->chain = chain_new();
    s->chain->place = place_in_shared(bs, 4 * word);
    if (read) {
        const struct epoch before = epoch_of_stamp(bs, c, read);
        open_strong(bs, s->chain, &before, flags, 0, false);
    }
    s->upto = open_strong(bs, s->chain, &c->write, flags, 0, false);
    s->seq = (uint32_t)s->chain->from.count;
    s->written = bs->race->moment;
    c->write.flags = flags;
}

/** A strong store since the last full barrier, by that stamp, over `before`. When it was made is not known any more. */
static void open_store(const struct block_state *bs, struct shadow_word *c, uint64_t word, uint32_t stamp, uint32_t before, uint32_t value)
{
    const struct stamped *by = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    struct release_chain *chain = chain_new();
    struct sync *s = word_sync(c);
    push_past(c, before);
    c->write = epoch_of_stamp(bs, c, stamp);
    chain->place = place_in_shared(bs, 4 * word);
    s->upto = open_strong(bs, chain, &c->write, by->strong, by->warp_uniform, value == before);
    c->write.flags = by->strong;
    chain_drop(s->chain);
    s->chain = chain;
    s->seq++;
    s->same_since = value == before ? s->same_since : s->seq;
    s->operand = value;
    s->has_operand = true;
}

/** Such a store made the last write, others perhaps those before. */
static void open_stores(const struct block_state *bs, struct shadow_word *c, uint64_t word)
{
    const struct stamps *st = bs->stamps;
    const struct strong_pasts none = {0}, *p = st->pasts ? &st->pasts[word] : &none;
    const uint32_t first = p->count ? p->stamp[p->count - 1] : st->past[word];
    uint32_t before = p->count ? p->value[p->count - 1] : c->old;
    c->write = first ? epoch_of_stamp(bs, c, first) : (struct epoch){0};
    for (int i = p->count - 1; i >= 0; i--) {
        const uint32_t value = i ? p->value[i - 1] : c->old;
        open_store(bs, c, word, i ? p->stamp[i - 1] : st->past[word], before, value);
        c->sync->past[c->sync->pasts - 1].was_read = p->was_read >> (i + 1) & 1;
        if (p->was_read >> i & 1)
            c->sync->chain->heard = c->sync->upto + 1;
        before = value;
    }
    open_store(bs, c, word, st->write[word], before, st->value[word]);
    c->sync->past[c->sync->pasts - 1].was_read = p->was_read & 1;
}

/** What the last write says beside its epoch, if it was a strong one since the last full barrier. */
static void open_strong_write(const struct block_state *bs, struct shadow_word *c, uint64_t word)
{
    const struct stamps *st = bs->stamps;
    const struct stamped *by = &st->accesses.data[st->write[word] >> STAMP_LANES];
    if (!by->strong || st->write[word] < st->before)
        return;
    if (is_of_atomic(by))
        open_chain(bs, c, word, by->strong, st->read[word] != st->write[word] ? st->read[word] : 0);
    else
        open_stores(bs, c, word);
}

struct shadow_word *stamps_open(struct block_state *bs, uint64_t word)
{
    struct stamps *st = bs->stamps;
    if (st->unwritten)
        stamps_write(st);
    st->looked = st->before;
    if (!bs->shared) {
        bs->shared = calloc(bs->shared_words, sizeof *bs->shared);
        assert(bs->shared);
    }
    struct shadow_word *c = &bs->shared[word];
    if (st->write[word]) {
        c->write = epoch_of_stamp(bs, c, st->write[word]);
        c->old = st->old[word];
        c->flags = WORD_OLD;
        open_strong_write(bs, c, word);
    }
    if (st->read[word] && !is_of_atomic(&st->accesses.data[st->read[word] >> STAMP_LANES]))
        (st->read[word] < st->write[word] ? open_kept : open_readers)(bs, c, st->read[word]);
    st->write[word] = st->read[word] = STAMP_OPENED;
    *LIST_PUSH(&st->opened) = (uint32_t)word;
    return c;
}

/* ---- Rows whose stamps are written later ---- */

/** The stamps of such an access. Rows are there as a whole, whatever lanes run. */
static void write_row(uint32_t *row, uint32_t lanes, uint32_t first)
{
    for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        row[lane] = lanes >> lane & 1 ? first | lane : row[lane];
}

void stamps_write(struct stamps *st)
{
    for (uint32_t i = (uint32_t)st->written; i < (uint32_t)st->accesses.count; i++) {
        struct stamped *s = &st->accesses.data[i];
        if (!s->unwritten)
            continue;
        write_row((s->unwritten == UNWRITTEN_LOAD ? st->read : st->write) + s->row, s->lanes, i << STAMP_LANES);
        s->unwritten = UNWRITTEN_NOT;
    }
    st->written = st->accesses.count;
    st->unwritten = false;
}

void stamps_begin_touching(struct block_state *bs)
{
    memset(bs->stamps->touched, 0, touched_bytes(bs->shared_words));
    bs->stamps->touching = bs->stamps->before;
}

/* ---- Words that have been opened, behind a barrier ---- */

enum settling { SETTLED, NOT_YET, NEVER };

/** Have all of the block's threads heard by the barrier what the word's strong writes could tell? */
static bool sync_is_over(const struct block_state *bs, const struct shadow_word *c)
{
    return c->write.agent == bs->agent && c->sync->chain && !c->sync->tips && !bs->async && !bs->phases.count;
}

static enum settling settling_of(const struct block_state *bs, const struct shadow_word *c)
{
    const struct epoch *e = &c->write;
    const bool over = (c->flags & (WORD_SYNC | WORD_SPLIT)) == WORD_SYNC && sync_is_over(bs, c);
    if ((c->flags & ~(uint32_t)(WORD_LANES | WORD_OLD | (over ? WORD_SYNC : 0))) || (c->read.agent && c->read.agent != bs->agent))
        return NEVER;
    if (!e->agent)
        return SETTLED;
    if (!(c->flags & WORD_OLD) || (!over && e->flags & ~(EPOCH_READ | EPOCH_KEPT | EPOCH_PASSED)) || (e->unit != PLAIN_WORD && (e->unit & 0xf0) != WIDE_WORD))
        return NEVER;
    if (e->agent == bs->agent || (e->flags & EPOCH_PASSED))
        return SETTLED;
    return e->agent != bs->stamps->copies ? NEVER : async_copies_waited(bs, e->thread) >= e->time ? SETTLED : NOT_YET;
}

/** The number of an access by a warp's lanes at one time, the last one mostly. */
static uint32_t number_of_write(struct stamps *st, const struct epoch *e)
{
    const struct stamped now = {.time = e->time, .site = e->site, .warp = e->thread / WARP_LANES, .copied = e->agent == st->copies,
                                .wide = (e->unit & 0xf0) == WIDE_WORD};
    const struct stamped *last = &st->accesses.data[st->accesses.count - 1];
    if (last->time != now.time || last->site != now.site || last->warp != now.warp || last->copied != now.copied || last->wide != now.wide || last->together || last->strong)
        *LIST_PUSH(&st->accesses) = now;
    return (uint32_t)st->accesses.count - 1;
}

void stamps_settle(struct block_state *bs)
{
    struct stamps *st = bs->stamps;
    int kept = 0;
    if (!st || bs->any_left)
        return;
    for (int i = 0; i < st->opened.count; i++) {
        uint32_t word = st->opened.data[i];
        struct shadow_word *c = &bs->shared[word];
        enum settling how = settling_of(bs, c);
        if (how == NOT_YET)
            st->opened.data[kept++] = word;
        st->stays_open |= how != SETTLED;
        if (how != SETTLED)
            continue;
        st->write[word] = c->write.agent ? number_of_write(st, &c->write) << STAMP_LANES | c->write.thread % WARP_LANES : 0;
        st->read[word] = 0;
        st->old[word] = c->old;
        word_clear(c);
    }
    st->opened.count = kept;
}
