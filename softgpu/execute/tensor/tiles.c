/**
 * @file tiles.c
 * See tile.h: which forms are done by tiles, where their registers lie, and by which instructions.
 */
#include "execute/tensor/tile.h"

#include <string.h>

#include "execute/numerics/modes.h"

static bool is_integer(uint8_t t)
{
    return t >= TENSOR_S8 && t <= TENSOR_B1;
}

/** Of sums that are rounded, the addend and the result have one format. */
static bool is_done(const struct tensor_desc *t)
{
    uint8_t c = t->type[PART_C], d = t->type[PART_D];
    if (t->quads || t->group)
        return false;
    if (is_integer(t->type[PART_A]))
        return true;
    if (t->type[PART_A] == TENSOR_F64)
        return t->rounding == ROUND_RN || t->rounding == ROUND_NONE;
    return c == d && !(tensor_is_fp8(t->type[PART_A]) && c == TENSOR_F16);
}

/** The last of a part's registers: where fragments hold elements several times the last of them count. */
static void set_places(void *const *reg, unsigned have, unsigned count, const void **out)
{
    for (unsigned i = 0; i < count; i++)
        out[i] = reg[have - count + i];
}

bool tiles_of(const struct tensor_desc *t, void *const *written, void *const *read, struct tiles *x)
{
    bool turned = t->n == 32 && !t->group;   /* m8n32 is computed as its transposition */
    enum tensor_part wide = turned ? PART_B : PART_A, narrow = turned ? PART_A : PART_B;
    unsigned lines = turned ? t->n : t->m, others = turned ? t->m : t->n, packed = tensor_packed(t, wide);
    const void *stored[TILE_BLOCKS];
    if (!is_done(t))
        return false;
    x->form = t;
    x->wide_type = t->type[wide];
    x->narrow_type = t->type[narrow];
    x->halves = lines >= 16 ? 2 : 1;
    x->tall = (uint8_t)(lines / (8u * x->halves));
    x->across = (uint8_t)(others / 8);
    x->blocks = (uint8_t)(tensor_length(t, narrow) / (4 * packed));
    x->packed = t->type[PART_D] == TENSOR_F16;
    unsigned rows = (unsigned)x->tall * x->blocks * x->halves, columns = (unsigned)x->across * x->blocks,
             results = (unsigned)x->tall * x->across * 2 * x->halves / (x->packed ? 2 : 1);
    if (x->blocks > TILE_BLOCKS || rows > TILE_BLOCKS * 4 || columns > TILE_LINES || results > TILE_RESULTS || results > t->count[PART_D])
        return false;
    void *const *of_b = read + t->count[PART_A], *const *of_c = of_b + t->count[PART_B];
    set_places(turned ? of_b : read, t->count[wide], t->sparse ? rows / 2 : rows, t->sparse ? stored : x->wide);
    set_places(turned ? read : of_b, t->count[narrow], columns, x->narrow);
    set_places(of_c, t->count[PART_C], results, x->addend);
    memcpy(x->result, written, results * sizeof x->result[0]);
    return !t->sparse || tiles_spread(x, stored, of_c[t->count[PART_C]]);
}

const struct tile_steps *tile_steps_of(enum vectors_level level)
{
#ifdef __x86_64__
    if (level != VECTORS_NONE && __builtin_cpu_supports("fma"))
        return level == VECTORS_AVX512 ? &tile_avx512 : &tile_avx2;
#endif
    (void)level;
    return &tile_plain;
}

bool tiles_multiply(const struct tile_steps *steps, const struct tiles *x)
{
    if (x->wide_type == TENSOR_F64)
        return steps->doubles(x);
    return is_integer(x->wide_type) ? steps->integers(x) : steps->reals(x);
}
