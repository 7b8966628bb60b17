/**
 * @file driver_jit.h
 * Loading code with the options of the just-in-time compiler: for modules, libraries and the linker.
 */
#ifndef SOFTGPU_RUNTIME_DRIVER_JIT_H
#define SOFTGPU_RUNTIME_DRIVER_JIT_H

#include "runtime/driver/driver.h"

/** Where a program wants the logs; `…_used`: the option's value, which becomes the bytes written. */
struct driver_jit {
    char *log, *info;
    uint32_t log_bytes, info_bytes;
    void **log_used, **info_used;
    unsigned max_registers; /**< that a kernel may have which says nothing itself; 0: any number */
    bool wrong;             /**< an option has a value that it cannot have */
};

struct driver_jit driver_jit_of(unsigned count, const CUjit_option *options, void **values);
/** Loads code at an address, or of a file if `path` is not NULL; why it does not load goes to the log, or to stderr
 *  where there is none. */
CUresult driver_jit_load(const struct driver_jit *j, cudaLibrary_t *out, const void *code, const char *path);
/** Writes the logs. @param text  NULL: there is nothing to say */
void driver_jit_log(const struct driver_jit *j, const char *text);

#endif
