/**
 * @file agents.h
 * Private to the race checker: launches, and their blocks as agents: what is kept of them when they have ended.
 */
#ifndef SOFTGPU_CHECK_RACE_AGENTS_H
#define SOFTGPU_CHECK_RACE_AGENTS_H

#include "base/op_set.h"
#include "check/race/block_signals.h"
#include "check/race/clock/release_chain.h"
#include "check/race/observed_chains.h"
#include "execute/grid.h"

struct block_state;

/** Launches are kept until the program ends: beside more operations that are under way (64 a word) what a launch comes after is not kept with
 *  it, and who waits for its value by a stream is taken to know of it alone. */
#define MAX_KNOWN_WORDS 64

/** A launch, kept after its grid is gone so that its accesses can still be named. */
struct launch {
    struct grid grid;         /**< a copy: configuration only */
    uint64_t op;
    uint64_t set;             /**< the first of the operations that run at once and again; `op` where it runs alone */
    uint64_t run;             /**< race.runs when it began */
    uint32_t first_agent;
    uint32_t floor;           /**< agents below it are ordered before it */
    uint32_t host_time;       /**< the host's, when it began */
    uint32_t wait_agent;      /**< whoever knows of its time 1 comes after a griddepcontrol.wait; 0 = none awaited */
    const struct launch *root;/**< the host's, if a kernel has launched it; else itself */
    const struct launch *parent; /**< the one whose thread has launched it; NULL: the host */
    uint64_t member;          /**< grid.member */
    struct knowledge *inherited; /**< what its launching thread knew, and had done, when it launched it; until it ends */
    bool deaf;                /**< its threads use nothing that they read by atomics, and acquire nothing but at barriers, */
    bool hears_none;          /**< … and none of its atomics reads alone */
    bool waited;              /**< some thread has waited so: */
    struct op_set known;      /**< operations that all of it comes after, or has heard of */
    struct op_set awaited;    /**< operations that are ordered before what comes after such a wait, */
    struct op_set behind;     /**< and before all of it: those that had ended before all whom it awaits had triggered it */
    struct op_set may_await;  /**< operations that such a wait may be for, if its kernel has one */
    bool triggers;            /**< some block has let the next launch begin, */
    uint64_t triggers_behind; /**< and in so many blocks no thread has done so before such a wait */
};

struct agent {
    struct launch *launch;    /**< NULL: the program on the host */
    uint64_t block;           /**< linear index */
    uint32_t *left;           /**< for each thread: 0, or 1 + the last uniform time that covers it */
    struct block_state *live; /**< while the block runs */
    struct observed_list *observed; /**< by its threads, passed on by its barriers; NULL: nothing */
    struct observed_list *threads;  /**< once the block has ended: by each thread; NULL if none observed any */
    uint32_t thread_count;
    struct block_signals signals;   /**< its strong writes */
    bool gives;               /**< something holds what its threads had done, for others to know of */
    bool bulk;                /**< of bulk copies, which go through the async proxy */
    uint32_t cluster;         /**< of several blocks: the agent of the first; 0: none */
    uint32_t copies_of;       /**< of asynchronous copies (async.c): their block's agent; 0 = not one */
};

/** A tensor map in memory that copies of a launch use. */
struct known_map {
    const struct launch *launch;
    uint64_t address, digest;        /**< … of the stores that it holds */
    uint32_t agent, version;
};

#endif
