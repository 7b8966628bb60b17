/**
 * @file fused_columns.c
 * Sums of products without rounding in between, those of neighbouring columns at once: fused.c has them one by one, and says how they are
 * made. One body, for any processor and for AVX2, whose lanes may shift by different amounts.
 */
#include <limits.h>

#include "base/vectors.h"
#include "execute/tensor/fused.h"

#define COLUMNS FUSED_COLUMNS
#define NO_EXPONENT SHRT_MIN   /* of zeros: they align nothing */
#define MOST_SHIFT 31

/** Terms of COLUMNS sums: significands and exponents, NO_EXPONENT of zeros. */
struct terms {
    int32_t significand[COLUMNS], exponent[COLUMNS];
};

/** A significand moved by `shift`, cut towards 0. It is of 22 bits at most, and moved up by at most as many as keep it below 2^30. */
static inline __attribute__((always_inline)) int32_t moved(int32_t significand, int32_t shift)
{
    int32_t sign = significand >> 31, left = shift > 0 ? shift : 0, right = shift < 0 ? -shift : 0;
    uint32_t m = (uint32_t)((significand ^ sign) - sign) << (left & MOST_SHIFT) >> (right < MOST_SHIFT ? right : MOST_SHIFT);
    return (int32_t)((m ^ (uint32_t)sign) - (uint32_t)sign);
}

static inline __attribute__((always_inline)) void take_addends(const struct fusing *f, const uint32_t *c, struct terms *t)
{
    int fraction = f->half ? 10 : 23, bias = f->half ? 15 : 127;
    int32_t top = 2 * bias + 1, hidden = 1 << fraction;
    for (int j = 0; j < COLUMNS; j++) {
        int32_t exponent = (int32_t)(c[j] >> fraction) & top, s = (int32_t)c[j] & (hidden - 1);
        s |= exponent ? hidden : 0;
        t->exponent[j] = s ? (exponent ? exponent : 1) - bias : NO_EXPONENT;
        t->significand[j] = c[j] >> (f->half ? 15 : 31) & 1 ? -s : s;
    }
}

static inline __attribute__((always_inline)) void sums(const struct fusing *f, const struct number *restrict a,
                                                       const struct number_columns *restrict b, const uint8_t *place, unsigned count,
                                                       const uint32_t *c, uint32_t *d)
{
    struct terms product[FUSED_TERMS], addend;
    int32_t most[COLUMNS];
    int64_t sum[COLUMNS];
    take_addends(f, c, &addend);
    for (int j = 0; j < COLUMNS; j++)
        most[j] = addend.exponent[j];
    for (unsigned i = 0; i < count; i++) {
        const struct number_columns *met = &b[place ? place[i] : i];
        struct terms *t = &product[i];
        for (int j = 0; j < COLUMNS; j++) {
            int32_t s = a[i].significand * met->significand[j], e = a[i].exponent + met->exponent[j];
            e = s ? e : NO_EXPONENT;
            most[j] = e > most[j] ? e : most[j];
            t->significand[j] = s;
            t->exponent[j] = e;
        }
    }
    int of_addend = f->kept - (f->half ? 10 : 23), of_product = f->kept - f->fraction;
    for (int j = 0; j < COLUMNS; j++)
        sum[j] = moved(addend.significand[j], of_addend + addend.exponent[j] - most[j]);
    for (unsigned i = 0; i < count; i++)
        for (int j = 0; j < COLUMNS; j++)
            sum[j] += moved(product[i].significand[j], of_product + product[i].exponent[j] - most[j]);
    for (int j = 0; j < COLUMNS; j++)
        d[j] = most[j] == NO_EXPONENT ? 0 : fused_result(f, sum[j], most[j] - f->kept);
}

static void sums_plain(const struct fusing *f, const struct number *a, const struct number_columns *b, const uint8_t *place, unsigned count,
                       const uint32_t *c, uint32_t *d)
{
    sums(f, a, b, place, count, c, d);
}

#ifdef __x86_64__
USES_VECTORS("avx2")
static void sums_avx2(const struct fusing *f, const struct number *a, const struct number_columns *b, const uint8_t *place, unsigned count,
                      const uint32_t *c, uint32_t *d)
{
    sums(f, a, b, place, count, c, d);
}
#else
#define sums_avx2 sums_plain
#endif

void fused_sums(const struct fusing *f, const struct number *a, const struct number_columns *b, const uint8_t *place, unsigned count,
                const uint32_t *c, uint32_t *d)
{
    (vectors_level() == VECTORS_NONE ? sums_plain : sums_avx2)(f, a, b, place, count, c, d);
}
