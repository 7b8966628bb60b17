/**
 * @file tile.h
 * Private to execute/tensor/: products of matrices as they lie in registers, by vectors of a warp's lanes, the same to the last bit as
 * tensor_multiply() makes them. Made three times, for any processor, AVX2 and AVX-512 (tile_steps.h).
 *
 * One side has blocks of sixteen lines (or one of eight), the other blocks of eight, and a tile is what two such blocks make. Four lanes hold a
 * line, so that an element along k is the same for four neighbours of the result by a move within them, and the other side's elements that four
 * neighbours meet are the same for all fours: nothing is taken to matrices and back.
 */
#ifndef SOFTGPU_EXECUTE_TENSOR_TILE_H
#define SOFTGPU_EXECUTE_TENSOR_TILE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vectors.h"
#include "code/fragment.h"

#define TILE_LINES 128     /* registers of lines, at most: wgmma's b beside a sparse a */
#define TILE_RESULTS 128   /* of a result */
#define TILE_BLOCKS 4      /* registers that hold a line of one tile */

/** A product, dense, or made so (spread). Registers are 32 words, of f64 32 doubles; those of the result may be any of the operands'. */
struct tiles {
    const struct tensor_desc *form;
    uint8_t wide_type, narrow_type;   /**< enum tensor_type */
    uint8_t halves;                   /**< of the wide side's blocks, eight lines each: 1 or 2 */
    uint8_t blocks;                   /**< registers along k */
    uint8_t tall, across;             /**< blocks of the wide and of the narrow side; one of the two is 1 */
    bool packed;                      /**< addend and result are pairs of f16, else words (or doubles) */
    const void *wide[TILE_LINES];     /**< [tall][blocks][halves] */
    const void *narrow[TILE_LINES];   /**< [across][blocks] */
    const void *addend[TILE_RESULTS]; /**< of each tile 2 · halves, or half as many packed; NULL: 0 */
    void *result[TILE_RESULTS];       /**< NULL: nobody wants it */
    uint32_t spread[TILE_BLOCKS * 2][WARP_LANES];   /**< a sparse a's registers, as those of a dense one */
};

/** One processor's way. @return false: operands it does not do (numbers far apart, infinities, NaNs); nothing has been written */
struct tile_steps {
    bool (*reals)(const struct tiles *x);
    bool (*integers)(const struct tiles *x);
    bool (*doubles)(const struct tiles *x);
};

extern const struct tile_steps tile_plain, tile_avx2, tile_avx512;

/** What this processor has, as vectors_level() or less. */
const struct tile_steps *tile_steps_of(enum vectors_level level);

/** Is it a form of these, and how do its registers lie? Sets all but the registers' places and, of a product in registers, finds these: `read` are
 *  those of a, b and c, all parts one after another (struct tensor_desc), NULL where none is to be set; `written` likewise. */
bool tiles_of(const struct tensor_desc *t, void *const *written, void *const *read, struct tiles *x);

/** Sets the wide side to a sparse a of `stored` registers, [blocks / 2][halves], with zeros between. @return false: no metadata (spread.c) */
bool tiles_spread(struct tiles *x, const void *const *stored, const uint32_t *metadata);

/** d, if this way has it. @return false: nothing has been written */
bool tiles_multiply(const struct tile_steps *steps, const struct tiles *x);

#endif
