/**
 * @file fast_texture.h
 * Private to execute/: fetches of which nobody is told, all lanes at once.
 */
#ifndef SOFTGPU_EXECUTE_FAST_TEXTURE_H
#define SOFTGPU_EXECUTE_FAST_TEXTURE_H

#include "execute/warp.h"
#include "memory/texture_object.h"

/**
 * Fetches by the running lanes of `in` from `t`, which all of them name and which fits the instruction.
 * @return false where it has to be done lane by lane; then nothing has been done
 */
bool fast_texture(struct warp *w, const struct insn *in, const struct texture *t, uint32_t result[4][WARP_LANES]);

#endif
