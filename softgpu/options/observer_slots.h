/**
 * @file observer_slots.h
 * How many places a warp, block, cluster, grid and launch keep for those who watch: one for each row of check_names.def,
 * and the debugger's.
 */
#ifndef SOFTGPU_OPTIONS_OBSERVER_SLOTS_H
#define SOFTGPU_OPTIONS_OBSERVER_SLOTS_H

enum observer_slot {
#define CHECKER(name, symbol) SLOT_OF_##symbol,
#include "options/check_names.def"
#undef CHECKER
    SLOT_OF_DEBUGGER,
    OBSERVER_SLOTS
};

/** Those, and behind them three that watch for a while: lost turns are, within their runs an interleaving is looked for, and within that a run's course or its
 *  retracing is kept. */
#define MAX_OBSERVERS (OBSERVER_SLOTS + 3)

#endif
