/**
 * @file tile_doubles.h
 * Part of tile_steps.h: f64, a chain of fma along k that begins with the addend, where the processor has that. A NaN in a result leaves the
 * product to others, for it has the bits of one of the operands.
 */

#if L >= 8
#define HALF_L (L / 2)
#if L == 16
#define SPREAD_DOUBLE(v, q) _mm512_permutex_pd(v, 0x55 * (q))
#define FUSED(a, b, c) _mm512_fmadd_pd(a, b, c)
#else
#define SPREAD_DOUBLE(v, q) _mm256_permute4x64_pd(v, 0x55 * (q))
#define FUSED(a, b, c) _mm256_fmadd_pd(a, b, c)
#endif

INLINE doubles load_doubles(const double *from)
{
    doubles v;
    memcpy(&v, from, sizeof v);
    return v;
}

/** A register of the narrow side, as struct narrow. */
struct narrow_doubles {
    double value[4][2][HALF_L];
};

static void take_narrow_doubles(const double *reg, struct narrow_doubles *out)
{
    for (int parity = 0; parity < 2; parity++)
        for (int q = 0; q < 4; q++)
            for (int l = 0; l < HALF_L; l++)
                out->value[q][parity][l] = reg[8 * (l % 4) + 4 * parity + q];
}

/** Two registers of a result. @return whether one is a NaN */
static bool double_half(const struct tiles *x, unsigned row, unsigned half, const struct narrow_doubles *met, double (*d)[WARP_LANES])
{
    long odd = 0;
    for (int at = 0; at < WARP_LANES; at += HALF_L) {
        doubles sum[2] = {load_doubles(d[0] + at), load_doubles(d[1] + at)};
        for (unsigned b = 0; b < x->blocks; b++) {
            doubles v = load_doubles((const double *)x->wide[row + b * x->halves + half] + at);
#define ADD(q)                                                                                     \
    sum[0] = FUSED(SPREAD_DOUBLE(v, q), load_doubles(met[b].value[q][0]), sum[0]);                 \
    sum[1] = FUSED(SPREAD_DOUBLE(v, q), load_doubles(met[b].value[q][1]), sum[1]);
            EACH_Q(ADD)
#undef ADD
        }
        for (int j = 0; j < 2; j++) {
            memcpy(d[j] + at, &sum[j], sizeof sum[j]);
            for (int l = 0; l < HALF_L; l++)
                odd |= (sum[j] != sum[j])[l];
        }
    }
    return odd;
}

static bool doubles_of(const struct tiles *x)
{
    double d[4 * 2][WARP_LANES];
    struct narrow_doubles met[TILE_BLOCKS];
    unsigned rows = (unsigned)x->blocks * x->halves, count = 2u * x->halves, all_results = x->tall * x->across * count;
    if (all_results > 4 * 2)
        return false;
    for (unsigned n = 0; n < x->across; n++) {
        for (unsigned b = 0; b < x->blocks; b++)
            take_narrow_doubles(x->narrow[n * x->blocks + b], &met[b]);
        for (unsigned m = 0; m < x->tall; m++)
            for (unsigned h = 0; h < x->halves; h++) {
                unsigned first = (m * x->across + n) * count + 2 * h;
                memcpy(d[first], x->addend[first], sizeof d[0]);
                memcpy(d[first + 1], x->addend[first + 1], sizeof d[0]);
                if (double_half(x, m * rows, h, met, d + first))
                    return false;
            }
    }
    for (unsigned i = 0; i < all_results; i++)
        if (x->result[i])
            memcpy(x->result[i], d[i], sizeof d[i]);
    return true;
}
#else
static bool doubles_of(const struct tiles *x)
{
    (void)x;
    return false;
}
#endif
