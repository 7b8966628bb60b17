/**
 * @file tile_integers.h
 * Part of tile_steps.h: elements of eight and four bits, and of one. A word's elements are taken apart to pairs of 16 bits, two or four words of
 * these, so that one instruction multiplies two pairs and adds both products; sums of products stay below 2^31. Bits are counted in bytes first.
 */

#define MOST_PLANES 4

/** A register's elements: words of two 16-bit numbers; of bits as they are. */
struct planes {
    int32_t word[MOST_PLANES][WARP_LANES];
};

INLINE unsigned planes_of(uint8_t type)
{
    return type == TENSOR_B1 ? 1 : type == TENSOR_S8 || type == TENSOR_U8 ? 2 : 4;
}

static void take_planes(uint8_t type, const int32_t *reg, struct planes *out)
{
    for (int l = 0; l < WARP_LANES; l += L) {
        words v = load(reg + l);
        switch (type) {
        case TENSOR_B1:
            store(out->word[0] + l, v);
            break;
        case TENSOR_S8:
            store(out->word[0] + l, (words)((shorts)v << 8 >> 8));
            store(out->word[1] + l, (words)((shorts)v >> 8));
            break;
        case TENSOR_U8:
            store(out->word[0] + l, v & 0xff00ff);
            store(out->word[1] + l, (words)((bits16)v >> 8));
            break;
        case TENSOR_S4:
            store(out->word[0] + l, (words)((shorts)v << 12 >> 12));
            store(out->word[1] + l, (words)((shorts)v << 8 >> 12));
            store(out->word[2] + l, (words)((shorts)v << 4 >> 12));
            store(out->word[3] + l, (words)((shorts)v >> 12));
            break;
        default:
            store(out->word[0] + l, v & 0xf000f);
            store(out->word[1] + l, v >> 4 & 0xf000f);
            store(out->word[2] + l, v >> 8 & 0xf000f);
            store(out->word[3] + l, v >> 12 & 0xf000f);
        }
    }
}

/** Ones in each byte of a word. */
INLINE words ones(words v)
{
    bits32 b = (bits32)v;
    b -= b >> 1 & 0x55555555;
    b = (b & 0x33333333) + (b >> 2 & 0x33333333);
    return (words)((b + (b >> 4)) & 0x0f0f0f0f);
}

INLINE words added(words sum, words c, bool satfinite)
{
    words r = (words)((bits32)sum + (bits32)c), over = ((sum ^ r) & (c ^ r)) >> 31, most = (c >> 31) ^ INT32_MAX;
    return satfinite ? (r & ~over) | (most & over) : r;
}

/** A half of a tile. */
INLINE void integer_half(const struct tiles *x, const struct planes *const *wide, const struct planes *met, unsigned planes,
                         struct results *c, unsigned first)
{
    bool bits = x->wide_type == TENSOR_B1, and = x->form->conjunction, satfinite = x->form->satfinite;
    for (int at = 0; at < WARP_LANES; at += L) {
        words sum[2] = {{0}, {0}};
        for (unsigned b = 0; b < x->blocks; b++)
            for (unsigned i = 0; i < planes; i++) {
                words v = load(wide[b]->word[i] + at);
#define ADD(q)                                                                                     \
    {                                                                                              \
        words s = SPREAD(v, q), m = met_at(met[b].word[i], 0, q), n = met_at(met[b].word[i], 1, q);  \
        sum[0] += bits ? ones(and ? s & m : s ^ m) : PAIRS(s, m);                                  \
        sum[1] += bits ? ones(and ? s & n : s ^ n) : PAIRS(s, n);                                  \
    }
                EACH_Q(ADD)
#undef ADD
            }
        for (int j = 0; j < 2; j++) {
            uint32_t *to = c->word[first + (unsigned)j] + at;
            words s = sum[j];
            if (bits) {   /* at most 8 times eight in a byte */
                s = (s & 0xff00ff) + (s >> 8 & 0xff00ff);
                s = (s & 0xffff) + (s >> 16);
            }
            store(to, added(s, load(to), satfinite));
        }
    }
}

static bool integers(const struct tiles *x)
{
    struct written w;
    struct planes wide[TILE_BLOCKS * 4];
    struct planes met[TILE_BLOCKS];
    unsigned planes = planes_of(x->wide_type), rows = (unsigned)x->blocks * x->halves, count = 2u * x->halves;
    for (unsigned i = 0; i < x->tall * rows; i++)
        take_planes(x->wide_type, x->wide[i], &wide[i]);
    for (unsigned n = 0; n < x->across; n++) {
        for (unsigned b = 0; b < x->blocks; b++) {
            int32_t turned[WARP_LANES];
            turn(x->narrow[n * x->blocks + b], turned);
            take_planes(x->narrow_type, turned, &met[b]);
        }
        for (unsigned m = 0; m < x->tall; m++) {
            unsigned tile = m * x->across + n;
            struct results c;
            read_addend(x, tile, &c);
            for (unsigned h = 0; h < x->halves; h++) {
                const struct planes *of_half[TILE_BLOCKS];
                for (unsigned b = 0; b < x->blocks; b++)
                    of_half[b] = &wide[m * rows + b * x->halves + h];
                integer_half(x, of_half, met, planes, &c, 2 * h);
            }
            keep_results(x, tile, &c, &w);
        }
    }
    write_results(x, &w, x->tall * x->across * count);
    return true;
}
