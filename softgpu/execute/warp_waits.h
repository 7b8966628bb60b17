/**
 * @file warp_waits.h
 * What a warp waits for: a value that it polls (vain_turns.c), and other warps at wgmma.wait_group (tensor/wgmma.c).
 */
#ifndef SOFTGPU_EXECUTE_WARP_WAITS_H
#define SOFTGPU_EXECUTE_WARP_WAITS_H

#include <stdbool.h>
#include <stdint.h>

/** Warps whose wgmma is one operation (PTX ISA 9.7.15.1), and how many of its groups may be under way. */
#define WARPS_OF_GROUP 4
#define PRODUCT_GROUPS 8

/** What a strong load or atomic has found, all its lanes at one place. */
struct warp_awaits {
    uint64_t address, value;
    uint32_t bytes, times;         /**< times: in a row that it was that */
};

/** wgmmas that a warp has carried out. */
struct warp_products {
    uint32_t count, groups;        /**< of them, and of groups of them, */
    uint32_t ends[PRODUCT_GROUPS]; /**< which end with this one; by number, modulo */
    bool waits;                    /**< at a wait, or lanes of it, for other warps */
};

#endif
