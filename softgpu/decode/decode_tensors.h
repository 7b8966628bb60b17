/**
 * @file decode_tensors.h
 * What the decoders of matrix instructions share: decode_mma.c, decode_matrix.c.
 */
#ifndef SOFTGPU_DECODE_DECODE_TENSORS_H
#define SOFTGPU_DECODE_DECODE_TENSORS_H

#include "code/fragment.h"
#include "decode/decoder.h"
#include "decode/modifiers.h"

/** `{r0, r1, …}` of exactly `count` registers of this type, each `width` bytes; targets are written, and may be sinks: REG_NONE. */
bool decode_fragment(struct decoder *d, const struct ptx_operand *o, unsigned count, unsigned width, enum ptx_type type, bool target,
                     uint32_t *regs);
/** Where the elements of a product's registers stand. Its shape, types and counts are known. (decode_mma.c) */
void decode_cells(struct decoder *d, struct tensor_desc *t);
/** Two loads (or stores) of row `row` at in's address: of `whole` bytes, and of `single`. */
struct insn *decode_pieces(struct decoder *d, const struct insn *in, enum op_row row, unsigned whole, unsigned single);

#endif
