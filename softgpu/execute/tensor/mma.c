/**
 * @file mma.c
 * mma.sync, mma.sp and wmma.mma: from the lanes' registers to matrices, and back (PTX ISA 9.7.14.5).
 */
#include <string.h>

#include "execute/engine.h"
#include "execute/handlers.h"
#include "execute/tensor/dot.h"
#include "execute/tensor/tensor.h"
#include "execute/tensor/tile.h"
#include "execute/worker.h"

#define MAX_OF_A 2048   /* elements: m16n8k128, sparse, has 1024 */
#define MAX_OF_B 1024
#define MAX_OF_C 1024   /* m8n8k4's four products on the diagonal of one */

/** An element of a register. */
static uint64_t element(uint64_t word, unsigned bits, unsigned e)
{
    return bits == 64 ? word : word >> bits * e & ((1ull << bits) - 1);
}

void tensor_gather(const struct warp *w, const struct tensor_desc *t, enum tensor_part p, uint64_t *out)
{
    unsigned packed = tensor_packed(t, p), bits = tensor_type_bits((enum tensor_type)t->type[p]);
    const uint32_t *reg = tensor_registers(t, p);
    const uint16_t *cell = t->cell[p];
    for (unsigned i = 0; i < t->count[p] * packed; i++)
        for (int lane = 0; lane < WARP_LANES; lane++)
            out[*cell++] = element(tensor_get(w, t, reg[i / packed], lane), bits, i % packed);
}

void tensor_scatter(const struct warp *w, const struct tensor_desc *t, const uint64_t *from)
{
    unsigned packed = tensor_packed(t, PART_D), bits = tensor_type_bits((enum tensor_type)t->type[PART_D]);
    const uint32_t *reg = tensor_registers(t, PART_D);
    const uint16_t *cell = t->cell[PART_D];
    for (unsigned r = 0; r < t->count[PART_D]; r++) {
        uint64_t words[WARP_LANES] = {0};
        for (unsigned e = 0; e < packed; e++)
            for (int lane = 0; lane < WARP_LANES; lane++)
                words[lane] |= from[*cell++] << bits * e;
        tensor_put(w, t, reg[r], words);
    }
}

void tensor_places(const struct warp *w, const struct tensor_desc *t, uint8_t *place)
{
    const uint32_t *metadata = warp_reg(w, t->reg[t->written + t->read - 1]);
    unsigned along = tensor_length(t, PART_A);
    for (unsigned row = 0; row < t->m; row++)
        for (unsigned s = 0; s < along; s++)
            place[row * along + s] = (uint8_t)(sparse_place(t, metadata, row, s) % t->k);
}

/** As matrices, elements one by one. */
static void multiply_matrices(const struct warp *w, const struct tensor_desc *t)
{
    uint64_t a[MAX_OF_A], b[MAX_OF_B], c[MAX_OF_C];
    uint8_t place[MAX_OF_A];
    struct product p = {.form = t, .a = a, .b = b, .c = c, .place = t->sparse ? place : NULL};
    memset(c, 0, sizeof c);
    tensor_gather(w, t, PART_A, a);
    tensor_gather(w, t, PART_B, b);
    tensor_gather(w, t, PART_C, c);
    if (t->sparse)
        tensor_places(w, t, place);
    tensor_multiply(&p, c);
    tensor_scatter(w, t, c);
}

/** By vectors, as registers lie. @return whether that has been done */
static bool multiply_tiles(const struct warp *w, const struct tensor_desc *t)
{
    struct tiles x;
    void *reg[UINT8_MAX * 2];
    for (unsigned i = 0; i < (unsigned)t->written + t->read; i++)
        reg[i] = t->reg[i] == REG_NONE ? NULL : warp_reg(w, t->reg[i]);
    return w->mask == UINT32_MAX && tiles_of(t, reg, reg + t->written, &x) && tiles_multiply(tile_steps_of(vectors_level()), &x);
}

const struct insn *tensor_mma(struct warp *w, const struct insn *in)
{
    const struct tensor_desc *t = in->extra;
    OBSERVE(&warp_machine(w)->observers, tensor, w, in);
    if (!multiply_tiles(w, t))
        multiply_matrices(w, t);
    return in + 1;
}
