/**
 * @file warp_waits.h
 * What a warp waits for: a value that it polls (note_poll() of access.h, vain_turns.c), and other warps at wgmma.wait_group (tensor/wgmma.c).
 */
#ifndef SOFTGPU_EXECUTE_WARP_WAITS_H
#define SOFTGPU_EXECUTE_WARP_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mix.h"

/** Warps whose wgmma is one operation (PTX ISA 9.7.15.1), and how many of its groups may be under way. */
#define WARPS_OF_GROUP 4
#define PRODUCT_GROUPS 8

/** What a strong load or atomic has found, all its lanes at one place. */
struct warp_awaits {
    uint64_t address, value;
    uint32_t bytes, times;         /**< times: in a row that it was that */
};

/** In natural order: what has let the warp go on since all others had their turn. */
struct warp_through {
    const struct insn *poll;       /**< NULL: nothing */
    uint64_t address;
};

/** The warp's last strong load or atomic in this turn of its group. */
struct warp_look {
    const struct insn *last;       /**< NULL: none; */
    uint64_t at;                   /**< instructions before it */
    const struct insn *again;      /**< a load to which it has come back, having done nothing since but compute; NULL: none */
};

/** Rows of places that are polled, and how many are kept in each: places of one loop may fall together. A spin over more is seen to be one by
 *  those that stay. */
#define POLLED_BITS 4
#define POLLED_ROW 4

/** A strong read: where, by which instruction, and what it has got. */
struct polled {
    uint64_t place, value;
};

/** Takes note of one in its row. Where it is not there, and all are taken, it takes the latest one's place, but one time in eight, by `when`, pushes all on, the oldest out: so
 *  of a spin over more than a row keeps some stay for a turn, and what is polled no more goes. @return whether the last one of that place has got the same value */
static inline bool polled_again(struct polled *row, uint64_t place, uint64_t value, uint64_t when)
{
    int i = 0;
    while (i < POLLED_ROW - 1 && row[i].place != place)
        i++;
    bool there = row[i].place == place, again = there && row[i].value == value;
    if (!there && row[i].place && when * MIX_STEP >> 61)
        i = 0;
    for (; i > 0; i--)
        row[i] = row[i - 1];
    row[0] = (struct polled){place, value};
    return again;
}

/** wgmmas that a warp has carried out. */
struct warp_products {
    uint32_t count, groups;        /**< of them, and of groups of them, */
    uint32_t ends[PRODUCT_GROUPS]; /**< which end with this one; by number, modulo */
    bool waits;                    /**< at a wait, or lanes of it, for other warps */
};

#endif
