/**
 * @file vtime.h
 * Virtual time: when each operation starts and ends on the modelled device, in nanoseconds.
 *
 * Real time plays no part, and what has been executed when plays none either: execution (execution.c)
 * gives results and, for kernels, how much there was to do; this part lets a clock run over the
 * operations as a device would begin and end them. It runs no further than somebody needs: to the
 * end of what the host waits for, to the host's own clock where the host asks.
 *
 *   vtime.c          the host's clock; operations become ready, in the order of time
 *   vtime_engines.c  copy engines and SMs, with what is on them; how fast each gets on
 *   vtime_work.c     how much work an operation is
 */
#ifndef SOFTGPU_RUNTIME_STATE_VTIME_H
#define SOFTGPU_RUNTIME_STATE_VTIME_H

#include "options/device_model.h"
#include "timeline/timeline.h"

struct operation;

enum time_state {
    TIME_NEW,
    TIME_AWAITS,      /**< operations before it have not ended */
    TIME_ARRIVES,     /**< ready at a known time */
    TIME_ENGINE,      /**< on its engine or queueing for it */
    TIME_ENDED
};

/** What an operation needs of its engine, and how far it has come. */
struct work {
    bool known;
    double alone_ns;      /**< with the engine to itself */
    double left_ns;       /**< of that; INFINITY while it runs and is not known */
    double rate;          /**< at which `left_ns` shrinks now: 0 to 1 */
    double share;         /**< kernels: part of the SMs' room that its blocks can fill */
    double issue, memory; /**< kernels: part of all issue slots, of the memory's speed, used alone */
};

/** An operation's place in virtual time. */
struct op_time {
    enum time_state state;
    enum timeline_engine engine;   /**< an event's: that of the operation before it in its stream */
    int awaited;                   /**< operations that have to end first */
    LIST(struct operation *) followers;  /**< referenced */
    uint64_t issued_ns, ready_ns, start_ns, end_ns;
    uint64_t engine_ns;            /**< when `engine` was last used in its stream, up to here */
    double mark_us;                /**< OP_MARK: what it takes */
    bool call_spent;               /**< the host has spent what the call takes */
    bool joins;                    /**< a graph's node that depends on one of another branch */
    bool tried;                    /**< execution was asked for, and did not come to an end */
    struct work work;
};

/* ---- vtime.c ---- */

/** The host spends `us` microseconds. */
void vtime_host(double us);
/** `op` follows `before` in time; both have been given to vtime_issue() or will be. */
void vtime_follow(struct operation *op, struct operation *before);
/** `op` has all its predecessors; takes a reference until it has ended. */
void vtime_issue(struct operation *op);
/** `op` has been executed: how much it was is known now. */
void vtime_executed(struct operation *op);
/**
 * Lets the clock run until `target` has ended (NULL: none) or it stands at `limit_ns`, executing
 * kernels as it meets them where `execute`. @return whether the target has ended
 */
bool vtime_run(uint64_t limit_ns, struct operation *target, bool execute);
/** Forgets all that has not ended: after a fault, at a reset. */
void vtime_drop(void);

/* ---- vtime_engines.c ---- */

/** An operation that is ready takes its place on its engine. */
void engines_enter(struct operation *op);
/** When the next of them ends, UINT64_MAX if none will by itself. */
uint64_t engines_next(uint64_t now);
/** Time passes. */
void engines_advance(uint64_t ns);
/** Takes one that has ended off its engine, and lets others on. @return NULL if none has */
struct operation *engines_leave(uint64_t now);
/** The one whose end is not known, if there is any: its execution must go on. */
struct operation *engines_unknown(void);
/** The operation's work has become known. */
void engines_known(struct operation *op, uint64_t now, uint64_t not_before);
/** All off; calls `drop` for each. */
void engines_clear(void (*drop)(struct operation *op));

/* ---- vtime_work.c ---- */

/** Fills in `work` from what is to copy, or from the grid that has run. Once: the first run counts. */
void work_measure(struct operation *op);

#endif
