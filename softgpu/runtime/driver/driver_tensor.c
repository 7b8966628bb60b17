/**
 * @file driver_tensor.c
 * cuTensorMapEncodeTiled and …Im2col: tensors that kernels copy boxes of, and pictures whose pixels they copy.
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

/** What both kinds of map have. @return whether `t` has its element type, swizzle and filling; else `*r` is the answer */
static bool begin_map(struct tensor_map *t, const char *call, cuuint32_t rank, void *address, CUtensorMapDataType type,
                      CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle, CUtensorMapFloatOOBfill fill, CUresult *r)
{
    const struct tensor_element *element = (unsigned)type < sizeof numbers ? tensor_element(numbers[type]) : NULL;
    *t = (struct tensor_map){.magic = TENSOR_MAP_MAGIC, .rank = (uint8_t)rank, .address = (uintptr_t)address,
                             .swizzle = (uint8_t)swizzle, .fills_nan = fill != CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE};
    *r = CUDA_ERROR_INVALID_VALUE;
    bool later = type >= CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B || swizzle > CU_TENSOR_MAP_SWIZZLE_128B; /* of devices of 10.0 and up */
    if (!rank || rank > TENSOR_RANK || (unsigned)type > CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B ||
        (unsigned)swizzle > CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B || (unsigned)interleave > CU_TENSOR_MAP_INTERLEAVE_32B ||
        (later && runtime.device->major < 10))
        return false;
    if (!element || interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || swizzle > CU_TENSOR_MAP_SWIZZLE_128B) {
        runtime_say("%s with this element type, interleaving or swizzle is not supported by softgpu", call);
        *r = CUDA_ERROR_NOT_SUPPORTED;
        return false;
    }
    tensor_map_set_element(t, element);
    return true;
}

/* Anywhere: an H200's driver asks for no alignment, whatever cuda.h says of the type. */
static CUresult end_map(void *out, const struct tensor_map *t)
{
    if (!tensor_map_is_sound(t))
        return CUDA_ERROR_INVALID_VALUE;
    memset(out, 0, sizeof(CUtensorMap));
    memcpy(out, t, sizeof *t);
    return CUDA_SUCCESS;
}

CUresult cuTensorMapEncodeTiled(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *sizes, const cuuint64_t *strides, const cuuint32_t *box,
                                const cuuint32_t *steps, CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map t;
    CUresult r;
    (void)promotion;
    if (!out || !sizes || !strides || !box || !steps)
        return CUDA_ERROR_INVALID_VALUE;
    if (!begin_map(&t, "cuTensorMapEncodeTiled", rank, address, type, interleave, swizzle, fill, &r))
        return r;
    for (cuuint32_t i = 0; i < rank; i++)
        if (!put_dimension(&t, (int)i, sizes[i], i ? &strides[i - 1] : NULL, box[i], steps[i]))
            return CUDA_ERROR_INVALID_VALUE;
    return end_map(out, &t);
}

/** The bounds are of W, H and D in this order, as an H200 has it; cuda.h names them the other way round. */
CUresult cuTensorMapEncodeIm2col(CUtensorMap *out, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                 const cuuint64_t *sizes, const cuuint64_t *strides, const int *lower, const int *upper,
                                 cuuint32_t channels, cuuint32_t pixels, const cuuint32_t *steps,
                                 CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                 CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill)
{
    struct tensor_map t;
    CUresult r;
    (void)promotion;
    if (!out || !sizes || !strides || !lower || !upper || !steps || rank < 3)
        return CUDA_ERROR_INVALID_VALUE;
    if (!begin_map(&t, "cuTensorMapEncodeIm2col", rank, address, type, interleave, swizzle, fill, &r))
        return r;
    t.im2col = true;
    for (cuuint32_t i = 0; i < rank; i++)
        if (!steps[i] || steps[i] > 8 ||
            !put_dimension(&t, (int)i, sizes[i], i ? &strides[i - 1] : NULL, i == 0 ? channels : i == 1 ? pixels : 1, steps[i]))
            return CUDA_ERROR_INVALID_VALUE;
    for (cuuint32_t i = 0; i + 2 < rank; i++) {
        t.lower[i] = lower[i];
        t.upper[i] = upper[i];
    }
    return end_map(out, &t);
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
