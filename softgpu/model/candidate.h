/**
 * @file candidate.h
 * A candidate execution: the events of a run, which write each read takes its value from, and whether the
 * axioms of the PTX memory model (PTX ISA, chapter 8, "Memory Consistency Model") allow it.
 *
 * Nothing here runs a program: enumerate.h makes the candidates, this file judges them. An event is a read, a
 * write, a fence or a passed barrier of one thread; a read-modify-write is a read and a write that are each
 * other's `pair`. Events of a thread stand in program order. Event numbers below `locations` are the initial
 * writes, one a location, which come before all other writes in coherence order.
 *
 * All axioms are monotone: an execution that breaks one keeps breaking it however many events and sources
 * are added. So a search may judge unfinished executions and turn back early.
 */
#ifndef SOFTGPU_MODEL_CANDIDATE_H
#define SOFTGPU_MODEL_CANDIDATE_H

#include <stdbool.h>
#include <stdint.h>

/** Bound on the events of one execution, initial writes included. */
#define MODEL_EVENTS 128
#define MODEL_THREADS 32
#define MODEL_LOCATIONS 32

/** A set of events, one bit each; as a row of a relation, the events that one event is related to. */
typedef unsigned __int128 event_set;

static inline event_set event_bit(int event)
{
    return (event_set)1 << event;
}

static inline bool event_in(event_set s, int event)
{
    return s >> event & 1;
}

/** The lowest event of a set that is not empty. */
static inline int event_first(event_set s)
{
    uint64_t low = (uint64_t)s;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(s >> 64));
}

/** Runs the statement for each event of a set. */
#define FOR_EVENTS(e, set)                                                                         \
    for (event_set set_##e = (set); set_##e; set_##e = 0)                                          \
        for (int e; set_##e && (e = event_first(set_##e), true); set_##e &= set_##e - 1)

/** An exchange is where lanes of a warp meet and pass values: it orders them in time, no memory (PTX ISA 9.7.9.6). */
enum event_kind { EVENT_READ, EVENT_WRITE, EVENT_FENCE, EVENT_BARRIER, EVENT_EXCHANGE };

/** Threads that an operation is strong towards, from near to far. */
enum model_scope { MODEL_CTA, MODEL_CLUSTER, MODEL_GPU, MODEL_SYS };

struct model_event {
    enum event_kind kind;
    int thread;              /**< -1: an initial write */
    int location;            /**< of reads and writes */
    uint64_t value;          /**< read or written */
    bool strong;             /**< relaxed or more; false: weak */
    bool acquire, release;   /**< of reads and writes; fences are both unless said otherwise */
    bool sc;                 /**< fence.sc */
    bool silent;             /**< the read of a `red`: it never acquires (PTX ISA 9.7.13.6) */
    bool outside;            /**< a weak read that the model does not apply to (PTX ISA 8.1: ld.global.nc): it may miss any write, whatever
                                  orders the two, but sees none that it comes before */
    uint16_t commutes;       /**< of the read of a reduction: names an operation, any two of which may change places and leave
                                  the same, while nothing but its write rests on what it returns. 0: it is none */
    uint16_t drops;          /**< the same, but that sums must be exact, and a thread's loops are followed */
    uint8_t counts;          /**< of the read of a read-modify-write that counts, adding an integer or stepping: names the operation. Which of
                                  several of one name comes first, memory does not show. 0: it is none */
    enum model_scope scope;
    int pair;                /**< the other half of a read-modify-write, -1 = none */
    event_set depends;       /**< earlier reads of the thread that address, value or control rest on; */
    event_set told;          /**< those of them that show in what it leaves, wherever that is: value or control rests on them */
    bool shows;              /**< of a read: in memory that the model has no location for, too */
    uint32_t cookie;         /**< the caller's: which instruction it is */
};

/** Where a thread stands in the machine: who is inside which scope. */
struct model_place {
    int block, cluster, device;
    int warp, lane;          /**< in its block; only barriers among lanes ask */
};

#define SOURCE_NONE (-1)     /**< of events that are no reads, */
#define SOURCE_LATER (-2)    /**< and of a read whose value was guessed: its write is still to come */
#define SOURCE_ANY (-3)      /**< its value is known, and one of the writes that have it is still to come (by_value.c) */

/** Coherence order, as far as it follows from what is there: `order[write]` are later writes of its location. */
struct coherence {
    event_set order[MODEL_EVENTS];
    event_set caused[MODEL_EVENTS];     /**< what each access caused at its location when all that followed had been added, */
    uint32_t settled;                   /**< for these locations, and with the events and sources that they have now */
};

struct execution {
    int locations, threads, count;
    struct model_place place[MODEL_THREADS];
    struct model_event event[MODEL_EVENTS];
    int source[MODEL_EVENTS];           /**< reads-from: the write that a read takes its value from */
    event_set before[MODEL_EVENTS];     /**< program order: earlier events of the same thread */
    event_set of_location[MODEL_LOCATIONS]; /**< accesses, but for reads outside the model */
    event_set reads, writes, fences, outside;
    event_set barrier[MODEL_EVENTS];    /**< events that this one synchronises with through a barrier */
    event_set morally_strong[MODEL_EVENTS]; /**< 8.7.1, symmetric, without an event itself */
    event_set meets[MODEL_EVENTS];      /**< events that come later in time, though nothing orders memory between them */
    struct coherence coherence;         /**< what execution_possible() has found so far */
    int met[MODEL_THREADS];             /**< where threads have met, that the thread's next event comes after, -1 = none */
};

/** An execution without events but the initial writes, all weak. */
void execution_begin(struct execution *x, int locations, const uint64_t *initial, int threads,
                     const struct model_place *place);
/** Does the scope of an operation of the thread there include one elsewhere? */
bool place_reaches(const struct model_place *own, enum model_scope scope, const struct model_place *other);
/** Does the scope of an operation of `thread` include the other one? */
bool execution_reaches(const struct execution *x, int thread, enum model_scope scope, int other);
/** Copies what is in use. */
void execution_copy(struct execution *to, const struct execution *from);
/** Appends an event to its thread. @return its number, or -1 at the bound */
int execution_add(struct execution *x, const struct model_event *e, int source);
/** Appends the exchange, or the barrier, `e` of `threads`, one bit each, to the first of them: what these did comes before it in time, or in
 *  causality, and what they will do after. @return as execution_add() */
int execution_meet(struct execution *x, struct model_event e, uint32_t threads);
/** What an arrival gives to those whose events behind the barrier are `waiting`: an order of memory, or one in time; then only
 *  a fence before it orders memory (PTX ISA 9.7.13.3). */
void execution_arrival(struct execution *x, int arrival, bool relaxed, event_set waiting);

/** A read that was left out takes its value from `write`. */
void execution_set_source(struct execution *x, int read, int write);

/** Could the model allow this, whatever comes? False: never. Reads with SOURCE_LATER are left out. Keeps what it finds. */
bool execution_possible(struct execution *x);

/** The same, and takes from the writes `offered` to each of some reads without a source those that it cannot take: most of them.
 *  @return false, too, if none is left to a read */
bool execution_narrow(struct execution *x, event_set reads, event_set *offered);

struct axioms;
/** A complete execution that the axioms allow; `last[location]` holds the writes of which each may stand at the
 *  end of coherence order, whatever those of other locations do; `relations` are axioms.h's, gone after the call. */
typedef void execution_fn(void *self, const struct execution *x, const struct axioms *relations, const event_set *last);

/** Judges a complete execution: calls `allowed` for orders of the fence.sc operations under which some coherence order satisfies
 *  the axioms: for all of which no other one leaves more open.
 *  @return steps that it took; not all was tried if these are more than `most` */
uint64_t execution_judge(const struct execution *x, uint64_t most, execution_fn *allowed, void *self);

#endif
