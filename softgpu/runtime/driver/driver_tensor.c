/**
 * @file driver_tensor.c
 * cuTensorMapEncodeTiled: tensors that kernels copy boxes of. The limits are those of cuda.h.
 */
#include <string.h>

#include "code/tensor_map.h"
#include "parse/types.h"
#include "runtime/driver/driver.h"

#define MOST_BOX 256
#define MOST_STEP 8

static const struct {
    uint8_t type, bytes;
    bool real, flushes, to_tf32;
} elements[] = {
    [CU_TENSOR_MAP_DATA_TYPE_UINT8] = {PTX_U8, 1, false},     [CU_TENSOR_MAP_DATA_TYPE_UINT16] = {PTX_U16, 2, false},
    [CU_TENSOR_MAP_DATA_TYPE_UINT32] = {PTX_U32, 4, false},   [CU_TENSOR_MAP_DATA_TYPE_INT32] = {PTX_S32, 4, false},
    [CU_TENSOR_MAP_DATA_TYPE_UINT64] = {PTX_U64, 8, false},   [CU_TENSOR_MAP_DATA_TYPE_INT64] = {PTX_S64, 8, false},
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = {PTX_F16, 2, true},   [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = {PTX_F32, 4, true},
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = {PTX_F64, 8, true},   [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = {PTX_BF16, 2, true},
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = {PTX_F32, 4, true, .flushes = true},
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32] = {PTX_F32, 4, true, .to_tf32 = true},
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ] = {PTX_F32, 4, true, .flushes = true, .to_tf32 = true},
};

/** One dimension's numbers. `stride`: to the next element of the dimension, NULL of the first. */
static bool dimension_fits(struct tensor_map *t, int i, cuuint64_t size, const cuuint64_t *stride, cuuint32_t box,
                           cuuint32_t step)
{
    if (!size || size > 1ull << 32 || !box || box > MOST_BOX || (i && (!step || step > MOST_STEP)) ||
        (stride && (*stride % 16 || *stride >= 1ull << 40)))
        return false;
    t->last[i] = (uint32_t)(size - 1);
    t->box[i] = (uint16_t)box;
    t->step[i] = (uint8_t)(i ? step : 1);
    t->stride[i] = stride ? *stride : t->element;
    return true;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map t = {.magic = TENSOR_MAP_MAGIC, .rank = (uint8_t)rank, .address = (uintptr_t)address};
    (void)promotion;
    if (!out || (uintptr_t)out % 64 || !rank || rank > TENSOR_RANK || (uintptr_t)address % 16 || !sizes || !box || !steps ||
        (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    if ((unsigned)type >= sizeof elements / sizeof elements[0] || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        swizzle > CU_TENSOR_MAP_SWIZZLE_128B) {
        runtime_say("cuTensorMapEncodeTiled with this element type, interleaving or swizzle is not supported by softgpu");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    t.element = elements[type].bytes;
    t.type = elements[type].type;
    t.to_tf32 = elements[type].to_tf32;
    t.flushes = elements[type].flushes;
    t.swizzle = (uint8_t)swizzle;
    t.fills_nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    for (cuuint32_t i = 0; i < rank; i++)
        if (!dimension_fits(&t, (int)i, sizes[i], i ? &strides[i - 1] : NULL, box[i], steps[i]))
            return CUDA_ERROR_INVALID_VALUE;
    uint32_t row = (uint32_t)t.box[0] * t.element;
    if (row % 16 || (swizzle && row > 16u << t.swizzle) || (t.fills_nan && !elements[type].real))
        return CUDA_ERROR_INVALID_VALUE;
    memset(out, 0, sizeof *out);
    memcpy(out, &t, sizeof t);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
    struct tensor_map t;
    if (!map || (uintptr_t)address % 16)
        return CUDA_ERROR_INVALID_VALUE;
    memcpy(&t, map, sizeof t);
    if (t.magic != TENSOR_MAP_MAGIC)
        return CUDA_ERROR_INVALID_VALUE;
    t.address = (uintptr_t)address;
    memcpy(map, &t, sizeof t);
    return CUDA_SUCCESS;
}
