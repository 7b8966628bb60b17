/**
 * @file scalar.c
 * The handlers of S rows, and the choice among instruction set levels for V rows.
 */
#include "execute/alu/stamp.h"

#define S1(id, mnemonic, pattern, section, ...) STAMP_1(STAMP_SCALAR, id, __VA_ARGS__)
#define S2(id, mnemonic, pattern, section, ...) STAMP_2(STAMP_SCALAR, id, __VA_ARGS__)
#define S3(id, mnemonic, pattern, section, ...) STAMP_3(STAMP_SCALAR, id, __VA_ARGS__)
#include "code/ops.def"

static const handler_fn scalar_table[ROW_COUNT] = {
#define S1(id, ...) [ROW_##id] = run_##id,
#define S2(id, ...) [ROW_##id] = run_##id,
#define S3(id, ...) [ROW_##id] = run_##id,
#include "code/ops.def"
};

extern const handler_fn alu_vector_base[ROW_COUNT];
#ifdef __x86_64__
extern const handler_fn alu_vector_avx2[ROW_COUNT], alu_vector_avx512[ROW_COUNT];
#endif

handler_fn alu_handler_at(enum op_row row, int level)
{
    if (!op_table[row].vector)
        return scalar_table[row];
    if (level == 0)
        return alu_vector_base[row];
#ifdef __x86_64__
    __builtin_cpu_init();
    if (level == 1 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return alu_vector_avx2[row];
    if (level == 2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("fma"))
        return alu_vector_avx512[row];
#endif
    return NULL;
}

handler_fn alu_handler(enum op_row row)
{
    handler_fn best = NULL;

    for (int level = ALU_LEVELS - 1; level >= 0 && !best; level--)
        best = alu_handler_at(row, level);
    return best;
}
