/**
 * @file tile_reals.h
 * Part of tile_steps.h: f16, bf16, tf32 and fp8. dot.h says how sums are made: each product is cut at a unit that the largest exponent sets.
 *
 * Exponents are found first, two elements along k in a word. Then products are made in f32, which is exact: of 22 bits at most, and none is
 * beyond its range, since the largest exponent is FAR from its ends (else the product is not done here); one that is below it is cut to 0
 * anyhow. Each is moved to the unit, by a power of two, and made an integer, which cuts it: sixteen of them are below 2^31.
 */

#define ZERO (-0x2000)   /* exponents of zeros: they align nothing; */
#define ODD 0x3000       /* and of infinities and NaNs, beyond FAR also beside a zero's */
#define NO_SUM (-0x800)  /* smaller than all sums of exponents, larger than all with a zero's */
#define SUM_TERMS 16
#define PARTS_ALONG (2 * TILE_BLOCKS)   /* elements of a sum along k: a register of fp8 has two parts */

/** Elements of a register, one or two a word, and the (biased) exponents of both. */
struct elements {
    float value[2][WARP_LANES];
    int32_t exponent[WARP_LANES];
};

/** How a product's sums are made. */
struct sum_form {
    int bias;     /* of both exponents */
    int kept;
    unsigned elements;   /* a word's */
    bool half;    /* addend and result are f16 */
    int32_t left; /* bits of f32 that stay in a result */
};

/** Of pairs: their exponents' fields begin at `fraction`, and reach to the sign. */
INLINE words exponents_of_pairs(words v, int fraction)
{
    shorts m = (shorts)(v & 0x7fff7fff), field = m >> fraction;
    shorts e = field - (field == 0);
    return (words)(e + ((m == 0) & ZERO) + ((field == (int16_t)(0x7fff >> fraction)) & ODD));
}

INLINE void take_f16(const int32_t *reg, struct elements *out)
{
    for (int l = 0; l < WARP_LANES; l += L) {
        words v = load(reg + l), top = all(INT32_MIN);
        floats low = (floats)((v & 0x7fff) << 13 | (v << 16 & top)), high = (floats)((v & 0x7fff0000) >> 3 | (v & top));
        store(out->value[0] + l, (words)(low * 0x1p112f));
        store(out->value[1] + l, (words)(high * 0x1p112f));
        store(out->exponent + l, exponents_of_pairs(v, 10));
    }
}

INLINE void take_bf16(const int32_t *reg, struct elements *out)
{
    for (int l = 0; l < WARP_LANES; l += L) {
        words v = load(reg + l);
        store(out->value[0] + l, v << 16);
        store(out->value[1] + l, v & (int32_t)0xffff0000);
        store(out->exponent + l, exponents_of_pairs(v, 7));
    }
}

INLINE void take_tf32(const int32_t *reg, struct elements *out)
{
    for (int l = 0; l < WARP_LANES; l += L) {
        words v = load(reg + l) & (int32_t)0xffffe000, m = v & INT32_MAX, field = m >> 23;
        words e = field - (field == 0) + ((m == 0) & ZERO) + ((field == 255) & ODD);
        store(out->value[0] + l, v);
        store(out->exponent + l, (e & 0xffff) | e << 16);
    }
}

/** Two bytes of each word, as they are: subnormal numbers keep their format's least exponent. Those of four bits' exponent stand where a half's would. */
INLINE void take_fp8(enum tensor_type t, const int32_t *reg, int part, struct elements *out)
{
    for (int l = 0; l < WARP_LANES; l += L) {
        words v = load(reg + l) >> 16 * part, both = (v & 0xff) | (v & 0xff00) << 8, top = all(INT32_MIN);
        words m = t == TENSOR_E5M2 ? (both & 0x7f007f) << 8 : (both & 0x7f007f) << 7;
        floats unit = (floats)all(t == TENSOR_E5M2 ? (127 + 112) << 23 : (127 + 120) << 23);
        store(out->value[0] + l, (words)((floats)((m & 0x7fff) << 13 | (both << 24 & top)) * unit));
        store(out->value[1] + l, (words)((floats)((m & 0x7fff0000) >> 3 | (both << 8 & top)) * unit));
        if (t == TENSOR_E5M2) {
            store(out->exponent + l, exponents_of_pairs(m, 10));
            continue;
        }
        shorts s = (shorts)m, field = s >> 10;
        store(out->exponent + l, (words)(field - (field == 0) + 8 + ((s == 0) & ZERO) + ((s == (0x7f << 7)) & ODD)));
    }
}

/** Two bytes of each word, as halves. */
INLINE void halves_of_fp8(enum tensor_type t, const int32_t *reg, int step, int32_t *out)
{
    for (int l = 0; l < WARP_LANES; l++) {
        uint32_t v = (uint32_t)reg[l] >> 16 * step & 0xffff;
        if (t == TENSOR_E5M2) {
            out[l] = (int32_t)((v & 0xff) << 8 | (v & 0xff00) << 16);
            continue;
        }
        uint32_t pair = 0;
        for (int i = 0; i < 2; i++) {
            uint32_t byte = v >> 8 * i & 0xff, m = byte & 0x7f, normal = (m << 7) + (8 << 10), small;
            float f = (float)(int32_t)m * 0x1p-9f;
            memcpy(&small, &f, sizeof small);
            small = m ? (small >> 13) - (112 << 10) : 0;
            uint32_t h = m < 8 ? small : m == 0x7f ? 0x7e00 : normal;
            pair |= (h | (byte & 0x80) << 8) << 16 * i;
        }
        out[l] = (int32_t)pair;
    }
}

/** `part`: of fp8, of which a register has two. Where products are `raw`, fp8 is not made halves. */
static void take_elements(uint8_t type, bool raw, const void *reg, int part, struct elements *out)
{
    int32_t as_halves[WARP_LANES];
    if (tensor_is_fp8(type) && raw) {
        take_fp8((enum tensor_type)type, reg, part, out);
    } else if (tensor_is_fp8(type)) {
        halves_of_fp8((enum tensor_type)type, reg, part, as_halves);
        take_f16(as_halves, out);
    } else if (type == TENSOR_F16) {
        take_f16(reg, out);
    } else if (type == TENSOR_BF16) {
        take_bf16(reg, out);
    } else {
        take_tf32(reg, out);
    }
}

/** Of the narrow side. */
static void take_met(const struct tiles *x, const void *reg, int part, struct elements *out)
{
    int32_t turned[WARP_LANES];
    turn(reg, turned);
    take_elements(x->narrow_type, x->form->group, turned, part, out);
}

/** Addends: their values, and exponents. */
INLINE void take_addend(bool half, words v, floats *value, words *exponent)
{
    words m = v & (half ? 0x7fff : INT32_MAX), field = m >> (half ? 10 : 23);
    words bits = half ? (m << 13 | (v << 16 & INT32_MIN)) : v;
    *value = half ? (floats)bits * 0x1p112f : (floats)bits;
    *exponent = field - (field == 0) - (half ? 15 : 127) + ((m == 0) & ZERO) + ((field == (half ? 31 : 255)) & ODD);
}

/** The largest exponents of products, of the lines of each parity: two of them a word, both exponents biased. */
INLINE void largest_exponents(const struct elements *const *wide, const struct elements *const *narrow, unsigned blocks, int at, words out[2])
{
    shorts most[2] = {(shorts)all(INT32_MIN | 0x8000), (shorts)all(INT32_MIN | 0x8000)};
    for (unsigned b = 0; b < blocks; b++) {
        words e = load(wide[b]->exponent + at);
#define LARGEST(q)                                                                                 \
    {                                                                                              \
        shorts s = (shorts)SPREAD(e, q);                                                           \
        most[0] = LARGER(most[0], s + (shorts)met_at(narrow[b]->exponent, 0, q));                  \
        most[1] = LARGER(most[1], s + (shorts)met_at(narrow[b]->exponent, 1, q));                  \
    }
        EACH_Q(LARGEST)
#undef LARGEST
    }
    out[0] = (words)most[0];
    out[1] = (words)most[1];
}

/** Two registers of a result, neighbouring columns, as far as a vector reaches. In *bad: numbers are not done here. */
INLINE void sum_part(const struct sum_form *f, const struct elements *const *wide, const struct elements *const *narrow, unsigned blocks, unsigned elements,
                     bool half, int at, uint32_t (*c)[WARP_LANES], words *bad)
{
    words most[2], cut[2];
    bits32 sum[2] = {{0}, {0}};   /* beyond 2^31 only where the result is not used */
    floats scale[2];
    largest_exponents(wide, narrow, blocks, at, most);
    for (int j = 0; j < 2; j++) {
        floats addend;
        words exponent;
        take_addend(half, load(c[j] + at), &addend, &exponent);
        words m = LARGER_WORDS(LARGER_WORDS(most[j] << 16 >> 16, most[j] >> 16) - f->bias, exponent);
        most[j] = SMALLER_WORDS(LARGER_WORDS(m, all(-FAR)), all(FAR));
        *bad |= (m != most[j]) & (m > NO_SUM);
        scale[j] = power_of_two(f->kept - most[j]);
        cut[j] = __builtin_convertvector(addend * scale[j], words);
    }
    for (unsigned b = 0; b < blocks; b++)
        for (unsigned i = 0; i < elements; i++) {
            words v = load(wide[b]->value[i] + at);
#define ADD(q)                                                                                     \
    {                                                                                              \
        floats s = (floats)SPREAD(v, q);                                                           \
        floats p = s * (floats)met_at(narrow[b]->value[i], 0, q), r = s * (floats)met_at(narrow[b]->value[i], 1, q); \
        sum[0] += (bits32)__builtin_convertvector(p * scale[0], words);                            \
        sum[1] += (bits32)__builtin_convertvector(r * scale[1], words);                            \
    }
            EACH_Q(ADD)
#undef ADD
        }
    for (int j = 0; j < 2; j++)
        store(c[j] + at, result_of((words)sum[j], cut[j], most[j], f->kept, half, f->left, bad));
}

INLINE bool sum_tile_of(const struct sum_form *f, unsigned halves, const struct elements *const *wide, const struct elements *const *narrow, unsigned blocks,
                        unsigned elements, bool half, struct results *c)
{
    words bad = {0};
    for (unsigned h = 0; h < halves; h++) {
        const struct elements *of_half[PARTS_ALONG];
        for (unsigned b = 0; b < blocks; b++)
            of_half[b] = wide[b * halves + h];
        for (int at = 0; at < WARP_LANES; at += L)
            sum_part(f, of_half, narrow, blocks, elements, half, at, c->word + 2 * h, &bad);
    }
    return !any_of(bad);
}

/** One sum of each of a tile's results: the addend and some blocks. @return false: not done here */
static bool sum_tile(const struct sum_form *f, const struct tiles *x, const struct elements *const *wide, const struct elements *const *narrow, unsigned blocks,
                     struct results *c)
{
#define OF(b, e, h) if (blocks == (b) && f->elements == (e) && f->half == (h)) return sum_tile_of(f, x->halves, wide, narrow, b, e, h, c)
    OF(2, 2, false);
    OF(2, 2, true);
    OF(4, 2, false);
    OF(4, 1, false);
    OF(1, 1, false);
    OF(2, 1, false);
#undef OF
    return sum_tile_of(f, x->halves, wide, narrow, blocks, f->elements, f->half, c);
}

static void read_addend(const struct tiles *x, unsigned tile, struct results *c)
{
    unsigned count = 2u * x->halves;
    for (unsigned i = 0; i < count; i++) {
        const uint32_t *from = x->addend[x->packed ? (tile * count + i) / 2 : tile * count + i];
        if (!from)
            memset(c->word[i], 0, sizeof c->word[i]);
        else if (!x->packed)
            memcpy(c->word[i], from, sizeof c->word[i]);
        else
            for (int l = 0; l < WARP_LANES; l++)
                c->word[i][l] = from[l] >> 16 * (i % 2) & 0xffff;
    }
}

static void keep_results(const struct tiles *x, unsigned tile, const struct results *c, struct written *w)
{
    unsigned count = 2u * x->halves;
    if (!x->packed)
        memcpy(w->word[tile * count], c, count * sizeof c->word[0]);
    else
        for (unsigned i = 0; i < count; i += 2)
            for (int l = 0; l < WARP_LANES; l++)
                w->word[(tile * count + i) / 2][l] = c->word[i][l] | c->word[i + 1][l] << 16;
}

/** A product's elements taken apart: of the whole wide side, and of one block of the narrow one. */
struct taken {
    struct elements wide[TILE_BLOCKS * 4];
    struct elements narrow[PARTS_ALONG];
    const struct elements *wides[TILE_BLOCKS * 4];
    const struct elements *narrows[PARTS_ALONG];
};

/** Of a stored register's two words (spread.c) those that its lower or its upper half has become; of the others zeros. */
static void words_of_step(const int32_t *reg, int step, int32_t *out)
{
    for (int l = 0; l < WARP_LANES; l++)
        out[l] = l % 2 == step ? reg[l] : 0;
}

/** What one of the two steps of fp8 in mma.sync sums: the registers' halves, or what these became. @return how many parts */
static unsigned take_step(const struct tiles *x, int step, unsigned m, unsigned n, struct taken *k)
{
    unsigned rows = (unsigned)x->blocks * x->halves, parts = x->form->sparse ? 2 : 1;
    int32_t some[WARP_LANES];
    for (unsigned i = 0; i < rows * parts; i++) {
        unsigned b = i / x->halves / parts, part = parts == 2 ? i / x->halves % 2 : (unsigned)step;
        const void *reg = x->wide[m * rows + b * x->halves + i % x->halves];
        if (parts == 2)
            words_of_step(reg, step, some);
        take_elements(x->wide_type, false, parts == 2 ? some : reg, (int)part, &k->wide[i]);
    }
    for (unsigned i = 0; i < x->blocks * parts; i++)
        take_met(x, x->narrow[n * x->blocks + i / parts], parts == 2 ? (int)i % 2 : step, &k->narrow[i]);
    return x->blocks * parts;
}

/** fp8 in mma.sync: from 0, in two steps; the addend comes last. */
static bool fp8_tile(const struct sum_form *f, const struct tiles *x, unsigned m, unsigned n, struct taken *k, struct results *c)
{
    struct results sum = {{{0}}};
    for (int step = 0; step < 2; step++) {
        unsigned parts = take_step(x, step, m, n, k);
        if (!sum_tile(f, x, k->wides, k->narrows, parts, &sum))
            return false;
    }
    for (unsigned i = 0; i < 2u * x->halves; i++)
        for (int l = 0; l < WARP_LANES; l++) {
            float a, b;
            memcpy(&a, &sum.word[i][l], sizeof a);
            memcpy(&b, &c->word[i][l], sizeof b);
            if ((c->word[i][l] & 0x7f800000) == 0x7f800000)
                return false;
            a += b;
            memcpy(&c->word[i][l], &a, sizeof a);
        }
    return true;
}

static struct sum_form sum_form_of(const struct tiles *x)
{
    bool fp8 = tensor_is_fp8(x->wide_type), few = fp8 && x->form->group;
    int bias = x->wide_type == TENSOR_F16 || fp8 ? 15 : 127;
    return (struct sum_form){.bias = 2 * bias, .kept = few ? 13 : 25, .elements = x->wide_type == TENSOR_TF32 ? 1 : 2, .half = x->packed, .left = few ? ~0x3ff : -1};
}

static bool reals(const struct tiles *x)
{
    struct written w;
    struct taken k;
    struct sum_form f = sum_form_of(x);
    bool raw = x->form->group, steps = tensor_is_fp8(x->wide_type) && !raw;
    unsigned parts = tensor_is_fp8(x->wide_type) ? 2 : 1, halves = x->halves, blocks = x->blocks * parts, rows = blocks * halves;
    unsigned along = 4 * f.elements / (x->form->sparse ? 2 : 1), each = x->form->step ? x->form->step / along : blocks;
    for (unsigned i = 0; i < TILE_BLOCKS * 4; i++)
        k.wides[i] = &k.wide[i];
    for (unsigned b = 0; b < PARTS_ALONG; b++)
        k.narrows[b] = &k.narrow[b];
    for (unsigned i = 0; !steps && i < x->tall * rows; i++)
        take_elements(x->wide_type, raw, x->wide[i / halves / parts * halves + i % halves], (int)(i / halves % parts), &k.wide[i]);
    for (unsigned n = 0; n < x->across; n++) {
        for (unsigned b = 0; !steps && b < blocks; b++)
            take_met(x, x->narrow[n * x->blocks + b / parts], (int)(b % parts), &k.narrow[b]);
        for (unsigned m = 0; m < x->tall; m++) {
            unsigned tile = m * x->across + n;
            struct results c;
            read_addend(x, tile, &c);
            if (steps && !fp8_tile(&f, x, m, n, &k, &c))
                return false;
            for (unsigned b = 0; !steps && b < blocks; b += each)
                if (!sum_tile(&f, x, k.wides + m * rows + b * halves, k.narrows + b, each, &c))
                    return false;
            keep_results(x, tile, &c, &w);
        }
    }
    write_results(x, &w, (unsigned)x->tall * x->across * 2 * halves / (x->packed ? 2 : 1));
    return true;
}
