/**
 * @file bulk_copy.h
 * Private to execute/: contiguous bytes that a bulk copy takes from one place to another.
 */
#ifndef SOFTGPU_EXECUTE_BULK_COPY_H
#define SOFTGPU_EXECUTE_BULK_COPY_H

#include "execute/warp.h"

/** Addresses are as a lane of `in` would give them, in the spaces that its description names. */
struct bulk_piece {
    uint64_t to, from;
    uint32_t bytes;
    bool of_box;               /**< a part of a tensor's box, or of a copy by a mask: of whatever alignment */
    uint8_t type;              /**< of_box: enum ptx_type of what is reduced; 0: as the description says */
    bool flushes;              /**< sums of f32 flush subnormals */
    bool filled;               /**< nothing is read: the caller writes to to_host */
    bool continues;            /**< part of the copy that the lane's last piece was of */
    uint64_t told;             /**< 1 + the mbarrier's address; 0: a bulk group, or not said */
    bool in_sector;            /**< … and of the 32 bytes that it ended in */
    uint8_t *to_host;          /**< out */
};

/** Copies or reduces; whoever watches is told. @return false after a fault */
bool bulk_copy_piece(struct warp *w, const struct insn *in, int lane, struct bulk_piece *p);

/** The blocks of the cluster that a copy goes to, a bit each; a copy without `.multicast` goes to one, as its addresses say. */
uint32_t copy_targets(const struct warp *w, const struct copy_desc *c, int lane);
/** An address in the first of the blocks that are left. */
uint64_t copy_address(const struct warp *w, const struct copy_desc *c, uint64_t address, uint32_t left);

#endif
