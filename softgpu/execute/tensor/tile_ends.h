/**
 * @file tile_ends.h
 * Part of tile_steps.h: how a sum becomes a result. The sum is a number of units: products and the addend, cut to integers; the largest exponent
 * `most` sets the unit, so far from the ends of f32 (FAR) that what is not 0 is a normal number there, and a power of two changes its exponent only.
 */

#define FAR 100

INLINE floats power_of_two(words exponent)
{
    return (floats)((exponent + 127) << 23);
}

INLINE words chosen(words where, words a, words b)
{
    return (a & where) | (b & ~where);
}

#if L == 16

/** The sum; in *bad where it is none, beyond 2^31. */
INLINE words whole_sum(words products, words addend, words *bad)
{
    words s = (words)((bits32)products + (bits32)addend);
    *bad |= ((products ^ s) & (addend ^ s)) >> 31;
    return s;
}

/** Towards 0. */
INLINE words cut_to_f32(words sum)
{
    return (words)_mm512_cvt_roundepi32_ps((__m512i)sum, _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC);
}

/** The same, and what is cut off is the last bit, if there is any. */
INLINE words odd_f32(words sum)
{
    words v = cut_to_f32(sum);
    return v | (((words)_mm512_cvttps_epi32((__m512)v) != sum) & 1);
}

#define CUT(products, addend, bad) cut_to_f32(whole_sum(products, addend, bad))
#define ODD_CUT(products, addend, bad) odd_f32(whole_sum(products, addend, bad))

/** Rounded to f16, what becomes 0 being +0. */
INLINE words rounded_to_f16(floats v)
{
    words h = (words)_mm512_cvtepu16_epi32(_mm512_cvtps_ph((__m512)v, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
    return h & ((h & 0x7fff) != 0);
}

#else

typedef int32_t half_words __attribute__((vector_size(2 * L)));
typedef float half_floats __attribute__((vector_size(2 * L)));
typedef int64_t longs __attribute__((vector_size(4 * L)));

/** By doubles, which hold each sum: towards 0; `odd`: and what is cut off is the last bit, if there is any. */
INLINE words cut_by_doubles(words products, words addend, bool odd)
{
    words out;
    for (size_t h = 0; h < 2; h++) {
        half_words p, a;
        memcpy(&p, (const char *)&products + h * sizeof p, sizeof p);
        memcpy(&a, (const char *)&addend + h * sizeof a, sizeof a);
        longs sum = (longs)(__builtin_convertvector(p, doubles) + __builtin_convertvector(a, doubles));
        longs rest = odd ? ((sum & 0x1fffffff) + 0x1fffffff) & 0x20000000 : sum & 0;
        half_floats f = __builtin_convertvector((doubles)((sum & ~0x1fffffffll) | rest), half_floats);
        memcpy((char *)&out + h * sizeof f, &f, sizeof f);
    }
    return out;
}

#define CUT(products, addend, bad) ((void)(bad), cut_by_doubles(products, addend, false))
#define ODD_CUT(products, addend, bad) ((void)(bad), cut_by_doubles(products, addend, true))

/** Rounded to f16, what becomes 0 being +0. */
INLINE words rounded_to_f16(floats v)
{
    words bits = (words)v, m = bits & INT32_MAX, sign = (bits >> 16) & 0x8000;
    words h = (words)((bits32)(m + 0xfff + (m >> 13 & 1) - (112 << 23)) >> 13);
    words small = (words)((floats)m + 0.5f) - 0x3f000000;
    h = chosen(m < 0x38800000, small, chosen(m >= 0x47800000, all(0x7c00), h));
    return h | (sign & (h != 0));
}

#endif

/** What a sum is in f32, of which the bits of `left` stay; or rounded to f16. */
INLINE words result_of(words products, words addend, words most, int kept, bool half, int32_t left, words *bad)
{
    floats unit = power_of_two(most - kept);
    if (half)
        return rounded_to_f16((floats)ODD_CUT(products, addend, bad) * unit);
    return (words)((floats)CUT(products, addend, bad) * unit) & left;
}
