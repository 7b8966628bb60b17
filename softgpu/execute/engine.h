/**
 * @file engine.h
 * Private to execute/: the machine's state. What its files ask of each other stands in warp_run.h, block.h,
 * schedule.h and fault.h.
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
#define WARP_FUEL 65536
#define POLL_COST 1024
/** Bounds on what one warp may grow to. */
#define MAX_FILE_BYTES (64u << 20)
#define MAX_LOCAL_BYTES (512u << 10)
/** Shared memory that belongs to the system (%reserved_smem_offset, cooperative groups' scratch):
 *  at an offset that no user's index reaches, and outside what checkers watch. */
#define RESERVED_OFFSET 0xfff000u
#define RESERVED_BYTES 1024u
#define SPACE_RESERVED SPACE_REG

/** A part of the register file in use: lanes of different callers may share one activation. */
struct activation {
    const struct function *function;
    uint32_t offset, bytes;
    uint32_t lanes;
};

/** A place on an SM that a started block holds; `block` is NULL until it first runs. */
struct resident {
    struct grid_run *run;
    uint64_t index;
    int sm;
    uint64_t cluster;      /**< number of its cluster, in order of start; and */
    uint32_t rank;         /**< its rank there */
    struct block *block;
    bool stuck;            /**< ran last without any lane that could run */
    int64_t priority;      /**< PCT: of its best ready warp, if `ranked` */
    int best;              /**< that warp, -1 if none is ready */
    bool ranked;           /**< the two above are up to date */
};

struct sm_use {
    int threads, blocks, registers, shared;
    const struct grid *grid;       /**< whose block left last, */
    uint64_t left_clock;           /**< and when, by the blocks' own clocks */
};

/** A grid with the parts that only the executor sees. `grid` comes first: grid_run() casts. */
struct grid_run {
    struct grid grid;
    const uint8_t *constants;      /**< the image's constant area, aligned to 64 */
    struct sm_use need;            /**< what one block takes of an SM */
    uint64_t next_block;           /**< first block that is not resident yet */
    uint64_t first_round;          /**< blocks that find room at once on an empty device */
    bool parallel;                 /**< its blocks may run on several host threads */
    bool ended_reported;
    char fault[512];
    uint64_t number;               /**< %gridid */
    enum schedule_kind schedule;
    bool strays;                   /**< random: parts of a group may run ahead of the rest */
};

static inline struct grid_run *grid_run(struct grid *g)
{
    return (struct grid_run *)g;
}

#define RECENT_RANGES 16

/** One host thread's caches. */
struct worker {
    struct machine *machine;
    int device;                        /**< whose kernel runs: what is cached, it may use */
    uint64_t cache_base, cache_bytes;  /**< the allocation last used by a fast memory operation */
    uint8_t *cache_host;
    struct host_range { uint64_t base, bytes; uint8_t *host; } recent[RECENT_RANGES]; /**< the same for each of
                                          several loads and stores of compiled code, by site */
    struct allocation *cache_allocation; /**< the same one; valid while cache_bytes is not 0 */
    bool parallel;                     /**< other workers run: atomics must be the host's */
    struct mem_access access;          /**< scratch of the checked operations */
    struct insn texel;                 /**< scratch of texture and surface accesses */
    LIST(struct block *) slots;        /**< free block slots */
    uint64_t instructions, lane_instructions; /**< of the present step, not yet added to the grid */
    uint64_t loads, moved;             /**< likewise: global loads by warps; bytes of the sectors touched */
    uint64_t turn_clock;               /**< machine clock when the present turn began */
};

/** Allocations may come and go: nothing is cached any more. */
static inline void worker_forget(struct worker *k)
{
    k->cache_bytes = 0;
    for (int i = 0; i < RECENT_RANGES; i++)
        k->recent[i].bytes = 0;
}

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
    struct worker *workers;            /**< [0] is the calling thread's */
    int worker_count;
    LIST(struct grid_run *) grids;     /**< not yet destroyed */
    LIST(struct resident) residents;   /**< in order of start, from `first_resident` on */
    int first_resident;
    int cursor;                        /**< natural schedule: the resident that runs */
    struct sm_use *sms;                /**< of device 0, then of device 1, … */
    int next_sm[MAX_DEVICES];          /**< on each, counted from its first */
    const struct image *first;         /**< while a module is loaded once more: its first image */
    bool opened;                       /**< a grid has begun to let dependents begin */
    LIST(struct loaded_image) images;
    enum schedule_kind schedule;
    struct { const struct chooser *how; void *self; } chooser;  /**< how NULL: reads see the newest */
    int chosen_group;                  /**< SCHEDULE_CHOSEN: the group whose turn it is, -1 = none */
    uint64_t random;                   /**< state of the schedule's generator */
    uint64_t schedule_seed;
    uint64_t grids_started;
    uint64_t clock;                    /**< warp instructions issued by all grids */
    uint64_t latest_clock;             /**< the latest %clock at which a block ended */
    int64_t lowest_priority;           /**< PCT */
    uint64_t change_at;                /**< PCT: clock of the next change point */
    uint64_t workspace;                /**< grid-sync workspace, 0 until first needed */
    uint64_t heap_used, heap_limit;    /**< malloc() in device code; limit 0 = the default */
};

/** The block's reserved bytes, behind its own shared memory. */
static inline uint8_t *block_reserved(const struct block *b)
{
    return b->shared + ((b->shared_bytes + 63) & ~63u);
}

static inline struct machine *warp_machine(const struct warp *w)
{
    return w->worker->machine;
}

/** The chooser has no use for the rest of the run. */
static inline void grid_cut(struct grid *g)
{
    g->status = GRID_CANCELLED; /* what runs stops at the end of its turn */
}

/** An observer may have found out that nothing will ever end. */
static inline void end_hopeless(struct machine *m, struct warp *w)
{
    if (observers_hopeless(&m->observers))
        w->block->grid->status = GRID_DEADLOCK;
}

/* griddep.c */
/** One more block, for good, that no dependent grid has to wait for. */
void grid_count_dependents_for(struct grid *g);

static inline bool grid_running(const struct grid *g)
{
    return __atomic_load_n(&g->status, __ATOMIC_RELAXED) == GRID_RUNNING;
}

#endif
