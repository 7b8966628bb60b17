/**
 * @file driver_tensor.c
 * cuTensorMapEncodeTiled: tensors that kernels copy boxes of.
 */
#include <string.h>

#include "code/tensor_map.h"
#include "runtime/driver/driver.h"

/** PTX's numbers of element types, which those of cuda.h are not. */
static const uint8_t numbers[] = {
    [CU_TENSOR_MAP_DATA_TYPE_UINT8] = 0,    [CU_TENSOR_MAP_DATA_TYPE_UINT16] = 1,       [CU_TENSOR_MAP_DATA_TYPE_UINT32] = 2,
    [CU_TENSOR_MAP_DATA_TYPE_INT32] = 3,    [CU_TENSOR_MAP_DATA_TYPE_UINT64] = 4,       [CU_TENSOR_MAP_DATA_TYPE_INT64] = 5,
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT16] = 6,  [CU_TENSOR_MAP_DATA_TYPE_FLOAT32] = 7,      [CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ] = 8,
    [CU_TENSOR_MAP_DATA_TYPE_FLOAT64] = 9,  [CU_TENSOR_MAP_DATA_TYPE_BFLOAT16] = 10,    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32] = 11,
    [CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ] = 12,
};

/** One dimension's numbers. `stride`: to the next element of the dimension, NULL of the first. @return false if they do not fit
 *  into a map */
static bool put_dimension(struct tensor_map *t, int i, cuuint64_t size, const cuuint64_t *stride, cuuint32_t box, cuuint32_t step)
{
    if (!size || size > 1ull << 32 || box > UINT16_MAX || (i && step > UINT8_MAX))
        return false;
    t->last[i] = (uint32_t)(size - 1);
    t->box[i] = (uint16_t)box;
    t->step[i] = (uint8_t)(i ? step : 1);
    if (stride)
        t->stride[i] = *stride;
    return true;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map t = {.magic = TENSOR_MAP_MAGIC, .rank = (uint8_t)rank, .address = (uintptr_t)address};
    const struct tensor_element *element = (unsigned)type < sizeof numbers ? tensor_element(numbers[type]) : NULL;
    (void)promotion;
    if (!out || (uintptr_t)out % 64 || !rank || rank > TENSOR_RANK || !sizes || !box || !steps ||
        (rank > 1 && !strides))
        return CUDA_ERROR_INVALID_VALUE;
    if (!element || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE ||
        swizzle > CU_TENSOR_MAP_SWIZZLE_128B) {
        runtime_say("cuTensorMapEncodeTiled with this element type, interleaving or swizzle is not supported by softgpu");
        return CUDA_ERROR_NOT_SUPPORTED;
    }
    tensor_map_set_element(&t, element);
    t.swizzle = (uint8_t)swizzle;
    t.fills_nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE;
    for (cuuint32_t i = 0; i < rank; i++)
        if (!put_dimension(&t, (int)i, sizes[i], i ? &strides[i - 1] : NULL, box[i], steps[i]))
            return CUDA_ERROR_INVALID_VALUE;
    if (!tensor_map_is_sound(&t))
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
