/**
 * @file meeting.h
 * Lanes of a warp that meet in one instruction: warp_sync.c brings them together, meeting.c computes what
 * each of them gets.
 */
#ifndef SOFTGPU_EXECUTE_MEETING_H
#define SOFTGPU_EXECUTE_MEETING_H

#include "code/insn.h"

/** A group that takes part, and where its registers are. */
struct party {
    const struct insn *in;
    uint32_t mask;
    uint8_t *frame;
};

struct meeting {
    struct party party[WARP_LANES];
    int count;
    uint32_t lanes;        /**< of all parties */
    uint32_t members;      /**< that the instruction names: who is not among them is undefined, and gets
                                no order from it */
};

#define EACH_LANE(lane, mask)                                                                      \
    for (int lane = 0; lane < WARP_LANES; lane++)                                                  \
        if ((mask) >> lane & 1)

/* Each takes the operands from the lanes' registers and puts the results there. */
void apply_shfl(struct warp *w, const struct meeting *m);
void apply_vote(struct warp *w, const struct meeting *m);
void apply_match(struct warp *w, const struct meeting *m);
void apply_redux(struct warp *w, const struct meeting *m);
void apply_elect(struct warp *w, const struct meeting *m);

#endif
