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

/** What a lane that takes no part gives to a shuffle in checked runs. */
#define GIVEN_BY_NOBODY 0xc5c5c5c5u

#define EACH_LANE(lane, mask)                                                                      \
    for (int lane = 0; lane < WARP_LANES; lane++)                                                  \
        if ((mask) >> lane & 1)

/* Each takes the operands from the lanes' registers and puts the results there. */
void apply_shfl(struct warp *w, const struct meeting *m);
void apply_vote(struct warp *w, const struct meeting *m);
void apply_match(struct warp *w, const struct meeting *m);
void apply_redux(struct warp *w, const struct meeting *m);
void apply_elect(struct warp *w, const struct meeting *m);

/** What one lane brings: shfl's value, lane and clamp; a vote; the value of match and redux. */
struct brought {
    uint64_t a;
    uint32_t b, c;
};

/* For a lane that runs alone (grid_config.lone), by way of what all would bring. */

/** What the lane brings to the instruction that it stands at. */
struct brought meeting_brings(const struct warp *w, const struct insn *in, int lane);
/** What `lane` gets where `lanes` meet: its result, and in bit 32 its predicate. `from` has all lanes of the warp. */
uint64_t meeting_gets(const struct insn *in, uint32_t lanes, const struct brought *from, int lane);
/** The lanes of the only party take such a result. */
void meeting_takes(struct warp *w, const struct meeting *m, uint64_t what);

#endif
