/**
 * @file engine.h
 * Private to execute/: the machine's state. What its files ask of each other stands in warp_run.h, block.h,
 * schedule.h and fault.h; a running grid in grid_run.h, a worker in worker.h.
 *
 * machine → grids → resident blocks → warps → groups of lanes. A block becomes resident when an SM
 * has room for it, and gets a slot (warps with registers, shared memory) when it first runs; slots
 * are pooled. A worker is one host thread that runs blocks: its caches and scratch space.
 *
 * Fuel: every backward branch burns one unit, or POLL_COST when the loop got the same value
 * again from memory that it polls (note_poll()). A group without fuel gives its turn to the other groups, a warp without fuel
 * to the other warps, and so no spinning lane starves the one it waits for. What polling has cost is kept over
 * turns that end at a barrier: a block whose threads poll and then vote at a barrier spins, too.
 */
#ifndef SOFTGPU_EXECUTE_ENGINE_H
#define SOFTGPU_EXECUTE_ENGINE_H

#include "base/list.h"
#include "execute/chooser.h"
#include "execute/machine.h"
#include "execute/observer.h"
#include "execute/warp.h"
#include "options/options.h"

#define GROUP_PATIENCE 512
#define POLL_COST 1024
#define MOST_QUIET 64

struct grid_run;
struct resident;
struct sm_use;
struct worker;

struct loaded_image {
    struct image *image;
    uint8_t *constants;
};

struct machine {
    struct options options;
    struct memory *memory;
    struct reporter *reporter;
    struct observer_set observers;
    const struct compiler *compiler;   /**< NULL: everything is interpreted */
    bool checked;                      /**< images are decoded for observed operations */
    bool debugged;                     /**< a debugger looks on: calls of the user's functions stay */
    struct worker *workers;            /**< [0] is the calling thread's */
    int worker_count;
    LIST(struct grid_run *) grids;     /**< not yet destroyed */
    LIST(struct resident) residents;   /**< in order of start, from `first_resident` on */
    int first_resident;
    int cursor;                        /**< natural schedule: the resident that runs */
    struct sm_use *sms;                /**< of device 0, then of device 1, … */
    int next_sm[MAX_DEVICES];          /**< on each, counted from its first */
    const struct image *first;         /**< while a module is loaded once more: its first image */
    bool may_stall;                    /**< the host has not waited for what runs, and may come yet */
    bool others;                       /**< a host function may come yet, whatever the host looks at meanwhile */
    bool stalled;                      /**< what runs only looks, until it does */
    struct looked_for {
        const uint8_t *at;             /**< NULL: the host looks at nothing */
        unsigned bytes;
        uint64_t was;                  /**< what stood there when it came */
    } looked_for;                      /**< machine_look_for() */
    bool leaving;                      /**< machine_leave() */
    bool opened;                       /**< a grid has begun to let dependents begin */
    LIST(struct loaded_image) images;
    uint64_t loads;                    /**< of modules, so far */
    enum schedule_kind schedule;
    struct { const struct chooser *how; void *self; } chooser;  /**< how NULL: reads see the newest */
    int chosen_group;                  /**< SCHEDULE_CHOSEN: the group whose turn it is, -1 = none */
    uint64_t random;                   /**< state of the schedule's generator */
    uint64_t schedule_seed;
    int64_t poll_cost;                 /**< fuel: POLL_COST, less where threads that poll are let go on for longer, more where they are very many */
    uint64_t grids_started, grids_made; /**< the second is never taken back */
    uint64_t clock;                    /**< warp instructions issued by all grids */
    uint64_t latest_clock;             /**< the latest %clock at which a block ended */
    struct held_clock held_clock;
    int64_t lowest_priority;           /**< PCT */
    int64_t next_parked;               /**< backward: priority of the next warp that has drawn a ticket; 0 = none yet */
    bool parks;                        /**< … which is the one whose turn it is */
    bool waits_in_row;                 /**< others were passed over, and somebody came on */
    uint64_t vain_turns, passed_over;  /**< turns that came to nothing, in a row; and that would have since (vain_turns.c) */
    uint64_t change_at;                /**< PCT: clock of the next change point */
    uint64_t workspace;                /**< grid-sync workspace, 0 until first needed */
    bool printed, heap_refused;        /**< printf in device code has run; malloc there has found no room */
    uint64_t stack_limit;              /**< cudaLimitStackSize; 0 = the default */
    uint64_t heap_used, heap_limit;    /**< malloc() in device code; limit 0 = the default */
    const struct nested_host *nested_host; /**< NULL: device code launches nothing */
    bool launches_told;                /**< that kernels had too many launches outstanding */
    bool may_be_quiet;                 /**< machine_let_quiet() */
    struct allocation *quiet[MOST_QUIET]; /**< quiet_global.c: memory that the grid which runs does not write */
    int quiet_count;
    struct image *copies;              /**< nested_copies.c; NULL: not needed so far */
};

/** What is kept of a loaded module; NULL: it is not loaded here. Good until the next is loaded or unloaded. */
struct loaded_image *machine_loaded(struct machine *m, const struct image *im);

/** The chooser has no use for the rest of the run. */
static inline void grid_cut(struct grid *g)
{
    g->status = GRID_CANCELLED; /* what runs stops at once where each instruction is observed, else at the end of its turn */
}

/** held_clock.c: what is shown of a warp's clock that stands at `t`. */
uint64_t clock_shown(struct machine *m, uint64_t t);

/** An observer may have found out that nothing will ever end. */
static inline void end_hopeless(struct machine *m, struct warp *w)
{
    if (observers_hopeless(&m->observers))
        w->block->grid->status = GRID_DEADLOCK;
}

#endif
