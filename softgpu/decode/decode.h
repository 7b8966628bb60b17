/**
 * @file decode.h
 * From a parsed module to a decoded program.
 */
#ifndef SOFTGPU_DECODE_DECODE_H
#define SOFTGPU_DECODE_DECODE_H

#include "base/diag.h"
#include "code/image.h"
#include "parse/module.h"

/** Gives module variables their addresses; implemented by memory/. */
struct variable_placer {
    /** Reserves `bytes` of global or const memory and returns the device address, 0 if full. */
    uint64_t (*place)(void *self, const char *name, enum ptx_space space, uint64_t bytes,
                      unsigned align, bool managed);
    /** Copies initial bytes to a placed address. */
    void (*fill)(void *self, uint64_t address, const void *bytes, uint64_t count);
    void *self;
};

/**
 * Decodes a parsed module: takes ownership of `m` (also on failure).
 * Unknown instructions and forms give DIAG_UNSUPPORTED with their PTX line, but only for functions
 * that some entry can reach, or when the entry is launched: decode records the diagnostic in a
 * trapping instruction, so that a module with one exotic kernel can still run its others.
 * What comes out does not run yet: image_bind() of execute/bind.h chooses the handlers.
 */
struct image *image_decode(struct ptx_module *m, const struct variable_placer *placer,
                           struct diag *d);

#endif
