/**
 * @file stamped_accesses.c
 * See stamps.h: a warp's access to words that have stamps. Where vectors help, an access is one function made for processors that have them, into which
 * all that stands here is inlined.
 */
#include <string.h>

#include "base/vectors.h"
#include "check/race/actor.h"
#include "check/race/joining.h"
#include "check/race/stamp_steps.h"
#include "execute/plain_access.h"

/* ---- Lane by lane ---- */

INLINE uint32_t load_lanes(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t left = p->mask;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word = p->at[lane] / 4;
        if (!is_behind_all(me, word, lane))
            break;
        st->read[word] = number << STAMP_LANES | lane;
    }
    return left;
}

INLINE uint32_t store_lanes(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    uint32_t left = p->mask;
    for (; left; left &= left - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(left), word = p->at[lane] / 4;
        if (!is_behind_all(me, word, lane))
            break;
        if (is_first_write(st, st->write[word], lane, number))
            memcpy(&st->old[word], p->host + p->at[lane], 4);
        st->write[word] = number << STAMP_LANES | lane;
        st->read[word] = 0;
    }
    return left;
}

/* ---- Words that lanes read together ---- */

/** As pairs_so_far(), of two words that half a warp reads each. */
INLINE uint32_t halves_so_far(const struct stamps *st, const struct plain_access *p)
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

/** The access `number` reads words together, which have been read so far as `last` says: is it one more of their readers? */
INLINE bool goes_on_with(struct stamps *st, const struct actor *me, const struct plain_access *p, uint32_t number, uint32_t last)
{
    struct stamped *now = &st->accesses.data[number];
    const struct stamped *s = last && last != STAMP_OPENED ? &st->accesses.data[last >> STAMP_LANES] : NULL;
    uint32_t warps = 1u << me->warp->index;
    if (last == STAMP_OPENED || (s && (s->together != p->shape || s->time != now->time || s->site != now->site))) {
        st->accesses.count--;
        return false;
    }
    now->together = p->shape;
    now->warps = s ? s->warps | warps : warps;
    return true;
}

INLINE bool join_halves(const struct actor *me, const struct plain_access *p, bool one_time)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = number_of(me, p->mask, one_time);
    if (!number || !goes_on_with(st, me, p, number, halves_so_far(st, p)))
        return false;
    st->read[p->at[0] / 4] = number << STAMP_LANES;
    st->read[p->at[HALF] / 4] = number << STAMP_LANES | HALF;
    return true;
}

/** As pairs_so_far(), of words that all lanes read. */
INLINE uint32_t ones_so_far(const struct stamps *st, const struct plain_access *p)
{
    uint32_t first = p->at[0] / 4, last = st->read[first];
    for (uint32_t i = first; i <= first + p->more; i++)
        if (!st->write[i] || st->write[i] >= st->before || (st->read[i] != last && (st->read[i] >= st->before || last >= st->before)))
            return STAMP_OPENED;
    return last < st->before ? 0 : last;
}

INLINE bool join_ones(const struct actor *me, const struct plain_access *p, bool one_time)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = p->mask == UINT32_MAX ? number_of(me, p->mask, one_time) : 0;
    if (!number || !goes_on_with(st, me, p, number, ones_so_far(st, p)))
        return false;
    for (uint32_t i = p->at[0] / 4; i <= p->at[0] / 4 + p->more; i++)
        st->read[i] = number << STAMP_LANES;
    return true;
}

/* ---- A row at once ---- */

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 USES_VECTORS("avx512f,avx512dq,avx512bw,avx512vl")
#define HAS_AVX512 (__builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl"))

/** The stamps of one access by all lanes. */
struct row_stamps {
    __m512i low, high;
};

AVX512 INLINE struct row_stamps stamps_of(uint32_t number)
{
    const __m512i low = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(HALF)), all = _mm512_set1_epi32((int)(number << STAMP_LANES));
    return (struct row_stamps){_mm512_or_si512(low, all), _mm512_or_si512(high, all)};
}

/** The lanes whose stamps do not lie before the block's last barrier. */
AVX512 INLINE uint32_t late_in_row(const struct stamps *st, const struct plain_access *p, const uint32_t *stamps)
{
    const __m512i before = _mm512_set1_epi32((int)st->before);
    const uint32_t *row = plain_row_in(p, stamps);
    __mmask16 low = (__mmask16)p->mask, high = (__mmask16)(p->mask >> HALF);
    uint32_t a = _mm512_mask_cmpge_epu32_mask(low, _mm512_maskz_loadu_epi32(low, row), before);
    uint32_t b = _mm512_mask_cmpge_epu32_mask(high, _mm512_maskz_loadu_epi32(high, row + HALF), before);
    return a | b << HALF;
}

/** The lanes of `late` that do not have the stamp of one access. */
AVX512 INLINE uint32_t others_in_row(const struct plain_access *p, const uint32_t *stamps, uint32_t late, uint32_t number)
{
    const uint32_t *row = plain_row_in(p, stamps);
    const struct row_stamps own = stamps_of(number);
    __mmask16 low = (__mmask16)late, high = (__mmask16)(late >> HALF);
    uint32_t a = _mm512_mask_cmpneq_epi32_mask(low, _mm512_maskz_loadu_epi32(low, row), own.low);
    uint32_t b = _mm512_mask_cmpneq_epi32_mask(high, _mm512_maskz_loadu_epi32(high, row + HALF), own.high);
    return a | b << HALF;
}

/** Do those lie before their lanes all the same? Mostly they are of one access of their own. */
AVX512 INLINE bool are_before(const struct actor *me, const struct plain_access *p, const uint32_t *stamps, uint32_t late)
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

AVX512 INLINE void put_row(const struct plain_access *p, uint32_t *array, uint32_t lanes, __m512i low, __m512i high)
{
    uint32_t *row = plain_row_in(p, array);
    _mm512_mask_storeu_epi32(row, (__mmask16)lanes, low);
    _mm512_mask_storeu_epi32(row + HALF, (__mmask16)(lanes >> HALF), high);
}

AVX512 INLINE void put_stamps(const struct plain_access *p, uint32_t *array, uint32_t number)
{
    const struct row_stamps own = stamps_of(number);
    put_row(p, array, p->mask, own.low, own.high);
}

AVX512 INLINE uint32_t load_row(const struct actor *me, const struct plain_access *p, uint32_t number)
{
    struct stamps *st = me->bs->stamps;
    if (!are_before(me, p, st->write, late_in_row(st, p, st->write)) || !are_before(me, p, st->read, late_in_row(st, p, st->read)))
        return p->mask;
    put_stamps(p, st->read, number);
    return 0;
}

AVX512 INLINE uint32_t store_row(const struct actor *me, const struct plain_access *p, uint32_t number)
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
    const uint32_t *host = plain_row_in(p, p->host);
    put_row(p, st->old, first, _mm512_maskz_loadu_epi32((__mmask16)first, host),
            _mm512_maskz_loadu_epi32((__mmask16)(first >> HALF), host + HALF));
    put_stamps(p, st->write, number);
    put_row(p, st->read, p->mask, _mm512_setzero_si512(), _mm512_setzero_si512());
    return 0;
}
/** The stamps of the words that lanes i and i + 16 have just read together, if all have been read so by the same warps, else STAMP_OPENED;
 *  0: nobody has since the last barrier. All are written, before that. */
AVX512 INLINE uint32_t pairs_so_far(const struct stamps *st, const struct plain_access *p)
{
    const __m512i before = _mm512_set1_epi32((int)st->before);
    __m512i write = _mm512_loadu_si512(plain_row_in(p, st->write)), read = _mm512_loadu_si512(plain_row_in(p, st->read));
    uint32_t late = _mm512_cmpge_epu32_mask(read, before), first = st->read[p->at[0] / 4];
    if (_mm512_cmpge_epu32_mask(write, before) | _mm512_testn_epi32_mask(write, write))
        return STAMP_OPENED;
    if (!late)
        return 0;
    return _mm512_cmpneq_epi32_mask(read, stamps_of(first >> STAMP_LANES).low) ? STAMP_OPENED : first;
}

AVX512 INLINE void put_pairs(struct stamps *st, const struct plain_access *p, uint32_t number)
{
    _mm512_storeu_si512(plain_row_in(p, st->read), stamps_of(number).low);
}

/** lanes_at_one_time() */
AVX512 INLINE bool one_time(const struct actor *me, const struct plain_access *p)
{
    const uint32_t *time = me->ws->time;
    const __m512i first = _mm512_set1_epi32((int)time[__builtin_ctz(p->mask)]);
    return !(_mm512_mask_cmpneq_epi32_mask((__mmask16)p->mask, _mm512_loadu_si512(time), first) |
             _mm512_mask_cmpneq_epi32_mask((__mmask16)(p->mask >> HALF), _mm512_loadu_si512(time + HALF), first));
}

AVX512 INLINE bool join_pairs(const struct actor *me, const struct plain_access *p)
{
    struct stamps *st = me->bs->stamps;
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number || !goes_on_with(st, me, p, number, pairs_so_far(st, p)))
        return false;
    put_pairs(st, p, number);
    return true;
}

AVX512 INLINE bool join_any(const struct actor *me, const struct plain_access *p)
{
    if (p->shape == PLAIN_PAIRS)
        return join_pairs(me, p);
    return (p->shape == PLAIN_ONE ? join_ones : join_halves)(me, p, one_time(me, p));
}

AVX512 static uint32_t load_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number)
        return p->mask;
    return p->shape == PLAIN_ROW ? load_row(me, p, number) : load_lanes(me, p, number);
}

AVX512 static uint32_t store_at_once(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    if (!number)
        return p->mask;
    return p->shape == PLAIN_ROW ? store_row(me, p, number) : store_lanes(me, p, number);
}

AVX512 static bool join_at_once(const struct actor *me, const struct plain_access *p)
{
    return join_any(me, p);
}

/** The access's number is not needed: nothing refers to it. */
AVX512 INLINE bool taken(struct stamps *st, uint32_t left)
{
    st->accesses.count -= left != 0;
    return !left;
}

AVX512 static bool take_load(const struct actor *me, const struct plain_access *p)
{
    bool joins = p->shape == PLAIN_PAIRS || p->shape == PLAIN_HALVES || p->shape == PLAIN_ONE;
    if (!(p->shape == PLAIN_ROW || (joins && me->warp->index < WARP_LANES)))
        return false;
    if (joins)
        return join_any(me, p);
    uint32_t number = number_of(me, p->mask, one_time(me, p));
    return number && taken(me->bs->stamps, load_row(me, p, number));
}

AVX512 static bool take_store(const struct actor *me, const struct plain_access *p)
{
    uint32_t number = p->shape == PLAIN_ROW ? number_of(me, p->mask, one_time(me, p)) : 0;
    if (number)
        me->home->shared_written = true;
    return number && taken(me->bs->stamps, store_row(me, p, number));
}
#else
#define HAS_AVX512 0
#define load_at_once(me, p) 0
#define store_at_once(me, p) 0
#define join_at_once(me, p) false
#define take_load(me, p) false
#define take_store(me, p) false
#endif

/* ---- On any processor ---- */

bool stamps_take_load(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    if (!HAS_AVX512)
        return false;
    actor_begin_plain(&me, race, w, p->insn);
    return take_load(&me, p);
}

bool stamps_take_store(struct race *race, const struct warp *w, const struct plain_access *p)
{
    struct actor me;
    if (!HAS_AVX512)
        return false;
    actor_begin_plain(&me, race, w, p->insn);
    return take_store(&me, p);
}

bool stamps_join(const struct actor *me, const struct plain_access *p)
{
    if (me->warp->index >= WARP_LANES || p->shape == PLAIN_ROW || p->shape == PLAIN_ROWS || p->shape == PLAIN_ANY)
        return false;
    if (HAS_AVX512)
        return join_at_once(me, p);
    bool one_time = lanes_at_one_time(me->ws, p->mask);
    return p->shape == PLAIN_ONE ? join_ones(me, p, one_time) : p->shape == PLAIN_HALVES && join_halves(me, p, one_time);
}

uint32_t stamps_load(const struct actor *me, const struct plain_access *p)
{
    if (HAS_AVX512)
        return load_at_once(me, p);
    uint32_t number = number_of(me, p->mask, lanes_at_one_time(me->ws, p->mask));
    return number ? load_lanes(me, p, number) : p->mask;
}

uint32_t stamps_store(const struct actor *me, const struct plain_access *p)
{
    if (HAS_AVX512)
        return store_at_once(me, p);
    uint32_t number = number_of(me, p->mask, lanes_at_one_time(me->ws, p->mask));
    return number ? store_lanes(me, p, number) : p->mask;
}
