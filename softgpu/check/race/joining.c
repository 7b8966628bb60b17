/**
 * @file joining.c
 * See joining.h.
 */
#include "check/race/joining.h"

#include "base/vectors.h"
#include "check/race/plain_words.h"
#include "check/race/shadow/read_log.h"
#include "check/race/shadow/reader_group.h"
#include "check/word_vectors.h"
#include "execute/plain_access.h"

#ifdef __x86_64__
#define AVX512 USES_VECTORS("avx512f,avx512dq")
#define HAS_AVX512 __builtin_cpu_supports("avx512dq")

typedef uint64_t eight __attribute__((vector_size(64), aligned(8), may_alias));

AVX512 static inline bool is_any(eight v)
{
    uint64_t any = 0;
    for (int i = 0; i < 8; i++)
        any |= v[i];
    return any;
}

/** Where `past[i]` does not come after `v[i]`. */
AVX512 static inline eight falls(eight v, eight past)
{
    return (eight)(past <= v);
}

/** shape_of() by addresses alone, eight at once. */
AVX512 static enum shape shape_at_once(const uint64_t *at)
{
    const eight *v = (const eight *)at;
    eight first = (v[0] ^ at[0]) | (v[1] ^ at[0]), second = (v[2] ^ at[HALF]) | (v[3] ^ at[HALF]);
    if (!is_any(first | second))
        return at[0] == at[HALF] ? SHAPE_ONE_WORD : SHAPE_HALVES;
    /* of 1 to 8 and 8 to 15 beside those before */
    bool rises = !is_any(falls(v[0], *(const eight *)&at[1]) | falls(*(const eight *)&at[7], v[1]));
    if (rises && !is_any((v[0] ^ v[2]) | (v[1] ^ v[3])))
        return SHAPE_PAIRS;
    rises = rises && !is_any(falls(*(const eight *)&at[HALF - 1], v[2]) | falls(*(const eight *)&at[HALF + 7], v[3]));
    return rises ? SHAPE_APART : SHAPE_ANY;
}
#else
#define HAS_AVX512 0
#define shape_at_once(at) SHAPE_ANY
#endif

bool lanes_are_alike(const struct warp_state *ws, uint32_t mask)
{
    const struct word_vectors *v = word_vectors();
    uint32_t first = ws->time[__builtin_ctz(mask)], differs = 0;
    if (v)
        return v->are_alike(ws->time, mask);
    for (unsigned l = 0; l < WARP_LANES; l++)
        differs |= (ws->time[l] ^ first) & -(mask >> l & 1);
    return !differs;
}

enum shape shape_one_by_one(const uint64_t *at)
{
    uint64_t apart = 0, halves = 0;
    bool rises = true;
    for (int l = 0; l < HALF; l++) {
        apart |= at[l] ^ at[l + HALF];
        halves |= (at[l] ^ at[0]) | (at[l + HALF] ^ at[HALF]);
    }
    if (!halves)
        return apart ? SHAPE_HALVES : SHAPE_ONE_WORD;
    for (int l = 1; l < HALF; l++)
        rises &= at[l] > at[l - 1];
    if (!apart && rises)
        return SHAPE_PAIRS;
    for (int l = HALF; l < WARP_LANES; l++)
        rises &= at[l] > at[l - 1];
    return rises ? SHAPE_APART : SHAPE_ANY;
}

enum shape shape_of(const struct actor *me, const struct mem_access *a)
{
    if (a->mask != UINT32_MAX || !lanes_at_one_time(me->ws, a->mask))
        return SHAPE_ANY;
    if (a->row)
        return SHAPE_APART;
    return HAS_AVX512 ? shape_at_once(a->address) : shape_one_by_one(a->address);
}

#define TRIED_FIRST 2u   /* words: where none of so many has such a group, the shadow words of the others are not fetched to ask */

/** Of the half warp from `first` on: the lanes whose word has a group that they, and the lanes `beside` with lane 0, join; or none. */
static uint32_t half_joins(const struct actor *me, const struct mem_access *a, int first, uint32_t beside, uint32_t floor)
{
    struct allocation *al = a->allocation[first];
    uint64_t address = a->address[first], apart = 0, offset = address - (al->base & ~3ull);
    uint8_t flags = flags_of(&me->insn->mem, false);
    uint32_t done = 0;
    for (int i = 0; i < HALF; i++)
        apart |= a->address[first + i] ^ (address + 4 * (uint64_t)i);
    if (apart || offset % 4 || offset + 4 * HALF > al->bytes || !al->shadow)
        return 0;
    struct shadow *shadow = al->shadow;
    bool log_is_ours = shadow->log && shadow->log->floor == floor;
    for (unsigned i = 0; i < (done ? HALF : TRIED_FIRST); offset += 4, i++) {
        struct shadow_word *c = shadow_row_words(shadow_row_at(shadow, offset));
        uint32_t lanes = (1u << first | beside) << i;
        if (!c)
            continue;
        c += offset / 4 % ROW_WORDS;
        if (c->write.agent >= floor || ((c->flags & WORD_LOGGED) && !log_is_ours) || !joins_group(me, c, lanes, flags, PLAIN_WORD))
            continue;
        join_group(me, c);
        done |= lanes;
    }
    return done;
}

uint32_t rows_join(struct actor *me, const struct mem_access *a, enum shape shape, uint32_t floor)
{
    if (me->as_agent || me->insn->mem.bytes != 4 || me->insn->mem.count != 1 || order_is_strong(&me->insn->mem))
        return 0;
    actor_set_lane(me, 0);
    if (shape == SHAPE_PAIRS)
        return half_joins(me, a, 0, 1u << HALF, floor);
    if (shape == SHAPE_APART)
        return half_joins(me, a, 0, 0, floor) | half_joins(me, a, HALF, 0, floor);
    return 0;
}

/** Lanes read a word in shared memory, that was last written before the block's last barrier, plainly: they join its group, or become one in
 *  place of readers of which the first of them may take the place. @return false: look closer */
static inline bool reads_shared(const struct actor *me, struct shadow_word *c, uint32_t lanes, uint8_t flags, uint32_t floor)
{
    if (!epoch_is_behind_barrier(me, &c->write))
        return false;
    if (joins_group(me, c, lanes, flags, PLAIN_WORD)) {
        join_group(me, c);
        return true;
    }
    const struct sight s = sight_of(me);
    uint32_t first = s.warp * WARP_LANES + (uint32_t)__builtin_ctz(lanes);
    if (flags || (c->flags & (WORD_SPLIT | WORD_SYNC)) || me->warp->index >= WARP_LANES ||
        (c->read.agent >= floor && (c->read.flags || !is_in_sight(&s, &c->read, first))))
        return false;
    c->read.agent = 0;
    return word_group_add(c, &(struct reader){.agent = me->agent, .time = me->time, .site = me->insn->site, .mask = lanes,
                                              .warp = (uint16_t)me->warp->index, .unit = PLAIN_WORD}, true);
}

uint32_t shared_join(struct actor *me, const struct mem_access *a, enum shape shape, uint32_t floor)
{
    int step = shape == SHAPE_PAIRS ? 1 : HALF, end = shape == SHAPE_PAIRS ? HALF : WARP_LANES;
    uint32_t beside = shape == SHAPE_PAIRS ? 1 | 1u << HALF : HALF_LANES, done = 0;
    if (a->space != SPACE_SHARED || shape < SHAPE_PAIRS || a->insn->mem.order == ORDER_NC || me->bs->any_left)
        return 0;
    actor_set_lane(me, 0);
    uint8_t flags = flags_of(&a->insn->mem, false);
    for (int first = 0; first < end; first += step)
        if (reads_shared(me, shared_word(me->home, a->address[first] / 4), beside << first, flags, floor))
            done |= beside << first;
    return done;
}

/** All lanes of a warp read the same. */
static uint32_t ones_join(struct actor *me, const struct plain_access *p, uint32_t floor)
{
    if (p->mask != UINT32_MAX || me->bs->any_left || !lanes_at_one_time(me->ws, p->mask))
        return 0;
    actor_set_lane(me, 0);
    for (uint32_t i = 0; i <= p->more; i++)
        if (!reads_shared(me, shared_word(me->home, p->at[0] / 4 + i), UINT32_MAX, 0, floor))
            return 0;
    return p->mask;
}

uint32_t plain_join(struct actor *me, const struct plain_access *p, uint32_t floor)
{
    if (p->shape == PLAIN_ONE)
        return ones_join(me, p, floor);
    int step = p->shape == PLAIN_PAIRS ? 1 : HALF, end = p->shape == PLAIN_PAIRS ? HALF : WARP_LANES;
    uint32_t beside = p->shape == PLAIN_PAIRS ? 1 | 1u << HALF : HALF_LANES, done = 0;
    if ((p->shape != PLAIN_PAIRS && p->shape != PLAIN_HALVES) || me->bs->any_left || !lanes_at_one_time(me->ws, p->mask))
        return 0;
    actor_set_lane(me, 0);
    for (int first = 0; first < end; first += step)
        if (reads_shared(me, shared_word(me->home, p->at[first] / 4), beside << first, 0, floor))
            done |= beside << first;
    return done;
}
