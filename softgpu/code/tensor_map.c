/**
 * @file tensor_map.c
 * See tensor_map.h. The limits are those of cuda.h.
 */
#include "code/tensor_map.h"

#include <stddef.h>

#include "parse/types.h"

#define MOST_BOX 256
#define MOST_PIXELS 1024
#define MOST_STEP 8
#define SWIZZLE_128B 3

/** As PTX numbers them (9.7.9.28); cuda.h has other numbers. */
static const struct tensor_element elements[] = {
    {.type = PTX_U8, .bytes = 1},
    {.type = PTX_U16, .bytes = 2},
    {.type = PTX_U32, .bytes = 4},
    {.type = PTX_S32, .bytes = 4},
    {.type = PTX_U64, .bytes = 8},
    {.type = PTX_S64, .bytes = 8},
    {.type = PTX_F16, .bytes = 2},
    {.type = PTX_F32, .bytes = 4},
    {.type = PTX_F32, .bytes = 4, .flushes = true},
    {.type = PTX_F64, .bytes = 8},
    {.type = PTX_BF16, .bytes = 2},
    {.type = PTX_F32, .bytes = 4, .to_tf32 = true},
    {.type = PTX_F32, .bytes = 4, .flushes = true, .to_tf32 = true},
};

const struct tensor_element *tensor_element(uint64_t number)
{
    return number < sizeof elements / sizeof elements[0] ? &elements[number] : NULL;
}

void tensor_map_set_element(struct tensor_map *t, const struct tensor_element *e)
{
    t->element = e->bytes;
    t->type = e->type;
    t->flushes = e->flushes;
    t->to_tf32 = e->to_tf32;
    t->stride[0] = e->bytes;
}

static bool is_real(const struct tensor_map *t)
{
    return t->type == PTX_F16 || t->type == PTX_BF16 || t->type == PTX_F32 || t->type == PTX_F64;
}

/** Bits that a bound has along each dimension of a picture, and that there is a pixel within it. */
static bool bounds_are_sound(const struct tensor_map *t)
{
    int32_t most = t->rank == 3 ? 1 << 15 : t->rank == 4 ? 1 << 7 : 1 << 4;
    if (t->rank < 3 || !t->box[1] || t->box[1] > MOST_PIXELS)
        return false;
    for (int i = 0; i < t->rank - 2; i++)
        if (t->lower[i] < -most || t->lower[i] >= most || t->upper[i] < -most || t->upper[i] >= most ||
            t->lower[i] > (int64_t)t->last[i + 1] + t->upper[i])
            return false;
    return true;
}

bool tensor_map_is_sound(const struct tensor_map *t)
{
    if (!t->rank || t->rank > TENSOR_RANK || !t->element || t->address % 16 || t->swizzle > SWIZZLE_128B ||
        (t->fills_nan && !is_real(t)))
        return false;
    for (int i = 0; i < t->rank; i++)
        if (((!t->im2col || !i) && (!t->box[i] || t->box[i] > MOST_BOX)) || !t->step[i] || t->step[i] > MOST_STEP ||
            (i && (t->stride[i] % 16 || t->stride[i] >= 1ull << 40)))
            return false;
    if (t->im2col && !bounds_are_sound(t))
        return false;
    uint32_t row = (uint32_t)t->box[0] * t->element;
    return row % 16 == 0 && (!t->swizzle || row <= 16u << t->swizzle);
}
