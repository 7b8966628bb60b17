/**
 * @file nested.h
 * Private to execute/: grids that kernels launch (CUDA C++ Programming Guide, "CUDA Dynamic Parallelism", CDP2).
 *
 * A launch of the host's and all that its threads launch, and theirs, are a family. A launch begins once what it comes after
 * is complete: the one before it in its stream, and those of the events that the stream has waited for. A grid is complete
 * when its blocks have ended, its launches are complete, and then its tail launches, one after another. Who
 * watches the family from outside sees one grid: the host's, which ends last.
 *
 * The first stream of a block's is the one without a name; streams and events that threads make live as long as the
 * family. Facts that the guide leaves open are an H200's (tests/runtime/cdp_facts.gpu.txt).
 */
#ifndef SOFTGPU_EXECUTE_NESTED_H
#define SOFTGPU_EXECUTE_NESTED_H

#include "execute/engine.h"
#include "execute/grid_run.h"

/** cudaStreamTailLaunch, cudaStreamFireAndForget. */
#define STREAM_TAIL 3u
#define STREAM_FORGET 4u

/** Some of cudaError_t's numbers. */
enum {
    NESTED_OK = 0, NESTED_INVALID_VALUE = 1, NESTED_INVALID_CONFIGURATION = 9, NESTED_INVALID_DIRECTION = 21,
    NESTED_PENDING = 69, NESTED_INVALID_DEVICE = 101, NESTED_INVALID_HANDLE = 400, NESTED_ILLEGAL = 700,
    NESTED_NOT_SUPPORTED = 801
};

/** One launch by a thread; counted by references. */
struct nested_launch {
    int refs;
    struct machine *machine;
    uint64_t buffer;                 /**< device address of its parameters, until it is launched */
    struct grid_config config;       /**< its parameters are owned, from the launch to the beginning */
    struct grid_run *parent;
    struct nested_launches after;    /**< what it waits for */
    uint64_t turn;                   /**< among all of its family: the order of launch */
    int awaited;                     /**< of `after`, that are not done */
    struct nested_launches followers;/**< in whose `awaited` this one counts; not referenced */
    int place;                       /**< in the family's list of those that wait */
    struct grid_run *outer;          /**< of a graph: what its siblings belong to (nested_graph.c) */
    bool tail, done;
    struct op_set complete;          /**< checked mode, once done: members that are complete then */
    void *kept[OBSERVER_SLOTS];      /**< by observers */
};

/** Or an event: `last` and `waits` are those of the stream at which it was recorded. */
struct nested_stream {
    uint64_t handle;                 /**< 0: a block's own */
    bool event;
    struct nested_launch *last;
    struct nested_launches waits;
};

struct family {
    struct grid_run *root;
    struct nested_launches filling;  /**< their parameters are being written */
    struct nested_launches waiting;  /**< launched, and something has to be done first */
    struct nested_launches ready;    /**< that may begin: a heap, the earliest launched first */
    uint64_t turns;                  /**< launches so far */
    LIST(struct nested_stream *) streams; /**< and events */
    uint64_t members, handles;       /**< given out so far */
    int outstanding;                 /**< launched and not complete */
    int running;                     /**< of these, begun and with blocks that have not ended */
    int fruitless;                   /**< turns of threads that found no room for a launch, since one was completed */
};

/* machine.c */
struct grid *grid_start_nested(struct machine *m, const struct grid_config *config, struct nested_launch *launch);
/* step.c */
/** The grid has ended, well or not: nothing of it, or of what it launched, stays. */
void step_end_grid(struct machine *m, struct grid_run *run);

/** Makes a beginning grid part of its family; `launch` NULL: the host's. */
void nested_attach(struct grid_run *run, struct nested_launch *launch);
/** The last block has ended. @return whether a grid of the host's is complete with it */
bool nested_ran(struct machine *m, struct grid_run *run);
/** A grid has ended badly, and with it the host's, which is returned. */
struct grid_run *nested_failed(struct grid_run *run);
/** Ends whatever else there is of a family whose host's grid ends. */
void nested_close(struct machine *m, struct grid_run *run);

struct family *nested_family(struct grid_run *run);
struct nested_launch *nested_new(struct grid_run *parent, const struct grid_config *config);
void nested_drop(struct nested_launch *l);
/** The stream of a handle that a thread of the block names; NULL: there is none. Not for tails and those that are forgotten. */
struct nested_stream *nested_stream(struct block *b, uint64_t handle);
struct nested_stream *nested_stream_new(struct family *f);
/** Launches it; the family takes over the reference. `lane` of `w` does. @return false: `handle` is no stream */
bool nested_launch(struct warp *w, int lane, struct nested_launch *l, uint64_t handle);
/** Its parts: what the lane knows is kept, and the launch has its turn; what it comes after; it begins when that is complete. */
void nested_keep(struct warp *w, int lane, struct nested_launch *l);
void nested_after(struct nested_launch *l, struct nested_launch *earlier);
void nested_queue(struct nested_launch *l);
/** Everything that comes after `from` so far comes before what is launched to `to` from now on; or is what `to`, an event, stands for. */
void nested_wait(struct nested_stream *to, const struct nested_stream *from);

/* nested_ready.c */
void nested_push_ready(struct family *f, struct nested_launch *l);
struct nested_launch *nested_pop_ready(struct family *f);

/* nested_graph.c */
/** The handle of the graph that the block belongs to, if that was instantiated for the device; else 0. */
uint64_t nested_current_graph(const struct block *b);

/* nested_copies.c */
/** The launch of a kernel that sets or copies so many bytes. */
struct nested_launch *nested_copy(struct machine *m, struct grid_run *parent, uint64_t to, uint64_t from, uint64_t bytes);
struct nested_launch *nested_set(struct machine *m, struct grid_run *parent, uint64_t to, int value, uint64_t bytes);

#endif
