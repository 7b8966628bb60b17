/**
 * @file result_use.h
 * Does the program look at what a call returns? Read from the machine code behind the call (x86-64).
 */
#ifndef SOFTGPU_HOST_RESULT_USE_H
#define SOFTGPU_HOST_RESULT_USE_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Whether the result of the call under way that returns to `address` is certainly not looked at: the register that
 * holds it is overwritten first, here or, where it is passed on, in the callers. To be asked before the call returns.
 * @return false wherever that is not certain, and on other processors
 */
bool result_ignored(const void *address);

/** The same for code alone: up to where its function returns. RESULT_PASSED_ON: on some way it is, on all others ignored. */
enum result_fate { RESULT_MAY_BE_USED, RESULT_IGNORED, RESULT_PASSED_ON };
enum result_fate result_fate(const uint8_t *pc);

#endif
