/* For test_stamps.c: a block's shared memory, with stamps or with shadow words alone; the closer look at what those say no more of; and who has read
   a word, to be compared. */
#include <stdlib.h>
#include <string.h>

#include "base/mix.h"
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
static bool met[WARPS][4096]; /* at that time all lanes of the warp were past all that they had done */
static unsigned sets; /* of readers that were gone through */

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
    memset(met, 0, sizeof met);
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
    for (unsigned i = 0; i < WARPS; i++)
        met[i][latest] |= what == 0 || i == warp;
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

/** The closer look at lanes that read a word: they are remembered as some of several. @return false: a write is in their way */
static bool read_closer(struct block_state *bs, const struct actor *me, unsigned word, uint32_t lanes)
{
    struct shadow_word *c = shared_word(bs, word);
    const struct sight s = sight_of(me);
    unsigned lane = (unsigned)__builtin_ctz(lanes);
    const struct reader own = {.agent = AGENT, .time = me->ws->time[lane], .site = me->insn->site, .mask = lanes,
                               .warp = (uint16_t)me->warp->index, .unit = PLAIN_WORD};
    if (!is_written_in_sight(&s, c, s.warp * WARP_LANES + lane, AGENT, UINT32_MAX))
        return false;
    if (!word_group_add(c, &own, true))
        word_remember_read(race.readers, c, own, PRUNE_OLDER);
    return true;
}

/** The lanes of a load that have a write in their way. */
static uint32_t loaded(struct block_state *bs, const struct actor *me, const struct plain_access *p, uint32_t left)
{
    uint32_t not = 0;
    while (left && (left = shared_loads(me, p, left, AGENT))) {
        if (!read_closer(bs, me, p->at[__builtin_ctz(left)] / 4, left & -left))
            not |= left & -left;
        left &= left - 1;
    }
    return not;
}

/** A word's readers one by one, in no order. @return how many */
static unsigned readers_of(const struct shadow_word *word, struct epoch to[WARPS * WARP_LANES * 4])
{
    struct shadow_word c = *word;
    struct readers_walk w;
    unsigned count = 0;
    word_open_group(race.readers, &c);
    if (c.read.agent && !(c.read.flags & EPOCH_LIST))
        to[count++] = c.read;
    if (!c.read.agent || !(c.read.flags & EPOCH_LIST))
        return count;
    readers_walk(&w, race.readers, c.read.time);
    for (const struct reader *r; (r = readers_next(&w));)
        for (uint32_t m = r->mask; m; m &= m - 1) {
            CU_ASSERT_FATAL(count < WARPS * WARP_LANES * 4);
            to[count++] = (struct epoch){.agent = r->agent, .time = r->time, .site = r->site, .thread = (uint16_t)(r->warp * WARP_LANES + (unsigned)__builtin_ctz(m))};
        }
    sets++;
    return count;
}

/** The lanes of a store that have an access in their way. */
static uint32_t stored(struct block_state *bs, const struct actor *me, const struct plain_access *p, uint32_t left)
{
    struct epoch read[WARPS * WARP_LANES * 4];
    const struct sight s = sight_of(me);
    uint32_t not = 0;
    while (left && (left = shared_stores(me, p, left, AGENT))) {
        unsigned lane = (unsigned)__builtin_ctz(left), thread = s.warp * WARP_LANES + lane;
        struct shadow_word *c = shared_word(bs, p->at[lane] / 4);
        bool ordered = is_written_in_sight(&s, c, thread, AGENT, UINT32_MAX);
        for (unsigned i = readers_of(c, read); i > 0; i--)
            ordered &= is_in_sight(&s, &read[i - 1], thread);
        if (ordered) {
            c->read = (struct epoch){0};
            CU_ASSERT_EQUAL(shared_stores(me, p, left & -left, AGENT), 0);
        } else {
            not |= left & -left;
        }
        left &= left - 1;
    }
    return not;
}

/** Is the read one of those, or, unless `itself`, one that came before one of them? */
static bool is_among(const struct epoch *e, const struct epoch *of, unsigned count, bool itself)
{
    for (unsigned i = 0; i < count; i++) {
        const struct epoch *r = &of[i];
        bool same = r->thread == e->thread, later = same && r->time > e->time;
        for (uint32_t t = e->time; !same && r->thread / WARP_LANES == e->thread / WARP_LANES && t < r->time; t++)
            later |= met[r->thread / WARP_LANES][t];
        if ((same && r->time == e->time && r->site == e->site) || (!itself && later))
            return true;
    }
    return false;
}

/** All of `x` that nothing in sight of the next barrier makes up for are in `y`. */
static bool are_among(const struct block_state *bs, const struct epoch *x, unsigned xs, const struct epoch *y, unsigned ys)
{
    struct epoch both[WARPS * WARP_LANES * 4];
    unsigned count = 0;
    for (unsigned i = 0; i < ys; i++)
        if (is_among(&y[i], x, xs, true))
            both[count++] = y[i];
    for (unsigned i = 0; i < xs; i++)
        if (x[i].time > bs->uniform && !is_among(&x[i], both, count, false))
            return false;
    return true;
}

/** Who has read before the block's last barrier, or before one of the others by a barrier of their warp, need not be known. */
static bool same_readers(const struct block_state *bs, const struct shadow_word *x, const struct shadow_word *y)
{
    struct epoch a[WARPS * WARP_LANES * 4], b[WARPS * WARP_LANES * 4];
    unsigned in_a = readers_of(x, a), in_b = readers_of(y, b);
    return are_among(bs, a, in_a, b, in_b) && are_among(bs, b, in_b, a, in_a);
}
