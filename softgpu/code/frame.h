/**
 * @file frame.h
 * What one activation of a function holds: registers behind a header, and its part of the lane's local memory.
 */
#ifndef SOFTGPU_CODE_FRAME_H
#define SOFTGPU_CODE_FRAME_H

#include "code/image.h"

/**
 * At the start of every frame. A function's registers follow it, so decode's first register offset
 * is sizeof(struct frame_header). Per lane, because lanes of different callers may share a frame
 * position.
 */
struct frame_header {
    const struct insn *return_pc[WARP_LANES];
    uint32_t caller_frame[WARP_LANES];   /**< its frame offset in the register file */
    uint32_t local_base[WARP_LANES];     /**< this activation's place in the lane's local memory */
};

/** What a predicate takes of a frame: its lanes' bits are the first four bytes. */
#define FLAG_BYTES 64

/** Between an activation's .local variables and what is none of theirs; nobody has business there. */
#define LOCAL_GAP 32u

/*
 * Lane-local storage of one activation, from local_base on: [gap | .local variables | gap | formal parameters
 * and result | .param variables of the calls it makes]; no gaps where there are no .local variables, none before a kernel's, and none
 * behind those of a kernel that calls nothing. All offsets below are from
 * local_base; the total is function->local_bytes. ld.param/st.param of those are decoded as SPACE_LOCAL accesses
 * with `frame_relative` set; an entry's own parameters stay SPACE_PARAM: offset into grid->params.
 */

/** What an activation needs of a lane's local memory, without the gaps, which a GPU does not have. */
static inline uint32_t function_local_size(const struct function *f)
{
    return f->local_bytes - f->local_gaps;
}

#endif
