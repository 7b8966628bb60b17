/**
 * @file ops.h
 * The operation table: every PTX instruction form that softgpu knows, one row each (ops.def).
 *
 * A row is found by mnemonic and modifiers; the first row that matches wins. Rows are of two kinds:
 * arithmetic, whose handler is stamped from the row's C expression (execute/alu/), and decoded, whose
 * function reads the modifiers itself and chooses a handler of execute/handlers.h.
 *
 * A pattern is a list of modifiers in the order of the text, separated by spaces: alternatives are
 * written `u32|s32`, and `?` marks one that may be absent. For decoded rows it is documentation.
 */
#ifndef SOFTGPU_DECODE_OPS_H
#define SOFTGPU_DECODE_OPS_H

#include <stdio.h>

#include "decode/code.h"

struct decoder;

/** Types of arithmetic operands; a register must have exactly this width. */
enum operand_class { CLASS_none, CLASS_pred, CLASS_u16, CLASS_s16, CLASS_u32, CLASS_s32, CLASS_u64,
                     CLASS_s64, CLASS_u128 };

/** Reads one instruction into `in`; on failure it has recorded why in the decoder. */
typedef bool (*decode_fn)(struct decoder *d, const struct ptx_instr *pi, struct insn *in);

/*
 * What arithmetic rows find in insn->imm: the modifiers that the text gave. The low four bits are
 * enum numeric_rounding.
 */
#define MODE_ROUND 0x0f
#define MODE_FTZ 0x10
#define MODE_SAT 0x20
#define MODE_RELU 0x40
#define MODE_NAN 0x80
#define MODE_XORSIGN 0x100
#define MODE_ABS 0x200

struct op_info {
    const char *mnemonic;     /**< NULL: a hidden row, chosen by a decoded row's function */
    const char *pattern;
    decode_fn decode;         /**< NULL: plain arithmetic */
    bool vector;              /**< its handler exists at every instruction set level */
    bool defines;             /**< the first operand is written */
    uint8_t dst;              /**< enum operand_class */
    uint8_t src[4];
    uint8_t sources;
    const char *section;      /**< of the PTX ISA */
    const char *test;         /**< that covers the row */
};

/** Row numbers. */
enum op_row {
#define V1(id, ...) ROW_##id,
#define V2(id, ...) ROW_##id,
#define V3(id, ...) ROW_##id,
#define V4(id, ...) ROW_##id,
#define S1(id, ...) ROW_##id,
#define S2(id, ...) ROW_##id,
#define S3(id, ...) ROW_##id,
#define X(id, ...) ROW_##id,
#include "decode/ops.def"
    ROW_COUNT
};

extern const struct op_info op_table[ROW_COUNT];

/**
 * The row for an instruction, NULL if none matches.
 * @param mode  receives the MODE_ bits of an arithmetic row
 */
const struct op_info *op_find(const struct ptx_instr *pi, uint64_t *mode);
/** True if any row has this mnemonic: tells an unknown instruction from an unknown form. */
bool op_known(const char *mnemonic);
/** Does `modifiers[0..count)` match the pattern? Adds to `*mode`. */
bool op_matches(const char *pattern, const char *const *modifiers, int count, uint64_t *mode);

/** Writes docs/ptx_support.md. */
void ops_document(FILE *out);

#endif
