/**
 * @file ops.c
 * The operation table as data.
 */
#include "code/ops.h"

#include <stddef.h>

#define CASES "tests/softgpu/alu_cases.txt"
#define ALU(how, mn, pat, sec, is_vector, D, n, ...)                                               \
    {.mnemonic = mn, .pattern = pat, .section = sec, .plain = true, .vector = is_vector,           \
     .defines = true, .defined = DEFINED_##how, .dst = CLASS_##D, .src = {__VA_ARGS__}, .sources = n,    \
     .test = CASES}

const struct op_info op_table[ROW_COUNT] = {
#define V1(...) V1F(COMPUTES, __VA_ARGS__)
#define V2(...) V2F(COMPUTES, __VA_ARGS__)
#define V3(...) V3F(COMPUTES, __VA_ARGS__)
#define V4(...) V4F(COMPUTES, __VA_ARGS__)
#define S1(id, mn, pat, sec, D, A, e)                                                              \
    [ROW_##id] = ALU(COMPUTES, mn, pat, sec, false, D, 1, CLASS_##A),
#define S2(id, mn, pat, sec, D, A, B, e)                                                           \
    [ROW_##id] = ALU(COMPUTES, mn, pat, sec, false, D, 2, CLASS_##A, CLASS_##B),
#define S3(...) S3F(COMPUTES, __VA_ARGS__)
#define V1F(how, id, mn, pat, sec, D, A, e)                                                        \
    [ROW_##id] = ALU(how, mn, pat, sec, true, D, 1, CLASS_##A),
#define V2F(how, id, mn, pat, sec, D, A, B, e)                                                     \
    [ROW_##id] = ALU(how, mn, pat, sec, true, D, 2, CLASS_##A, CLASS_##B),
#define V3F(how, id, mn, pat, sec, D, A, B, C, e)                                                  \
    [ROW_##id] = ALU(how, mn, pat, sec, true, D, 3, CLASS_##A, CLASS_##B, CLASS_##C),
#define V4F(how, id, mn, pat, sec, D, A, B, C, E, e)                                               \
    [ROW_##id] = ALU(how, mn, pat, sec, true, D, 4, CLASS_##A, CLASS_##B, CLASS_##C, CLASS_##E),
#define S3F(how, id, mn, pat, sec, D, A, B, C, e)                                                  \
    [ROW_##id] = ALU(how, mn, pat, sec, false, D, 3, CLASS_##A, CLASS_##B, CLASS_##C),
#define X(id, mn, forms, sec, def, what, function, handler, how, holds, bits, covers)              \
    [ROW_##id] = {.mnemonic = mn, .pattern = forms, .section = sec, .defines = def,                \
                  .insn_class = INSN_##what, .defined = DEFINED_##how, .extra = EXTRA_##holds,           \
                  .flags = bits, .test = covers},
#define H(id, sec, what, handler, how, holds, bits, covers)                                        \
    [ROW_##id] = {.pattern = "", .section = sec, .insn_class = INSN_##what, .defined = DEFINED_##how,    \
                  .extra = EXTRA_##holds, .flags = bits, .test = covers},
#include "code/ops.def"
};
