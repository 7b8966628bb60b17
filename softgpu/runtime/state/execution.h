/**
 * @file execution.h
 * Operations take effect: driven by the host thread that waits, or in the background.
 */
#ifndef SOFTGPU_RUNTIME_STATE_EXECUTION_H
#define SOFTGPU_RUNTIME_STATE_EXECUTION_H

#include "runtime/state/operation.h"

enum drive { DRIVE_WAIT, DRIVE_QUERY, DRIVE_BACKGROUND };
/** Begins what is ready and runs grids for a slice. @return whether anything happened */
bool engine_round(enum drive drive);
/**
 * Drives until `op` is done or the device has faulted; host and virtual time join it.
 * `call`: the API call in which the host waits, for the timeline.
 */
cudaError_t engine_wait(struct operation *op, const char *call);
/** The same, but that the host need not know of it: documented as possibly asynchronous. */
cudaError_t engine_pass(struct operation *op, const char *call);
/** engine_wait() without telling the timeline. */
cudaError_t engine_join(struct operation *op);
/** engine_pass() without telling the timeline: the queue is full, which no program knows. */
cudaError_t engine_drain(struct operation *op);
/** When engine_execute() gives up: when nothing can go on; before that when `op` seems to wait for the host; and of a host function
 *  as soon as it does that, where what becomes of it may be seen later as well. */
enum give_up { GIVE_UP_STUCK, GIVE_UP_WAITING, GIVE_UP_SOON };
/** Drives until `op` is executed. */
void engine_execute(struct operation *op, enum give_up when);
/** `op`, and what it depends on, is waited for. */
void engine_need(struct operation *op);
/** Draws when `op` takes effect, as far as that is open: from the seed alone. */
void engine_draw(struct operation *op);
/** Whether `op` has ended by the host's clock. @return cudaErrorNotReady if not */
cudaError_t engine_query(struct operation *op);
/** Takes the end of a grid that has run: fault, counters, virtual time. */
void engine_grid_ended(struct operation *op);
void engine_start_background(void);
/** The host now knows that `op` and all before it are complete. */
void host_joins(struct operation *op);

/* ---- host_calls.c ---- */
/** Hands a host function to the thread that runs them. */
void engine_begin_host_call(struct operation *op);
/** Whether a function that could begin at `since` (ms) has had the time that it gets: while none of the program's threads runs, it waits for somebody. */
bool host_call_waits(uint64_t since, enum give_up when);
/** Gives host functions that have begun a little time to end, each once, and releases the lock meanwhile. @return whether one had any left */
bool host_calls_wait(void);
/** The host has waited for `done`: functions that run beside it, and do not end soon, may hear of that. Releases the lock for a while. */
void host_calls_hear(const struct operation *done);
/** The host function that the calling thread is in, if it is in one, knows these to be done, too. */
void host_function_learns(const struct op_set *known);
/* ---- threads_beside.c ---- */
/** The calling thread has waited for the device. Lets others that nothing holds up get on; releases the lock for a while. */
void host_threads_beside(void);
/** Has the program threads beside this one, whatever they do? */
bool host_has_other_threads(void);
/** Whether a thread of the program's but the calling one can run. */
bool host_thread_runs(void);

/* ---- host_calls.c, threads ---- */
/** A thread of the runtime's own, for the rest of the process. */
void runtime_start_thread(void *(*body)(void *));
/** How many of them there are. */
int runtime_threads(void);

#endif
