/**
 * @file liveness.h
 * Which part of a function's text each register's value lives in.
 *
 * Each lane runs the function as a scalar program on its own element of every slot, so scalar liveness
 * is right however lanes diverge. A guarded write leaves some lanes' old values: it is a use as well.
 */
#ifndef SOFTGPU_ANALYSE_LIVENESS_H
#define SOFTGPU_ANALYSE_LIVENESS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyse/blocks.h"

/** Where a register's value is needed: instruction i reads at 2i, reads late and writes at 2i + 1. */
struct interval {
    uint32_t start, end;          /**< inclusive; start UINT32_MAX: never used */
    bool unset;                   /**< some way from the beginning reads it before it writes it */
};

/** Fills one interval for each register of the source. A function that is too large gets intervals
 *  from 0 to UINT32_MAX, and no register of it is `unset`. */
void liveness_intervals(const struct flow_source *s, struct interval *live);

/** By instruction, the registers whose value is read where it begins, or later: one bit each, (registers + 63) / 64 words, from zeros. @return false: the function is too large */
bool liveness_sets(const struct flow_source *s, uint64_t *sets);

#endif
