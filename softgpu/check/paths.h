/**
 * @file paths.h
 * Ways through a function's code, from one instruction to another. Calls are passed over, and what a
 * guard decides is taken both ways.
 */
#ifndef SOFTGPU_CHECK_PATHS_H
#define SOFTGPU_CHECK_PATHS_H

#include "code/image.h"

enum path {
    PATH_NONE,
    PATH_AHEAD,  /**< without a branch backwards */
    PATH_ROUND,  /**< only by way of one: a loop comes round */
};

/** Ends a way at this instruction; `from` is not asked. */
typedef bool (*path_end_fn)(const struct insn *in, const void *context);

/** Is there a way from behind `from` to `to` that does not pass an instruction at which it ends? */
enum path path_find(const struct function *f, const struct insn *from, const struct insn *to,
                    path_end_fn ends, const void *context);
/** The first instruction of a site in the image; NULL if none. */
const struct insn *path_site(const struct image *im, uint32_t site);

#endif
