/**
 * @file tensor_map.h
 * What the 128 bytes of a CUtensorMap hold here: made by cuTensorMapEncodeTiled or …Im2col, changed by tensormap.replace, read by tensor
 * copies. To programs they are opaque, and no GPU would know them.
 */
#ifndef SOFTGPU_CODE_TENSOR_MAP_H
#define SOFTGPU_CODE_TENSOR_MAP_H

#include <stdbool.h>
#include <stdint.h>

#define TENSOR_RANK 5
#define TENSOR_PIXEL_RANK 3       /**< dimensions of a picture: all but the first (channels) and the last (pictures) */
#define TENSOR_MAP_BYTES 128
#define TENSOR_MAP_MAGIC 0x544d6170u

struct tensor_map {
    uint32_t magic;
    uint8_t rank;
    uint8_t element;              /**< bytes */
    uint8_t type;                 /**< enum ptx_type */
    uint8_t swizzle;              /**< log2 of the span of bytes within which pieces of 16 change places, less 4; 0: none */
    uint8_t fills_nan;            /**< elements outside are NaN, not zero */
    uint8_t to_tf32;              /**< of f32: what is loaded is rounded to tf32 */
    uint8_t flushes;              /**< of f32: sums flush subnormals */
    uint8_t im2col;               /**< copies go over pixels, row by row of the picture within its bounds, and over pictures */
    uint8_t step[TENSOR_RANK];    /**< between the elements that are taken; not of the first dimension */
    uint16_t box[TENSOR_RANK];    /**< elements that a copy goes over; im2col: [0] channels, [1] pixels */
    int32_t lower[TENSOR_PIXEL_RANK]; /**< im2col: the first pixel along dimension 1 and up, */
    int32_t upper[TENSOR_PIXEL_RANK]; /**< and the last one, counted from the picture's last */
    uint32_t last[TENSOR_RANK];   /**< index of the last element */
    uint64_t address;
    uint64_t stride[TENSOR_RANK]; /**< bytes; [0]: of an element */
};

_Static_assert(sizeof(struct tensor_map) <= TENSOR_MAP_BYTES, "an opaque CUtensorMap has 128 bytes");

/** A type of elements, */
struct tensor_element {
    uint8_t type, bytes;          /**< as in struct tensor_map */
    bool flushes, to_tf32;
};
/** by the number that tensormap.replace has for it; NULL: not supported. */
const struct tensor_element *tensor_element(uint64_t number);
/** Gives the map elements of this type. */
void tensor_map_set_element(struct tensor_map *t, const struct tensor_element *e);
/** Do the fields fit each other, within the limits of cuda.h? */
bool tensor_map_is_sound(const struct tensor_map *t);

/** Is it a dimension of im2col's pictures? */
static inline bool tensor_is_pixel(const struct tensor_map *t, int dimension)
{
    return t->im2col && dimension && dimension < t->rank - 1;
}

/** Elements that a copy takes along a dimension; im2col: pixels are all in the second. */
static inline uint32_t tensor_count(const struct tensor_map *t, int dimension)
{
    if (t->im2col)
        return dimension < 2 ? t->box[dimension] : 1;
    return dimension ? (uint32_t)(t->box[dimension] + t->step[dimension] - 1) / t->step[dimension] : t->box[0];
}

/** Bytes of shared memory from one row of a box to the next: a swizzled row takes its whole span, as an H200 has it
 *  (tests/runtime/map_changes.cu); what it does not fill is left alone. */
static inline uint32_t tensor_pitch(const struct tensor_map *t)
{
    return t->swizzle ? 16u << t->swizzle : (uint32_t)t->box[0] * t->element;
}

/** Bytes that a copy of a whole box brings, or takes. */
static inline uint32_t tensor_box_bytes(const struct tensor_map *t)
{
    uint32_t bytes = t->element;
    for (int i = 0; i < t->rank; i++)
        bytes *= tensor_count(t, i);
    return bytes;
}

/** Where a byte of a box goes: the address's bits from 7 on move its 16-byte piece within the span. */
static inline uint64_t tensor_swizzled(const struct tensor_map *t, uint64_t address)
{
    uint64_t pieces = (1u << t->swizzle) - 1;
    return address ^ ((address >> 7 & pieces) << 4);
}

#endif
