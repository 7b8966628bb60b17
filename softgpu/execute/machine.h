/**
 * @file machine.h
 * The engine as its clients see it: the runtime loads modules, starts grids and steps them.
 *
 * Single-owner: calls on one machine come from one thread at a time (the runtime holds a lock).
 * In fast mode machine_step() uses several host threads inside.
 */
#ifndef SOFTGPU_EXECUTE_MACHINE_H
#define SOFTGPU_EXECUTE_MACHINE_H

#include "execute/async_copy.h"
#include "execute/observer.h"
#include "base/issuer.h"
#include "base/op_set.h"
#include "code/image.h"
#include "execute/warp.h"
#include "memory/memory.h"

struct reporter;
struct options;

/** How a grid ended. Values map to CUDA errors in runtime/error.c. */
enum grid_status {
    GRID_RUNNING, GRID_DONE, GRID_ILLEGAL_ADDRESS, GRID_MISALIGNED, GRID_ASSERT, GRID_TRAP,
    GRID_ILLEGAL_INSTRUCTION, GRID_STACK_OVERFLOW, GRID_DEADLOCK, GRID_STEP_LIMIT,
    GRID_UNSUPPORTED,
    GRID_CANCELLED    /**< ended by the host, no fault of the kernel's */
};

/** One thread of a launch, by its block's linear index and its number there. */
struct lone_thread {
    uint64_t block;
    uint32_t thread;
};

struct grid_config {
    struct function *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    const void *params;           /**< `kernel->param_bytes` bytes; copied */
    bool cooperative;
    uint64_t op;                  /**< number of this operation (op_set.h) */
    const struct op_set *before;  /**< operations completed before it starts; copied */
    uint64_t awaits;              /**< the grid before it in its stream, beside which it may run
                                       (griddepcontrol.wait waits for that one's end); 0 = none */
    bool awaited_ended;           /**< … has ended */
    struct issuer by;
    uint64_t start_clock;         /**< what %clock shows at its start; 0 = as it comes */
    const struct lone_thread *lone; /**< only this thread runs, as if all others had ended; NULL: all */
};

struct block;

/** Objects of global memory beyond these are not counted one by one. */
#define MAX_OBJECT_USES 24

/** What a grid's threads, numbered from block 0 on, did to one allocation of global memory. An atomic
 *  reads and writes. The four thread numbers hold where there were readers and writers. */
struct object_use {
    const struct allocation *allocation;
    uint64_t loaded_bytes, stored_bytes; /**< atomics count in neither */
    uint64_t atomics;                    /**< one a thread */
    uint64_t zeroings;                   /**< atomics that made 0 what was not 0 */
    uint64_t reading_blocks, writing_blocks;
    uint64_t first_reader, last_reader, first_writer, last_writer;
};

/** A launched grid. Blocks start in order as the device model has room for them. */
struct grid {
    struct machine *machine;
    struct grid_config config;
    struct op_set before;
    uint8_t *params;
    uint64_t blocks, started, finished;
    uint32_t threads_per_block, warps_per_block;
    uint32_t shared_bytes;        /**< static + dynamic */
    uint64_t envreg_workspace;    /**< device address of the grid-sync workspace, cooperative only */
    enum grid_status status;
    uint64_t dependents_for;      /**< blocks that let dependent grids begin, or have ended */
    bool lets_dependents;         /**< some block has executed griddepcontrol.launch_dependents */
    uint64_t instructions, lane_instructions;
    uint64_t counters[24];        /**< enum counter */
    struct object_use uses[MAX_OBJECT_USES]; /**< of its global memory; with --counters only */
    int use_count;
    uint64_t loads;               /**< from global memory, one a warp; atomics are loads, too */
    uint64_t moved;               /**< bytes of the 32-byte sectors that these and stores touched */
    uint64_t waited_clocks;       /**< what its blocks saw pass that read the clock or slept; else 0 */
    void *check[8];               /**< one slot for each observer */
};

/** What `--counters` shows and lab.yaml's properties judge. */
enum counter {
    COUNT_GLOBAL_LOAD_REQUESTS, COUNT_GLOBAL_LOAD_SECTORS, COUNT_GLOBAL_STORE_REQUESTS,
    COUNT_GLOBAL_STORE_SECTORS, COUNT_GLOBAL_BYTES, COUNT_SHARED_REQUESTS,
    COUNT_SHARED_WAVEFRONTS, COUNT_BARRIERS, COUNT_ATOMICS, COUNT_FENCES, COUNT_BRANCHES,
    COUNT_DIVERGENT_BRANCHES, COUNT_LONGEST_WARP, COUNT_BLOCK_BARRIERS, COUNT_WORKING_BLOCKS,
    COUNT_WORKING_THREADS, COUNTER_COUNT
};

/** A resident block. */
struct block {
    struct grid *grid;
    uint64_t index;               /**< linear: x fastest */
    uint32_t id[3];
    int sm, slot;
    struct warp *warps;
    int warp_count;
    uint8_t *shared;
    uint32_t shared_bytes;
    struct barrier_state {
        uint32_t expected;        /**< threads that complete it */
        uint32_t arrived;
        uint32_t red_and, red_or, red_popc;
        uint32_t generation;
        uint32_t arrived_rounded; /**< as `arrived`, whole warps counted as 32 (explicit counts) */
    } barriers[16];
    LIST(struct mbarrier) mbarriers; /**< barrier objects in its shared memory (async.h), in order of init */
    uint64_t start_clock;         /**< %clock when it became resident */
    bool lets_dependents;         /**< has executed griddepcontrol.launch_dependents */
    int live_warps;
    uint32_t live_threads;        /**< that have not exited */
    uint32_t objects_read, objects_written; /**< of grid->uses, a bit each */
    void *check[8];
};

/** The barrier object at an offset of the block's shared memory; NULL if there has been none. */
static inline struct mbarrier *block_mbarrier(const struct block *b, uint64_t offset)
{
    for (int i = 0; i < b->mbarriers.count; i++)
        if (b->mbarriers.data[i].offset == offset)
            return &b->mbarriers.data[i];
    return NULL;
}

struct machine;

struct machine *machine_create(const struct options *options);
void machine_destroy(struct machine *m);
const struct options *machine_options(const struct machine *m);
struct memory *machine_memory(struct machine *m);
struct reporter *machine_reporter(struct machine *m);

/**
 * Parses, decodes and places a module's variables.
 * @return NULL with `d` filled; DIAG_LIMIT when device memory is exhausted
 */
struct image *machine_load(struct machine *m, const char *name, const char *ptx, size_t len,
                           struct diag *d);
void machine_unload(struct machine *m, struct image *im);

/** Most blocks of `f` that one SM holds; 0 if a single one does not fit. */
int machine_occupancy(const struct machine *m, const struct function *f, int threads,
                      uint64_t dynamic_shared);

/** In which order the blocks, warps and groups of lanes of the following grids run. */
enum schedule_kind {
    SCHEDULE_NATURAL,   /**< in order, a block to its end where it can */
    SCHEDULE_RANDOM,    /**< every choice drawn from the seed */
    SCHEDULE_PCT,       /**< random priorities with a few change points */
    SCHEDULE_CHOSEN,    /**< one lane at a time, as the chooser says (chooser.h) */
    SCHEDULE_BACKWARD,  /**< the last block and warp first; between two atomics all others */
};
/** Takes effect for grids that start later. A new machine runs SCHEDULE_NATURAL. */
void machine_set_schedule(struct machine *m, enum schedule_kind kind, uint64_t seed);
/** What a schedule depends on besides its seed: with it restored, a launch runs again as it ran. */
struct machine_point {
    uint64_t grids_started, clock, latest_clock;
    int next_sm;
};
struct machine_point machine_point(const struct machine *m);
void machine_return(struct machine *m, const struct machine_point *p);

/** Bytes that malloc() in device code may use in all (cudaLimitMallocHeapSize; 8 MiB at first). */
void machine_set_heap_limit(struct machine *m, uint64_t bytes);
uint64_t machine_heap_limit(const struct machine *m);

/** Starts a grid; the caller has checked the launch against the device's limits. */
struct grid *grid_start(struct machine *m, const struct grid_config *config);

enum step_result {
    STEP_GRID_ENDED,   /**< at least one grid is no longer GRID_RUNNING */
    STEP_BUDGET,       /**< the budget is used up, everything still runs */
    STEP_OPENED,       /**< a grid lets those that depend on it begin (grid_lets_dependents()) */
    STEP_STUCK,        /**< no resident lane can ever run without help from the host */
    STEP_IDLE,         /**< no grid is running */
};

/** Runs resident blocks of all running grids for about `budget` warp instructions (0 = no bound). */
enum step_result machine_step(struct machine *m, uint64_t budget);
/** Started blocks that have not ended, in order of start: the `i`-th from 0. `*block` is NULL where it has not run
 *  yet; `*stuck`: it ran last without any lane that could. @return false past the last */
bool machine_resident(const struct machine *m, int i, const struct block **block, bool *stuck);
/** Warp instructions issued so far, by all grids. */
uint64_t machine_steps(const struct machine *m);
/** May the grids that depend on it begin beside it? All its blocks have said so or ended, one at least the first
 *  (PTX ISA 9.7.13.13). */
bool grid_lets_dependents(const struct grid *g);
/** The grid that it awaits has ended, and what that wrote is visible. */
void grid_awaited_ended(struct grid *g);
/** Ends a stuck or unwanted grid with the given status. */
void grid_abort(struct grid *g, enum grid_status status);
/** Releases a grid that has ended. */
void grid_destroy(struct grid *g);
/** The first fault's sentence ("block (3,0,0) thread (9,0,0): …"), "" if none. */
const char *grid_fault_message(const struct grid *g);

#endif
