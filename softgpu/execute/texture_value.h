/**
 * @file texture_value.h
 * Private to execute/: from texels, as they lie in memory, to a fetch's results.
 */
#ifndef SOFTGPU_EXECUTE_TEXTURE_VALUE_H
#define SOFTGPU_EXECUTE_TEXTURE_VALUE_H

#include <stdint.h>

#include "memory/texture_object.h"

/**
 * One channel of `count` texels, filtered.
 * @param texel  where each lies; NULL is the border's colour
 * @return the bits of a result's register; of a channel that the texture does not have, and of no texel, 0
 */
uint32_t texture_value(const struct texture *t, const uint8_t *const *texel, const uint16_t *weight, int count, int channel);

#endif
