/**
 * @file launch_limit.h
 * The limit that a refused launch is beyond, and its words.
 */
#ifndef SOFTGPU_REPORT_LAUNCH_LIMIT_H
#define SOFTGPU_REPORT_LAUNCH_LIMIT_H

#include <stddef.h>
#include <stdint.h>

enum launch_limit_kind {
    LIMIT_DIMENSIONS,  /**< of every device's grids and blocks */
    LIMIT_THREADS,     /**< of a block, as the kernel says */
    LIMIT_REQUIRED,    /**< the block's shape, as the kernel says */
    LIMIT_SHARED,      /**< bytes of dynamic shared memory */
    LIMIT_SM,          /**< not even one block fits an SM */
    LIMIT_COOPERATIVE, /**< blocks that are on the device at once */
    LIMIT_CLUSTER
};

struct launch_limit {
    enum launch_limit_kind kind;
    uint64_t most; /**< of LIMIT_THREADS, LIMIT_SHARED and LIMIT_COOPERATIVE */
};

/** "a block of this kernel has at most 128 threads (__launch_bounds__)": no capital, no full stop. */
void launch_limit_words(const struct launch_limit *limit, char *out, size_t size);

#endif
