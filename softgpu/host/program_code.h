/**
 * @file program_code.h
 * Whose code an address is in: the program's, the C and C++ libraries', softgpu's own. May be asked in a signal handler.
 */
#ifndef SOFTGPU_HOST_PROGRAM_CODE_H
#define SOFTGPU_HOST_PROGRAM_CODE_H

#include <stdbool.h>
#include <stdint.h>

/** Looks at what has been loaded: once, and not in a signal handler. */
void program_code_learn(void);
/** Whether it is in the program, or in a library that is none of those. */
bool program_code_is(uint64_t address);
bool program_code_is_ours(uint64_t address);

#endif
