/**
 * @file stamps.c
 * See stamps.h.
 */
#include "check/race/stamps.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/vectors.h"
#include "check/race/element.h"
#include "check/race/joining.h"
#include "check/race/shadow/reader_group.h"
#include "execute/plain_access.h"

#define FEWEST_ACCESSES (1 << 16)   /* that are numbered before numbers of no use are taken back */

/* ---- Blocks ---- */

void stamps_begin(struct block_state *bs)
{
    size_t words = bs->shared_words;
    if (bs->cluster) { /* other blocks may come by */
        bs->shared = calloc(words, sizeof *bs->shared);
        assert(bs->shared);
        return;
    }
    struct stamps *st = calloc(1, sizeof *st);
    assert(st);
    st->write = calloc(3 * words, sizeof *st->write);
    assert(st->write);
    st->read = st->write + words;
    st->old = st->read + words;
    *LIST_PUSH(&st->accesses) = (struct stamped){0};
    st->before = 1u << STAMP_LANES;
    bs->stamps = st;
}

void stamps_end(struct block_state *bs)
{
    for (uint32_t i = 0; bs->shared && i < bs->shared_words; i++)
        word_clear(&bs->shared[i]);
    free(bs->shared);
    if (!bs->stamps)
        return;
    LIST_FREE(&bs->stamps->accesses);
    free(bs->stamps->write);
    free(bs->stamps);
}

/** The epoch of a lane's access. */
static struct epoch epoch_of_stamp(const struct block_state *bs, uint32_t stamp)
{
    const struct stamped *s = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    return (struct epoch){.agent = bs->agent, .time = s->time, .site = s->site, .unit = PLAIN_WORD,
                          .thread = (uint16_t)(s->warp * WARP_LANES + stamp % WARP_LANES)};
}

/** The lanes of a warp that read the word with such a stamp together. */
static uint32_t lanes_together(const struct stamped *s, uint32_t stamp)
{
    return (s->together == PLAIN_PAIRS ? 1 | 1u << HALF : HALF_LANES) << stamp % WARP_LANES;
}

static void open_readers(const struct block_state *bs, struct shadow_word *c, uint32_t stamp)
{
    const struct stamped *s = &bs->stamps->accesses.data[stamp >> STAMP_LANES];
    if (!s->together) {
        c->read = epoch_of_stamp(bs, stamp);
        return;
    }
    word_group_add(c, &(struct reader){.agent = bs->agent, .time = s->time, .site = s->site, .mask = lanes_together(s, stamp),
                                       .warp = s->warp, .unit = PLAIN_WORD}, true);
    c->group.warps = s->warps;
}

struct shadow_word *stamps_open(struct block_state *bs, uint64_t word)
{
    struct stamps *st = bs->stamps;
    if (!bs->shared) {
        bs->shared = calloc(bs->shared_words, sizeof *bs->shared);
        assert(bs->shared);
    }
    struct shadow_word *c = &bs->shared[word];
    if (st->write[word]) {
        c->write = epoch_of_stamp(bs, st->write[word]);
        c->old = st->old[word];
        c->flags = WORD_OLD;
    }
    if (st->read[word])
        open_readers(bs, c, st->read[word]);
    st->write[word] = st->read[word] = STAMP_OPENED;
    return c;
}

/* ---- Numbers ---- */

/** Gives the accesses to which stamps refer the first numbers, in their order. */
static void renumber(struct block_state *bs)
{
    struct stamps *st = bs->stamps;
    uint32_t count = 1, words = 2 * bs->shared_words; /* `read` lies behind `write` */
    uint32_t *number = calloc((size_t)st->accesses.count + 1, sizeof *number);
    assert(number);
    for (uint32_t i = 0; i < words; i++)
        if (st->write[i] != STAMP_OPENED)
            number[st->write[i] >> STAMP_LANES] = 1;
    for (int i = 1; i <= st->accesses.count; i++) {
        if (i == (int)(st->before >> STAMP_LANES))
            st->before = count << STAMP_LANES;
        if (i == st->accesses.count || !number[i])
            continue;
        number[i] = count;
        st->accesses.data[count++] = st->accesses.data[i];
    }
    number[0] = 0;
    for (uint32_t i = 0; i < words; i++)
        if (st->write[i] != STAMP_OPENED)
            st->write[i] = number[st->write[i] >> STAMP_LANES] << STAMP_LANES | st->write[i] % WARP_LANES;
    st->accesses.count = (int)count;
    free(number);
}

/** The number of an access that is about to be made; 0: look closer. */
static uint32_t number_of(const struct actor *me, const struct plain_access *p)
{
    struct stamps *st = me->bs->stamps;
    if (!st || me->bs->any_left || !lanes_at_one_time(me->ws, p->mask))
        return 0;
    if (st->uniform != me->bs->uniform) {
        st->uniform = me->bs->uniform;
        st->before = (uint32_t)st->accesses.count << STAMP_LANES;
    }
    uint32_t most = 8 * me->bs->shared_words;
    if ((uint32_t)st->accesses.count > (most > FEWEST_ACCESSES ? most : FEWEST_ACCESSES))
        renumber(me->bs);
    *LIST_PUSH(&st->accesses) = (struct stamped){.time = me->ws->time[__builtin_ctz(p->mask)], .site = me->insn->site,
                                                 .warp = (uint16_t)me->warp->index};
    return (uint32_t)st->accesses.count - 1;
}

/* ---- Lane by lane ---- */

/** Does the access lie plainly before that lane's? */
static inline bool is_before(const struct actor *me, uint32_t stamp, uint32_t lane)
{
    const struct stamps *st = me->bs->stamps;
    if (stamp < st->before)
        return true;
    if (stamp == STAMP_OPENED)
        return false;
    const struct stamped *s = &st->accesses.data[stamp >> STAMP_LANES];
    return !s->together && s->warp == me->warp->index && (stamp % WARP_LANES == lane || s->time <= me->ws->warp_uniform);
}

/** Has the lane not written there at this time before, so that what the word holds is an older value? */
static inline bool is_first_write(const struct stamps *st, uint32_t stamp, uint32_t lane, uint32_t number)
{
    return stamp < st->before || stamp % WARP_LANES != lane ||
           st->accesses.data[stamp >> STAMP_LANES].time != st->accesses.data[number].time;
}

static uint32_t load_lanes(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t left = p->mask;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word = p->at[lane] / 4;
        if (!is_before(me, st->write[word], lane) || !is_before(me, st->read[word], lane))
            break;
        st->read[word] = number << STAMP_LANES | lane;
    }
    return left;
}

static uint32_t store_lanes(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t left = p->mask;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word = p->at[lane] / 4;
        if (!is_before(me, st->write[word], lane) || !is_before(me, st->read[word], lane))
            break;
        if (is_first_write(st, st->write[word], lane, number))
            memcpy(&st->old[word], p->host + p->at[lane], 4);
        st->write[word] = number << STAMP_LANES | lane;
        st->read[word] = 0;
    }
    return left;
}

/* ---- A row at once ---- */

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 USES_VECTORS("avx512f,avx512dq,avx512bw,avx512vl")
#define HAS_AVX512 (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))

/** The place, in an array of a word each, of what belongs to a row's first lane. It may lie before the array, where lanes are missing. */
static inline void *row_in(const struct plain_access *p, const void *array)
{
    return (void *)((uintptr_t)array + (uint64_t)(int64_t)(int32_t)plain_row_at(p));
}

/** The stamps of one access by all lanes. */
struct row_stamps {
    __m512i low, high;
};

AVX512 static inline struct row_stamps stamps_of(uint32_t number)
{
    const __m512i low = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(HALF)), all = _mm512_set1_epi32((int)(number << STAMP_LANES));
    return (struct row_stamps){_mm512_or_si512(low, all), _mm512_or_si512(high, all)};
}

/** The lanes whose stamps do not lie before the block's last barrier. */
AVX512 static uint32_t late_in_row(const struct stamps *st, const struct plain_access *p, const uint32_t *stamps)
{
    const __m512i before = _mm512_set1_epi32((int)st->before);
    const uint32_t *row = row_in(p, stamps);
    __mmask16 low = (__mmask16)p->mask, high = (__mmask16)(p->mask >> HALF);
    uint32_t a = _mm512_mask_cmpge_epu32_mask(low, _mm512_maskz_loadu_epi32(low, row), before);
    uint32_t b = _mm512_mask_cmpge_epu32_mask(high, _mm512_maskz_loadu_epi32(high, row + HALF), before);
    return a | b << HALF;
}

/** The lanes of `late` that do not have the stamp of one access. */
AVX512 static uint32_t others_in_row(const struct plain_access *p, const uint32_t *stamps, uint32_t late, uint32_t number)
{
    const uint32_t *row = row_in(p, stamps);
    const struct row_stamps own = stamps_of(number);
    __mmask16 low = (__mmask16)late, high = (__mmask16)(late >> HALF);
    uint32_t a = _mm512_mask_cmpneq_epi32_mask(low, _mm512_maskz_loadu_epi32(low, row), own.low);
    uint32_t b = _mm512_mask_cmpneq_epi32_mask(high, _mm512_maskz_loadu_epi32(high, row + HALF), own.high);
    return a | b << HALF;
}

/** Do those lie before their lanes all the same? Mostly they are of one access of their own. */
static bool are_before(const struct actor *me, const struct plain_access *p, const uint32_t *stamps, uint32_t late)
{
    if (late) {
        uint32_t lane = (uint32_t)__builtin_ctz(late), stamp = stamps[p->at[lane] / 4];
        if (!is_before(me, stamp, lane))
            return false;
        late &= late - 1;
        if (late && stamp % WARP_LANES == lane)
            late = others_in_row(p, stamps, late, stamp >> STAMP_LANES);
    }
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_before(me, stamps[p->at[lane] / 4], lane))
            return false;
    }
    return true;
}

AVX512 static void put_row(const struct plain_access *p, uint32_t *array, uint32_t lanes, __m512i low, __m512i high)
{
    uint32_t *row = row_in(p, array);
    _mm512_mask_storeu_epi32(row, (__mmask16)lanes, low);
    _mm512_mask_storeu_epi32(row + HALF, (__mmask16)(lanes >> HALF), high);
}

AVX512 static void put_stamps(const struct plain_access *p, uint32_t *array, uint32_t number)
{
    const struct row_stamps own = stamps_of(number);
    put_row(p, array, p->mask, own.low, own.high);
}

AVX512 static uint32_t load_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    if (!are_before(me, p, st->write, late_in_row(st, p, st->write)) || !are_before(me, p, st->read, late_in_row(st, p, st->read)))
        return p->mask;
    put_stamps(p, st->read, number);
    return 0;
}

AVX512 static uint32_t store_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t late = late_in_row(st, p, st->write), first = p->mask;
    if (!are_before(me, p, st->write, late) || !are_before(me, p, st->read, late_in_row(st, p, st->read)))
        return p->mask;
    for (; late; late &= late - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(late);
        if (!is_first_write(st, st->write[p->at[lane] / 4], lane, number))
            first &= ~(1u << lane);
    }
    const uint32_t *host = row_in(p, p->host);
    put_row(p, st->old, first, _mm512_maskz_loadu_epi32((__mmask16)first, host),
            _mm512_maskz_loadu_epi32((__mmask16)(first >> HALF), host + HALF));
    put_stamps(p, st->write, number);
    put_row(p, st->read, p->mask, _mm512_setzero_si512(), _mm512_setzero_si512());
    return 0;
}
/** The stamps of the words that lanes i and i + 16 have just read together, if all have been read so by the same warps, else STAMP_OPENED;
 *  0: nobody has since the last barrier. All are written, before that. */
AVX512 static uint32_t pairs_so_far(const struct stamps *st, const struct plain_access *p)
{
    const __m512i before = _mm512_set1_epi32((int)st->before);
    __m512i write = _mm512_loadu_si512(row_in(p, st->write)), read = _mm512_loadu_si512(row_in(p, st->read));
    uint32_t late = _mm512_cmpge_epu32_mask(read, before), first = st->read[p->at[0] / 4];
    if (_mm512_cmpge_epu32_mask(write, before) | _mm512_testn_epi32_mask(write, write))
        return STAMP_OPENED;
    if (!late)
        return 0;
    return _mm512_cmpneq_epi32_mask(read, stamps_of(first >> STAMP_LANES).low) ? STAMP_OPENED : first;
}

AVX512 static void put_pairs(struct stamps *st, const struct plain_access *p, uint32_t number)
{
    _mm512_storeu_si512(row_in(p, st->read), stamps_of(number).low);
}
#else
#define HAS_AVX512 0
#define load_row load_lanes
#define store_row store_lanes
#define pairs_so_far(st, p) STAMP_OPENED
#define put_pairs(st, p, number) (void)0
#endif

/* ---- Words that lanes read together ---- */

/** As pairs_so_far(), of two words that half a warp reads each. */
static uint32_t halves_so_far(const struct stamps *st, const struct plain_access *p)
{
    uint32_t low = p->at[0] / 4, high = p->at[HALF] / 4, first = st->read[low], second = st->read[high];
    for (int i = 0; i < 2; i++) {
        uint32_t write = st->write[i ? high : low];
        if (!write || write >= st->before)
            return STAMP_OPENED;
    }
    if (first < st->before && second < st->before)
        return 0;
    return first % WARP_LANES == 0 && second == first + HALF ? first : STAMP_OPENED;
}

bool stamps_join(const struct actor *me, const struct plain_access *p)
{
    struct stamps *st = me->bs->stamps;
    if (!(p->shape == PLAIN_HALVES || (p->shape == PLAIN_PAIRS && HAS_AVX512)) || me->warp->index >= WARP_LANES)
        return false;
    uint32_t number = number_of(me, p);
    if (!number)
        return false;
    uint32_t last = p->shape == PLAIN_PAIRS ? pairs_so_far(st, p) : halves_so_far(st, p), warps = 1u << me->warp->index;
    struct stamped *now = &st->accesses.data[number];
    const struct stamped *s = last && last != STAMP_OPENED ? &st->accesses.data[last >> STAMP_LANES] : NULL;
    if (last == STAMP_OPENED || (s && (s->together != p->shape || s->time != now->time || s->site != now->site))) {
        st->accesses.count--;
        return false;
    }
    now->together = p->shape;
    now->warps = s ? s->warps | warps : warps;
    if (p->shape == PLAIN_PAIRS) {
        put_pairs(st, p, number);
    } else {
        st->read[p->at[0] / 4] = number << STAMP_LANES;
        st->read[p->at[HALF] / 4] = number << STAMP_LANES | HALF;
    }
    return true;
}

uint32_t stamps_load(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p);
    if (!number)
        return p->mask;
    return p->shape == PLAIN_ROW && HAS_AVX512 ? load_row(me, p, number) : load_lanes(me, p, number);
}

uint32_t stamps_store(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p);
    if (!number)
        return p->mask;
    return p->shape == PLAIN_ROW && HAS_AVX512 ? store_row(me, p, number) : store_lanes(me, p, number);
}
