/**
 * @file mnemonic.h
 * Which operation an instruction is, as a bit that is read from a table: comparing names takes too long
 * for what is asked at every instruction.
 */
#ifndef SOFTGPU_CHECK_MNEMONIC_H
#define SOFTGPU_CHECK_MNEMONIC_H

#include "decode/ops.h"

enum mnemonic {
    M_ld = 1, M_ldu = 2, M_st = 4, M_atom = 8, M_red = 0x10,
    M_mov = 0x20, M_cvta = 0x40, M_shfl = 0x80, M_redux = 0x10000, M_prmt = 0x100, M_selp = 0x200, M_or = 0x400, M_bfi = 0x800,
    M_cvt = 0x1000, M_and = 0x2000, M_shl = 0x4000, M_shr = 0x8000,
};
#define MEMORY_OPS (M_ld | M_ldu | M_st | M_atom | M_red)
/** Operations whose result is a rearrangement of their operands' bytes: still a copy. */
#define COPY_OPS (M_mov | M_cvta | M_prmt | M_selp | M_or | M_bfi)

/** By row of the operation table; 0 for what has no bit. */
extern uint32_t mnemonic_of_row[ROW_COUNT];

/** Fills the table; any number of times. */
void mnemonic_init(void);

static inline bool is(const struct insn *in, unsigned mnemonics)
{
    return in->op && mnemonic_of_row[in->op - op_table] & mnemonics;
}

#endif
