/* Stamps of words in shared memory: of random accesses of four warps, with barriers of the block and of warps between, the same lanes find an
   access in their way with stamps and with shadow words, whichever of the two has to look closer, and a word that is opened says what
   its shadow word would. Halves of an access may overlap. Of elements of eight bytes words are halves. */
#include "stamps_fixture.h"

#include "check/race/joining.h"

static unsigned row_accesses, other_accesses, refused, old_kept, joined, apart, stored_words, loaded_words, kept_earlier, kept_reads, read_again;

static struct plain_access access_drawn(void)
{
    static const uint32_t masks[] = {UINT32_MAX, UINT32_MAX, 0xffff, 0xffff0000, 0x55555555, 1};
    struct plain_access p = {.mask = masks[draw(6)], .host = memory, .space = SPACE_SHARED};
    uint32_t from = draw(4) ? 32 * draw(WORDS / 32 - 2) : draw(WORDS - 64), way = draw(6), cross = draw(4) ? draw(32) : 0;
    uint32_t row = draw(49), step = 1 + draw(3), column = draw(19); /* of a tile; of its columns */
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

/** The lanes that have an access in their way. */
static uint32_t done(struct block_state *bs, const struct plain_access *p, const struct warp *w, const struct insn *in, bool store)
{
    struct actor me = {.bs = bs, .ws = &bs->warps[w->index], .warp = w, .insn = in, .agent = AGENT, .home = bs};
    uint32_t left = p->mask;
    if (bs->stamps)
        left = store ? stamps_store(&me, p) : stamps_load(&me, p);
    if (left && left == p->mask && bs->stamps)
        refused++;
    if (left)
        left = store ? stored(bs, &me, p, left) : loaded(bs, &me, p, left);
    return left;
}

/** Stamps do not keep EPOCH_READ, of which only another launch's write asks: none reaches a block's shared memory. EPOCH_KEPT: same_kept(). */
static bool same_epoch(const struct epoch *a, const struct epoch *b)
{
    return a->agent == b->agent && (!a->agent || (a->time == b->time && a->site == b->site && a->thread == b->thread &&
                                                  !((a->flags ^ b->flags) & ~(EPOCH_READ | EPOCH_KEPT)) && a->unit == b->unit));
}

/** What lies before the block's last barrier may be kept or not: nobody asks. */
static bool same_kept(const struct block_state *bs, const struct shadow_word *x, const struct shadow_word *y)
{
    struct epoch a = epoch_kept(&x->write, &x->read), b = epoch_kept(&y->write, &y->read);
    a.agent = a.time > bs->uniform ? a.agent : 0;
    b.agent = b.time > bs->uniform ? b.agent : 0;
    kept_reads += a.agent != 0;
    return same_epoch(&a, &b);
}

static void compare_word(struct block_state *a, struct block_state *b, unsigned i)
{
    kept_earlier += a->stamps && a->stamps->earlier.count > 1 && a->stamps->read[i] != STAMP_OPENED && a->stamps->read[i] >= a->stamps->before;
    struct shadow_word *x = shared_word(a, i), *y = shared_word(b, i);
    CU_ASSERT_TRUE(same_epoch(&x->write, &y->write));
    CU_ASSERT_TRUE(same_readers(a, x, y));
    CU_ASSERT_TRUE(same_kept(a, x, y));
    CU_ASSERT_FALSE((x->flags ^ y->flags) & ~(uint32_t)WORD_LANES);
    CU_ASSERT_TRUE(!(y->flags & WORD_OLD) || x->old == y->old);
    old_kept += y->flags & WORD_OLD;
}

/** `opening`: one word in so many accesses is opened. */
static void run(unsigned accesses, unsigned opening)
{
    struct block_state *a = block_new(true), *b = block_new(false);
    struct plain_access p;
    struct warp w;
    for (unsigned n = 0; n < accesses; n++) {
        bool again = n && draw(2), store = again ? !draw(4) : draw(2);   /* where a warp has just been, or another one */
        if (!again)
            p = access_drawn();
        if (!again || !draw(3))
            w = (struct warp){.index = (int)draw(WARPS)};
        struct insn in = {.site = draw(9)};
        read_again += again && p.shape == PLAIN_ANY && p.mask == UINT32_MAX;
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
    const char *from = getenv("STAMPS_SEED");
    seed = from ? strtoull(from, NULL, 10) << 32 : 0;
    for (unsigned i = 0; i < 400; i++)
        run(1 + i, i % 2 ? 0 : 30);
    CU_ASSERT_TRUE(row_accesses > 10000 && other_accesses > 10000 && refused > 1000 && old_kept > 10000 && sets > 1000 && kept_earlier > 200 && kept_reads > 100 && read_again > 1000);
}

static struct plain_access access_made(enum plain_shape shape, uint32_t from, uint32_t second)
{
    struct plain_access p = {.mask = UINT32_MAX, .host = memory, .space = SPACE_SHARED, .shape = (uint8_t)shape};
    for (unsigned l = 0; l < WARP_LANES; l++)
        p.at[l] = 4 * (shape == PLAIN_ONE ? from : shape == PLAIN_ROW ? from + l : shape == PLAIN_PAIRS ? from + l % 16 : l < 16 ? from : second);
    CU_ASSERT_EQUAL(plain_shape_of(&p), shape);
    return p;
}

/** Lanes read words together. @return those that have a write in their way */
static uint32_t together(struct block_state *bs, const struct plain_access *p, const struct warp *w, const struct insn *in)
{
    struct actor me = {.bs = bs, .ws = &bs->warps[w->index], .warp = w, .insn = in, .agent = AGENT, .home = bs};
    uint32_t not = 0, group;
    if (bs->stamps && stamps_join(&me, p)) {
        joined++;
        return 0;
    }
    apart += bs->stamps != NULL;
    for (uint32_t left = p->mask & ~plain_join(&me, p, AGENT); left; left &= ~group) {
        group = 0;
        for (unsigned l = 0; l < WARP_LANES; l++)
            group |= (uint32_t)(p->at[l] == p->at[__builtin_ctz(left)] && me.ws->time[l] == me.ws->time[__builtin_ctz(left)]) << l;
        group &= left;
        for (unsigned e = 0; e <= p->more; e++)
            if (!read_closer(bs, &me, p->at[__builtin_ctz(left)] / 4 + e, group))
                not |= group;
    }
    return not;
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

/** Readers that are kept keep their places when accesses get new numbers, and when those that count no more are left out. */
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

/** A table whose words all threads read in no order, so often that what is kept of earlier reads is thinned out; then somebody writes. */
static void test_table(void)
{
    unsigned thinned = 0, opened = 0;
    for (unsigned n = 0; n < 2; n++) {
        struct block_state *a = block_new(true), *b = block_new(false);
        struct plain_access p = {.mask = UINT32_MAX, .host = memory, .space = SPACE_SHARED, .shape = PLAIN_ANY};
        for (unsigned i = 0; i < 11000; i++) {
            struct warp w = {.index = (int)draw(WARPS)};
            struct insn in = {.site = draw(9)};
            for (unsigned l = 0; l < WARP_LANES; l++)
                p.at[l] = 4 * draw(n ? 64 : WORDS);
            int before = a->stamps->earlier.count;
            CU_ASSERT_EQUAL(done(a, &p, &w, &in, false), done(b, &p, &w, &in, false));
            thinned += a->stamps->earlier.count < before;
            if (n && !draw(400))
                both_pass(a, b, 1);
        }
        for (unsigned i = 0; i < WORDS; i++)
            opened += a->stamps->read[i] == STAMP_OPENED;
        struct warp w = {.index = 1};
        struct insn in = {.site = 10};
        p.mask = 0xff;
        CU_ASSERT_EQUAL(done(a, &p, &w, &in, true), done(b, &p, &w, &in, true));
        for (unsigned i = 0; i < WORDS; i++)
            compare_word(a, b, i);
        block_drop(a);
        block_drop(b);
    }
    CU_ASSERT_TRUE(thinned >= 2 && opened == 0);
}

/** The halves of a load overlap: words that one lane has read are told from those of two, which keep the first. */
static void test_overlapping(void)
{
    struct block_state *bs = block_new(true);
    struct plain_access read = access_made(PLAIN_ROW, 0, 0), once = access_made(PLAIN_ROW, 0, 0), twice = once;
    struct insn in = {.site = 1};
    struct warp own = {.index = 0}, other = {.index = 1};
    struct actor me = {.bs = bs, .ws = &bs->warps[0], .warp = &own, .insn = &in, .agent = AGENT, .home = bs};
    struct actor they = {.bs = bs, .ws = &bs->warps[1], .warp = &other, .insn = &in, .agent = AGENT, .home = bs};
    for (unsigned l = 0; l < WARP_LANES; l++)
        read.at[l] = 4 * (l % HALF + l / HALF * 8);
    read.shape = (uint8_t)plain_shape_of(&read);
    once.mask = 0xff;
    twice.mask = 0xff00;
    CU_ASSERT_EQUAL(stamps_load(&me, &read), 0);
    CU_ASSERT_EQUAL(stamps_store(&me, &twice), twice.mask);
    CU_ASSERT_EQUAL(stamps_store(&they, &once), once.mask);
    CU_ASSERT_EQUAL(stamps_store(&me, &once), 0); /* each lane's own */
    pass_time(bs, 1, 0, 0);
    CU_ASSERT_EQUAL(stamps_store(&me, &once), 0);
    block_drop(bs);
}

/** An element of eight bytes a lane, `from` elements behind the first. */
static struct mem_access wide_access(const struct insn *in, uint32_t from)
{
    struct mem_access a = {.insn = in, .mask = UINT32_MAX, .space = SPACE_SHARED};
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        a.address[l] = 8 * (from + l);
        a.host[l] = memory + a.address[l];
    }
    return a;
}

static bool is_half(const struct epoch *e, unsigned word, unsigned from, unsigned warp, uint32_t site)
{
    return e->agent == AGENT && e->site == site && e->thread == warp * WARP_LANES + word / 2 - from && e->unit == (WIDE_WORD | 4 * (word & 1));
}

/** Elements of eight bytes: each word says which half of them it is, opened, behind a barrier, too. */
static void test_wide(void)
{
    struct block_state *bs = block_new(true);
    struct insn write = {.site = 6, .mem = {.bytes = 8, .count = 1, .order = ORDER_WEAK, .space = SPACE_SHARED}}, read = write;
    struct warp own = {.index = 2}, other = {.index = 1};
    struct actor me = {.bs = bs, .ws = &bs->warps[2], .warp = &own, .insn = &write, .agent = AGENT, .home = bs};
    struct actor they = {.bs = bs, .ws = &bs->warps[1], .warp = &other, .insn = &read, .agent = AGENT, .home = bs};
    struct mem_access store = wide_access(&write, 3), load = wide_access(&read, 4), mine = wide_access(&write, 3);
    read.site = 7;
    CU_ASSERT_EQUAL(stamps_store_words(&me, &store), 0);
    CU_ASSERT_EQUAL(stamps_load_words(&they, &load), UINT32_MAX); /* not behind the store */
    for (unsigned i = 6; i < 70; i += 3)
        CU_ASSERT_TRUE(is_half(&shared_word(bs, i)->write, i, 3, 2, 6));
    pass_time(bs, 0, 0, 0);
    stamps_settle(bs);
    CU_ASSERT_EQUAL(stamps_load_words(&they, &load), 0);
    CU_ASSERT_EQUAL(stamps_load_words(&me, &mine), 0);
    mine.mask = 1; /* a lane's own, which nobody else has read */
    CU_ASSERT_EQUAL(stamps_store_words(&me, &mine), 0);
    mine.mask = 2;
    CU_ASSERT_EQUAL(stamps_store_words(&me, &mine), 2);
    for (unsigned i = 8; i < 70; i++) {
        const struct shadow_word *c = shared_word(bs, i);
        CU_ASSERT_TRUE(is_half(&c->write, i, 3, 2, 6) && c->read.agent);
    }
    for (unsigned i = 70; i < 72; i++)
        CU_ASSERT_TRUE(is_half(&shared_word(bs, i)->read, i, 4, 1, 7) && !shared_word(bs, i)->write.agent);
    block_drop(bs);
}

UNIT_MAIN("stamps", {"as shadow words", test_same}, {"words read together", test_together}, {"many accesses", test_many},
          {"readers kept", test_kept}, {"a table", test_table}, {"halves that overlap", test_overlapping},
          {"elements of eight bytes", test_wide})
