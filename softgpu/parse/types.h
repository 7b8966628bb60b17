/**
 * @file types.h
 * The types and state spaces of PTX, which decoding, memory, checkers and findings speak of, too.
 */
#ifndef SOFTGPU_PARSE_TYPES_H
#define SOFTGPU_PARSE_TYPES_H

/** Fundamental types (PTX ISA 5.2). The order is used by tables: keep it. */
enum ptx_type {
    PTX_NONE = 0,
    PTX_PRED,
    PTX_B8, PTX_B16, PTX_B32, PTX_B64, PTX_B128,
    PTX_U8, PTX_U16, PTX_U32, PTX_U64,
    PTX_S8, PTX_S16, PTX_S32, PTX_S64,
    PTX_F16, PTX_F16X2, PTX_BF16, PTX_BF16X2, PTX_TF32, PTX_F32, PTX_F64,
    PTX_TYPE_COUNT
};

/** "u32" → PTX_U32; PTX_NONE when `name` (no dot) is not a type. */
enum ptx_type ptx_type_of(const char *name);
/** Bytes of a value in memory: 1, 2, 4, 8, 16; a predicate is 1. */
unsigned ptx_type_bytes(enum ptx_type type);
/** The name without its dot. */
const char *ptx_type_name(enum ptx_type type);

/** State spaces of variables (PTX ISA 5.1). */
enum ptx_space {
    SPACE_GENERIC = 0, SPACE_REG, SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_CONST,
    SPACE_PARAM, SPACE_COUNT
};

#endif
