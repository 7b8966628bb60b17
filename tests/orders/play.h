/**
 * @file play.h
 * A random small kernel in which each thread has a program of its own: a play of events in one order in which they can happen. All that orders
 * threads in it waits for what comes earlier in the play, so that every schedule ends, and which event waits for which does not hang on the run.
 *
 * Data are plain loads and stores, of all sizes and as vectors, at the same few bytes of global or shared memory; sums without a result; and copies that go on
 * by themselves. Each store leaves bytes of its own. In clusters also the other block's shared memory.
 */
#ifndef TESTS_PLAY_H
#define TESTS_PLAY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define MAX_ACTORS 6
#define MAX_EVENTS 60
#define DATA_BYTES 32u          /* of each memory */
#define MAX_FLAGS 16            /* of each memory */
#define MAX_HOST_EVENTS 6
#define MAX_LOOKERS 3           /* that wait for one flag, where some of them update it */
#define MAX_MET 3               /* mbarriers of a block */
#define LINES_A_PLAY 100        /* play n has the lines from n * LINES_A_PLAY on */
#define PLAY_STRIDE 256u        /* bytes of the data, the flags, and the results of one play */

/** What the plays of one family have beside plain accesses. */
enum family { FLAGS, BARRIERS, LANES, MET, COPIES, TOKENS, CLUSTERS, MIXED, POLLS, PHASES, BULK, EARLY, HOST, FAMILY_COUNT };
extern const char *const family_names[FAMILY_COUNT];

enum op {
    OP_LOAD, OP_STORE, OP_ADD,
    OP_BULK_OUT,   /**< cp.async.bulk from shared memory, at `source`, to global */
    OP_BULK_IN,    /**< … from global memory to shared, which then counts at the mbarrier `flag`: OP_COMPLETE comes behind it, and has no place in a program */
    OP_COPY,       /**< cp.async from global memory, at `source`, to shared */
    OP_COMMIT, OP_COPIES_WAIT, /**< `value`: for all groups but so many; -1: all copies */
    OP_BULK_COMMIT, OP_BULK_WAIT, /**< … `value`; `arrives`: only until their sources have been read */
    OP_PROXY,      /**< fence.proxy.async for the memories of PROXY_ bits in `value` */
    OP_COMPLETE,
    OP_TRIGGER,    /**< griddepcontrol.launch_dependents, in the first kernel */
    OP_GRID_WAIT,  /**< griddepcontrol.wait, in the second */
    OP_FENCE,
    OP_SIGNAL,     /**< leaves `value` in a flag, or is the `value`-th that adds to it */
    OP_WAIT,       /**< until the flag is `value` */
    OP_TOKEN,      /**< both, by a compare-and-swap that is tried until it finds value - 1 */
    OP_BARRIER,    /**< one event for each actor of a warp that takes part in the meeting */
    OP_LANES,      /**< bar.warp.sync, one event for each actor in `mask` */
    OP_ARRIVE, OP_AWAIT, /**< of the mbarrier `flag`, in its phase `value` */
    OP_COME, OP_GO      /**< arrives at the cluster's barrier, HALF or RELAXED, and waits there: one event for each actor of the cluster; all its warps do.
                             `number` of those that go: the meeting of those that came */
};

enum { PROXY_GLOBAL = 1, PROXY_SHARED = 2 };
enum scope { CTA, CLUSTER, GPU, SYS };
enum order { RELAXED, HALF, BOTH, VOLATILE }; /* HALF: a signal releases, what reads acquires */

struct event {
    enum op op;
    int actor;
    bool shared, away;          /**< of the cluster's other block */
    uint32_t from, unit, count; /**< bytes of data */
    uint32_t source;
    uint8_t byte;               /**< what a store leaves in each */
    enum scope scope;
    enum order order;
    bool strong;                /**< data: relaxed, HALF or VOLATILE, as `order` says */
    bool sc;
    int flag, value;
    enum { LOOKS, UPDATES, SWAPS } poll; /**< how a wait looks: by a load, by an atomic that changes nothing (`atomicAdd(p, 0)`), by a swap of what it waits for
                                              for the same, which writes only when it finds it */
    int meeting;                /**< events of one meeting stand beside each other */
    bool arrives;               /**< waits for nobody */
    int number, warps;          /**< of a barrier: its name, how many warps come; 0: the block */
    uint32_t mask;
    uint32_t spelled;           /**< which of several spellings */
};

struct actor {
    uint32_t block, warp, lane;
};

struct play {
    int number;
    bool tiny;                       /**< few threads and events, and data of one size: what --exhaustive enumerates */
    uint32_t blocks, warps, cluster; /**< blocks of a cluster; 1: none */
    uint32_t first;                  /**< blocks of a first kernel; the others are of a second one that may begin early. 0: there is one kernel */
    bool host;                       /**< the last actor is the host, and global memory its own */
    int actors;
    struct actor actor[MAX_ACTORS];
    int turns;                       /**< of a loop around all events: no flags, and of barriers only those of whole blocks */
    int count;
    struct event event[MAX_EVENTS];
    int met_count[MAX_MET];     /**< how many arrive at an mbarrier in each phase; 0: there is none */
    int met_phases[MAX_MET];    /**< of an mbarrier in each turn. Who waits for phase -1 does not wait in the first turn */
};

/** The same number and seed make the same play. */
void make_play(struct play *p, enum family family, bool tiny, int number, uint64_t seed);

/** Is there an execution with a race? By the definitions of PTX ISA 8, read off word by word. */
bool play_races(const struct play *p);
/** May a strong load or sum of data observe another thread's strong write there? Then an execution may have more order than play_races() knows of: no race
 *  stays none, but a race may be none. */
bool play_may_observe(const struct play *p);
/** Is each event of the play after the other (or the same) in causality order, in all executions? */
bool play_after(const struct play *p, int earlier, int later);

/** Has the one always happened when the other does: in a thread's order, and behind all that a wait waits for, whatever memory says of the two? */
bool play_waits(const struct play *p, int earlier, int later);
/** The play with all turns one after another, in `all` where it has several. */
const struct play *play_unrolled(const struct play *p, struct play *all);

/** Its text: entry kNUMBER with pointers to data, flags and results, and kNUMBER_then where there is a second kernel. */
void play_ptx(FILE *out, const struct play *p);
/** What the host does while the kernel runs, in these bytes of data and flags. */
void play_host(const struct play *p, unsigned char *data, unsigned char *flags);
/** Adds the fences that stand behind the host's loads and before its stores (docs/judge.md, "The host as a thread"). */
void add_host_fences(struct play *p);
/** What is before all entries. */
void plays_header(FILE *out);

static inline bool copies(const struct event *e)
{
    return e->op >= OP_BULK_OUT && e->op <= OP_COPY;
}

static inline bool is_bulk(const struct event *e)
{
    return e->op == OP_BULK_OUT || e->op == OP_BULK_IN;
}

static inline bool is_of_first(const struct play *p, int actor)
{
    return p->actor[actor].block < p->first;
}

static inline bool is_host(const struct play *p, int actor)
{
    return p->host && actor == p->actors - 1;
}

static inline bool same_block(const struct play *p, int a, int b)
{
    return p->actor[a].block == p->actor[b].block;
}

/** The block whose shared memory it is about. */
static inline uint32_t block_of(const struct play *p, const struct event *e)
{
    return p->actor[e->actor].block ^ (uint32_t)e->away;
}

static inline bool is_of_cluster(const struct event *e)
{
    return e->op == OP_COME || e->op == OP_GO;
}

static inline bool same_warp(const struct play *p, int a, int b)
{
    return same_block(p, a, b) && p->actor[a].warp == p->actor[b].warp;
}

#endif
