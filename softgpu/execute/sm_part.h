/**
 * @file sm_part.h
 * Part of a device's SMs: a grid that has one runs on no other.
 */
#ifndef SOFTGPU_EXECUTE_SM_PART_H
#define SOFTGPU_EXECUTE_SM_PART_H

#include <stdbool.h>
#include <stdint.h>

/** No device model has more SMs. */
#define MAX_SMS 256

struct sm_part {
    int count;
    uint16_t sms[MAX_SMS];         /**< ascending, from 0 on each device */
    bool has[MAX_SMS];
};

/** How many SMs of `all` a part has; NULL: all. */
static inline int sm_part_count(const struct sm_part *p, int all)
{
    return p ? p->count : all;
}

static inline bool sm_part_has(const struct sm_part *p, int sm)
{
    return !p || p->has[sm];
}

#endif
