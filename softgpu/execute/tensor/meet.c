/**
 * @file meet.c
 * Bringing the lanes of a warp together for what is `.sync.aligned`: wmma, mma, ldmatrix, stmatrix, movmatrix, wgmma,
 * setmaxnreg, tensormap.cp_fenceproxy. All of them execute the same instruction (PTX ISA 9.7.14); a lane that has left the kernel, or was never there, makes
 * the result undefined, which the mask checker tells. Here such lanes are not waited for.
 */
#include "execute/access.h"
#include "execute/engine.h"
#include "execute/handlers.h"
#include "execute/tensor/tensor.h"
#include "execute/warp_run.h"
#include "execute/worker.h"

static handler_fn action_of(const struct insn *in)
{
    switch (insn_row(in)) {
    case ROW_wmma_load:
        return tensor_wmma_load;
    case ROW_wmma_store:
        return tensor_wmma_store;
    case ROW_ldmatrix:
        return tensor_ldmatrix;
    case ROW_stmatrix:
        return tensor_stmatrix;
    case ROW_movmatrix:
        return tensor_movmatrix;
    case ROW_wgmma_mma:
        return tensor_wgmma;
    case ROW_wgmma_fence:
    case ROW_wgmma_commit:
    case ROW_wgmma_wait:
        return tensor_wgmma_group;
    case ROW_setmaxnreg:
        return tensor_setmaxnreg;
    case ROW_map_copy:
        return tensor_map_copied;
    default:
        return tensor_mma;
    }
}

int tensor_other_matrix(const struct warp *w, const struct insn *in)
{
    uint64_t address;
    uint32_t same;
    bool map = insn_row(in) == ROW_map_copy, matrix = map || insn_row(in) == ROW_wmma_load || insn_row(in) == ROW_wmma_store;
    int first = __builtin_ctz(w->mask);
    if (!matrix || (!map && tensor_is_one_matrix(w, in, &address, &same)))
        return -1;
    const uint32_t *stride = map || in->src[1] == REG_NONE ? NULL : warp_reg(w, in->src[1]);
    EACH_LANE(lane, w->mask)
    if (lane_address(w, in, lane) != lane_address(w, in, first) || (stride && stride[lane] != stride[first]))
        return lane;
    return -1;
}

/** Tells of those that come, unless it is a whole warp that means one matrix. */
static void tell_arrival(struct warp *w, const struct insn *in)
{
    uint32_t members[WARP_LANES];
    if (!warp_machine(w)->checked || (w->mask == UINT32_MAX && tensor_other_matrix(w, in) < 0))
        return;
    for (int lane = 0; lane < WARP_LANES; lane++)
        members[lane] = UINT32_MAX;
    OBSERVE(&warp_machine(w)->observers, warp_arrive, w, in, members);
}

const struct insn *op_tensor(struct warp *w, const struct insn *in)
{
    tell_arrival(w, in);
    bool awaits = tensor_awaits_others(w, in);
    if (!(w->live & ~w->mask) && !awaits)
        return action_of(in)(w, in);
    w->products.waits |= awaits;
    w->has_products |= awaits;
    w->block->awaits_products |= awaits;
    w->groups[w->current].members = UINT32_MAX;
    warp_stop(w, in, in, GROUP_AT_WARP_SYNC);
    warp_sync_settle(w);
    return NULL;
}

void tensor_apply(struct warp *w, const struct meeting *m)
{
    uint8_t *frame = w->frame;
    uint32_t offset = w->frame_offset, mask = w->mask;
    w->frame = m->party[0].frame;
    w->frame_offset = (uint32_t)(m->party[0].frame - w->file);
    warp_set_mask(w, m->lanes);
    action_of(m->party[0].in)(w, m->party[0].in);
    w->frame = frame;
    w->frame_offset = offset;
    warp_set_mask(w, mask);
}
