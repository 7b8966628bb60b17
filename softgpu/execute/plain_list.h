/**
 * @file plain_list.h
 * Who is told of plain accesses (plain_access.h) by hooks of their own, one after another: what is called most often, side by side.
 */
#ifndef SOFTGPU_EXECUTE_PLAIN_LIST_H
#define SOFTGPU_EXECUTE_PLAIN_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "options/observer_slots.h"

struct insn;
struct observer_set;
struct warp;
struct plain_access;

/**
 * An observer's hook for plain accesses, plain_load or plain_store; or plain_idle:
 *
 *   plain_idle    would plain_load do nothing? Asked where the warp's registers are not in its frame. false: they must be, and it is
 *                 called; NULL: it does something, but without them, as plain_store always does
 *   plain_untold  of one observer only: where there stands how many plain loads it need not be told of. Who does not tell it counts down;
 *                 at 0 the registers must be in the frame, and it is told
 *   quiet_shared   all threads of the block have left one barrier, and none can store to its shared memory before the next one: of so many bytes of that, from the first
 *                 on, it need not be told meanwhile who loads them, weakly. NULL: it must. Who has plain_untold is not asked, but counts these loads
 */
struct plain_hook {
    union {
        void (*tell)(void *self, const struct warp *w, struct plain_access *p);
        bool (*idle)(void *self, const struct warp *w, const struct plain_access *p);
    };
    void *self;
};

#define PLAIN_ROWS_WHO 3

/**
 * `load`, `store`: instead of all hooks of all observers for a load or a store (with its write) of the lanes `mask` of the warp, which go through a row of the block's shared memory, lane 0
 * at `at`, whether it runs or not: what is stored is in worker->plain.value. The warp's own mask need not be that.
 * `store_halves`: the same of a plain store, of global memory, too, by the warp's lanes; mostly they are all, and each half goes through a row.
 * `load_calm`: the same of a load of calm shared memory (quiet_shared.h) by the warp's lanes, whose places stand in worker->places, into worker->plain.value.
 * @return false: nothing has been done; the hooks are to be called
 */
struct plain_rows {
    bool (*load)(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask);
    bool (*store)(struct warp *w, const struct insn *in, uint32_t at, uint32_t mask);
    bool (*store_halves)(struct warp *w, struct plain_access *p);
    bool (*load_calm)(struct warp *w, const struct insn *in);
    void *self[PLAIN_ROWS_WHO];        /**< whom they stand for, */
    int slot[PLAIN_ROWS_WHO];          /**< and their slots */
};

struct block_state;
struct stamps;

#define PLAIN_ROWS_APART 4

/** Lanes of a row, lane 0 of which lies there in words, to which since the block's last barrier nobody but these lanes themselves has come, in this call of the code. */
struct plain_row_apart {
    int32_t row;
    uint32_t touched, stored;
};

/** What these functions have found of a warp, and need not look at again before it does anything else than what they are called for (run_lanes() of plain_steps.h), and within one call of
 *  its code. */
struct plain_rows_ready {
    const struct warp *warp;           /**< NULL: nothing is known */
    struct block_state *state;         /**< the race checker's, */
    struct stamps *stamps;             /**< and what it remembers of the block's shared memory */
    uint64_t *untold;                  /**< plain_list's, of loads */
    uint64_t early;                    /**< what that becomes when something goes on; 0: it has not in this call */
    uint32_t time;                     /**< of all its lanes */
    bool stored;                       /**< the block's shared memory is known to have been written, a word a lane */
    bool calm;                         /**< the block's */
    bool apart;                        /**< nobody has looked at a stamp since the block's last barrier: rows that nobody else has come to are put down without */
    uint8_t rows;                      /**< of these: */
    struct plain_row_apart row[PLAIN_ROWS_APART];
};

/** All who have a slot hear of rows of shared memory by these functions. */
void observers_tell_rows(struct observer_set *set, const struct plain_rows *rows);

struct plain_list {
    struct plain_hook tell[MAX_OBSERVERS], ask[MAX_OBSERVERS];   /**< of an observer the one or the other */
    int tells, asks;
    bool others;                       /**< there is an observer that wants a struct mem_access */
    uint64_t *untold;                  /**< plain_untold: one is not told as long as this is not 0; NULL: there is none such */
};

#endif
