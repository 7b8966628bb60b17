/**
 * @file jit_options.c
 * The options are an array of names and one of values, or of places for values. Those that tune code mean nothing here, but for the
 * registers that a kernel may have, which its attributes tell; of the others the logs are filled.
 */
#include "runtime/code/jit_options.h"

#include <cuda.h>
#include <driver_types.h>
#include <string.h>

#include "runtime/code/register_bound.h"

struct jit_options jit_options_of(unsigned count, const unsigned *options, void **values)
{
    struct jit_options j = {0};
    for (unsigned i = 0; options && values && i < count; i++)
        switch (options[i]) {
        case cudaJitErrorLogBuffer:
            j.log = values[i];
            break;
        case cudaJitErrorLogBufferSizeBytes:
            j.log_bytes = (uint32_t)(uintptr_t)values[i];
            j.log_used = &values[i];
            break;
        case cudaJitInfoLogBuffer:
            j.info = values[i];
            break;
        case cudaJitInfoLogBufferSizeBytes:
            j.info_bytes = (uint32_t)(uintptr_t)values[i];
            j.info_used = &values[i];
            break;
        case cudaJitMaxRegisters: /* an H100's driver refuses 0 */
            j.max_registers = (uint32_t)(uintptr_t)values[i];
            j.wrong |= !j.max_registers;
            j.max_registers = j.max_registers < REGISTER_BOUND_LEAST ? REGISTER_BOUND_LEAST : j.max_registers;
            break;
        case cudaJitWallTime:
            values[i] = NULL; /* 0.0 ms: nothing is compiled */
            break;
        default:
            j.wrong |= options[i] >= CU_JIT_NUM_OPTIONS;
            break;
        }
    return j;
}

/* The values become the numbers of bytes that were written. */
void jit_options_log(const struct jit_options *j, const char *text)
{
    size_t bytes = text ? strlen(text) : 0;
    if (j->log && j->log_bytes) {
        if (bytes >= j->log_bytes)
            bytes = j->log_bytes - 1;
        memcpy(j->log, text ? text : "", bytes);
        j->log[bytes] = '\0';
    }
    if (j->log_used)
        *j->log_used = (void *)(uintptr_t)(j->log ? bytes : 0);
    if (j->info && j->info_bytes)
        j->info[0] = '\0';
    if (j->info_used)
        *j->info_used = NULL;
}
