/**
 * @file engine.h
 * Private to execute/: the machine's state and what its files ask of each other.
 *
 * machine → grids → resident blocks → warps → groups of lanes. A block becomes resident when an SM
 * has room for it, and gets a slot (warps with registers, shared memory) when it first runs; slots
 * are pooled. A worker is one host thread that runs blocks: its caches and scratch space.
 *
 * Fuel: every backward branch burns one unit, or POLL_COST when the loop got the same value
 * again from memory that it polls (note_poll()). A group without fuel gives its turn to the other groups, a warp without fuel
 * to the other warps, and so no spinning lane starves the one it waits for.
 */
#ifndef SOFTGPU_EXECUTE_ENGINE_H
#define SOFTGPU_EXECUTE_ENGINE_H

#include "base/list.h"
#include "execute/observer.h"
#include "execute/chooser.h"
#include "execute/handlers.h"
#include "execute/machine.h"
#include "execute/warp.h"
#include "options/options.h"
#include "report/finding.h"

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

/** One host thread's caches. */
struct worker {
    struct machine *machine;
    uint64_t cache_base, cache_bytes;  /**< the allocation last used by a fast memory operation */
    uint8_t *cache_host;
    struct allocation *cache_allocation; /**< the same one; valid while cache_bytes is not 0 */
    bool parallel;                     /**< other workers run: atomics must be the host's */
    struct mem_access access;          /**< scratch of the checked operations */
    LIST(struct block *) slots;        /**< free block slots */
    uint64_t instructions, lane_instructions; /**< of the present step, not yet added to the grid */
    uint64_t loads, moved;             /**< likewise: global loads by warps; bytes of the sectors touched */
    uint64_t turn_clock;               /**< machine clock when the present turn began */
};

struct loaded_image {
    struct image *image;
    uint8_t *constants;
};

struct machine {
    struct options options;
    struct memory *memory;
    struct reporter *reporter;
    struct observer_set observers;
    bool checked;                      /**< images are decoded for observed operations */
    struct worker *workers;            /**< [0] is the calling thread's */
    int worker_count;
    LIST(struct grid_run *) grids;     /**< not yet destroyed */
    LIST(struct resident) residents;   /**< in order of start, from `first_resident` on */
    int first_resident;
    int cursor;                        /**< natural schedule: the resident that runs */
    struct sm_use *sms;
    int next_sm;
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

/* warp_run.c: groups of lanes */

enum warp_result { WARP_DONE, WARP_BLOCKED, WARP_YIELDED, WARP_ABORTED };

/**
 * Runs groups of the warp until none can run, its fuel is gone, or — with `quantum` other than 0 —
 * about that many instructions have been issued.
 */
enum warp_result warp_run(struct warp *w, int64_t fuel, int64_t quantum);
/** True if some group can run now (sleepers count when their time has come). */
bool warp_ready(const struct warp *w);
void warp_set_mask(struct warp *w, uint32_t mask);
/** Adds a READY group; the caller keeps masks disjoint. */
struct group *warp_add_group(struct warp *w, const struct insn *pc, uint32_t frame, uint32_t mask);
/** Counts the instructions up to `in` and makes it the start of the next stretch. */
static inline void warp_count(struct warp *w, const struct insn *in, const struct insn *next)
{
    uint64_t n = (uint64_t)(in + 1 - w->run_start);
    w->instructions += n;
    w->lane_instructions += n * w->active;
    w->run_start = next;
}
/** Ends the running group's turn at `pc` in state `state`; returns NULL for the handler. */
const struct insn *warp_stop(struct warp *w, const struct insn *in, const struct insn *pc,
                             enum group_state state);
/** Removes the running group: its lanes have all exited or moved to other groups. */
const struct insn *warp_stop_removed(struct warp *w, const struct insn *in);
/** Splits `lanes` off the running group: they continue at `pc` as a group of their own. */
void warp_split(struct warp *w, const struct insn *in, uint32_t lanes, const struct insn *pc);
/** Makes group `g` the running one: frame and mask. */
void warp_load_group(struct warp *w, int g);

/** A warp alone on an SM issues a dependent instruction every few clocks (device_model.c). */
#define CLOCKS_PER_INSTRUCTION 4

/* block.c: slots */

struct block *block_start(struct worker *k, struct grid_run *run, uint64_t index, int sm);
/** Ends the block (done or aborted) and returns its slot. */
void block_finish(struct worker *k, struct block *b);
void block_free(struct block *b);
/** Grows the register file / the lanes' local memory; false at the bound. */
bool warp_grow_file(struct warp *w, uint64_t bytes);
bool warp_grow_local(struct warp *w, uint64_t bytes);

/* barrier.c */

/** Counts partial groups at aligned barriers once nothing else in the warp can run.
 *  @return true if that made a group ready */
bool barrier_settle(struct warp *w);
/** Lanes have exited: barriers that waited for them only complete. */
void barrier_exited(struct block *b);

/* warp_sync.c */

/** Completes the warp-level meetings that no longer wait for anybody. @return true if any */
bool warp_sync_settle(struct warp *w);

/* fault.c */

/** What went wrong: kind and the grid's status follow from the cause. */
struct fault {
    enum finding_cause cause;
    enum ptx_space space;    /**< SPACE_GENERIC: it has no place */
    uint64_t address;
    struct fault_facts facts;
};

/** Ends the grid with a finding about `lane` at `in`; returns NULL for the handler. */
const struct insn *fault_at(struct warp *w, const struct insn *in, int lane, const struct fault *fault);
/** The same where there is nothing more to say. */
static inline const struct insn *fault_plain(struct warp *w, const struct insn *in, int lane,
                                             enum finding_cause cause)
{
    return fault_at(w, in, lane, &(struct fault){.cause = cause});
}

/** What an instruction does to memory, in one word: "load", "store", "atomic"… */
const char *memory_operation_name(const struct insn *in);

/* schedule.c */

/** What runs next: a whole block, or one warp of it for about `quantum` instructions. */
struct turn {
    int resident;          /**< index in machine->residents */
    int warp;              /**< -1: every warp of the block in turn */
    int64_t quantum;       /**< 0: until it blocks or yields */
};
/** @return false when nothing that is resident can run */
bool schedule_pick(struct machine *m, struct turn *t);
/** Tells the schedule how the turn went: `spun` if the warp or block ran out of fuel. */
void schedule_done(struct machine *m, const struct turn *t, bool spun);
uint64_t schedule_random(struct machine *m);
/** Which of several ready groups runs: an index below `count`. */
int schedule_group(struct machine *m, int count);

/* chosen_turn.c */
bool chosen_pick(struct machine *m, struct turn *t);

/** The block's reserved bytes, behind its own shared memory. */
static inline uint8_t *block_reserved(const struct block *b)
{
    return b->shared + ((b->shared_bytes + 63) & ~63u);
}

/* parallel.c */

/** Runs blocks of `run` on all workers until it ends or `budget` is used up. */
void parallel_run(struct machine *m, struct grid_run *run, uint64_t budget);

/* step.c */

/** Takes over a block that another worker has begun. */
void step_add_resident(struct machine *m, struct resident r);
/** Adds what the worker has issued since the turn began to the grid and the machine's clock. */
void step_account(struct machine *m, struct worker *k, struct grid *g);
/** Ends the launch with a step-limit finding that names the line where the block is busy. */
void block_cut(struct block *b, uint64_t limit);
/** Runs a block until it is done, blocked, out of fuel or its grid ends. */
enum warp_result block_run(struct block *b, int64_t fuel);

static inline struct machine *warp_machine(const struct warp *w)
{
    return w->worker->machine;
}

/** The chooser has no use for the rest of the run. */
static inline void grid_cut(struct grid *g)
{
    g->status = GRID_CANCELLED; /* what runs stops after the present instruction */
}

/** An observer may have found out that nothing will ever end. */
static inline void end_hopeless(struct machine *m, struct warp *w)
{
    if (observers_hopeless(&m->observers))
        w->block->grid->status = GRID_DEADLOCK;
}

static inline bool grid_running(const struct grid *g)
{
    return __atomic_load_n(&g->status, __ATOMIC_RELAXED) == GRID_RUNNING;
}

#endif
