/**
 * @file driver_jit.h
 * Loading code with the options of the just-in-time compiler: for modules, libraries and the linker.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_JIT_H
#define SOFTGPU_RUNTIME_DRIVER_JIT_H

#include "runtime/code/library.h"
#include "runtime/driver/driver.h"

/** Loads code at an address, or of a file if `path` is not NULL; why it does not load goes to the log, or to stderr
 *  where there is none. */
CUresult driver_jit_load(const struct jit_options *j, enum library_form form, cudaLibrary_t *out, const void *code, const char *path);

#endif
