/**
 * @file enumerate.h
 * Every execution of a small program that the memory model allows.
 *
 * The program is a function of values: given what a thread's reads returned so far, it tells what the thread
 * does up to its next read, its next barrier or its end. The search chooses for each read a write to take its
 * value from; events that nobody waits for are added at once. A read that is passed over takes a write that
 * is not there yet, so that each execution is met exactly once. Where a later write of the thread does not rest on such a
 * read (load buffering), the thread goes on meanwhile, as far as it does the same whatever value will come (late_reads.c): so program
 * order and reads-from may make circles, dependencies and reads-from none. Which reads those are is learnt in a first round. A read
 * that waits for a write ends its branch where no thread is left that was seen to write there; what is seen later asks for another round.
 *
 * A thread that reads a value and comes back to where it was, without having changed anything, waits: the rounds
 * of its loop are left out but for the last. If nothing can end its wait, the execution hangs.
 */
#ifndef SOFTGPU_MODEL_ENUMERATE_H
#define SOFTGPU_MODEL_ENUMERATE_H

#include <stddef.h>
#include <string.h>

#include "model/candidate.h"
#include "report/facts.h"

/** What a thread does next, after the events of its step. */
enum model_stop {
    STOP_READ,       /**< reads: `read` says where and how; its `pair` other than -1: a read-modify-write */
    STOP_BARRIER,    /**< arrives at a barrier, or exchanges values */
    STOP_END,        /**< ends */
    STOP_AGAIN,      /**< is where it was before its latest read, and has changed nothing */
    STOP_NEEDS,      /**< what it does rests on values that are not known: `needs` */
    STOP_UNKNOWN     /**< does something that is not modelled: `why` */
};

#define STEP_EVENTS 100 /* of one step: the loop of stores that has more has more than an execution may have */

/** What a barrier returns to all who came, from what they gave (bar.red). */
enum model_reduction { REDUCE_NOTHING, REDUCE_COUNT, REDUCE_AND, REDUCE_OR };

struct model_step {
    enum model_stop stop;
    struct model_event read;
    int barrier, expected;                  /**< which barrier; how many warps it waits for, whose threads come
                                                 together; 0 = all threads of the block that have not ended */
    uint32_t members;                       /**< a barrier among these lanes of the warp; 0: of the block */
    bool arrive_only;
    bool cluster, wait_only, relaxed;       /**< a barrier of the cluster, of which each phase has a number of its own: the
                                                 arrival, which may order no memory, or the wait for it */
    bool exchanges;                         /**< lanes meet there and pass values: it orders no memory */
    uint64_t what;                          /**< the caller's: which operation; */
    uint64_t brings[2];                     /**< and what the thread brings, */
    event_set rests;                        /**< which rests on these values */
    event_set shows;                        /**< values that show in memory which no other thread uses */
    int reduces;                            /**< enum model_reduction */
    uint64_t given;                         /**< what the thread brings to it */
    uint32_t cookie;                        /**< of the barrier's instruction */
    int rounds;                             /**< STOP_AGAIN: reads since it was here before, the latest included */
    bool swaps;                             /**< STOP_READ: it writes only if it reads `expects` */
    uint64_t expects;
    uint64_t same;                          /**< not 0: a thread goes on alike, and leaves the same, from all its steps that have it; */
    uint64_t rest;                          /**< and from behind the events of all that have this; 0 where `same` is */
    event_set needs;                        /**< STOP_NEEDS: the values, of those that are not known; */
    bool binds;                             /**< all that the thread does later rests on one of them, too */
    enum incomplete_cause why;
    int count;
    struct model_event event[STEP_EVENTS];  /**< writes and fences, in order; a write with `pair` other than -1
                                                 belongs to the thread's latest read. `depends` and `told` count the thread's
                                                 reads and barriers, not events */
};

/** Copies the events that the step has, and no others: there is room for many. */
static inline void model_step_copy(struct model_step *to, const struct model_step *from)
{
    memcpy(to, from, offsetof(struct model_step, event) + sizeof from->event[0] * (size_t)from->count);
}

/** Lanes that exchange values. */
struct model_exchange {
    uint32_t lanes;
    uint64_t what, brings[32][2];           /**< as their steps say, by lane */
};

/** A program of `threads` threads. */
struct model_program {
    int threads, locations;
    const struct model_place *place;
    const int *weight;                      /**< threads that each stands for, all alike; NULL: 1 each. Only
                                                 threads that do nothing but pass barriers stand for several */
    const uint64_t *initial;                /**< by location */
    /** What `thread` does after its reads and barriers returned values[0..count). In the place of those in `unknown` stands anything,
     *  but for a swap, which shows whether it writes; so only what the thread writes may rest on them, else STOP_NEEDS.
     *  @return false to give up */
    bool (*next)(void *self, int thread, const uint64_t *values, int count, event_set unknown, struct model_step *step);
    /** What a lane gets; NULL if no step exchanges. */
    uint64_t (*exchange)(void *self, const struct model_exchange *e, int lane);
    void *self;
};

/** One way in which a program may end. */
struct model_outcome {
    const uint64_t *final;                  /**< by location */
    const struct execution *execution;      /**< one that ends so, */
    const struct axioms *relations;         /**< and its relations (verdict.h asks them); both gone after the call */
    const uint64_t *values[MODEL_THREADS];  /**< what each thread's reads and barriers returned */
    int value_count[MODEL_THREADS];
    bool hangs;                             /**< some threads wait for ever: `waiting` */
    uint32_t waiting;                       /**< threads, one bit each */
    uint64_t serial;                        /**< number of the assignment of writes to reads */
};

struct model_limits {
    uint64_t executions;                    /**< candidates to be judged, 0 = no bound */
    uint64_t points;                        /**< of the walk, 0 = no bound. Values that circles of load buffering alone write
                                                 are tried last, and as far as it goes */
    uint64_t work;                          /**< the same, but points of more than 20 events count for more than one; 0 = no bound */
    bool by_outcome;                        /**< executions that differ only in the order of reductions (`commutes`) which nothing
                                                 sees need not all be found */
    bool by_value;                          /**< executions that differ only in which of the writes of one value a read sees need not
                                                 all be found, only each content that they may leave */
    double seconds;                         /**< of processor time, 0 = no bound */
    const bool *enough;                     /**< true: more outcomes than the caller keeps; NULL: it keeps all */
};

/**
 * Calls `found` for each execution and each final content that it may leave.
 * @return INCOMPLETE_NOT if all were tried, else why not
 */
enum incomplete_cause model_enumerate(const struct model_program *p, const struct model_limits *limits,
                            void (*found)(void *self, const struct model_outcome *o), void *self);

#endif
