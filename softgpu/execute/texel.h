/**
 * @file texel.h
 * Private to execute/: the object that a lane names, and the bytes of texels.
 */
#ifndef SOFTGPU_EXECUTE_TEXEL_H
#define SOFTGPU_EXECUTE_TEXEL_H

#include "code/descriptions.h"
#include "execute/access.h"
#include "memory/texture_object.h"

/** The object of a lane's handle, if it is one for this instruction. @return NULL after a fault */
const struct texture *texel_object(struct warp *w, const struct insn *in, int lane);
/** The object of a handle, if it is one for this instruction; NULL otherwise, and no fault. */
const struct texture *texel_object_fits(struct warp *w, const struct insn *in, uint64_t handle);
/** Says that an object is not to be used so. @return NULL */
const struct insn *texel_misuse(struct warp *w, const struct insn *in, int lane, const char *why);

/** One texel, or a part of one, of each lane in `mask`. */
struct texels {
    uint32_t mask;
    uint64_t address[WARP_LANES];
    uint8_t bytes[WARP_LANES][16];
};
/** Describes the access as checkers are told of it: elements, and the registers that they go to or come from. What it returns is
 *  the worker's, or in checked runs, which have one, the instruction's: checkers keep it. */
struct insn *texel_access(struct warp *w, const struct insn *in, unsigned bytes, unsigned count, const uint32_t *reg);
/** Reads them. @return false after a fault */
bool texel_load(struct warp *w, const struct insn *in, struct texels *t);
/** Writes them. @return false after a fault */
bool texel_store(struct warp *w, const struct insn *in, struct texels *t);
/** Where a lane's texel is, for an atomic. */
bool texel_place(struct warp *w, const struct insn *in, int lane, uint64_t address, bool write, struct place *out);

#endif
