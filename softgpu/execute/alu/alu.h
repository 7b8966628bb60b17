/**
 * @file alu.h
 * Arithmetic handlers, and how they are chosen.
 *
 * Handlers of plain arithmetic are stamped from the rows of code/ops.def: those of V rows once for
 * each instruction set level of the host (vector_*.c), those of S rows once (scalar.c). All compute the
 * same bits. The handlers of X rows are in execute/handlers.h.
 */
#ifndef SOFTGPU_EXECUTE_ALU_ALU_H
#define SOFTGPU_EXECUTE_ALU_ALU_H

#include "code/descriptions.h"

/** The handler of an arithmetic row, the best that this host can run. */
handler_fn alu_handler(enum op_row row);

/** Instruction set levels, for tests: 0 baseline, 1 AVX2, 2 AVX-512. */
#define ALU_LEVELS 3
/** The handler of a V row at one level; NULL where the host or the build has no such level. */
handler_fn alu_handler_at(enum op_row row, int level);

#endif
