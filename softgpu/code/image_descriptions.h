/**
 * @file image_descriptions.h
 * What accesses of textures and surfaces keep in insn->extra; see descriptions.h.
 */
#ifndef SOFTGPU_CODE_IMAGE_DESCRIPTIONS_H
#define SOFTGPU_CODE_IMAGE_DESCRIPTIONS_H

#include "code/insn.h"

/** tex, tld4, suld, sust, sured: extra is a struct image_desc; dst2 is the predicate "all texels are resident". */
enum image_geometry { IMAGE_1D, IMAGE_2D, IMAGE_3D, IMAGE_A1D, IMAGE_A2D, IMAGE_CUBE, IMAGE_ACUBE };
enum image_level { LEVEL_BASE, LEVEL_GIVEN, LEVEL_GRADIENT };
enum image_boundary { BOUNDARY_TRAP, BOUNDARY_CLAMP, BOUNDARY_ZERO };
/** Its registers: reads, up to IMAGE_RESULT, then writes. Layers come apart from coordinates. */
enum image_register {
    IMAGE_HANDLE, IMAGE_LAYER, IMAGE_COORDINATE, IMAGE_LOD = IMAGE_COORDINATE + 3, IMAGE_DX, IMAGE_DY = IMAGE_DX + 3,
    IMAGE_OFFSET = IMAGE_DY + 3, IMAGE_STORED = IMAGE_OFFSET + 3, IMAGE_RESULT = IMAGE_STORED + 4,
    IMAGE_REGISTERS = IMAGE_RESULT + 4
};
struct image_desc {
    uint8_t geometry, level, boundary;
    bool gathers;              /**< tld4 */
    uint8_t component;         /**< of tld4 */
    bool whole;                /**< coordinates are integers */
    bool formatted;            /**< sust.p, sured.p: by the surface's channels; else x counts bytes */
    uint8_t type;              /**< enum ptx_type of a result, or of what is stored */
    uint8_t bytes, count;      /**< of a surface access: an element, and how many */
    uint8_t atom;              /**< of sured: enum atom_op */
    uint8_t reg_bytes;         /**< of a result, or of what is stored */
    uint32_t reg[IMAGE_REGISTERS];  /**< REG_NONE where it has none */
    struct insn *texel;        /**< scratch: the access to one texel, as checkers see it */
};

static inline unsigned image_dimensions(const struct image_desc *d)
{
    static const uint8_t n[] = {[IMAGE_1D] = 1, [IMAGE_2D] = 2, [IMAGE_3D] = 3, [IMAGE_A1D] = 1, [IMAGE_A2D] = 2,
                                [IMAGE_CUBE] = 3, [IMAGE_ACUBE] = 3};
    return n[d->geometry];
}

static inline bool image_is_layered(const struct image_desc *d)
{
    return d->geometry == IMAGE_A1D || d->geometry == IMAGE_A2D || d->geometry == IMAGE_ACUBE;
}

static inline bool image_is_cube(const struct image_desc *d)
{
    return d->geometry == IMAGE_CUBE || d->geometry == IMAGE_ACUBE;
}

/** isspacep: dst := (src[0] lies in the window of mem.space). */

#endif
