/**
 * @file warp_groups.h
 * What the four warps of a group execute together: products (wgmma, PTX ISA 9.7.15.1), and how many registers they have (setmaxnreg, 9.7.19.5).
 */
#ifndef SOFTGPU_CHECK_WARP_GROUPS_H
#define SOFTGPU_CHECK_WARP_GROUPS_H

#include "execute/engine.h"

/** Most warp groups of a block. */
#define MOST_GROUPS (1024 / (WARPS_OF_GROUP * WARP_LANES))

enum group_misuse_kind {
    GROUP_IS_NOT_WHOLE,    /**< the warp `second` has not executed `in`, or not as often */
    GROUP_DIFFERS,         /**< … has executed `other` there */
    GROUP_LACKS,           /**< registers; `other` is the second largest demand, NULL: there is none */
    GROUP_UNKNOWN          /**< whether there are enough; nothing else is set */
};

/** The warp `first` of the block has executed `in`. */
struct group_misuse {
    enum group_misuse_kind kind;
    const struct insn *in, *other;
    int first, second;     /**< of a warp that there is not: its number all the same */
    unsigned together;     /**< GROUP_LACKS: what all groups have, a thread */
};

struct warp_groups;

/** `w` has executed `in`. @param groups its block's, NULL: not yet made */
void warp_groups_note(struct warp_groups **groups, const struct warp *w, const struct insn *in);
/** Of a block that has run to its end: one a group for its products, one for registers. Those are said to lack only where no order of all that the
 *  groups do would have let them have what they ask for: registers come from setmaxnreg.dec alone. @return how many */
int warp_groups_misused(const struct machine *m, const struct block *b, const struct warp_groups *groups, struct group_misuse out[MOST_GROUPS + 1]);
/** @param groups may be NULL */
void warp_groups_free(struct warp_groups *groups);

#endif
