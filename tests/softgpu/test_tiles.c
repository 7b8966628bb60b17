/* Products by vectors of lanes (execute/tensor/tile.h) against those of matrices, element by element (dot.h): the same bits, on all levels that the
   processor has, for usual numbers, sums that cancel, numbers far apart, denormals, halfway cases, zeros, infinities and NaNs. */
#include <string.h>

#include "base/mix.h"
#include "execute/numerics/modes.h"
#include "execute/tensor/dot.h"
#include "execute/tensor/tile.h"
#include "unit.h"

#define REGISTERS 40
#define ROUNDS 150
#define CELLS (32 * 64)

struct form {
    struct tensor_desc t;
    bool refused;   /* never by tiles */
};

#define FORM(M, N, K, D, A, B, C, d, a, b, c, ...)                                                 \
    {.t = {.m = M, .n = N, .k = K, .width = 4, .type = {TENSOR_##D, TENSOR_##A, TENSOR_##B, TENSOR_##C}, .count = {d, a, b, c}, __VA_ARGS__}}

static struct form forms[] = {
    FORM(16, 8, 8, F32, F16, F16, F32, 4, 2, 1, 4, .step = 0),
    FORM(16, 8, 16, F32, F16, F16, F32, 4, 4, 2, 4, .step = 0),
    FORM(16, 8, 16, F16, F16, F16, F16, 2, 4, 2, 2, .step = 0),
    FORM(16, 8, 8, F16, F16, F16, F16, 2, 2, 1, 2, .step = 0),
    FORM(16, 8, 16, F32, BF16, BF16, F32, 4, 4, 2, 4, .step = 0),
    FORM(16, 8, 4, F32, TF32, TF32, F32, 4, 2, 1, 4, .step = 0),
    FORM(16, 8, 8, F32, TF32, TF32, F32, 4, 4, 2, 4, .step = 0),
    FORM(16, 8, 32, F32, E4M3, E4M3, F32, 4, 4, 2, 4, .step = 0),
    FORM(16, 8, 32, F32, E5M2, E4M3, F32, 4, 4, 2, 4, .step = 0),
    FORM(16, 8, 16, F32, E5M2, E5M2, F32, 4, 2, 1, 4, .step = 0),
    /* wmma: fragments of halves hold each element twice */
    FORM(16, 16, 16, F32, F16, F16, F32, 8, 8, 8, 8, .step = 0),
    FORM(16, 16, 16, F16, F16, F16, F16, 4, 8, 8, 4, .step = 0),
    FORM(32, 8, 16, F32, F16, F16, F32, 8, 8, 8, 8, .step = 0),
    FORM(8, 32, 16, F32, F16, F16, F32, 8, 8, 8, 8, .step = 0),
    FORM(8, 32, 16, F16, F16, F16, F16, 4, 8, 8, 4, .step = 0),
    FORM(16, 16, 16, F32, BF16, BF16, F32, 8, 4, 4, 8, .step = 0),
    FORM(32, 8, 16, F32, BF16, BF16, F32, 8, 8, 2, 8, .step = 0),
    FORM(16, 16, 8, F32, TF32, TF32, F32, 8, 4, 4, 8, .step = 4),
    /* integers and bits */
    FORM(8, 8, 16, S32, S8, S8, S32, 2, 1, 1, 2, .step = 0),
    FORM(16, 8, 32, S32, S8, U8, S32, 4, 4, 2, 4, .satfinite = true),
    FORM(16, 8, 32, S32, U8, S8, S32, 4, 4, 2, 4, .step = 0),
    FORM(16, 16, 16, S32, U8, U8, S32, 8, 2, 2, 8, .satfinite = true),
    FORM(8, 32, 16, S32, S8, U8, S32, 8, 1, 4, 8, .step = 0),
    FORM(32, 8, 16, S32, S8, S8, S32, 8, 4, 1, 8, .satfinite = true),
    FORM(8, 8, 32, S32, S4, U4, S32, 2, 1, 1, 2, .step = 0),
    FORM(16, 8, 64, S32, S4, S4, S32, 4, 4, 2, 4, .satfinite = true),
    FORM(16, 8, 64, S32, U4, S4, S32, 4, 4, 2, 4, .step = 0),
    FORM(8, 8, 128, S32, B1, B1, S32, 2, 1, 1, 2, .step = 0),
    FORM(16, 8, 256, S32, B1, B1, S32, 4, 4, 2, 4, .conjunction = true),
    /* a sparse a */
    FORM(16, 8, 16, F32, F16, F16, F32, 4, 2, 2, 4, .sparse = true, .selector = 2),
    FORM(16, 8, 32, F32, F16, F16, F32, 4, 4, 4, 4, .sparse = true, .selector = 1),
    FORM(16, 8, 32, F16, F16, F16, F16, 2, 4, 4, 2, .sparse = true),
    FORM(16, 8, 32, F32, BF16, BF16, F32, 4, 4, 4, 4, .sparse = true),
    FORM(16, 8, 8, F32, TF32, TF32, F32, 4, 2, 2, 4, .sparse = true, .selector = 3),
    FORM(16, 8, 16, F32, TF32, TF32, F32, 4, 4, 4, 4, .sparse = true, .selector = 1),
    FORM(16, 8, 64, F32, E4M3, E4M3, F32, 4, 4, 4, 4, .sparse = true),
    FORM(16, 8, 64, F32, E5M2, E4M3, F32, 4, 4, 4, 4, .sparse = true),
    FORM(16, 8, 32, S32, S8, U8, S32, 4, 2, 2, 4, .sparse = true, .selector = 1),
    FORM(16, 8, 64, S32, U8, S8, S32, 4, 4, 4, 4, .sparse = true, .satfinite = true),
    FORM(16, 8, 64, S32, S4, S4, S32, 4, 2, 2, 4, .sparse = true),
    FORM(16, 8, 128, S32, U4, S4, S32, 4, 4, 4, 4, .sparse = true),
    /* fp8 as wgmma sums it, one part of it */
    FORM(16, 8, 32, F32, E4M3, E4M3, F32, 4, 4, 2, 4, .group = true),
    FORM(16, 8, 32, F32, E5M2, E4M3, F32, 4, 4, 2, 4, .group = true),
    FORM(16, 8, 32, F16, E4M3, E5M2, F16, 2, 4, 2, 2, .group = true),
    FORM(16, 8, 64, F32, E4M3, E5M2, F32, 4, 4, 4, 4, .group = true, .sparse = true),
    /* doubles */
    FORM(8, 8, 4, F64, F64, F64, F64, 2, 1, 1, 2, .step = 0),
    FORM(16, 8, 16, F64, F64, F64, F64, 4, 8, 4, 4, .step = 0),
    {.t = {.m = 8, .n = 8, .k = 4, .width = 8, .rounding = ROUND_RZ, .type = {TENSOR_F64, TENSOR_F64, TENSOR_F64, TENSOR_F64}, .count = {2, 1, 1, 2}}, .refused = true},
    /* an addend of another format than the result's */
    {.t = {.m = 16, .n = 8, .k = 16, .width = 4, .type = {TENSOR_F32, TENSOR_F16, TENSOR_F16, TENSOR_F16}, .count = {4, 4, 2, 2}}, .refused = true},
};
#define FORMS (sizeof forms / sizeof forms[0])

/* What operands are like. */
enum likeness { ANY_BITS, NEAR, WHOLE, WIDE_APART, CANCEL, SMALL, EDGES, ODD, LIKENESSES };

static uint64_t seed = 1;
static uint64_t draw(void)
{
    return mix64(++seed);
}

static unsigned below(unsigned n)
{
    return (unsigned)(draw() % n);
}

static void layout(enum tensor_type t, unsigned *exponent, unsigned *fraction)
{
    static const uint8_t of[][2] = {[TENSOR_F16] = {5, 10}, [TENSOR_BF16] = {8, 7}, [TENSOR_TF32] = {8, 23}, [TENSOR_F32] = {8, 23},
                                    [TENSOR_F64] = {11, 52}, [TENSOR_E4M3] = {4, 3}, [TENSOR_E5M2] = {5, 2}};
    *exponent = of[t][0];
    *fraction = of[t][1];
}

static unsigned few, above; /* of EDGES: bits that a fraction has; how much larger addends are */

static uint64_t number(enum tensor_type t, enum likeness how, bool addend)
{
    unsigned e, f;
    if (t >= TENSOR_S8 || how == ANY_BITS)
        return t >= TENSOR_S8 && addend && below(4) == 0 ? 0x7ffffff0 ^ (draw() % 64) ^ (uint64_t)below(2) << 31 : draw();
    layout(t, &e, &f);
    uint64_t top = (1ull << e) - 1, bias = top >> 1, fraction = draw() & ((1ull << f) - 1), sign = draw() & 1, exponent = bias;
    switch (how) {
    case NEAR:
        exponent = bias - 3 + below(6);
        break;
    case WHOLE: /* few bits: halfway cases, sums that are exact */
        fraction = f > 1 ? (fraction >> (f - 2)) << (f - 2) : fraction;
        exponent = below(5) ? bias + below(3) : 0;
        fraction = exponent ? fraction : 0;
        break;
    case WIDE_APART:
        exponent = bias - bias / 4 + below((unsigned)bias / 2);
        break;
    case CANCEL:
        fraction &= ~0ull << (f / 2);
        exponent = bias + (addend ? below(12) : 0);
        break;
    case SMALL:
        exponent = below(4);
        break;
    case EDGES: /* sums that f32 just holds exactly, or just does not: addends far above the products */
        fraction &= f > few ? ~0ull << (f - few) : ~0ull;
        exponent = bias + below(2) + (addend ? above % (unsigned)bias : 0);
        break;
    default:
        exponent = below(40) ? bias + below(2) : top;
        fraction = below(3) ? fraction : 0;
    }
    return sign << (e + f) | exponent << f | fraction;
}

static void fill(const struct tensor_desc *t, enum tensor_part p, enum likeness how, uint64_t *reg)
{
    enum tensor_type type = (enum tensor_type)t->type[p];
    unsigned packed = tensor_packed(t, p), bits = tensor_type_bits(type);
    for (unsigned lane = 0; lane < 32; lane++) {
        uint64_t word = 0;
        for (unsigned e = 0; e < packed; e++) {
            uint64_t v = number(type, how, p == PART_C);
            word |= (bits == 64 ? v : v & ((1ull << bits) - 1)) << (bits * e % 64);
        }
        if (t->width == 8)
            reg[lane] = word;
        else
            ((uint32_t *)reg)[lane] = (uint32_t)word;
    }
}

static uint64_t word_of(const struct tensor_desc *t, const uint64_t *reg, unsigned lane)
{
    return t->width == 8 ? reg[lane] : ((const uint32_t *)reg)[lane];
}

static void gather(const struct tensor_desc *t, enum tensor_part p, uint64_t (*reg)[32], uint64_t *out)
{
    uint16_t cell[64 * 32];
    unsigned packed = tensor_packed(t, p), bits = tensor_type_bits((enum tensor_type)t->type[p]);
    fragment_cells(t, p, cell);
    for (unsigned i = 0; i < t->count[p] * packed; i++)
        for (unsigned lane = 0; lane < 32; lane++) {
            uint64_t w = word_of(t, reg[i / packed], lane) >> bits * (i % packed) % 64;
            out[cell[i * 32 + lane]] = bits == 64 ? w : w & ((1ull << bits) - 1);
        }
}

/** How many results differ from the matrices'. */
static unsigned differing(const struct tensor_desc *t, uint64_t (*d)[32], const uint64_t *right)
{
    uint64_t got[CELLS] = {0};
    unsigned differ = 0;
    gather(t, PART_D, d, got);
    for (unsigned i = 0; i < (unsigned)t->m * t->n; i++)
        differ += got[i] != right[i];
    return differ;
}

static unsigned done[LIKENESSES], left;

/** Metadata: two different places of each pair, in any order; of tf32 the upper half of a place is the element's. */
static void fill_metadata(uint32_t metadata[32])
{
    for (unsigned lane = 0; lane < 32; lane++) {
        metadata[lane] = 0;
        for (unsigned pair = 0; pair < 8; pair++) {
            unsigned first = below(4), second = (first + 1 + below(3)) % 4;
            metadata[lane] |= (first | second << 2) << 4 * pair;
        }
    }
}

/** As tiles_of(); wgmma's operands are laid out as those of mma.sync are. */
static bool laid_out(const struct tensor_desc *t, void *const *written, void *const *read, struct tiles *x)
{
    struct tensor_desc alone = *t;
    alone.group = false;
    if (t->group && t->type[PART_C] == TENSOR_F16)
        alone.type[PART_A] = alone.type[PART_B] = TENSOR_S8;   /* bytes, too; of fp8 mma.sync has no such form by tiles */
    bool is = tiles_of(t->group ? &alone : t, written, read, x);
    x->form = t;
    x->wide_type = t->n == 32 ? t->type[PART_B] : t->type[PART_A];
    x->narrow_type = t->n == 32 ? t->type[PART_A] : t->type[PART_B];
    return is;
}

static void compare(const struct form *f, enum likeness how, const struct tile_steps *steps)
{
    const struct tensor_desc *t = &f->t;
    static uint64_t reg[REGISTERS][32], a[CELLS], b[CELLS], c[CELLS], d[CELLS], before[REGISTERS][32];
    void *places[REGISTERS];
    struct tiles x;
    unsigned of_c = t->count[PART_D] + t->count[PART_A] + t->count[PART_B];
    unsigned first[TENSOR_PARTS] = {0, t->count[PART_D], (unsigned)t->count[PART_D] + t->count[PART_A], of_c};
    uint32_t *metadata = (uint32_t *)reg[of_c + t->count[PART_C]];
    uint8_t place[CELLS];
    memset(reg, 0xa5, sizeof reg);
    fill_metadata(metadata);
    few = below(12);
    above = below(26);
    for (enum tensor_part p = PART_A; p <= PART_C; p++)
        for (unsigned i = 0; i < t->count[p]; i++)
            fill(t, p, how, reg[first[p] + i]);
    /* a result's registers may be the addend's, or a's */
    unsigned shared = below(3);
    for (unsigned i = 0; i < REGISTERS; i++)
        places[i] = reg[i];
    for (unsigned i = 0; i < t->count[PART_D]; i++)
        if (shared == 1 && i < t->count[PART_C])
            places[i] = reg[of_c + t->count[PART_C] - 1 - i];
        else if (shared == 2 && i < t->count[PART_A])
            places[i] = reg[first[PART_A] + i];
    gather(t, PART_A, reg + first[PART_A], a);
    gather(t, PART_B, reg + first[PART_B], b);
    gather(t, PART_C, reg + of_c, c);
    for (unsigned i = 0; t->sparse && i < t->m * tensor_length(t, PART_A); i++)
        place[i] = (uint8_t)sparse_place(t, metadata, i / tensor_length(t, PART_A), i % tensor_length(t, PART_A));
    struct product p = {.form = t, .a = a, .b = b, .c = c, .place = t->sparse ? place : NULL};
    tensor_multiply(&p, d);
    memcpy(before, reg, sizeof reg);
    bool is = laid_out(t, places, places + t->count[PART_D], &x);
    CU_ASSERT_EQUAL(is, !f->refused);
    if (!is)
        return;
    if (!tiles_multiply(steps, &x)) {
        left++;
        CU_ASSERT_EQUAL(memcmp(before, reg, sizeof reg), 0);
        return;
    }
    done[how]++;
    uint64_t result[REGISTERS][32];
    for (unsigned i = 0; i < t->count[PART_D]; i++)
        memcpy(result[i], places[i], sizeof result[i]);
    unsigned differ = differing(t, result, d);
    if (differ)
        fprintf(stderr, "m%un%uk%u of type %u, like %u: %u differ\n", t->m, t->n, t->k, t->type[PART_A], how, differ);
    CU_ASSERT_EQUAL(differ, 0);
}

static void compare_all(const struct tile_steps *steps, bool doubles)
{
    memset(done, 0, sizeof done);
    left = 0;
    for (unsigned i = 0; i < FORMS; i++) {
        if (forms[i].t.type[PART_A] == TENSOR_F64)
            forms[i].t.width = 8;
        for (enum likeness how = 0; how < LIKENESSES; how++)
            for (unsigned r = 0; r < ROUNDS; r++)
                compare(&forms[i], how, steps);
    }
    /* usual numbers are done, and some of the others; where all is refused nothing has been compared */
    unsigned most = (unsigned)(FORMS - 2 - (doubles ? 0 : 2)) * ROUNDS;
    CU_ASSERT_EQUAL(done[NEAR], most);
    CU_ASSERT_EQUAL(done[WHOLE], most);
    CU_ASSERT_EQUAL(done[CANCEL], most);
    CU_ASSERT_TRUE(done[WIDE_APART] > most / 2);
    CU_ASSERT_TRUE(done[SMALL] > most / 2 && done[SMALL] < most);
    CU_ASSERT_TRUE(done[ODD] < most && left > 0);
}

static void test_plain(void)
{
    compare_all(&tile_plain, false);
}

static void test_vectors(void)
{
#ifdef __x86_64__
    for (enum vectors_level level = VECTORS_AVX2; level <= vectors_level(); level++)
        if (tile_steps_of(level) != &tile_plain)
            compare_all(tile_steps_of(level), true);
#endif
}

/** Both elements of a pair at one place are no metadata that there is: such a product is left to matrices. */
static void test_one_place(void)
{
    static const struct form form = FORM(16, 8, 32, F32, F16, F16, F32, 4, 4, 4, 4, .sparse = true);
    static uint32_t reg[REGISTERS][32];
    void *places[REGISTERS];
    struct tiles x;
    uint32_t *metadata = reg[16];
    for (unsigned i = 0; i < REGISTERS; i++)
        places[i] = reg[i];
    memset(metadata, 0x44, sizeof reg[16]);   /* places 0 and 1 */
    CU_ASSERT_TRUE(tiles_of(&form.t, places, places + 4, &x));
    metadata[29] ^= 1u << 16;   /* places 1 and 1, of row 15 */
    CU_ASSERT_FALSE(tiles_of(&form.t, places, places + 4, &x));
}

UNIT_MAIN("tiles", {"any processor", test_plain}, {"by vectors", test_vectors}, {"one place for two", test_one_place})
