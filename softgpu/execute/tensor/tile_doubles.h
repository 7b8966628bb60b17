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

/** As turn(). The order is even words of a line before odd ones, of both parities each. */
INLINE void turn_doubles(const double *reg, double out[WARP_LANES])
{
#if L == 16
    const __m512i first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
    __m512d line[4];
    for (int j = 0; j < 4; j++)
        line[j] = load_doubles(reg + 8 * j);
    __m512d even[2] = {_mm512_unpacklo_pd(line[0], line[1]), _mm512_unpacklo_pd(line[2], line[3])};
    __m512d odd[2] = {_mm512_unpackhi_pd(line[0], line[1]), _mm512_unpackhi_pd(line[2], line[3])};
    _mm512_storeu_pd(out, _mm512_permutex2var_pd(even[0], first, even[1]));
    _mm512_storeu_pd(out + 8, _mm512_permutex2var_pd(even[0], second, even[1]));
    _mm512_storeu_pd(out + 16, _mm512_permutex2var_pd(odd[0], first, odd[1]));
    _mm512_storeu_pd(out + 24, _mm512_permutex2var_pd(odd[0], second, odd[1]));
#else
    for (int at = 0; at < 8; at++)
        for (int j = 0; j < 4; j++)
            out[at % 2 * 16 + at / 2 * 4 + j] = reg[8 * j + at];
#endif
}

INLINE doubles met_doubles(const double *turned, int parity, int q)
{
    const double *four = turned + q % 2 * 16 + (2 * parity + q / 2) * 4;
#if L == 16
    return _mm512_broadcast_f64x4(_mm256_loadu_pd(four));
#else
    return load_doubles(four);
#endif
}

/** Two registers of a result; in *odd where one is a NaN. */
INLINE void double_half(const struct tiles *x, unsigned row, unsigned half, const double (*met)[WARP_LANES], unsigned blocks, double (*d)[WARP_LANES], words *odd)
{
    for (int at = 0; at < WARP_LANES; at += HALF_L) {
        doubles sum[2] = {load_doubles(d[0] + at), load_doubles(d[1] + at)};
        for (unsigned b = 0; b < blocks; b++) {
            doubles v = load_doubles((const double *)x->wide[row + b * x->halves + half] + at);
#define ADD(q)                                                                                     \
    sum[0] = FUSED(SPREAD_DOUBLE(v, q), met_doubles(met[b], 0, q), sum[0]);                        \
    sum[1] = FUSED(SPREAD_DOUBLE(v, q), met_doubles(met[b], 1, q), sum[1]);
            EACH_Q(ADD)
#undef ADD
        }
        for (int j = 0; j < 2; j++) {
            memcpy(d[j] + at, &sum[j], sizeof sum[j]);
            *odd |= (words)(sum[j] != sum[j]);
        }
    }
}

static bool doubles_of(const struct tiles *x)
{
    double d[4 * 2][WARP_LANES];
    double met[TILE_BLOCKS][WARP_LANES];
    words odd = {0};
    unsigned rows = (unsigned)x->blocks * x->halves, count = 2u * x->halves, all_results = x->tall * x->across * count;
    if (all_results > 4 * 2)
        return false;
    for (unsigned n = 0; n < x->across; n++) {
        for (unsigned b = 0; b < x->blocks; b++)
            turn_doubles(x->narrow[n * x->blocks + b], met[b]);
        for (unsigned m = 0; m < x->tall; m++)
            for (unsigned h = 0; h < x->halves; h++) {
                unsigned first = (m * x->across + n) * count + 2 * h;
                memcpy(d[first], x->addend[first], sizeof d[0]);
                memcpy(d[first + 1], x->addend[first + 1], sizeof d[0]);
                if (x->blocks == 1)
                    double_half(x, m * rows, h, met, 1, d + first, &odd);
                else
                    double_half(x, m * rows, h, met, x->blocks, d + first, &odd);
            }
    }
    if (any_of(odd))
        return false;
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
