/**
 * @file frame.h
 * What one activation of a function holds: registers behind a header, and its part of the lane's local memory.
 */
#ifndef SOFTGPU_CODE_FRAME_H
#define SOFTGPU_CODE_FRAME_H

#include "code/insn.h"

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

/*
 * Lane-local storage of one activation, from local_base on: [.local variables | formal parameters
 * and result | .param variables of the calls it makes]. All offsets below are from local_base; the
 * total is function->local_bytes. ld.param/st.param of those are decoded as SPACE_LOCAL accesses
 * with `frame_relative` set; an entry's own parameters stay SPACE_PARAM: offset into grid->params.
 */

#endif
