/**
 * @file types.c
 * The fundamental types of PTX (PTX ISA 5.2): one row each, used for names and sizes alike.
 */
#include "parse/types.h"

#include <string.h>

static const struct {
    const char *name;
    unsigned bytes;
} types[PTX_TYPE_COUNT] = {
    [PTX_NONE] = {"", 0},        [PTX_PRED] = {"pred", 1},
    [PTX_B8] = {"b8", 1},        [PTX_B16] = {"b16", 2},
    [PTX_B32] = {"b32", 4},      [PTX_B64] = {"b64", 8},
    [PTX_B128] = {"b128", 16},   [PTX_U8] = {"u8", 1},
    [PTX_U16] = {"u16", 2},      [PTX_U32] = {"u32", 4},
    [PTX_U64] = {"u64", 8},      [PTX_S8] = {"s8", 1},
    [PTX_S16] = {"s16", 2},      [PTX_S32] = {"s32", 4},
    [PTX_S64] = {"s64", 8},      [PTX_F16] = {"f16", 2},
    [PTX_F16X2] = {"f16x2", 4},  [PTX_BF16] = {"bf16", 2},
    [PTX_BF16X2] = {"bf16x2", 4}, [PTX_TF32] = {"tf32", 4},
    [PTX_F32] = {"f32", 4},      [PTX_F64] = {"f64", 8},
};

enum ptx_type ptx_type_of(const char *name)
{
    for (int t = PTX_NONE + 1; t < PTX_TYPE_COUNT; t++)
        if (strcmp(name, types[t].name) == 0)
            return (enum ptx_type)t;
    return PTX_NONE;
}

unsigned ptx_type_bytes(enum ptx_type type)
{
    return types[type].bytes;
}

const char *ptx_type_name(enum ptx_type type)
{
    return types[type].name;
}
