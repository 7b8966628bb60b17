/**
 * @file texture_place.h
 * Private to execute/: from coordinates to texels and their weights.
 */
#ifndef SOFTGPU_EXECUTE_TEXTURE_PLACE_H
#define SOFTGPU_EXECUTE_TEXTURE_PLACE_H

#include "code/descriptions.h"
#include "execute/numerics/texture_filter.h"
#include "memory/texture_object.h"

/** What a lane asks for. */
struct texture_request {
    const struct texture *texture;
    float at[3];
    int32_t whole, layer, offset[3];
    float lod, dx[3], dy[3];
};

/** The texels that go into a result. */
struct texture_taps {
    int count;
    uint64_t address[TEXTURE_TAPS];  /**< 0: the border's colour */
    uint16_t weight[TEXTURE_TAPS];
};

/** The texels of a fetch. */
void texture_place(const struct image_desc *d, const struct texture_request *r, struct texture_taps *taps);
/** The four texels of a gather: they come counter-clockwise from the lower left. */
void texture_place_gather(const struct texture_request *r, struct texture_taps *taps);
/** The level that gradients give. */
float texture_gradient_level(const struct image_desc *d, const struct texture_request *r);
/** A direction's components along a face, and towards it. */
void texture_face_axes(int face, const float v[3], double out[3]);
/** Which face a direction hits (+x, -x, +y, -y, +z, -z), and where: `st` from 0 to 1. */
int texture_face(const float direction[3], double st[2]);

#endif
