/**
 * @file owner.c
 * cvta of local and shared memory (PTX ISA 9.7.9.20): a generic address says whose it is.
 */
#include "execute/engine.h"
#include "execute/fault.h"
#include "execute/handlers.h"
#include "execute/owner.h"
#include "execute/worker.h"

const struct insn *op_cvta_local(struct warp *w, const struct insn *in)
{
    const uint64_t *from = warp_reg(w, in->src[0]);
    uint64_t *to = warp_reg(w, in->dst);
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (w->lane_mask[lane])
            to[lane] = in->imm ? from[lane] % OWNER_BYTES : LOCAL_WINDOW + owner_of_lane(w, lane) * OWNER_BYTES + from[lane];
    return in + 1;
}

/** Of another block's shared memory only the generic address says so: what it is made into leads into one's own, as on a GPU. */
static uint64_t to_shared(struct warp *w, const struct insn *in, int lane, uint64_t generic)
{
    uint64_t address = generic;
    if (generic_resolve(&address) != SPACE_SHARED)
        return generic - SHARED_WINDOW;
    uint64_t owner = generic_owner_of(generic), own;
    if (!owner && !(address >> SHARED_RANK_SHIFT))
        return address;
    own = owner_of_block(w->block);
    if (!owner || owner == own)
        return owner_without_rank(w->block, address);
    if (warp_machine(w)->checked)
        fault_note(w, in, lane, &(struct fault){.cause = CAUSE_OTHERS_SHARED, .space = SPACE_SHARED, .address = address % SHARED_WINDOW_BYTES,
                                                .facts = {.number = generic_launches_differ(owner, own)}});
    return address % SHARED_WINDOW_BYTES;
}

const struct insn *op_cvta_shared(struct warp *w, const struct insn *in)
{
    const struct block *b = w->block;
    const uint64_t *from = warp_reg(w, in->src[0]);
    uint64_t *to = warp_reg(w, in->dst), window = in->imm ? 0 : SHARED_WINDOW + owner_of_block(b) * OWNER_BYTES;
    for (int lane = 0; lane < WARP_LANES; lane++) {
        if (!w->lane_mask[lane])
            continue;
        if (in->imm)
            to[lane] = to_shared(w, in, lane, from[lane]);
        else
            to[lane] = window + (from[lane] >> SHARED_RANK_SHIFT || b->cluster->count == 1 ? from[lane] : cluster_ranked(from[lane], b->rank));
    }
    return in + 1;
}
