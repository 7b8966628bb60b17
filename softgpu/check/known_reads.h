/**
 * @file known_reads.h
 * What a warp has read the last time, by load instruction, since there was progress.
 */
#ifndef SOFTGPU_CHECK_KNOWN_READS_H
#define SOFTGPU_CHECK_KNOWN_READS_H

#include "check/fruitless_reads.h"

#define KEPT_READS 8
struct known_reads {
    const struct insn *insn[KEPT_READS];
    uint64_t seen[KEPT_READS];
    uint64_t state[KEPT_READS];     /**< loop_state() then; 0 = not asked */
    int next;
    uint64_t steps;                 /**< of progress before what is kept */
    uint64_t round;        /**< that `lanes` is about */
    uint32_t lanes;        /**< that have read what they knew */
    uint64_t period;       /**< that `idle` is about */
    uint32_t idle;         /**< lanes that have read anything but local memory */
    uint64_t local;        /**< what the warp's local memory holds, as far as it was stored to, in one word */
};

/** What a block that has ended leaves to the next one that has as many warps. */
struct known_reads_room {
    struct known_reads *of;
    int warps;
};
/** For a block that begins, whose beginning is progress: whatever is there was kept before it. The caller gives them back. */
struct known_reads *known_reads_begin(struct known_reads_room *room, int warps);
void known_reads_end(struct known_reads_room *room, struct known_reads *of, int warps);

/** What was kept before the last of so many steps of progress is forgotten. */
static inline void known_reads_since(struct known_reads *r, uint64_t steps)
{
    if (r->steps == steps)
        return;
    for (int i = 0; i < KEPT_READS; i++)
        r->insn[i] = NULL;
    r->next = 0;
    r->steps = steps;
}
/** Whether the warp has read just this (`digest`) at this instruction the last time, with the loop in the same state, if that
 *  matters: `ask`. Remembers it. */
bool known_reads_has(struct known_reads *r, const struct warp *w, const struct read_by *by, uint64_t digest, bool ask);

#endif
