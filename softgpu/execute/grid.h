/**
 * @file grid.h
 * A launch while it runs, as others see it: configuration, resident blocks, counts, how it ended. machine.h runs it.
 */
#ifndef SOFTGPU_EXECUTE_GRID_H
#define SOFTGPU_EXECUTE_GRID_H

#include "base/issuer.h"
#include "base/list.h"
#include "base/op_set.h"
#include "execute/async_copy.h"
#include "execute/warp.h"

struct machine;
struct allocation;

/** How a grid ended. Values map to CUDA errors in runtime/error.c. */
enum grid_status {
    GRID_RUNNING, GRID_DONE, GRID_ILLEGAL_ADDRESS, GRID_MISALIGNED, GRID_ASSERT, GRID_TRAP,
    GRID_NO_PEER,     /**< shared memory of a block that is not in the cluster, or has ended */
    GRID_ILLEGAL_INSTRUCTION, GRID_STACK_OVERFLOW, GRID_DEADLOCK, GRID_STEP_LIMIT,
    GRID_UNSUPPORTED, GRID_CANCELLED /**< ended by the host, no fault of the kernel's */, GRID_AGAIN /**< it is to run without quiet memory (quiet_global.h) */
};

/** One thread of a launch, by its block's linear index and its number there. */
struct lone_thread {
    uint64_t block;
    uint32_t thread;
    struct block *mates;          /**< of cluster_stand_ins(); NULL: the cluster's other blocks are not there */
};

struct grid_config {
    struct function *kernel;
    uint32_t grid[3], block[3];
    uint32_t dynamic_shared;
    const void *params;           /**< `kernel->param_bytes` bytes; copied */
    bool cooperative, last, tells_start; /**< last: nothing is unordered with it, now or later; tells_start: somebody waits until all blocks have begun */
    uint32_t cluster[3];          /**< blocks of a cluster; 0: the launch has none, each block is one by itself */
    int device, awaited;          /**< whose SMs it runs on; how many of `awaits` have not ended */
    const struct sm_part *part;   /**< only on these of them; NULL: on all; lives as long as the machine */
    uint64_t op, together;        /**< number of this operation (op_set.h), and of the first that runs at once with it (rerun/); 0: alone */
    uint64_t settled;             /**< those below come before all that is still to begin or to be issued; 0: not known of any */
    const struct op_set *before;  /**< operations completed before it starts; copied */
    const struct op_set *awaits;  /**< kernels for whose end griddepcontrol.wait waits; NULL: none; lives while the grid runs */
    struct device_graph *graph;   /**< whose nodes it begins (device_graph.h); the launch's reference; NULL: it is a kernel */
    uint64_t node, start_clock;   /**< whose launch it is, of those that kernels update (node_update.h), 0: none; what %clock shows first, 0: as it comes */
    struct issuer by;
    const struct lone_thread *lone; /**< only this thread runs, as if all others had ended; NULL: all */
    uint64_t from_block, end_block; /**< only those from one to before the other, as if the others had ended; both 0: all. Not of clusters */
};

struct block;

/** What a grid's threads, numbered from block 0 on, did to one allocation of global memory. An atomic does both. */
struct object_use {
    const struct allocation *allocation;
    uint64_t loaded_bytes, stored_bytes; /**< atomics count in neither */
    uint64_t atomics, zeroings;          /**< one a thread; those that made 0 what was not 0 */
    uint64_t reading_blocks, writing_blocks;
    uint64_t first_reader, last_reader, first_writer, last_writer; /**< where there were any */
    uint64_t uses, busiest_uses;         /**< one a thread and access; those of the block with the most */
    uint64_t busiest_warp;               /**< those of the warp with the most */
    uint64_t requests;                   /**< instructions that accessed it, one a warp */
};

/** A launched grid. Blocks start in order as the device model has room for them. */
struct grid {
    struct machine *machine;
    struct grid_config config;
    struct op_set before;
    uint8_t *params;
    uint64_t blocks, started, finished;
    uint32_t threads_per_block, warps_per_block;
    uint32_t cluster_blocks;      /**< of each cluster; 1 where there are none */
    uint32_t shared_bytes;        /**< static + dynamic */
    uint64_t envreg_workspace;    /**< device address of the grid-sync workspace, cooperative only; the barrier word is at +4 */
    enum grid_status status;
    uint64_t dependents_for;      /**< blocks that let dependent grids begin, or have ended */
    bool lets_dependents, has_waited; /**< some block has executed griddepcontrol.launch_dependents, and gone past .wait */
    bool came_apart;              /**< when checked: not all of a warp's lanes came together to a meeting, or went round a loop with one */
    uint64_t instructions, lane_instructions;
    uint64_t counters[24];        /**< enum counter */
    struct object_use *uses;      /**< of its global memory, room for MAX_OBJECT_USES; with --counters only, else NULL */
    int use_count;
    uint64_t loads;               /**< from global memory, one a warp; atomics are loads, too */
    uint64_t moved;               /**< bytes of the 32-byte sectors that these and stores touched */
    uint64_t waited_clocks;       /**< what its blocks saw pass that read the clock or slept; else 0 */
    void *check[OBSERVER_SLOTS];  /**< one slot for each observer */
    const struct grid *parent;    /**< the grid whose thread has launched it (nested.h); NULL: the host */
    uint64_t member;              /**< its number among those that began with one launch of the host's, which is 1 */
    struct op_set after;          /**< members that were complete before it was begun, and so is what they wrote */
    void *inherited[OBSERVER_SLOTS]; /**< what observers kept of the launching thread; they give it up when it ends */
};

/** What `--counters` shows and lab.yaml's properties judge. */
enum counter {
    COUNT_GLOBAL_LOAD_REQUESTS, COUNT_GLOBAL_LOAD_SECTORS, COUNT_GLOBAL_STORE_REQUESTS,
    COUNT_GLOBAL_STORE_SECTORS, COUNT_GLOBAL_BYTES, COUNT_SHARED_REQUESTS,
    COUNT_SHARED_WAVEFRONTS, COUNT_BARRIERS, COUNT_ATOMICS, COUNT_FENCES, COUNT_BRANCHES,
    COUNT_DIVERGENT_BRANCHES, COUNT_LONGEST_WARP, COUNT_BLOCK_BARRIERS, COUNT_WORKING_BLOCKS,
    COUNT_WORKING_THREADS, COUNT_ASYNC_COPIES, COUNT_ASYNC_BYTES, COUNT_BYTES_IN_FLIGHT,
    COUNT_BARRIER_PHASES, COUNT_GRID_BARRIERS, COUNTER_COUNT
};

#define CLUSTER_BLOCKS 16

/** Blocks that are resident together, reach each other's shared memory and have a barrier of their own (PTX ISA 2.2.2).
 *  A block of a launch without clusters is one by itself. */
struct cluster {
    struct block *blocks[CLUSTER_BLOCKS]; /**< by rank; NULL: it has ended */
    struct {
        const struct insn *at;
        uint32_t thread;
    } last_exit[CLUSTER_BLOCKS];  /**< where the block's last thread has left */
    uint32_t count, running;      /**< blocks in all, and those that have not ended */
    uint32_t live_threads, arrived; /**< threads that have not exited, and those of them that have arrived at the barrier */
    uint32_t phase;               /**< how often the barrier has been complete */
    void *check[OBSERVER_SLOTS];
};

/** A resident block. */
struct block {
    struct grid *grid;
    uint64_t index;               /**< linear: x fastest */
    uint32_t id[3];
    struct cluster *cluster;
    uint32_t rank;                /**< in it */
    int sm, slot, reserved_used;  /**< reserved_used: whether it has used what lies behind its shared memory (reserved.h) */
    struct warp *warps;
    int warp_count;
    uint8_t *shared;
    uint32_t shared_bytes, arrived_at, quiet; /**< arrived_at: a bit for each barrier at which somebody has arrived; quiet: quiet_shared.h */
    struct barrier_state {
        uint32_t expected;        /**< threads that complete it */
        uint32_t arrived;
        uint32_t red_and, red_or, red_popc, generation;
        uint32_t arrived_rounded; /**< as `arrived`, warps counted as 32 (explicit counts) */
    } barriers[16];
    struct flights *flights;      /**< in_flight.c; NULL: no copies so far */
    LIST(struct mbarrier) mbarriers; /**< barrier objects in its shared memory (async.h), in order of init */
    uint64_t start_clock;         /**< %clock when it became resident */
    bool fresh, calm, lets_dependents, cancel_failed, awaits_products; /**< all of it is about to begin, in compiled code; quiet_shared.h; griddepcontrol.launch_dependents; no block is left to take over; wgmma.wait_group for other warps */
    struct nested_stream *stream; /**< nested.h: the one that its threads launch to unless they say another; NULL: none yet */
    int live_warps;
    uint32_t live_threads;        /**< that have not exited */
    uint32_t objects_read, objects_written; /**< of grid->uses, a bit each */
    uint64_t object_uses[MAX_OBJECT_USES];  /**< of these, one a thread and access */
    void *check[OBSERVER_SLOTS];
};

/** The barrier object at an offset of the block's shared memory; NULL if there has been none. */
static inline struct mbarrier *block_mbarrier(const struct block *b, uint64_t offset)
{
    for (int i = 0; i < b->mbarriers.count; i++)
        if (b->mbarriers.data[i].offset == offset)
            return &b->mbarriers.data[i];
    return NULL;
}

#endif
