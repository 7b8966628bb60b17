/**
 * @file target.h
 * Which devices PTX runs on (PTX ISA 11.1.2: .target).
 */
#ifndef SOFTGPU_RUNTIME_TARGET_H
#define SOFTGPU_RUNTIME_TARGET_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Whether PTX for `target` runs on a device of compute capability `sm` (90: 9.0).
 * @param suffix  'a' (sm_90a): on that one alone; 'f' (sm_100f): on its family, that and later ones of the
 *                same major number; 0: on that and all later ones
 */
static inline bool target_runs_on(int64_t target, char suffix, int sm)
{
    switch (suffix) {
    case 'a': return target == sm;
    case 'f': return target <= sm && target / 10 == sm / 10;
    default: return target <= sm;
    }
}

#endif
