/**
 * @file race.h
 * The race checker: happens-before under the PTX memory model, with the rules of docs/judge.md.
 *
 *   clock/      what a thread knows of the others: vector clocks, release chains
 *   shadow/     what a word of memory remembers
 *   race.c      observer hooks: launches, blocks, lanes leaving
 *   sync.c      fences, what strong reads and writes pass on
 *   barriers.c  barriers of blocks and warps
 *   accesses.c  each access, lane by lane; plain words
 *   element.c, conflict.c, read.c, write.c   an element against the shadow words that speak for it
 *   older.c     which reads may return an older value
 *   order.c     is this ordered before me, and if not, what is missing
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
#include "check/race/shadow/readers.h"
#include "execute/machine.h"
#include "report/facts.h"

#define EVERY_THREAD UINT32_MAX

/** A chain that a thread has read from, and how far. */
struct observed {
    struct release_chain *chain;
    int upto;
    uint32_t site;            /**< of the read */
    uint32_t time;            /**< the reader's when it read; passed on: its block's */
    uint32_t thread;          /**< the reader; EVERY_THREAD once a barrier has passed it on */
    uint8_t reach;            /**< of the read's scope: enum reach */
    uint8_t acquired;         /**< 0 no, else with which reach */
};
LIST_TYPE(observed_list, struct observed);

/** A launch, kept after its grid is gone so that its accesses can still be named. */
struct launch {
    struct grid grid;         /**< a copy: configuration only */
    uint64_t op;
    uint32_t first_agent;
    uint32_t floor;           /**< agents below it are ordered before it */
    uint32_t host_time;       /**< the host's, when it began */
};

struct agent {
    struct launch *launch;    /**< NULL: the program on the host */
    uint64_t block;           /**< linear index */
    uint32_t *left;           /**< for each thread: 0, or 1 + the last uniform time that covers it */
    struct block_state *live; /**< while the block runs */
    struct observed_list observed;  /**< by its threads, passed on by its barriers */
};

struct lane_state {
    struct knowledge *extra;
    struct snapshot *system_fence, *device_fence, *block_fence;  /**< at the last fence of that scope or
                                                                      wider */
    struct observed_list observed;
};

struct warp_state {
    uint32_t time[WARP_LANES];
    uint32_t warp_uniform;    /**< all lanes up to here, by bar.warp.sync of the whole warp */
    struct lane_state *lanes; /**< NULL until a lane differs from its block */
};

struct arrivals {
    uint32_t *lanes, *sync_lanes; /**< for each warp, since the last completion */
    struct knowledge *given;           /**< by bar.arrive: what those threads knew when they arrived */
    bool any;
};

struct block_state {
    struct race *race;
    struct block *block;
    uint32_t agent;
    uint32_t floor;           /**< agents below it are ordered before this launch */
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
};

/** A range that a host operation read or wrote. */
struct host_range {
    uint64_t op, base, bytes;
    bool writes;
    const char *name;         /**< the call */
    struct issuer by;
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

/** One pair of lines that has been reported. */
struct seen_pair {
    uint64_t key;
    uint32_t count;
};

struct race {
    struct machine *machine;
    int slot;
    LIST(struct agent) agents;       /**< [0] is nobody */
    LIST(struct launch *) launches;
    struct readers *readers;
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
/** Order and scope of an access as the model sees them: volatile is relaxed.sys. */

static inline enum reach reach_of(uint8_t scope)
{
    return scope == SCOPE_SYS ? REACH_SYSTEM : scope_is_wide(scope) ? REACH_DEVICE : REACH_BLOCK;
}
static inline bool agent_is_host(const struct race *race, uint32_t agent)
{
    return agent && !race->agents.data[agent].launch;
}

/* order.c */
/** Does a vector clock of causality cover an event? */
bool clock_covers(const struct race *race, const struct vector_clock *v, uint32_t agent, uint32_t thread,
                 uint32_t time);
/** Of an event on the device, seen from the host: the signal (its site) by which the host has learned of
 *  it although nothing released it at system scope; 0 if there is none. */
uint32_t host_signal_for(const struct race *race, const struct epoch *e, uint64_t place);
enum verdict { ORDERED, MISSING_ACQUIRE, MISSING_RELEASE, UNORDERED };
/** Is the event ordered before `me` by base causality? */
bool epoch_ordered(const struct actor *me, const struct epoch *e);
bool reader_ordered(const struct actor *me, const struct reader *r);
/** Must a read by `me` in this run see the event (or something newer)? Causality, and the order in
 *  which the fence.sc of this run were executed. */
bool epoch_must_be_seen(const struct actor *me, const struct epoch *e);
bool reader_must_be_seen(const struct actor *me, const struct reader *r);
/** Why not. `via` receives the site of the read that observed the other's signal (0 if none) and
 *  `signal` that of the strong write it saw. Writes to `place`, the location in
 *  question, are no signals about it. */
enum verdict epoch_judge(const struct actor *me, const struct epoch *e, uint64_t place,
                         uint32_t *via, uint32_t *signal);
/** Tells a location: the `place` of its chains. */
static inline uint64_t place_of(enum ptx_space space, uint64_t address)
{
    return space == SPACE_SHARED ? ~address : address;
}

/* sync.c */
struct snapshot *snapshot_take(const struct actor *me);
void sync_fence(struct actor *me, enum mem_order order, enum mem_scope scope);
/** `me` has read from chain `m` up to contribution `upto`. */
void sync_observe(struct actor *me, struct release_chain *m, int upto, const struct mem_desc *mem);
/** Adds what `me` publishes by a strong write of kind `mem` to `m`; `before` is the location's chain
 *  so far (may be `m` or NULL). Ticks the clock. */
int sync_publish(struct actor *me, struct release_chain *m, const struct release_chain *before,
                 const struct mem_desc *mem);
void sync_learn_sc(struct actor *me, struct vector_clock *sc);
struct vector_clock *sync_sc_of(const struct actor *me);
void observed_drop(struct observed_list *l);
void observed_note(struct observed_list *l, const struct observed *o);
/** Passes a lane's chains on to its block's list, where only explanations look for them: all
 *  threads of the block know of them from `time` on. */
void observed_pass_on(struct agent *agent, struct lane_state *ls, uint32_t time);

/* barriers.c */
void sync_barrier_arrive(struct block_state *bs, const struct warp *w, int barrier,
                         enum barrier_kind kind);
void sync_barrier_complete(struct block_state *bs, int barrier);
void sync_warp(struct block_state *bs, const struct warp *w, uint32_t members);

/* accesses.c */
void access_load(struct race *race, const struct warp *w, const struct mem_access *a);
void access_store(struct race *race, const struct warp *w, const struct mem_access *a);
void access_atomic(struct race *race, const struct warp *w, const struct mem_access *a);

/** Remembers a read in a shadow word: `full` is the lane mask of a full warp of the reader's block. */
void word_remember_read(struct readers *rs, struct shadow_word *c, struct reader r, uint32_t full);

/* host.c */
void host_operation(struct race *race, const struct host_op *op);
/** A grid begins: are there host operations that it is not ordered after? */
void host_grid_begin(struct race *race, const struct grid *g);
/** A kernel's access against those operations. */
void host_check_access(struct race *race, const struct warp *w, const struct mem_access *a, bool writes);


/* explain.c */
struct conflict_info {
    enum conflict conflict;
    const struct epoch *other;
    enum ptx_space space;
    uint64_t address;
    bool has_value;
    uint64_t now;              /**< the value that the acting access read or writes */
    uint64_t before;           /**< what the location held: the other's write, if it wrote */
    bool has_old;
    uint64_t old;              /**< an older value that the read may show */
    bool shown;                /**< and shows in this run */
    bool same_value;
    bool not_coherent;         /**< the read is ld.global.nc */
    bool ordering_only;        /**< no race: strong accesses relied on for order */
};
void explain(const struct actor *me, const struct conflict_info *info);

/* host_touch.c */
/** A load or store by the program on the host. @return true if it is unordered with unfinished work */
bool host_touched(struct race *race, const struct host_touch *t);
/** A conflict of the acting thread with an earlier access by the host. */
void host_explain(const struct actor *me, const struct conflict_info *info);

#endif
