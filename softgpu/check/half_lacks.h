/**
 * @file half_lacks.h
 * Private to the checkers, in files that define AT_LEVEL (base/sixteen.h): is what lanes read known to hold something?
 */
#ifndef SOFTGPU_CHECK_HALF_LACKS_H
#define SOFTGPU_CHECK_HALF_LACKS_H

#include "base/sixteen.h"

/** In a map of a bit a byte, behind whose end three bytes may be read: of the lanes `mask` of a half, whose words begin at bytes `at`, multiples of 4, those whose words
 *  lack bits; of the other lanes, anything. */
VECTORS static inline uint32_t half_lacks(const uint8_t *bits, uint32_t mask, sixteen at)
{
    const sixteen four = sixteen_all(4), word = sixteen_all(0xf);
    sixteen cells = sixteen_down_each(sixteen_gather(mask, bits, sixteen_down(at, 3)), sixteen_and(at, four));
    return sixteen_differ(sixteen_and(cells, word), word);
}

#endif
