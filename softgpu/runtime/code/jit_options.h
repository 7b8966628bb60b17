/**
 * @file jit_options.h
 * Options of the just-in-time compiler, of both APIs, in which they have the same numbers (cudaJit…, CU_JIT_…).
 */
#ifndef SOFTGPU_RUNTIME_JIT_OPTIONS_H
#define SOFTGPU_RUNTIME_JIT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/** Where a program wants the logs; `…_used`: the option's value, which becomes the bytes written. */
struct jit_options {
    char *log, *info;
    uint32_t log_bytes, info_bytes;
    void **log_used, **info_used;
    unsigned max_registers; /**< that a kernel may have which says nothing itself; 0: any number */
    bool wrong;             /**< an option has a value that it cannot have */
};

struct jit_options jit_options_of(unsigned count, const unsigned *options, void **values);
/** Writes the logs. @param text  NULL: there is nothing to say */
void jit_options_log(const struct jit_options *j, const char *text);

#endif
