/**
 * @file tensor.h
 * Private to execute/: what all lanes of a warp do together with matrices in their registers. Handlers run once all
 * lanes that have not exited are there (meet.c), with w->mask as those, and read every operand before they write.
 */
#ifndef SOFTGPU_EXECUTE_TENSOR_TENSOR_H
#define SOFTGPU_EXECUTE_TENSOR_TENSOR_H

#include "code/fragment.h"
#include "execute/access.h"
#include "execute/meeting.h"
#include "execute/warp.h"

/** Between a part's registers and a matrix, its lines one after another. d's are those of PART_D. (mma.c) */
void tensor_gather(const struct warp *w, const struct tensor_desc *t, enum tensor_part p, uint64_t *out);
void tensor_scatter(const struct warp *w, const struct tensor_desc *t, const uint64_t *from);
/** Where a sparse a's elements stand along k, by the metadata, which is the last register that is read. (mma.c) */
void tensor_places(const struct warp *w, const struct tensor_desc *t, uint8_t *place);

/** Is it a wgmma.wait_group for products that the other warps of the group have not all come to? (wgmma.c) */
bool tensor_awaits_others(const struct warp *w, const struct insn *in);
/** The warp has come to one more product, or has left the kernel: those of its group that wait for no more go on. */
void tensor_others_go_on(const struct warp *w);
/** Of wmma.load and wmma.store: a running lane that gives another address or stride than the first; else -1. */
int tensor_other_matrix(const struct warp *w, const struct insn *in);
/** A warp's part of wgmma's product: a's pieces, NULL where it is in registers, and b's; `adds`: to what d holds. @return false: nothing has been done, nor can be
 *  in this way (wgmma_tiles.c) */
bool tensor_wgmma_by_tiles(const struct warp *w, const struct tensor_desc *t, const uint8_t *const *a, const uint8_t *const *b, bool adds);
/** Executes it for all lanes that have met at it. Their groups stay what they are. */
void tensor_apply(struct warp *w, const struct meeting *m);

/** Of wmma.load and wmma.store, by a whole warp that means one matrix: where it begins, elements from line to line. @return false: lanes part (direct.c) */
bool tensor_is_one_matrix(const struct warp *w, const struct insn *in, uint64_t *address, uint32_t *stride);
/** Is nobody told of what the running warp, a whole one, accesses? Then matrices may go between registers and memory at once. (direct.c) */
bool tensor_is_direct(const struct warp *w);
/** The same of a load, also where someone would be told but for its memory's being quiet (quiet_shared.h). */
bool tensor_reads_directly(struct warp *w, const struct insn *in);
/** Of one access of a matrix, `in`, or of a row of one: `bytes` bytes from `address` on, elements of `aligned`. NULL: lane by lane, which tells why not. */
uint8_t *tensor_place(struct warp *w, const struct insn *in, uint64_t address, uint64_t bytes, unsigned aligned);
/** The same where somebody is told, in the block's own shared memory or one allocation. @return false: lane by lane */
bool tensor_place_told(struct warp *w, const struct insn *in, uint64_t address, uint64_t bytes, unsigned aligned, struct place *out);

/** A word of shared memory for each lane of a whole warp, which may load them: told, as access_load_at() does it. `again`: nothing but `first` has changed
 *  since the last one. Sets *heard: somebody wants to hear in what register they are received. @return NULL: nothing has been done (told.c) */
const uint32_t *tensor_load_words(struct warp *w, const struct insn *piece, uint32_t first, const uint32_t at[WARP_LANES], bool again, bool *heard);
void tensor_received_words(struct warp *w, uint32_t reg);

/** One register of every lane; REG_NONE: a sink. */
static inline void tensor_put(const struct warp *w, const struct tensor_desc *t, uint32_t reg, const uint64_t values[WARP_LANES])
{
    if (reg == REG_NONE)
        return;
    void *r = warp_reg(w, reg);
    if (w->mask == UINT32_MAX && t->width == 4) {
        for (int lane = 0; lane < WARP_LANES; lane++)
            ((uint32_t *)r)[lane] = (uint32_t)values[lane];
        return;
    }
    for (int lane = 0; lane < WARP_LANES; lane++)
        if (w->mask >> lane & 1) {
            if (t->width == 8)
                ((uint64_t *)r)[lane] = values[lane];
            else
                ((uint32_t *)r)[lane] = (uint32_t)values[lane];
        }
}

static inline uint64_t tensor_get(const struct warp *w, const struct tensor_desc *t, uint32_t reg, int lane)
{
    const void *r = warp_reg(w, reg);
    return t->width == 8 ? ((const uint64_t *)r)[lane] : ((const uint32_t *)r)[lane];
}

#endif
