/**
 * @file specials.h
 * Special registers by name (PTX ISA 10), and the functions that are built in.
 */
#ifndef SOFTGPU_CODE_SPECIALS_H
#define SOFTGPU_CODE_SPECIALS_H

#include "code/ops.h"

/**
 * The row of a move from a special register ("%tid.x"); ROW_COUNT if there is no such register.
 * @param imm  receives what insn->imm of that row is: which special register
 */
enum op_row special_row(const char *name, uint64_t *imm);

/** True for functions that softgpu implements itself: vprintf, malloc, free, __assertfail, … */
bool builtin_exists(const char *name);

#endif
