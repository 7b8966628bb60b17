/**
 * @file launch_stubs.h
 * Memory that is not the student's, though it lies in the student's program: the variables of the
 * functions that nvcc writes for each kernel launch.
 *
 * Every launch of a kernel sets one and the same variable there (`__f` of CUDA's crt/host_runtime.h), so that two
 * threads that launch the same kernel have a data race by the letter, of nvcc's and not of theirs.
 */
#ifndef COMMON_LAUNCH_STUBS_H
#define COMMON_LAUNCH_STUBS_H

#include <stdbool.h>
#include <stdint.h>

/** Does a variable of a launch stub lie at this address? Not thread-safe: the caller holds a lock. */
bool launch_stub_owns(uintptr_t at);

#endif
