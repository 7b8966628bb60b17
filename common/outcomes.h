/**
 * @file outcomes.h
 * What `softgpu --exhaustive` found, for harnesses of cases with `exhaustive: true`.
 *
 * Under --exhaustive softgpu runs each launch in every way that the memory model allows and writes
 * one line for each distinct final content of the memory that the launch wrote. A harness that asks
 * for a prediction takes these lines for the answer in the reference's run, and what the student's
 * kernel predicts in the student's.
 */
#ifndef COMMON_OUTCOMES_H
#define COMMON_OUTCOMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Distinct final contents of one allocation: `count` rows of `width` 32-bit words. */
struct outcomes {
    uint32_t *words; /**< owned; outcomes_free() */
    size_t count, width;
};

/** Whether launches are run in every way: on softgpu under --exhaustive, never on a real GPU. */
bool outcomes_wanted(void);

/**
 * All outcomes so far of launches of a kernel; wait for the launches first. Ends the process with
 * HARNESS_USAGE if there are none, if softgpu did not try everything, or if the kernel wrote to
 * more than one allocation, whose contents would have to be told apart.
 */
struct outcomes outcomes_of(const char *kernel);
void outcomes_free(struct outcomes *o);

#endif
