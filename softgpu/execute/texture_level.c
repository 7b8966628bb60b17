/**
 * @file texture_level.c
 * From gradients to a level of detail, as an H200 does it: lengths are approximated, and two steps that go the same way
 * count together. The logarithm is exact here; there it is off by up to 2/256.
 */
#include <math.h>

#include "code/image_descriptions.h"
#include "execute/texture_place.h"

#define SMALLER_SHARE 0.34375   /* 11/32 */
#define TOGETHER_SHARE 0.6875   /* 11/16 */

/** About the length of a vector: its largest component, and a part of the others. */
static double length(const double v[3])
{
    double most = 0, sum = 0;
    for (int i = 0; i < 3; i++) {
        most = fmax(most, fabs(v[i]));
        sum += fabs(v[i]);
    }
    return most + SMALLER_SHARE * (sum - most);
}

/** A step in texels of level 0. */
static void step_of(const struct image_desc *d, const struct texture_request *r, const float gradient[3], double step[3])
{
    const struct texture *t = r->texture;
    const uint32_t *size = t->level[0].size;
    double at[3], by[3], st[2];
    step[0] = step[1] = step[2] = 0;
    if (!image_is_cube(d)) {
        for (unsigned i = 0; i < image_dimensions(d); i++)
            step[i] = (double)gradient[i] * (t->normalised ? size[i] : 1);
        return;
    }
    int face = texture_face(r->at, st);
    texture_face_axes(face, r->at, at);
    texture_face_axes(face, gradient, by);
    for (int i = 0; i < 2; i++)
        step[i] = (by[i] * at[2] - at[i] * by[2]) / (at[2] * at[2]) / 2 * size[0];
}

float texture_gradient_level(const struct image_desc *d, const struct texture_request *r)
{
    double x[3], y[3], sum[3], difference[3];
    step_of(d, r, r->dx, x);
    step_of(d, r, r->dy, y);
    for (int i = 0; i < 3; i++) {
        sum[i] = x[i] + y[i];
        difference[i] = x[i] - y[i];
    }
    double together = TOGETHER_SHARE * fmax(length(sum), length(difference));
    return (float)log2(fmax(fmax(length(x), length(y)), together));
}
