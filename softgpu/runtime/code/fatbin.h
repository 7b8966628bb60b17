/**
 * @file fatbin.h
 * Fat binaries: nvcc's container of PTX and machine code for several architectures.
 *
 * The format is not documented; these facts were measured on nvcc 13.0's output (docs). Input is
 * hostile: every length is checked against the bytes that are there.
 */
#ifndef SOFTGPU_RUNTIME_FATBIN_H
#define SOFTGPU_RUNTIME_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/diag.h"

#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_WRAPPER_MAGIC 0x466243b1u

/** What a compiled program passes to `__cudaRegisterFatBinary`. */
struct fatbin_wrapper {
    uint32_t magic, version;  /**< version 1: one fat binary; 2: parts that need linking */
    const void *data;         /**< version 2: what the program was linked to as machine code; may be empty */
    const void *extra;        /**< version 2: the parts, fat binaries, and a NULL behind the last */
};

enum fatbin_status {
    FATBIN_OK,
    FATBIN_BROKEN,   /**< not a fat binary, or damaged */
    FATBIN_NO_PTX,   /**< well-formed, but with machine code only */
    FATBIN_TOO_NEW,  /**< all its PTX is for later architectures than the device */
};

struct fatbin_ptx {
    char *text;      /**< owned by the caller: free() it; NUL-terminated; behind it what -maxrregcount bounds (register_bound.h) */
    size_t bytes;
    int sm;          /**< e.g. 80 */
    int major, minor;/**< PTX ISA version */
};

/**
 * Takes the PTX that suits a device best: that of the highest architecture not above `sm`.
 * @param data   the container, from its header on
 * @param limit  bytes that may be read from `data`; SIZE_MAX for a loaded program's own, whose
 *               header gives the size
 * @param d      filled with a sentence unless FATBIN_OK
 */
enum fatbin_status fatbin_find_ptx(const void *data, size_t limit, int sm, struct fatbin_ptx *out,
                                   struct diag *d);
/** Whether it holds NVIDIA's device runtime library. */
bool fatbin_is_device_runtime(const void *data, size_t limit);

#endif
