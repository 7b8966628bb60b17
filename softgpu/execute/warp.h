/**
 * @file warp.h
 * A warp in flight: 32 lanes with a program counter each, registers in structure-of-arrays form.
 *
 * Lanes with the same program counter and frame form a group, and a group executes together under
 * its mask. Groups are kept in one small array; the running one is copied out into the warp's hot
 * fields (mask, lane_mask, frame). See execute/README.md for the scheduling rules.
 */
#ifndef SOFTGPU_EXECUTE_WARP_H
#define SOFTGPU_EXECUTE_WARP_H

#include "base/mix.h"
#include "code/image.h"
#include "execute/warp_waits.h"
#include "options/observer_slots.h"

/** Objects of global memory beyond these are not counted one by one. */
#define MAX_OBJECT_USES 24

/** Accesses of compiled code to rows that are told from each other where what comes next is fetched ahead. */
#define WARP_STREAMS 8

enum group_state {
    GROUP_READY,
    GROUP_AT_BARRIER,    /**< arrived at a block barrier */
    GROUP_AT_WARP_SYNC,  /**< waits for the other lanes of a member mask */
    GROUP_SLEEPING,      /**< nanosleep, or yielded after a spin */
    GROUP_AT_ALIGNED,    /**< at barrier.cluster.arrive.aligned, until the warp's other lanes come */
    GROUP_AT_CLUSTER,    /**< at barrier.cluster.wait, which it executes again */
    GROUP_AT_GRID,       /**< at griddepcontrol.wait, which it executes again */
    GROUP_ENDLESS,       /**< in a loop without a way out: it never does anything again */
};

/** Lanes that share a program counter. */
struct group {
    const struct insn *pc;
    uint32_t frame;        /**< byte offset of its frame in the register file */
    uint32_t mask;
    uint8_t state;         /**< enum group_state */
    uint8_t barrier;       /**< GROUP_AT_BARRIER: which */
    uint32_t members;      /**< GROUP_AT_WARP_SYNC: the lanes it waits for */
    uint64_t wake;         /**< GROUP_SLEEPING: machine time */
    const struct insn *parted, *parted_to; /**< the branch at which it parted from others, and where it
                              went; NULL: it has met others since */
    uint32_t parted_others; /**< the lanes that went the other way */
};

struct warp {
    /* A warp that begins, or goes on behind a barrier, touches what stands before `check`, `lane_mask` apart: few cache lines, as a block has many. */
    uint8_t *frame;                 /**< registers of the current activation */
    uint8_t *constants;             /**< constant area, filled once per slot */
    uint32_t mask;                  /**< lanes that execute */
    uint32_t active;                /**< how many */
    struct block *block;
    int index;                      /**< warp number in its block */
    uint32_t live;                  /**< lanes that exist and have not exited */
    uint32_t full;                  /**< lanes that exist: the last warp may be partial */
    int group_count;
    int current;                    /**< index of the running group, -1 while none runs */
    const struct insn *limit;       /**< run while the next instruction lies below this */
    int32_t lane_mask[WARP_LANES] __attribute__((aligned(64)));  /**< 0 or -1, same as `mask` */

    /* Up to `run_start` all is 0 as the warp begins. `instructions` and `lane_instructions` have others between them, or compilers add them up as
     * one vector, for which a processor waits until what was stored one by one has reached the cache. */
    uint64_t instructions;          /**< warp instructions issued */
    const struct insn *accessed;    /**< the last access to memory, in the kernel itself, that observers have been told of; NULL: none */
    int64_t fuel;                   /**< backward branches left in this turn of the group */
    int64_t reserve;                /**< the warp's fuel beyond the group's */
    int64_t polled_away;            /**< fuel that polling has cost since the warp last yielded */
    uint64_t lane_instructions;     /**< `instructions` times active lanes */
    uint16_t turn_atomics;          /**< executed in the present turn; goes round */
    uint16_t gave_way;              /**< in backward order: so often it has let all others have their turn before its next act (gives_way()) */
    uint32_t arrived_lanes;         /**< lanes counted at the barrier they wait at */
    uint16_t clock_reads;           /**< in a row, with hardly anything in between; no more than there is room for */
    bool acted;                     /**< in backward and strict order: by an atomic or a strong store since all others had their turn */
    bool preempted;                 /**< the schedule ends its turn here */
    bool diverged;                  /**< it has been found so at the barrier that it waits at */
    bool polled;                    /**< read the same again since the last backward branch */
    bool parked;                    /**< it has been preempted behind the warp's first atomic */
    uint8_t passed_over;            /**< turns of it, or of its block's, in vain, that were not taken since its last (vain_turns.c) */
    int64_t priority;               /**< the schedule's own */
    uint64_t waited;                /**< clocks that reads of the clock and sleeping took */
    uint64_t clock_read_at;         /**< `instructions` at the last read of the clock */
    struct warp_awaits awaits;
    uint32_t yielded_lanes;         /**< lanes of groups that had their turn in this round */
    uint32_t cluster_arrived, cluster_passed; /**< lanes at the cluster's barrier in its phase; in the one before, which is complete, that have not waited */
    uint32_t worked;                /**< lanes that used global memory */

    const struct insn *run_start;   /**< instructions before it are counted already */
    const struct insn *kept;        /**< where compiled code goes on: right behind a barrier at which it left its registers, or at the kernel's beginning; NULL: nowhere */
    struct warp_look look;
    struct warp_through through;
    struct worker *worker;          /**< the host thread that runs the block */
    const bool *closely;            /**< never NULL; true there: observers that only look closely want `issue` of each instruction */
    /* The executor's own (execute/engine.h says what they mean). */
    uint8_t *file;                  /**< whole register file */
    uint32_t file_bytes;
    uint32_t frame_offset;          /**< of `frame` in `file` */
    bool unwatched;                 /**< nobody looks at single instructions, nor counts them for the turn's end: compiled code may run many at once */
    uint8_t rows;                   /**< at a barrier where compiled code has left: how many rows of its block the warp is, if its registers
                                         are known to have that form (compile/form.h); 0: nothing is known */
    bool has_polled;                /**< `polls` is not empty */
    bool has_errors;                /**< some of `errors` may not be 0 */
    bool has_products;              /**< `products` is not as it began */
    bool local_top_moved;           /**< since the warp began; else all of it is `local_began` */
    uint32_t local_began;
    uint32_t local_stride;
    int activation_count;
    struct activation *activations; /**< who occupies which part of the register file */
    uint8_t *local;                 /**< local memory, lane after lane, `local_stride` apart */
    uint32_t *thread_id[3];         /**< %tid.x, .y, .z of each lane */
    int activation_capacity;
    struct group groups[WARP_LANES] __attribute__((aligned(64)));

    void *check[OBSERVER_SLOTS];    /**< by observer index */
    const uint8_t *stream[WARP_STREAMS]; /**< where compiled code's last accesses to rows were, by site, for prefetching */
    struct polled polls[1 << POLLED_BITS][POLLED_ROW]; /**< recent strong reads, by place: what a spinning loop repeats */
    struct warp_products products;
    uint32_t local_top[WARP_LANES]; /**< first unused byte of each lane's local memory */
    uint64_t object_uses[MAX_OBJECT_USES]; /**< of the grid's `uses`, one a thread and access; with --counters only */
    int errors[WARP_LANES];         /**< what cudaGetLastError() returns to each */
};

/** The instruction a group stands at: one that waits at a barrier resumes behind it. */
static inline const struct insn *group_stands_at(const struct group *g)
{
    return g->state == GROUP_AT_BARRIER ? g->pc - 1 : g->pc;
}

/** What a register of `width` bytes (1: a predicate; 16: hashed) at `slot` holds for one lane. */
static inline uint64_t warp_lane_word(const void *slot, unsigned width, int lane)
{
    const uint64_t *wide = slot;
    switch (width) {
    case 1:
        return *(const uint32_t *)slot >> lane & 1;
    case 2:
        return ((const uint16_t *)slot)[lane];
    case 4:
        return ((const uint32_t *)slot)[lane];
    case 16:
        return mix_in(wide[lane], wide[WARP_LANES + lane]);
    default:
        return wide[lane];
    }
}

/** Address of register `offset` (frame or constant area). */
static inline void *warp_reg(const struct warp *w, uint32_t offset)
{
    return offset & CONST_BIT ? w->constants + (offset & ~CONST_BIT) : w->frame + offset;
}

/** The branch at which the running group has parted from others; NULL if it has not, or if lanes that have met act together. */
static inline const struct insn *warp_parted_at(const struct warp *w)
{
    return w->current < 0 ? NULL : w->groups[w->current].parted;
}

#endif
