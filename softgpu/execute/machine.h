/**
 * @file machine.h
 * The engine as its clients see it: the runtime loads modules, starts grids and steps them.
 *
 * Single-owner: calls on one machine come from one thread at a time (the runtime holds a lock).
 * In fast mode machine_step() uses several host threads inside.
 */
#ifndef SOFTGPU_EXECUTE_MACHINE_H
#define SOFTGPU_EXECUTE_MACHINE_H

#include "execute/grid.h"
#include "base/diag.h"
#include "code/image.h"
#include "memory/memory.h"
#include "options/options.h"

struct reporter;

struct machine;

/** Who makes machine code of kernels. */
struct compiler {
    void (*begins)(struct machine *m, struct function *kernel); /**< a grid is about to start */
    void (*ran)(struct machine *m, struct function *kernel, uint64_t instructions); /**< a part of a grid, so long;
                                                                                   any of the machine's threads */
    void (*forget)(struct image *im);                           /**< nothing of the image runs any more */
};
/** Machines have none at first: they interpret. */
void machine_set_compiler(struct machine *m, const struct compiler *c);

struct machine *machine_create(const struct options *options);
void machine_destroy(struct machine *m);
/** The process ends with it: what goes with the process need not be freed. */
void machine_leave(struct machine *m);
bool machine_is_leaving(const struct machine *m);
/** The same, but it tells its findings to `reporter`, which it has until it ends. */
struct machine *machine_create_again(const struct options *options, struct reporter *reporter);
/** Destroys it. @return what it told its findings to: whoever reports goes on with it, or closes it */
struct reporter *machine_end(struct machine *m);
const struct options *machine_options(const struct machine *m);
struct memory *machine_memory(struct machine *m);
struct reporter *machine_reporter(struct machine *m);

/** A debugger looks on: modules that are loaded from here on keep their calls, but those of library functions (decode/inline.h). */
void machine_debugged(struct machine *m);
/**
 * Parses, decodes and places a module's variables.
 * On several devices it is loaded once on each: on the one that memory_choose() says.
 * @return NULL with `d` filled; DIAG_LIMIT when device memory is exhausted
 */
struct image *machine_load(struct machine *m, const char *name, const char *ptx, size_t len,
                           struct diag *d);
/** The same, on one more device: managed variables are those of `first`, which is loaded. */
struct image *machine_load_again(struct machine *m, const char *name, const char *ptx, size_t len,
                                 const struct image *first, struct diag *d);
void machine_unload(struct machine *m, struct image *im);
/** The modules that are loaded, from 0 on; NULL past the last. */
const struct image *machine_image(const struct machine *m, int i);
/** Times that a module was loaded: unless it has changed there is nothing new. */
uint64_t machine_loads(const struct machine *m);

/** Most blocks of `f` that one SM holds; 0 if a single one does not fit. */
int machine_occupancy(const struct machine *m, const struct function *f, int threads,
                      uint64_t dynamic_shared);

/** In which order the blocks, warps and groups of lanes of the following grids run. */
enum schedule_kind {
    SCHEDULE_NATURAL,   /**< in order, a block to its end where it can */
    SCHEDULE_RANDOM,    /**< every choice drawn from the seed */
    SCHEDULE_PCT,       /**< random priorities with a few change points */
    SCHEDULE_CHOSEN,    /**< one lane at a time, as the chooser says (chooser.h) */
    SCHEDULE_FINE,      /**< random, with new turns between strong accesses: for short launches */
    SCHEDULE_BACKWARD,  /**< the last block and warp first; between two atomics all others. BACKWARD_UNDRAWN: all come to their first atomic before anybody makes it */
    SCHEDULE_PATIENT,   /**< the last block and warp first (seed 0), or the first, each for as long as it polls up to 4,096 times */
    SCHEDULE_STRICT,    /**< the last block and warp first (seed 0), or the first, also where it has waited and can come on: for short launches. STRICT_LAST + b: the first, but block b last */
    SCHEDULE_IN_STEP,   /**< each warp one strong access in its turn; the last block and warp first (seed 0), or the first */
};
enum { STRICT_LAST = 2, BACKWARD_UNDRAWN = 2 }; /* seeds */
/** Takes effect for grids that start later. A new machine runs SCHEDULE_NATURAL. */
void machine_set_schedule(struct machine *m, enum schedule_kind kind, uint64_t seed);
/** Since then, in backward order: has a warp been held behind an atomic, for what it got may say whose turn it is? */
bool machine_has_parked(const struct machine *m);
/** May grids that start from now on read quietly (quiet_global.h)? One that ends as GRID_AGAIN is then to be run again, without. */
void machine_let_quiet(struct machine *m, bool may);
/** held_clock.c: what is shown of the clock, in checked mode. */
struct held_clock {
    bool on;                 /**< it stands still, */
    uint64_t at;             /**< there; */
    uint64_t ahead;          /**< or is so far ahead of what a warp's own instructions make of it */
    uint64_t latest, reads;  /**< what was shown so far at most; how often */
};
/** What a schedule depends on besides its seed: with it restored, a launch runs again as it ran. */
struct machine_point {
    uint64_t grids_started, clock, latest_clock;
    struct held_clock held_clock;
    int next_sm[MAX_DEVICES];
};
struct machine_point machine_point(const struct machine *m);
void machine_return(struct machine *m, const struct machine_point *p);

/** What device code is told by the runtime, when kernels launch kernels. Results and errors are numbers of cudaError_t. */
struct nested_host {
    int (*attribute)(int *value, int attribute, int device);
    int (*limit)(uint64_t *value, int limit, int device);
    int (*max_dynamic_shared)(const struct function *f);
    int (*max_threads)(const struct function *f);
    const char *(*words)(int error, bool name);
    struct device_graph *(*graph)(uint64_t handle, int *error); /**< NULL with the error that cudaGraphLaunch() gives; 700: none at all */
    int devices;
};
void machine_set_nested_host(struct machine *m, const struct nested_host *host);

/** Whether a kernel has printed. */
bool machine_has_printed(const struct machine *m);
/** Bytes of a thread's stack (cudaLimitStackSize; 1,024 at first). */
void machine_set_stack_limit(struct machine *m, uint64_t bytes);
/** Bytes that malloc() in device code may use in all (cudaLimitMallocHeapSize; 8 MiB at first). */
void machine_set_heap_limit(struct machine *m, uint64_t bytes);

enum step_result {
    STEP_GRID_ENDED,   /**< at least one grid is no longer GRID_RUNNING */
    STEP_BUDGET,       /**< the budget is used up, everything still runs */
    STEP_OPENED,       /**< a grid lets those that depend on it begin (grid_lets_dependents()) */
    STEP_FOUND,        /**< what the host looks at has changed (machine_look_for()) */
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

/* ---- awaited.c ---- */

/** Whether the host waits for what runs, and does nothing else before that has ended: so it is unless this says otherwise. `others`: one of its functions may come yet. */
void machine_set_awaited(struct machine *m, bool awaited, bool others);
/** All that runs only looks at memory: may it stand still so? `host_looks`: how often the host has looked at one place meanwhile. */
bool machine_stalls(struct machine *m, uint64_t host_looks);
void machine_goes_on(struct machine *m); /**< … and no more */
bool machine_is_stalled(const struct machine *m);
/** The host is about to load these bytes, of up to 8: once what runs has changed them and comes to a strong access or a fence, machine_step() ends. NULL: no more. */
void machine_look_for(struct machine *m, const uint8_t *at, uint64_t bytes);
bool machine_has_found(const struct machine *m); /**< have they changed since? */
enum step_result machine_step_beside(struct machine *m, uint64_t budget); /**< … no further than to where all that runs only polls: it is the host's turn */

/* ---- held_clock.c ---- */

/** How often the clock has been read so far, in checked mode. */
uint64_t machine_clock_reads(const struct machine *m);
/** The clock goes far ahead, and stands still there. */
void machine_hold_clock(struct machine *m);
/** It goes on from where it stands, if it does. */
void machine_release_clock(struct machine *m);

#endif
