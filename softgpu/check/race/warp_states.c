/**
 * @file warp_states.c
 * What is known of a block's warps as it begins; its room is kept from one block to the next.
 */
#include <assert.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clear.h"
#include "check/race/race.h"

void warp_states_begin(struct block_state *bs)
{
    struct spare_state *spare = &bs->race->spare;
    bool fits = spare->warps && spare->warp_count == bs->warp_count;
    bs->warps = fits ? spare->warps : aligned_alloc(_Alignof(struct warp_state), (size_t)bs->warp_count * sizeof *bs->warps);
    assert(bs->warps);
    if (fits)
        spare->warps = NULL;
    for (struct warp_state *ws = bs->warps, *behind = ws + bs->warp_count; ws < behind; ws++) {
        warp_set_time(ws, 1);
        clear(&ws->warp_uniform, offsetof(struct warp_state, stored_at) - offsetof(struct warp_state, warp_uniform));
    }
}

void warp_states_end(struct block_state *bs)
{
    struct spare_state *spare = &bs->race->spare;
    free(spare->warps);
    spare->warps = bs->warps;
    spare->warp_count = bs->warp_count;
}
