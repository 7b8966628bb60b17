/**
 * @file lane_values.h
 * Private to execute/: values of single lanes, to and from registers and memory.
 */
#ifndef SOFTGPU_EXECUTE_LANE_VALUES_H
#define SOFTGPU_EXECUTE_LANE_VALUES_H

#include <string.h>

#include "execute/warp.h"

#define FOR_LANES(lane, mask)                                                                      \
    for (uint32_t left_ = (mask), lane = 0; left_ && (lane = (uint32_t)__builtin_ctz(left_), 1);   \
         left_ &= left_ - 1)

/** Does something for each lane of a mask; a whole warp's lanes may go side by side. */
#define ALL_LANES(mask, ...)                                                                       \
    if ((mask) == UINT32_MAX)                                                                      \
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {                                       \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    else                                                                                           \
        FOR_LANES(lane, mask)                                                                      \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }

static inline uint64_t read_bytes(const uint8_t *host, unsigned bytes)
{
    uint64_t v = 0;
    memcpy(&v, host, bytes);
    return v;
}

/** Value of lane `lane` of a register of `bytes` bytes (2, 4, 8), zero-extended. */
static inline uint64_t reg_read(const struct warp *w, uint32_t reg, unsigned bytes, int lane)
{
    const void *r = warp_reg(w, reg);
    switch (bytes) {
    case 1:
    case 2:
        return ((const uint16_t *)r)[lane];
    case 4:
        return ((const uint32_t *)r)[lane];
    default:
        return ((const uint64_t *)r)[lane];
    }
}

static inline void reg_write(const struct warp *w, uint32_t reg, unsigned bytes, int lane,
                             uint64_t value)
{
    void *r = warp_reg(w, reg);
    switch (bytes) {
    case 1:
    case 2:
        ((uint16_t *)r)[lane] = (uint16_t)value;
        break;
    case 4:
        ((uint32_t *)r)[lane] = (uint32_t)value;
        break;
    default:
        ((uint64_t *)r)[lane] = value;
        break;
    }
}

/** Second half of a 128-bit register. */
static inline uint64_t *reg_high(const struct warp *w, uint32_t reg)
{
    return (uint64_t *)warp_reg(w, reg) + WARP_LANES;
}

/** A loaded value as the register receives it. */
static inline uint64_t extend(const struct mem_desc *d, uint64_t v)
{
    if (!d->sign_extend || d->bytes >= 8)
        return v;
    unsigned shift = 64 - 8u * d->bytes;
    return (uint64_t)((int64_t)(v << shift) >> shift);
}

/** One element into its register. A 16-byte element's high half goes to the second row. */
static inline void put_element(struct warp *w, const struct mem_desc *d, uint32_t reg, int lane,
                        const uint64_t value[2])
{
    if (reg == REG_NONE)
        return;
    if (d->bytes == 16 || d->reg_bytes == 16) {
        ((uint64_t *)warp_reg(w, reg))[lane] = value[0];
        reg_high(w, reg)[lane] = d->bytes == 16 ? value[1] : 0;
    } else {
        reg_write(w, reg, d->reg_bytes, lane, extend(d, value[0]));
    }
}

static inline void get_element(const struct warp *w, const struct mem_desc *d, uint32_t reg, int lane,
                        uint64_t value[2])
{
    value[0] = value[1] = 0;
    if (reg == REG_NONE)
        return;
    value[0] = reg_read(w, reg, d->reg_bytes, lane);
    if (d->reg_bytes == 16)
        value[1] = reg_high(w, reg)[lane];
    if (d->bytes < 8)
        value[0] &= (1ull << 8 * d->bytes) - 1;
}

#endif
