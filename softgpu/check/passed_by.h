/**
 * @file passed_by.h
 * Lanes that went round a place where others of their warp wait for them.
 */
#ifndef SOFTGPU_CHECK_PASSED_BY_H
#define SOFTGPU_CHECK_PASSED_BY_H

#include "code/frame.h"
#include "execute/engine.h"

/** The registers of a function's call, that begin at `frame`. */
const struct frame_header *frame_at(const struct warp *w, uint32_t frame);
/** The lanes among `others` that `g` waits for and that went round `place`, where it waits. */
uint32_t passed_by(const struct warp *w, const struct group *g, const struct insn *place, uint32_t others);
/** Do lanes meet there, or may they, in a function that is called? */
bool may_meet_at(const struct insn *in);
/** A branch at which lanes that are at `where` now, in the kernel itself, have gone round `place`, as far as the code tells, with nothing
 *  behind that at which lanes meet; NULL: none. It may be another one than that at which the warp has parted last. */
const struct insn *round_by(const struct function *f, const struct insn *place, const struct insn *where);
/** Where a group is in the kernel itself: at `pc`, or at the call that has led there. */
const struct insn *place_in_kernel(const struct warp *w, const struct group *g);

struct place_in_function {
    const struct insn *at; /**< an instruction of the function, or its call that has led on */
    bool known;            /**< false: the group is not in the function, nor in what that has called */
    bool goes_on;          /**< the function has been called, and whoever called it has more to do behind it than leave */
};
/** Where a group is in a function, if it is there at all. */
struct place_in_function place_in_function(const struct warp *w, const struct group *g, const struct function *f);

#endif
