/**
 * @file facts.h
 * What a checker finds out beside kind, place and accesses: a cause, and the numbers and lines that belong
 * to it. Checkers fill these in and write no prose; report/words/ makes message, rule and advice of them.
 *
 * Strings and call sites are borrowed until report_finding() has returned.
 */
#ifndef SOFTGPU_REPORT_FACTS_H
#define SOFTGPU_REPORT_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "report/launch_limit.h"

struct call_site;

enum finding_cause {
    CAUSE_NONE,
#define CAUSE(name, family) CAUSE_##name,
#include "report/causes.def"
    CAUSE_COUNT
};

/** Which of two accesses came first, and what they did. */
enum conflict { WRITE_THEN_READ, READ_THEN_WRITE, WRITE_THEN_WRITE };

/** One thing to try against a race. Lines are `lines` of struct race_facts. */
enum race_advice {
    TRY_NOTHING,
    TRY_BARRIER,                 /**< behind [0], before [1] */
    TRY_BARRIER_WITHIN_LINE,     /**< between the store and the load on [0] */
    TRY_BARRIER_IN_LOOP,         /**< behind [0], before the loop comes to [1] again */
    TRY_BARRIER_BETWEEN_BRANCHES,/**< [0] and [1] are in different ones */
    TRY_BARRIER_BEFORE_BRANCH,   /**< behind [0], before the branch on [1] that not all threads take */
    TRY_BARRIER_IN_PARTS,        /**< between [0] and [1], both inside the branch on parted_line */
    TRY_BARRIER_BEHIND_BRANCH,   /**< the same round a loop, before [1] */
    TRY_BARRIER_AFTER_BRANCH,    /**< the one on parted_line, in which [0] is; before [1], which is behind it */
    TRY_READ_FIRST,              /**< [0] reads one place and writes another */
    TRY_ONE_UPDATE,              /**< [0] reads and writes one place */
    TRY_ONE_WRITER,              /**< all threads write on [0] */
    TRY_COUNTER,                 /**< [0] writes where the atomic on [1] says */
    TRY_ATOMIC,                  /**< load and store on [0]; or load on the one and store on the other */
    TRY_RELEASE_LOCK,            /**< that is taken on [0] and given back on [1] */
    TRY_SAME_LOCK,               /**< that is taken on [0] and on [1]: they need not be one */
    TRY_TAKE_LOCK,               /**< on [0], the one that is taken on [1] */
    TRY_OTHER_ARRAY,             /**< [0] reads one place and writes another, which other blocks read */
    TRY_CLUSTER_BARRIER,         /**< between [0] and [1], of different blocks of one cluster */
    TRY_OTHER_LAUNCH,            /**< for [0] and what comes behind it: blocks have no barrier; [1] comes first */
    TRY_BARRIER_FOR_ALL,         /**< one stands on every way from [0] to [1], and these two do not meet there */
    TRY_STRONG,                  /**< on [0], as on [1] */
    TRY_STRONG_DATA,             /**< on [0] and on [1]: it is read while it may be written, and dropped then */
    TRY_STRONG_SIGNAL,           /**< the same: [0] stores what a loop on [1] waits for */
    TRY_STRONG_LOOK,             /**< the same: [0] looks at what its thread updates on [1] */
    TRY_USE_RESULT,              /**< the same: [0] looks again at what its thread has updated on [1] */
    TRY_SAME_WIDTH,              /**< [0] and [1] are atomic, of different sizes: `bytes` on [0], as on [1] */
    TRY_WIDER_SCOPE,             /**< [0] and [1] are atomic, for one block's threads only; for one device's, where there are two */
    TRY_FENCE_AFTER_READ,        /**< of the signal, on [0] */
    TRY_FENCE_BEFORE_SIGNAL,     /**< by the thread that signals on [0] */
    TRY_BOTH_FENCES,             /**< by the thread that signals on [0], and behind its read on [1] */
    TRY_FENCE_AND_SIGNAL,        /**< behind [0]: what was taken for a signal comes before */
    TRY_FENCES,                  /**< before the signal on [0], behind its read on [1] */
    TRY_HAND_ON,                 /**< before [0]: another thread of its block has received what the other block did */
    TRY_SPEAK_FOR_ALL,           /**< behind [0], and the loop that begins on [1], if not 0: another thread of its block has signalled, and has not waited for it */
    TRY_BOTH_BARRIERS,           /**< both: behind [0] and before [1] */
    TRY_WARP_BEFORE_SIGNAL,      /**< behind [0], before [1]: one lane signals there for its warp */
    TRY_WARP_BEHIND_WAIT,        /**< before [0]: another lane of its warp has waited */
    TRY_WARP_BOTH,               /**< both: behind [0], where one lane signals for its warp, and before [1] */
    TRY_SIGNAL_OF_EACH,          /**< one thread signals on [1] for several warps, which write on [0] */
    TRY_SET_BEFORE,              /**< [0] sets what [1] counts, and stands before it */
    TRY_SET_BACK,                /**< … and stands behind it */
    TRY_SIGNAL_LATER,            /**< behind [0]: what the block has received of the other came before that; it may be the signal on [1] */
    TRY_GRID_BARRIER,            /**< between [0] and [1], of different blocks of a cooperative launch */
    TRY_NO_RESTRICT,             /**< on [0] */
    TRY_OTHER_SURFACE,           /**< [0] fetches what the launch writes on [1] */
    TRY_BEFORE_LAUNCH,           /**< [0], of a kernel that launches the other one's; or behind that in a tail launch */
    TRY_ONE_STREAM,              /**< for the launches of both kernels */
    TRY_SC_FENCES,               /**< in each of sc_lines */
    TRY_FENCE_BETWEEN,           /**< in each thread: behind [0] in the one, before [1] in the other */
    TRY_FENCE_BEFORE,            /**< right before [0], and right before [1] unless that is 0 */
    TRY_KEEP_APART,              /**< in some executions only a thread comes to [0] while another is at [1] */
    TRY_SMALLER_TILE,            /**< a library's own exchange races */
    TRY_COPY_THEN_BARRIER,       /**< CAUSE_COPY: behind the second, a copy, before the loop comes to the first again */
    TRY_BARRIER_THEN_COPY,       /**< CAUSE_COPY: behind the second, a read, before the loop comes to the first, a copy, again */
    TRY_RELEASE_THEN_COPY,       /**< … at a barrier in shared memory */
    TRY_WAIT_OR_RELEASE,         /**< … or the read is to come behind a wait for the copy */
    TRY_READERS_THEN_COPY,       /**< CAUSE_COPY: the second, a copy, behind whoever reads what the first, a copy too, has brought */
};

/** What an update is worth that rests on a value which another thread has changed since. */
enum late_act { LATE_OVERWRITES, LATE_SWAP_FAILS, LATE_CHECK_FAILS, LATE_CLAIM, LATE_CLAIM_OVER, LATE_TAKES, LATE_LINKS, LATE_EXCHANGES,
                LATE_BOTH_FIND, LATE_NONE_FINDS, LATE_BELONGS };

struct race_facts {
    enum late_act late;          /**< CAUSE_ACTED_LATE */
    bool picks;                  /**< … a maximum, or the like, by hand, */
    bool told;                   /**< … and others are told of it, who may look again */
    bool jumps;                  /**< … or what a swap puts there stands where the value leads that it expects */
    bool may;                    /**< CAUSE_ACTED_LATE: in another order of the threads */
    enum conflict conflict;      /**< accesses[0] comes first */
    bool same_block, same_warp;
    bool same_cluster;           /**< of several blocks */
    bool same_value;             /**< both write it */
    bool rests_on_read;          /**< what the first writes rests on what was there */
    bool unchanged;              /**< of a read and a plain store: that leaves the value as it was */
    bool cooperative;            /**< the launch is */
    bool grid_wide;              /**< of one block, in memory to which the launch's other blocks may come, too */
    bool copies[2];              /**< CAUSE_COPY: which of them is one, */
    bool products[2];            /**< … and no copy: a product of matrices in shared memory (wgmma) */
    bool copy_waited;            /**< CAUSE_COPY: the first's own thread has waited for it */
    const char *kernels[2];      /**< each one's, as the linker knows it, where they are of two launches on one device; else NULL */
    bool nested;                 /**< a kernel has launched one of them */
    bool graphs;                 /**< … as part of a graph */
    uint8_t devices[2];          /**< 1 + the number of each one's device, where they differ; else 0 */
    bool narrow;                 /**< CAUSE_NOT_RELEASED, CAUSE_NOT_ACQUIRED: there is one, which does not reach the other device */
    bool of_block;               /**< the same: there is a fence, whose scope is the thread's own block, and both are of different ones */
    bool elsewhere;              /**< CAUSE_PROXY: there is a proxy fence, for another state space */
    bool neither;                /**< CAUSE_NOT_RELEASED: nor does the second acquire */
    bool reads_first;            /**< CAUSE_SAME_PHASE: as the code has it the read comes before the write */
    bool released, acquired;     /**< CAUSE_RELAXED: one of the two has its fence, and only the other's is missing */
    bool strong;                 /**< CAUSE_HOST_UNORDERED: the kernel's access is */
    int signal_line, via_line;   /**< where the first signals; where the second sees it */
    int between_line;            /**< where a thread between the two sees it, and passes it on without an acquire (CAUSE_NOT_ACQUIRED; 0: the
                                      second lacks it), or, */
    int passing_line;            /**< CAUSE_NOT_RELEASED: by this signal, without a release; 0: the first lacks it */
    bool waits;                  /**< that read only waits: it is a loop's, which does nothing else with memory */
    int before_line;             /**< of the second's access, which both ways of a branch lead to that the read decides; else 0 */
    unsigned bytes;              /**< of the wider of two accesses of different sizes */
    enum race_advice advice;
    int lines[2];
    bool unrolled;               /**< nothing is left in the code of the loop that leads from [0] to [1] */
    int sc_count, sc_lines[3][2];/**< where a fence.sc is missing: behind the one line, before the other */
    bool sc_instead;             /**< another fence stands there, of another kind or too small a scope */
    int parted_line;             /**< a branch at which the second's warp has parted; 0 = none */
};

/** Who uses the memory: an operation in a stream, or the host. */
struct stream_party {
    enum { PARTY_CALL, PARTY_KERNEL, PARTY_HOST_READ, PARTY_HOST_WRITE } what;
    const char *name;            /**< the call, or the kernel as the linker knows it */
    bool function;               /**< within a host function */
    bool node;                   /**< of a graph that was launched */
    bool staged;                 /**< a copy from pageable memory */
    uint64_t stream;             /**< its id */
    uint64_t captured;           /**< a node: the stream it was captured from; 0 = made by hand */
    const struct call_site *call;/**< of a node: what was captured, or made it */
    const struct call_site *issued; /**< the same, but of a node where its graph was launched */
};

/** What stands between two operations, and does not order them. */
enum stream_gap {
    GAP_NOTHING,                 /**< no event, no synchronisation */
    GAP_NOT_WAITED,              /**< the host has waited for nothing */
    GAP_FUNCTION,                /**< a host function that does not come after it */
    GAP_EARLY_EVENT_HOST,        /**< the host waited (waited) for an event that was recorded too early */
    GAP_OTHER_STREAM_HOST,       /**< the host waited (waited) for stream `other` */
    GAP_EARLY_EVENT,             /**< the second waits for an event that was recorded before the first */
    GAP_EARLY_NODE,              /**< the same between nodes: the record does not depend on the first */
    GAP_NO_EVENT_YET,            /**< nothing had been recorded when `second_waits` or the first waited */
    GAP_OTHER_EVENT,             /**< the second waits for an event of stream `other` */
    GAP_OTHER_WAITS,             /**< stream `other` waits for the first's event */
    GAP_STAGED,                  /**< a copy from pageable memory returned early */
    GAP_DEFAULT_APART,           /**< the default stream and a non-blocking one */
    GAP_NO_WAIT,                 /**< an event was recorded, nobody waits for it */
    GAP_TRIGGER,                 /**< what is waited for is complete when all of the first's blocks have triggered it */
    GAP_BEGUN,                   /**< … or have begun */
    GAP_BATCH,                   /**< copies of one call, which are made in any order */
    GAP_SOURCE_AHEAD,            /**< the second, a copy of a batch, may read its source out of its stream's order */
    GAP_PROGRAMMATIC,            /**< the second may run beside the first, and has not executed griddepcontrol.wait */
    GAP_PROGRAMMATIC_CHAIN,      /**< a kernel is between them, whose end that waits for, and which has not executed it */
    GAP_PROGRAMMATIC_EARLY,      /**< … and which has, but may trigger before; the second has not */
};

enum stream_advice {
    TRY_RECORD_AND_WAIT, TRY_RECORD_LATER, TRY_DEPENDENCY, TRY_WAIT_LATER, TRY_WAIT_FOR_EVENT,
    TRY_SYNCHRONIZE, TRY_FLAG_OR_SYNCHRONIZE /**< the kernel polls: perhaps for the host */, TRY_WRITE_BEFORE_FLAG /**< … on wait_line, before it reads what the host writes */, TRY_WAIT_BEFORE_FUNCTION, TRY_FUNCTION_IN_GRAPH, TRY_GRID_WAIT,
    TRY_TWO_BATCHES, TRY_STREAM_ORDER, TRY_GRID_WAIT_BETWEEN
};

struct stream_facts {
    struct stream_party first, second;
    enum stream_gap gap;
    enum stream_advice advice;
    bool second_waits;           /**< GAP_NO_EVENT_YET */
    int wait_line;               /**< TRY_WRITE_BEFORE_FLAG */
    uint64_t other;
    const struct call_site *waited, *recorded; /**< NULL if there is none */
};

enum wait_for { WAIT_FOR_BARRIER, WAIT_FOR_CLUSTER, WAIT_FOR_LANES, WAIT_FOR_WARPS, WAIT_FOR_MEMORY, WAIT_FOR_SHARED, WAIT_FOR_PHASE /**< of an mbarrier */ };

/** Places of one warp's lanes that are told. */
#define MOST_STANDING 4

struct wait_facts {
    uint32_t thread;             /**< in its block */
    uint64_t block;              /**< in the grid */
    enum wait_for what;
    int barrier;
    uint32_t expected, threads;  /**< WAIT_FOR_BARRIER: its count, 0 without one; those of the block */
    uint32_t arrivals;           /**< WAIT_FOR_PHASE: that are missing in the phase at hand, */
    int64_t bytes;               /**< and bytes */
    bool untouched;              /**< … and nothing at all has come in it; */
    uint64_t phases;             /**< so many have ended before */
    int lost_line;               /**< that updates the memory in two steps; 0: none is known */
    bool host;                   /**< it waits for memory that the host shares */
    uint64_t ended;              /**< blocks of the grid that have */
    uint64_t blocks, waiting, running; /**< of the grid: all, not started, started and not ended */
    struct lanes_at {
        uint32_t lanes;
        int line;
    } standing[MOST_STANDING];   /**< the warp's lanes by the lines at which they are, those that wait first */
    int standings;
    uint32_t left;               /**< lanes that have left the kernel */
};

struct value_facts {
    const char *name;            /**< the call */
    int how;                     /**< what is waited for: enum value_how */
    uint64_t value, holds;
};

struct loop_facts {
    uint64_t turns;
};

struct parted_facts {
    int warp, threads[2];        /**< in the block: who waits at the barrier, who does not */
    bool unaligned;              /**< the barrier is (barrier.sync): threads may come to it at several places */
    bool of_cluster, same_block; /**< it is a cluster's; both are of one block */
    int barriers[2];             /**< CAUSE_ELSEWHERE: the numbers of what both wait at; the same where one of them waits at none */
    uint32_t counts[2];          /**< … and the threads that they wait for; 0: all of the block */
};

struct mask_facts {
    int warp, threads[2];        /**< in the block */
    uint32_t masks[2];
    uint32_t together;           /**< the lanes that come to the place at once; CAUSE_NO_REGISTERS: registers */
    const char *operation;       /**< "shuffle", … */
};

struct undefined_facts {
    int reader, user;            /**< threads in the block: who read or shuffled, who used */
    uint64_t block;
    int stored_line;             /**< CAUSE_UNDEFINED_TAKEN: where the kernel stores what it has read */
    bool unset;                  /**< … or not set at all */
    uint64_t bytes, of;          /**< CAUSE_UNWRITTEN_TAKEN: that nobody has written, that are copied or read by the host */
};

struct names_facts {
    const char *first, *other;   /**< by which it was stored and read, and overwritten in between */
    int line;                    /**< where it was stored, as line_to_say() has it */
};

struct left_facts {
    uint64_t bytes;
};

/** In place of the number of the device whose memory it is: the host's. */
#define FAULT_ON_HOST UINT64_MAX

struct fault_facts {
    unsigned bytes;              /**< of the access */
    int64_t offset;              /**< in its object; unsigned in `address` */
    uint64_t address, size, number;
    const char *text, *file;
};

struct call_facts {
    const char *name, *error;    /**< the call; "cudaErrorInvalidValue" */
    const char *kernel;          /**< of a launch */
    bool write;                  /**< it is about where the call writes; else, where it reads */
    uint64_t bytes, address;
    uint32_t shape[6];           /**< of a launch: grid, block */
    struct launch_limit limit;   /**< of a launch: what it is beyond */
};

union finding_facts {
    struct race_facts race;
    struct stream_facts stream;
    struct wait_facts wait;
    struct value_facts value;
    struct loop_facts loop;
    struct parted_facts parted;
    struct mask_facts mask;
    struct undefined_facts undefined;
    struct names_facts names;
    struct left_facts left;
    struct fault_facts fault;
    struct call_facts call;
};

/** Why a run says less than it might: a line of kind `incomplete`. */
enum incomplete_cause {
    INCOMPLETE_NOT,              /**< it is complete */
    INCOMPLETE_FINDINGS,         /**< more than are kept */
    INCOMPLETE_READERS,          /**< of one word */
    INCOMPLETE_CONFLICTS,        /**< so many of a kernel's that its later blocks are overlooked */
    INCOMPLETE_SIGNALS,          /**< threads have seen too much of each other to follow */
    INCOMPLETE_ALLOCATION,       /**< too large to follow what is initialised */
    INCOMPLETE_HOST,             /**< too many accesses by the host */
    INCOMPLETE_STACK,            /**< whether a GPU's stack holds a recursion */
    INCOMPLETE_PRINTED,          /**< a conversion that printf in device code does not have */
    INCOMPLETE_REGISTERED,       /**< a kernel's registered memory, in which those are not seen */
    INCOMPLETE_RESULTS,          /**< the host goes on too long between a copy to pageable memory and the wait for it */
    INCOMPLETE_LAUNCHES,         /**< more launches by kernels at once than the device's limit */
    INCOMPLETE_NESTED,           /**< kernels launch kernels */
    INCOMPLETE_VALUE_SIGNAL,     /**< a kernel signals to a stream, or is signalled to, by a value */
    INCOMPLETE_VALUE_WRITES,     /**< streams have written more values than are remembered */
    INCOMPLETE_OPERATIONS,       /**< too many copies and the like that the host has not waited for */
    INCOMPLETE_PROCESSES,        /**< memory that other processes use */
    INCOMPLETE_PROGRAMMATIC,     /**< a graph's kernel that may begin before another's end ran after it */
    INCOMPLETE_TRIGGERS,         /**< a node that kernels update is launched behind a programmatic edge */
    INCOMPLETE_NODES,            /**< kernels update nodes of graphs that kernels launch */
    INCOMPLETE_REGISTERS,        /**< a kernel has setmaxnreg, and its text does not say how many it begins with */
    /* --exhaustive */
    INCOMPLETE_OUTCOMES, INCOMPLETE_EXECUTIONS, INCOMPLETE_THREADS, INCOMPLETE_LOCATIONS, INCOMPLETE_EVENTS,
    INCOMPLETE_OVERLAP,          /**< accesses of different sizes */
    INCOMPLETE_ALIAS,            /**< memory is used by two addresses */
    INCOMPLETE_WIDE,             /**< accesses of 16 bytes */
    INCOMPLETE_TIME,             /**< the time for it was up */
    INCOMPLETE_READS,            /**< a thread reads too often */
    INCOMPLETE_ROUNDS,           /**< … in a loop that changes memory, or counts */
    INCOMPLETE_BARRIERS,         /**< too many barriers, or arrivals there */
    INCOMPLETE_VALUES,           /**< values keep growing where reads may see later writes */
    INCOMPLETE_FAR,              /**< memory is written that is not compared */
    INCOMPLETE_GUESSES,          /**< more such reads, or values, than are tried */
    INCOMPLETE_EXCHANGE,         /**< lanes exchange values */
    INCOMPLETE_ASYNC,            /**< asynchronous copies, barriers in shared memory */
    INCOMPLETE_TEXTURES,
    INCOMPLETE_NC,               /**< ld.global.nc of what is written */
    INCOMPLETE_RESTRICTED,       /**< a fence of shared memory only was taken for a whole one */
    INCOMPLETE_GRADIENTS,        /**< the level that they give, of three dimensions or a cube */
    INCOMPLETE_CONVERGED,        /**< what depends on which lanes run together */
    INCOMPLETE_FAULT,            /**< a thread ends with a fault */
    INCOMPLETE_LONG,             /**< a thread runs too long */
    INCOMPLETE_DELAYED,          /**< two threads that store and then look elsewhere may see each other's stores too late */
    INCOMPLETE_SHARE,            /**< the launches before have used up what a launch is looked into by */
    INCOMPLETE_ENDLESS,          /**< a run with older values, or in another order, took so long that it was given up */
    INCOMPLETE_TARGET,           /**< a module has an instruction that its .target does not */
    INCOMPLETE_SHARING,          /**< more memory turned out to be shared all the time */
    INCOMPLETE_CAUSES
};

#endif
