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
    uint64_t whole[KEPT_READS];     /**< the same of all loops around it; 0 = not asked */
    int next;
    uint64_t steps;                 /**< of progress before what is kept */
    uint64_t round;        /**< that `lanes` is about */
    uint32_t lanes;        /**< that have read what they knew, */
    uint32_t repeats;      /**< and of these those that go round as they did before: known_reads_repeat() */
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
/** After known_reads_has() of the same read has said yes, and has asked: do the lanes go round, and will do so for ever as long as memory is what it is? They
 *  stand in loops of the kernel itself, all that decides these is what it was the last time, and they have called, and met, nobody since: so they will not the
 *  next time either. Known of loops without calls, arrivals and the like; of their barriers the caller is told, and forgets all, of meetings of lanes by known_reads_meet(). */
bool known_reads_repeat(struct known_reads *r, const struct warp *w, const struct read_by *by);
/** Lanes of the warp come to where they meet others. */
void known_reads_meet(struct known_reads *r);
/** What lanes have done in a round, or in a period. */
enum part { READ_IDLY, READ_WHAT_THEY_KNEW, REPEAT_THEMSELVES };
static inline uint32_t known_reads_lanes(const struct known_reads *r, enum part part, uint64_t when)
{
    if (!r || (part == READ_IDLY ? r->period : r->round) != when)
        return 0;
    return part == READ_IDLY ? r->idle : part == REPEAT_THEMSELVES ? r->repeats : r->lanes;
}
/** In that round `lanes` have read what they knew; they repeat themselves. */
static inline void known_reads_note(struct known_reads *r, uint64_t round, uint32_t lanes, bool repeats)
{
    if (r->round != round)
        r->lanes = r->repeats = 0;
    r->round = round;
    r->lanes |= lanes;
    r->repeats |= repeats ? lanes : 0;
}
/** Whether all lanes that can run have done so in that round, or that period: one that only computes would not, and it may store something in the end. A warp
 *  has its known_reads in that slot of its `check`. */
bool known_reads_of_all(const struct machine *m, int slot, enum part part, uint64_t when);

#endif
