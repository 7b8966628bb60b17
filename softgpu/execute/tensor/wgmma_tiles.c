/**
 * @file wgmma_tiles.c
 * A warp's part of wgmma.mma_async by tiles (tile.h): what lies in shared memory is taken to words as registers of mma.sync hold it, four lanes a
 * line.
 */
#include <string.h>

#include "base/vectors.h"
#include "execute/tensor/tensor.h"
#include "execute/tensor/tile.h"

/** Eight lines' words of a block along k, from line `first` on: of each line that is one piece, or where lines lie across, eight pieces hold one element of each. */
static void take_block(const struct tensor_desc *t, enum tensor_part p, const uint8_t *const *piece, unsigned first, unsigned block, uint32_t *reg)
{
    unsigned length = tensor_length(t, p), blocks = length / (4 * tensor_packed(t, p));
    bool across = p == PART_A ? t->across_a : t->across_b;
    uint16_t half[8][8];
    if (!across) {
        for (unsigned line = 0; line < 8; line++)
            memcpy(reg + 4 * line, piece[(first + line) * blocks + block], MATRIX_PIECE);
    } else {
        for (unsigned along = 0; along < 8; along++)
            memcpy(half[along], piece[first / 8 * length + block * 8 + along], MATRIX_PIECE);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            reg[lane] = half[lane % 4 * 2][lane / 4] | (uint32_t)half[lane % 4 * 2 + 1][lane / 4] << 16;
    }
}

/** Changes the elements' signs, of which a word has one, two or four. */
static void negate(enum tensor_type t, uint32_t *reg)
{
    uint32_t signs = tensor_type_bits(t) == 8 ? 0x80808080u : tensor_type_bits(t) == 16 ? 0x80008000u : 0x80000000u;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        reg[lane] ^= signs;
}

bool tensor_wgmma_by_tiles(const struct warp *w, const struct tensor_desc *t, const uint8_t *const *a, const uint8_t *const *b, bool adds)
{
    uint32_t of_a[TILE_BLOCKS * 2][WARP_LANES], of_b[TILE_LINES][WARP_LANES];
    struct tiles x = {.form = t, .wide_type = t->type[PART_A], .narrow_type = t->type[PART_B], .halves = 2, .tall = 1, .across = (uint8_t)(t->n / 8),
                      .blocks = (uint8_t)(tensor_length(t, PART_B) / (4 * tensor_packed(t, PART_B))), .packed = t->type[PART_D] == TENSOR_F16};
    if (w->mask != UINT32_MAX || x.blocks > TILE_BLOCKS || (unsigned)x.across * x.blocks > TILE_LINES ||
        t->count[PART_D] > TILE_RESULTS)
        return false;
    for (unsigned i = 0; i < (t->sparse ? 1u : 2u) * x.blocks; i++) {
        if (a)
            take_block(t, PART_A, a, i % 2 * 8, i / 2, of_a[i]);
        else
            memcpy(of_a[i], warp_reg(w, tensor_registers(t, PART_A)[i]), sizeof of_a[i]);
        if (t->minus_a)
            negate((enum tensor_type)t->type[PART_A], of_a[i]);
        x.wide[i] = of_a[i];
    }
    if (t->sparse && !tiles_spread(&x, x.wide, warp_reg(w, t->reg[t->written + t->read - 1])))
        return false;
    for (unsigned i = 0; i < (unsigned)x.across * x.blocks; i++) {
        take_block(t, PART_B, b, i / x.blocks * 8, i % x.blocks, of_b[i]);
        if (t->minus_b)
            negate((enum tensor_type)t->type[PART_B], of_b[i]);
        x.narrow[i] = of_b[i];
    }
    for (unsigned i = 0; i < t->count[PART_D]; i++) {
        x.result[i] = t->reg[i] == REG_NONE ? NULL : warp_reg(w, t->reg[i]);
        x.addend[i] = adds ? x.result[i] : NULL;
    }
    return tiles_multiply(tile_steps_of(vectors_level()), &x);
}
