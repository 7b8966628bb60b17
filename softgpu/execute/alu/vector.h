/*
 * The handlers of all V rows at one instruction set level; included once by each vector_LEVEL.c, which
 * defines ALU_TABLE, the name of the table of handlers by row.
 */
#include "execute/alu/stamp.h"

#define V1(id, mnemonic, pattern, section, ...) STAMP_1(STAMP_VECTOR, id, __VA_ARGS__)
#define V2(id, mnemonic, pattern, section, ...) STAMP_2(STAMP_VECTOR, id, __VA_ARGS__)
#define V3(id, mnemonic, pattern, section, ...) STAMP_3(STAMP_VECTOR, id, __VA_ARGS__)
#define V4(id, mnemonic, pattern, section, ...) STAMP_4(STAMP_VECTOR, id, __VA_ARGS__)
#include "code/ops.def"

extern const handler_fn ALU_TABLE[ROW_COUNT];
const handler_fn ALU_TABLE[ROW_COUNT] = {
#define V1(id, ...) [ROW_##id] = run_##id,
#define V2(id, ...) [ROW_##id] = run_##id,
#define V3(id, ...) [ROW_##id] = run_##id,
#define V4(id, ...) [ROW_##id] = run_##id,
#include "code/ops.def"
};
