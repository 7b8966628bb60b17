/**
 * @file race.h
 * The race checker: happens-before under the PTX memory model, with the rules of docs/judge.md.
 *
 *   clock/      what a thread knows of the others: vector clocks, release chains
 *   shadow/     what a word of memory remembers
 *   race.c      observer hooks: launches, blocks, lanes leaving
 *   sync.c      fences, what strong reads and writes pass on
 *   observed_chains.c  what a thread has read from others
 *   barriers.c  barriers of blocks and warps
 *   clusters.c  clusters: their barrier, and how long a block's shared memory is there for the others
 *   accesses.c  each access, lane by lane; plain words
 *   whole_rows.c half a warp's plain words that fill a row
 *   joining.c   warps that read what other warps of their block read
 *   element.c, conflict.c, read.c, write.c   an element against the shadow words that speak for it
 *   older.c     which reads may return an older value
 *   order.c     is this ordered before me, and if not, what is missing
 *   async.c     asynchronous copies
 *   readable.c, history.c, later.c   for the debugger: all that a read may return
 *   launches.c  kernels that launch kernels
 *   collect.c   readers that nothing refers to any more
 *   launch_start.c  what a launch that is run again begins with
 *   constant_reads.c constant memory, that copies may change
 *   phases.c    barriers in shared memory
 *   explain.c   the finding
 *
 * Clocks. An agent is one block of one launch. Each of its threads has a time, which moves on at
 * every fence, strong write and barrier; an access carries the time at which it was made. A block
 * barrier brings all threads to one new time, so that "everything in this block before the barrier"
 * is one number: `uniform`. Threads that left the kernel before that barrier took no part in it:
 * `left` remembers up to where they did.
 */
#ifndef SOFTGPU_CHECK_RACE_RACE_H
#define SOFTGPU_CHECK_RACE_RACE_H

#include "base/list.h"
#include "check/race/shadow/shadow_word.h"
#include "check/race/clock/knowledge.h"
#include "check/race/clock/release_chain.h"
#include "check/race/observed_chains.h"
#include "check/race/shadow/readers.h"
#include "execute/grid.h"
#include "report/facts.h"

/** A launch, kept after its grid is gone so that its accesses can still be named. */
struct launch {
    struct grid grid;         /**< a copy: configuration only */
    uint64_t op;
    uint32_t first_agent;
    uint32_t floor;           /**< agents below it are ordered before it */
    uint32_t host_time;       /**< the host's, when it began */
    uint32_t wait_agent;      /**< whoever knows of its time 1 comes after a griddepcontrol.wait; 0 = none awaited */
    const struct launch *root;/**< the host's, if a kernel has launched it; else itself */
    const struct launch *parent; /**< the one whose thread has launched it; NULL: the host */
    uint64_t member;          /**< grid.member */
    struct knowledge *inherited; /**< what its launching thread knew, and had done, when it launched it; until it ends */
    bool waited;              /**< some thread has waited so: */
    struct op_set awaited;    /**< operations that are ordered before what comes after such a wait */
};

struct agent {
    struct launch *launch;    /**< NULL: the program on the host */
    uint64_t block;           /**< linear index */
    uint32_t *left;           /**< for each thread: 0, or 1 + the last uniform time that covers it */
    struct block_state *live; /**< while the block runs */
    struct observed_list observed;  /**< by its threads, passed on by its barriers */
    struct observed_list *threads;  /**< once the block has ended: by each thread; NULL if none observed any */
    uint32_t thread_count;
    bool bulk;                /**< of bulk copies, which go through the async proxy */
    uint32_t cluster;         /**< of several blocks: the agent of the first; 0: none */
    uint32_t copies_of;       /**< of asynchronous copies (async.c): their block's agent; 0 = not one */
};

struct lane_state {
    uint64_t learned;         /**< race->moment when `extra` last grew by what other blocks know */
    struct knowledge *extra;
    struct snapshot *system_fence, *device_fence, *cluster_fence, *block_fence;  /**< at the last fence of that scope or
                                                                      wider */
    struct observed_list observed;
    struct knowledge *noted;  /**< by relaxed waits at mbarriers: the next acquiring fence takes it in */
};

struct warp_state {
    uint32_t time[WARP_LANES];
    uint32_t warp_uniform;    /**< all lanes up to here, by bar.warp.sync of the whole warp */
    struct checked *checked;  /**< late.c; NULL: nothing yet */
    uint32_t stored[WARP_LANES]; /**< 1 + site of the lane's last strong store, 0 behind a fence */
    uint64_t stored_at[WARP_LANES]; /**< its address */
    struct lane_state *lanes; /**< NULL until a lane differs from its block */
};

struct arrivals {
    uint32_t *lanes, *sync_lanes; /**< for each warp, since the last completion */
    struct knowledge *given;           /**< by bar.arrive: what those threads knew when they arrived */
    bool any;
};

struct async_state;

/** What the arrivals in an mbarrier's phases know (async.c); `far`: of threads of other blocks. */
struct phase_knowledge {
    uint32_t offset;
    struct knowledge *gathering, *completed;
    struct knowledge *far_gathering, *far_completed;
};

/** A cluster of several blocks: its barrier (cluster.c). */
struct cluster_state {
    uint32_t id;              /**< the agent of the block that began first: the lowest */
    struct knowledge *gathering, *completed; /**< what the arrivals know: in this phase, in the last one */
};

struct block_state {
    struct race *race;
    struct block *block;
    uint32_t agent;
    struct cluster_state *cluster; /**< NULL: none of several blocks */
    uint32_t floor;           /**< agents below it are ordered before this launch */
    bool alone;               /**< whatever is ordered before this launch lies below the floor */
    uint64_t learned;         /**< race->moment when `base` last grew */
    uint32_t uniform;
    bool any_left;
    uint32_t threads;
    struct knowledge *base;
    struct vector_clock *sc_run;      /**< order of this block's fence.sc, of any scope, in this run */
    struct warp_state *warps;
    int warp_count;
    struct shadow_word *shared;      /**< one a word */
    uint32_t shared_words;
    bool shared_written;      /**< since the last barrier of the whole block */
    struct arrivals arrivals[16];
    struct async_state *async;             /**< its asynchronous copies; NULL: none yet */
    LIST(struct phase_knowledge) phases;   /**< its mbarriers */
};

/** A range that a host operation read or wrote. */
struct host_range {
    uint64_t op, base, bytes;
    bool writes;
    const char *name;         /**< the call */
    struct issuer by;
    bool value;               /**< a stream's wait for a value, or a write of one */
    struct op_set known;      /**< of such a write: what whoever sees it comes after */
};

/** A host instruction that touched shared memory. */
struct host_site {
    uint64_t pc;
    bool write;
    struct issuer by; /**< of the host function that it is in, if it is in one */
};
/** Marks the `site` of an event as an index into race->host.sites. */
#define SITE_HOST 0x80000000u

/** The program's own loads and stores, as one more thread: the processor's loads acquire and its stores
 *  release, at system scope. */
struct host_thread_state {
    uint32_t agent;                  /**< 0: none since the last launch began */
    uint32_t time;
    struct knowledge *knowledge;
    struct observed_list observed;
    LIST(struct host_site) sites;
};

struct finding;

/** A finding that is told if nothing else is wrong with the access at `site`. */
struct pending_finding {
    struct finding *finding;
    const struct image *image;
    uint32_t site, exit_site;
};

/** One pair of lines that has been reported. */
struct seen_pair {
    uint64_t key;
    uint32_t count;
};

/** What is remembered of a row of words, apart. */
struct kept_row {
    struct allocation *of;
    uint64_t offset;
    struct shadow_row row;
};

struct race {
    struct machine *machine;
    int slot;
    LIST(struct agent) agents;       /**< [0] is nobody */
    LIST(struct launch *) launches;
    struct readers *readers;
    bool several;                    /**< devices */
    uint64_t moment;                 /**< counts strong writes */
    struct vector_clock *sc_run;             /**< order of fence.sc in this run */
    uint32_t floor;                  /**< of the launch that began last */
    bool older_shown;                /**< somebody chooses what reads see: it need not be the newest */
    struct seen_pair *seen;
    uint32_t seen_mask, seen_count;
    bool told_overflow;
    int running;                     /**< grids */
    LIST(struct host_range) ranges;  /**< of host operations, oldest first */
    LIST(struct order_note) notes;   /**< how the host orders streams, oldest first */
    bool any_unordered_range;        /**< one of them is not ordered before a running grid */
    struct host_thread_state host;
    LIST(struct constant_reads *) constants; /**< constant_reads.c: what launches have read of constant memory */
    LIST(struct pending_finding) pending; /**< of clusters.c, until the launch ends */
    struct { uint64_t op; LIST(struct kept_row) rows; } start; /**< launch_start.c: of the launch that began last */
};

/** The thread that acts, gathered once a lane. */
struct actor {
    struct race *race;
    struct block_state *bs;
    struct warp_state *ws;
    const struct warp *warp;
    const struct insn *insn;
    int lane;
    uint32_t agent, thread, time;
    struct block_state *home; /**< whose shared memory is accessed, if it is shared memory */
    uint32_t as_agent, as_time;   /**< what its accesses are remembered as; 0: its own */
};

static inline struct lane_state *actor_lane(const struct actor *me)
{
    return me->ws->lanes ? &me->ws->lanes[me->lane] : NULL;
}
/** The lane's own state, made if missing. */
struct lane_state *lane_open(struct warp_state *ws, int lane);
static inline bool scope_is_wide(uint8_t scope)
{
    return scope == SCOPE_GPU || scope == SCOPE_SYS;
}
static inline enum reach reach_of(uint8_t scope)
{
    return scope == SCOPE_SYS       ? REACH_SYSTEM
           : scope_is_wide(scope)   ? REACH_DEVICE
           : scope == SCOPE_CLUSTER ? REACH_CLUSTER
                                    : REACH_BLOCK;
}
/** Are both of one cluster of several blocks? */
static inline bool same_cluster(const struct race *race, uint32_t a, uint32_t b)
{
    return race->agents.data[a].cluster && race->agents.data[a].cluster == race->agents.data[b].cluster;
}
/** Are both agents' blocks on one device? Not asked of the host. */
static inline bool same_device(const struct race *race, uint32_t agent, uint32_t other)
{
    return !race->several || race->agents.data[agent].launch->grid.config.device ==
                                 race->agents.data[other].launch->grid.config.device;
}
static inline uint8_t device_of(const struct race *race, uint32_t agent)
{
    return (uint8_t)race->agents.data[agent].launch->grid.config.device;
}
static inline bool agent_is_host(const struct race *race, uint32_t agent)
{
    return agent && !race->agents.data[agent].launch;
}

#endif
