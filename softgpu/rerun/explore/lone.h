/**
 * @file lone.h
 * One thread of a launch, or of one of several that run at once, run by itself: what it does when its reads of shared memory, and the barriers that
 * it passes, return given values. This is the program that model/enumerate.h asks.
 *
 * What only one thread touches, or nobody writes, stays out of the model: such accesses go to memory, and are
 * undone after the run. Which locations those are shows while threads run; when a location turns out to be
 * shared after all, `stale` says that all must begin again.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_LONE_H
#define SOFTGPU_RERUN_EXPLORE_LONE_H

#include "base/list.h"
#include "execute/grid.h"
#include "model/enumerate.h"

/** A location that some thread has touched. */
struct lone_location {
    uint64_t key;                  /**< device address, or block and offset of shared memory */
    uint32_t bytes;
    struct allocation *allocation; /**< NULL: shared memory */
    uint64_t offset;               /**< in it */
    const uint8_t *host;           /**< its bytes; NULL: shared memory */
    uint64_t initial;
    int reader, writer;            /**< thread numbers; -1 = none, -2 = several */
    int model;                     /**< its number in the model, -1 = not shared */
    bool polled;                   /**< a thread waits for it: shared, whoever writes it */
    uint64_t state, changes;       /**< of the thread at a look at it */
    uint64_t run, looks;           /**< the run of a thread that looked the latest time, and how often it has */
};

/** What a thread has left in memory that is not shared. */
struct private_write {
    int location;
    uint64_t value;
};

/** The thread after one sequence of values. */
struct lone_node {
    uint64_t value;                /**< that led here from the parent, */
    bool unknown;                  /**< or stands for one that is not known */
    struct lone_node *parent, *child, *sibling;
    uint64_t state;                /**< of the thread where the step ends, in one word, */
    uint64_t live;                 /**< the same, of the registers that it may still read, */
    bool faulted;                  /**< it ends with a fault, if some execution comes here at all */
    bool called;                   /**< in a function that was called: where it returns to is not in that word */
    uint64_t changes;              /**< and how often it had changed anything by then */
    LIST(struct private_write) private_writes; /**< by then, the last of each location */
    struct model_step step;        /**< of whose events those are there that it has */
};

struct lone {
    struct machine *machine;
    const struct grid_config *const *configs;
    int launches;
    LIST(struct lone_location) locations;
    uint64_t initial[MODEL_LOCATIONS];
    int *shared;                   /**< location of each number in the model */
    int shared_count;
    bool loops;                    /**< a kernel has a branch backwards, or calls */
    bool outside;                  /**< loads that are not coherent are enumerated, too */
    bool shares_freely;            /**< a run that comes to a bound takes what it looks at for shared; */
    enum incomplete_cause bound;   /**< the bound that one has come to so */
    bool rounds_freely;            /**< sums of floating point may be taken in one order for all, though each rounds otherwise */
    bool mates;                    /**< one uses shared memory of other blocks of its cluster */
    bool stale;
    enum incomplete_cause why;     /**< why a thread cannot be run so */
    struct lone_node **root;       /**< by thread */
    uint64_t threads;              /**< of all launches, the first one's first */
    uint64_t runs, most_runs;      /**< runs of threads, and a bound on them; 0 = none */
    uint64_t issued, most_issued;  /**< their instructions, likewise */
};

/** Which thread of which launch a number stands for. */
struct lone_origin {
    int launch;
    uint64_t thread;               /**< of the launch */
    uint64_t block;                /**< of all launches, the first one's first */
};
struct lone_origin lone_origin(const struct lone *l, uint64_t thread);
/** The instruction of an event of that thread, by its cookie, and where `f` is not NULL its function; NULL: it has none. */
const struct insn *lone_insn(const struct lone *l, uint64_t thread, uint32_t cookie, const struct function **f);
/** Threads of a block of the launch. */
uint64_t lone_block_threads(const struct lone *l, int launch);

/** Prepares; memory must stay as it is until lone_close(), but for what the runs themselves undo. */
void lone_open(struct lone *l, struct machine *m, const struct grid_config *const *configs, int launches);
void lone_close(struct lone *l);
/** Forgets all that threads did, not which locations are shared. */
void lone_again(struct lone *l);
/** The thread after the given values, of which those in `unknown` stand for any (model/enumerate.h); runs it where it has not come to yet.
 *  @return NULL if `stale` or `why` */
const struct lone_node *lone_step(struct lone *l, uint64_t thread, const uint64_t *values, int count, event_set unknown);

#endif
