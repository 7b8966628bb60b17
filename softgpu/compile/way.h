/**
 * @file way.h
 * How each instruction is compiled, from the instruction alone.
 */
#ifndef SOFTGPU_COMPILE_WAY_H
#define SOFTGPU_COMPILE_WAY_H

#include "compile/plan.h"

enum plan_way way_of(const struct function *f, const struct insn *in);
/** May the checkers be told of it from compiled code, with registers where they are (plain_called.h)? */
bool way_is_told(const struct insn *in);
/** Is what it writes the same for all lanes of a group where what it reads is? */
bool way_is_uniform(const struct insn *in, enum plan_way way);
/** The text of its row; NULL if llvm_rows.def has none. `uniform`: all sources are the same in all lanes. */
const char *way_row_text(const struct insn *in, bool uniform);

/** The operation, as AVX-512's intrinsics call it, of a row that rounds otherwise than to nearest and has text here; else NULL. Double precision has with AVX-512 only. */
const char *way_directed(const struct insn *in);
/** Of double precision that may round otherwise: the same to nearest, whose text makes `$8` and then the NaN's bits; else NULL. */
const char *way_nearest_text(const struct insn *in);

/** What WAY_SPECIAL reads. */
enum way_special { SPECIAL_NONE, SPECIAL_TID, SPECIAL_NTID, SPECIAL_CTAID, SPECIAL_NCTAID, SPECIAL_LANEID };
enum way_special way_special(const struct insn *in, int *axis);

#endif
