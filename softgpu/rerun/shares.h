/**
 * @file shares.h
 * The launches of a program share the runs and searches that nobody asked for (bounds.h). A launch like one that has been looked into already may
 * use half of a share, so that a loop of launches leaves the other half to what comes behind it; and a launch unlike all of those, for which
 * nothing is left, has been looked into less than it would be alone: that is said.
 */
#ifndef SOFTGPU_RERUN_SHARES_H
#define SOFTGPU_RERUN_SHARES_H

#include <stdbool.h>
#include <stdint.h>

struct replay;
struct rerun;

enum share {
    SHARE_FURTHER,   /**< FURTHER_PROGRAM */
    SHARE_MODEL,     /**< MODEL_LAUNCHES, MODEL_POINTS */
    SHARE_DRAWN      /**< SMALL_PROGRAM */
};

/** May the launch have more, of so much in all, of which `used` has been used? The last run is one that counts. */
bool share_is_left(const struct rerun *r, const struct replay *replay, enum share share, uint64_t used, uint64_t all);
/** The launch has been looked into. */
void share_taken(struct rerun *r, const struct replay *replay, enum share share);
/** It has not, or not to the end, as too little is left: says so, unless one like it has been. */
void share_missed(struct rerun *r, const struct replay *replay, enum share share);

#endif
