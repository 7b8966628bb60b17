/* Stamps of words in shared memory: random accesses of four warps, with barriers of the block and of warps between, are taken as far as
   their shadow words would have them, and a word that is opened says what its shadow word would. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
#include "check/race/joining.h"
#include "check/race/plain_words.h"
#include "check/race/shadow/reader_group.h"
#include "check/race/stamps.h"
#include "execute/plain_access.h"
#include "unit.h"

#define WARPS 4
#define WORDS 256
#define AGENT 7

static uint8_t memory[4 * WORDS];
static uint64_t seed;
static struct race race;
static unsigned row_accesses, other_accesses, refused, old_kept, joined, apart, stored_words, loaded_words, sets, kept_earlier;

static uint32_t draw(uint32_t below)
{
    return (uint32_t)(mix64(++seed) % below);
}

static struct block_state *block_new(bool stamped)
{
    struct block_state *bs = calloc(1, sizeof *bs);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bs);
    bs->agent = AGENT;
    bs->race = &race;
    if (!race.readers)
        race.readers = readers_new();
    bs->shared_words = WORDS;
    bs->warp_count = WARPS;
    bs->warps = aligned_alloc(_Alignof(struct warp_state), WARPS * sizeof *bs->warps);
    CU_ASSERT_PTR_NOT_NULL_FATAL(bs->warps);
    memset(bs->warps, 0, WARPS * sizeof *bs->warps);
    if (stamped)
        stamps_begin(bs);
    else
        bs->shared = calloc(WORDS, sizeof *bs->shared);
    for (int i = 0; i < WARPS * WARP_LANES; i++)
        bs->warps[i / WARP_LANES].time[i % WARP_LANES] = 1;
    return bs;
}

static void block_drop(struct block_state *bs)
{
    stamps_end(bs);
    free(bs->warps);
    free(bs);
}

/** All threads meet; or a warp's; or one lane goes on alone. */
static void pass_time(struct block_state *bs, unsigned what, unsigned warp, unsigned lane)
{
    uint32_t latest = 0;
    for (unsigned i = 0; i < WARPS * WARP_LANES; i++)
        if ((what == 0 || i / WARP_LANES == warp) && bs->warps[i / WARP_LANES].time[i % WARP_LANES] > latest)
            latest = bs->warps[i / WARP_LANES].time[i % WARP_LANES];
    if (what == 2) {
        bs->warps[warp].time[lane]++;
        return;
    }
    if (what == 0)
        bs->uniform = latest;
    for (unsigned i = 0; what == 0 && bs->shared && i < WORDS; i++) /* several readers before a barrier are as good as none */
        if (bs->shared[i].read.flags)
            bs->shared[i].read = (struct epoch){0};
    for (unsigned i = 0; i < WARPS; i++)
        if (what == 0 || i == warp) {
            bs->warps[i].warp_uniform = latest;
            for (int l = 0; l < WARP_LANES; l++)
                bs->warps[i].time[l] = latest + 1;
        }
}

static struct plain_access access_drawn(void)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 0xffff, 0xffff0000, 0x55555555, 1};
    struct plain_access p = {.mask = masks[draw(6)], .host = memory, .space = SPACE_SHARED};
    uint32_t from = draw(4) ? 32 * draw(WORDS / 32 - 2) : draw(WORDS - 64), way = draw(6), cross = draw(4) ? draw(32) : 0;
    uint32_t row = 16 + draw(33), step = 1 + draw(3); /* of a tile; of its columns */
    uint32_t column = step == 1 ? 16 : step == 2 ? 1 + 2 * draw(8) : 1 + draw(2);
    for (unsigned l = 0; l < WARP_LANES; l++) {
        p.at[l] = 4 * (way == 1                 ? from + (l ^ cross)
                       : way == 2               ? from + l % 16
                       : way == 3 && cross == 1 ? from + l * 7 % 64
                       : way == 4               ? from + l % 16 + l / 16 * row
                       : way == 5               ? from + l % 16 * step + l / 16 * column
                                                : from + l);
        p.value[l] = (uint32_t)mix64(seed + l);
    }
    p.shape = (uint8_t)plain_shape_of(&p);
    return p;
}

/** A read that a plain epoch cannot tell of is remembered as one of several. @return false: a write is in its way */
static bool remember(struct block_state *bs, const struct actor *me, const struct plain_access *p, unsigned lane)
{
    struct shadow_word *c = shared_word(bs, p->at[lane] / 4);
    const struct sight s = sight_of(me);
    const struct reader own = {.agent = AGENT, .time = me->ws->time[lane], .site = me->insn->site, .mask = 1u << lane,
                               .warp = (uint16_t)me->warp->index, .unit = PLAIN_WORD};
    if (!is_written_in_sight(&s, c, s.warp * WARP_LANES + lane, AGENT))
        return false;
    if (!word_group_add(c, &own, true))
        word_remember_read(race.readers, c, own, PRUNE_OLDER);
    return true;
}

/** The lanes of a load that are left, after those that can be remembered one by one. */
static uint32_t loaded(struct block_state *bs, const struct actor *me, const struct plain_access *p, uint32_t left)
{
    uint32_t not = 0;
    while (left && (left = shared_loads(me, p, left, AGENT))) {
        if (!remember(bs, me, p, (unsigned)__builtin_ctz(left)))
            not |= left & -left;
        left &= left - 1;
    }
    return not;
}

/** The lanes that are left when the access has been made. */
static uint32_t done(struct block_state *bs, const struct plain_access *p, const struct warp *w, const struct insn *in, bool store)
{
    struct actor me = {.bs = bs, .ws = &bs->warps[w->index], .warp = w, .insn = in, .agent = AGENT, .home = bs};
    uint32_t left = p->mask;
    if (bs->stamps)
        left = store ? stamps_store(&me, p) : stamps_load(&me, p);
    if (left && left == p->mask && bs->stamps)
        refused++;
    if (left)
        left = store ? shared_stores(&me, p, left, AGENT) : loaded(bs, &me, p, left);
    return left;
}

/** Stamps do not keep EPOCH_READ, of which only another launch's write asks: none reaches a block's shared memory. */
static bool same_epoch(const struct epoch *a, const struct epoch *b)
{
    return a->agent == b->agent && (!a->agent || (a->time == b->time && a->site == b->site && a->thread == b->thread &&
                                                  !((a->flags ^ b->flags) & ~EPOCH_READ) && a->unit == b->unit));
}

/** The word's readers are a set now, if they were a group. */
static void open_group(struct shadow_word *c)
{
    word_open_group(race.readers, c);
}

/** Have all read before the block's last barrier? */
static bool all_before(const struct block_state *bs, const struct epoch *read)
{
    struct readers_walk w;
    bool before = true;
    if (!(read->flags & EPOCH_LIST))
        return read->time <= bs->uniform;
    readers_walk(&w, race.readers, read->time);
    for (const struct reader *r; (r = readers_next(&w));)
        before &= r->time <= bs->uniform;
    return before;
}

/** Equal sets have the same number: `time`. Who has read before the block's last barrier need not be known. */
static bool same_readers(const struct block_state *bs, struct shadow_word *x, struct shadow_word *y)
{
    if (!y->read.agent && all_before(bs, &x->read))
        return true;
    if (((x->read.flags ^ y->read.flags) & EPOCH_LIST)) { /* a group here, a set there */
        open_group(x);
        open_group(y);
    }
    sets += (y->read.flags & EPOCH_LIST) != 0;
    return same_epoch(&x->read, &y->read);
}

static void compare_word(struct block_state *a, struct block_state *b, unsigned i)
{
    kept_earlier += a->stamps && a->stamps->earlier.count > 1 && a->stamps->read[i] != STAMP_OPENED && a->stamps->read[i] >= a->stamps->before;
    struct shadow_word *x = shared_word(a, i), *y = shared_word(b, i);
    CU_ASSERT_TRUE(same_epoch(&x->write, &y->write));
    CU_ASSERT_TRUE(same_readers(a, x, y));
    CU_ASSERT_FALSE((x->flags ^ y->flags) & ~(uint32_t)WORD_LANES);
    CU_ASSERT_TRUE(!(y->flags & WORD_OLD) || x->old == y->old);
    CU_ASSERT_TRUE(!word_has_group(y) || (y->flags & WORD_LANES) || (x->group.lanes == y->group.lanes && x->group.warps == y->group.warps));
    old_kept += y->flags & WORD_OLD;
}

/** `opening`: one word in so many accesses is opened. */
static void run(unsigned accesses, unsigned opening)
{
    struct block_state *a = block_new(true), *b = block_new(false);
    for (unsigned n = 0; n < accesses; n++) {
        struct plain_access p = access_drawn();
        struct warp w = {.index = (int)draw(WARPS)};
        struct insn in = {.site = draw(9)};
        bool store = draw(2);
        *(p.shape == PLAIN_ROW ? &row_accesses : &other_accesses) += 1;
        CU_ASSERT_EQUAL(done(a, &p, &w, &in, store), done(b, &p, &w, &in, store));
        if (store)
            plain_write(&p);
        unsigned what = draw(8), warp = draw(WARPS), lane = draw(WARP_LANES);
        if (what < 2 || (what == 2 && !draw(20))) {
            pass_time(a, what, warp, lane);
            pass_time(b, what, warp, lane);
        }
        if (opening && !draw(opening))
            compare_word(a, b, draw(WORDS));
    }
    for (unsigned i = 0; i < WORDS; i++)
        compare_word(a, b, i);
    block_drop(a);
    block_drop(b);
}

static void test_same(void)
{
    for (unsigned i = 0; i < 400; i++)
        run(1 + i, i % 2 ? 0 : 30);
    CU_ASSERT_TRUE(row_accesses > 10000 && other_accesses > 10000 && refused > 1000 && old_kept > 10000 && sets > 1000 && kept_earlier > 200);
}

static struct plain_access access_made(enum plain_shape shape, uint32_t from, uint32_t second)
{
    struct plain_access p = {.mask = UINT32_MAX, .host = memory, .space = SPACE_SHARED, .shape = (uint8_t)shape};
    for (unsigned l = 0; l < WARP_LANES; l++)
        p.at[l] = 4 * (shape == PLAIN_ONE ? from : shape == PLAIN_ROW ? from + l : shape == PLAIN_PAIRS ? from + l % 16 : l < 16 ? from : second);
    CU_ASSERT_EQUAL(plain_shape_of(&p), shape);
    return p;
}

/** The lanes that read words together and need no closer look. */
static uint32_t together(struct block_state *bs, const struct plain_access *p, const struct warp *w, const struct insn *in)
{
    struct actor me = {.bs = bs, .ws = &bs->warps[w->index], .warp = w, .insn = in, .agent = AGENT, .home = bs};
    if (bs->stamps && stamps_join(&me, p)) {
        joined++;
        return p->mask;
    }
    apart += bs->stamps != NULL;
    return plain_join(&me, p, AGENT);
}

/** One and the same access to the block with stamps and to that without. */
static void both(struct block_state *a, struct block_state *b, const struct plain_access *p, unsigned warp, unsigned site, bool store)
{
    struct warp w = {.index = (int)warp};
    struct insn in = {.site = site};
    uint32_t with = p->shape == PLAIN_ROW ? done(a, p, &w, &in, store) : together(a, p, &w, &in);
    uint32_t without = p->shape == PLAIN_ROW ? done(b, p, &w, &in, store) : together(b, p, &w, &in);
    CU_ASSERT_EQUAL(with, without);
}

/** A load or store of `count` words a lane, to both: without stamps word by word. What single words do not take nobody does. */
static void both_words(struct block_state *a, struct block_state *b, unsigned warp, unsigned count, bool store)
{
    struct warp w = {.index = (int)warp};
    struct insn in = {.site = 6, .mem = {.bytes = 4, .count = (uint8_t)count, .order = ORDER_WEAK, .space = SPACE_SHARED}};
    struct plain_access one = {.mask = draw(3) ? UINT32_MAX : 0x00f0ff01, .host = memory, .space = SPACE_SHARED, .shape = PLAIN_ANY};
    struct mem_access all = {.insn = &in, .mask = one.mask, .space = SPACE_SHARED};
    for (uint32_t l = 0, from = draw(WORDS - 32 * count); l < WARP_LANES; l++) {
        all.address[l] = 4 * (from + l * count);
        all.host[l] = memory + all.address[l];
    }
    struct actor me = {.bs = a, .ws = &a->warps[warp], .warp = &w, .insn = &in, .agent = AGENT, .home = a};
    uint32_t left = store ? stamps_store_words(&me, &all) : stamps_load_words(&me, &all);
    *(store ? &stored_words : &loaded_words) += left != all.mask;
    for (uint32_t m = all.mask; m; m &= m - 1) {
        unsigned l = (unsigned)__builtin_ctz(m);
        one.mask = 1u << l;
        for (unsigned e = 0; e < count; e++) {
            one.at[l] = (uint32_t)all.address[l] + 4 * e;
            uint32_t with = left >> l & 1 ? done(a, &one, &w, &in, store) : 0;
            CU_ASSERT_EQUAL(with, done(b, &one, &w, &in, store));
        }
    }
}

static void both_pass(struct block_state *a, struct block_state *b, unsigned what)
{
    unsigned warp = draw(WARPS), lane = draw(WARP_LANES);
    pass_time(a, what, warp, lane);
    pass_time(b, what, warp, lane);
}

/** Words are written, and read by several warps together, most by one instruction; some are read by single lanes before, between and behind. */
static void test_together(void)
{
    for (unsigned n = 0; n < 3000; n++) {
        struct block_state *a = block_new(true), *b = block_new(false);
        for (unsigned round = 0; round < 3; round++) {
            struct plain_access row = access_made(PLAIN_ROW, 32 * draw(2), 0);
            for (unsigned i = 0; i < WORDS; i += 32) {
                struct plain_access p = access_made(PLAIN_ROW, i, 0);
                both(a, b, &p, 1, 1, true);
            }
            both_pass(a, b, draw(30) ? 0 : 1);
            both(a, b, &row, draw(WARPS), 2, false);
            both_pass(a, b, draw(3) ? 0 : 1);
            for (unsigned i = draw(12); i > 0; i--) {
                struct plain_access p = access_made((enum plain_shape)(PLAIN_PAIRS + draw(3)), draw(3), 30 + draw(3));
                if (draw(3))
                    p = access_made((enum plain_shape)(PLAIN_PAIRS + (n + round) % 3), 8, 40);
                if (p.shape == PLAIN_ONE)
                    p.more = (uint8_t)draw(4);
                both(a, b, &p, draw(WARPS), draw(8) ? 3 : 4, false);
                if (!draw(20))
                    both_pass(a, b, 1 + draw(2));
                if (!draw(20))
                    both(a, b, &row, draw(WARPS), 5, draw(2));
                if (!draw(20))
                    both_words(a, b, draw(WARPS), draw(2) ? 2 : 4, draw(2));
                if (!draw(20))
                    compare_word(a, b, draw(WORDS));
            }
            both_pass(a, b, 0);
        }
        for (unsigned i = 0; i < WORDS; i++)
            compare_word(a, b, i);
        block_drop(a);
        block_drop(b);
    }
    CU_ASSERT_TRUE(joined > 1000 && apart > 1000 && stored_words > 500 && loaded_words > 500);
}

/** More accesses than are numbered, by one warp that no other meets, so that no word is opened. */
static void test_many(void)
{
    struct block_state *a = block_new(true), *b = block_new(false);
    struct warp w = {0};
    for (unsigned n = 0; n < 300000; n++) {
        struct plain_access p = {.mask = UINT32_MAX, .host = memory, .space = SPACE_SHARED, .shape = PLAIN_ROW};
        struct insn in = {.site = n % 1000};
        bool store = draw(3) == 0;
        unsigned from = draw(WORDS / 32) * 32;
        for (unsigned l = 0; l < WARP_LANES; l++)
            p.at[l] = 4 * (from + l), p.value[l] = n;
        CU_ASSERT_EQUAL(done(a, &p, &w, &in, store), 0);
        CU_ASSERT_EQUAL(done(b, &p, &w, &in, store), 0);
        if (store)
            plain_write(&p);
        if (!draw(500)) {
            pass_time(a, 0, 0, 0);
            pass_time(b, 0, 0, 0);
        }
    }
    CU_ASSERT_TRUE(a->stamps->accesses.count < 70000);
    for (unsigned i = 0; i < WORDS; i++)
        compare_word(a, b, i);
    block_drop(a);
    block_drop(b);
}

/** Readers that are kept keep their places when accesses get new numbers, and who comes when there is no more room for them is remembered, too. */
static void test_kept(void)
{
    struct block_state *a = block_new(true), *b = block_new(false);
    struct plain_access row = access_made(PLAIN_ROW, 0, 0), other = access_made(PLAIN_ROW, 32, 0);
    uint32_t most = 0;
    for (unsigned warp = 1; warp < WARPS; warp++)
        both(a, b, &row, warp, warp, false);
    for (unsigned n = 0; n < 80000; n++)
        both(a, b, &other, 0, 5, false);
    CU_ASSERT_TRUE(a->stamps->accesses.count < 70000 && a->stamps->earlier.count == WARPS - 1);
    for (unsigned n = 0; n < 20000; n++) {
        both(a, b, &row, n % WARPS, n % 11, false);
        most = a->stamps->earlier.count > (int)most ? (uint32_t)a->stamps->earlier.count : most;
    }
    CU_ASSERT_TRUE(most > 1000 && most < 10000);
    for (unsigned i = 0; i < WORDS; i++)
        compare_word(a, b, i);
    CU_ASSERT_TRUE(a->shared[0].read.flags & EPOCH_LIST);
    block_drop(a);
    block_drop(b);
}

UNIT_MAIN("stamps", {"as shadow words", test_same}, {"words read together", test_together}, {"many accesses", test_many},
          {"readers kept", test_kept})
