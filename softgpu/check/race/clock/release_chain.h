/**
 * @file release_chain.h
 * What strong writes to one location have published: one chain for each strong store
 * and the read-modify-writes that follow it (a release sequence and the observation order along it,
 * PTX ISA 8.9.2 and 8.9.4).
 *
 * Each write adds a contribution. A reader that took its value from contribution k receives those
 * up to k that are meant for its scope. Contributions are kept even where nothing is released, since
 * they tell a missing release from a plain race.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_RELEASE_CHAIN_H
#define SOFTGPU_CHECK_RACE_CLOCK_RELEASE_CHAIN_H

#include "base/list.h"
#include "check/race/clock/chain_index.h"
#include "check/race/clock/knowledge.h"

/** How far an access or a fence reaches, by its scope. */
enum reach { REACH_BLOCK = 1, REACH_CLUSTER = 2, REACH_DEVICE = 3, REACH_SYSTEM = 4 };

/** Who acquires: a thread of a block, on a device, in a cluster of several blocks or (0) in none. */
struct acquirer {
    uint32_t agent, cluster;
    uint8_t device;
};

/** Whom something is for, where that is not everybody. */
enum chain_near { NEAR_BLOCK, NEAR_CLUSTER, CHAIN_NEARS };

/** What a write passes on to who acquires it; most pass on nothing. */
struct passed {
    struct snapshot *system;           /**< released at scope sys; NULL = nothing */
    struct snapshot *device;           /**< released at scope gpu or sys */
    struct snapshot *cluster_wide;     /**< released at scope cluster and up, for readers in the same cluster */
    struct snapshot *block;            /**< released at any scope, for readers in the same block */
    struct vector_clock *sc, *sc_cluster, *sc_cta, *sc_sys; /**< the writer's KNOW_SC, KNOW_SC_CLUSTER, … */
    uint32_t copies, copy_time;        /**< of a copy that reduces: its agent, and its time among that one's; 0: a thread's own */
};

/** That a contribution passes something on. */
struct passing {
    int by;                            /**< the contribution */
    uint32_t what;                     /**< the place in the chain's `kept`: a thread that polls by atomics passes on the same each time */
    int before[CHAIN_NEARS];           /**< the contribution before this of the same block or cluster that is for its own threads too; -1: none */
};

struct contribution {
    uint32_t agent, time;
    uint32_t cluster;                  /**< the writer's; 0 none */
    uint32_t uniform, warp_uniform;    /**< of the writer's block and warp, when it wrote */
    uint32_t site;
    uint32_t passed;                   /**< 1 + its place in the chain's `passed`; 0: it passes nothing on. Set by chain_add() */
    uint16_t thread;
    uint8_t on;                        /**< the device */
    uint8_t reach : 3;                 /**< of the write's scope: enum reach */
    bool unseen : 1;                   /**< left the value as it was: no reader can tell */
    bool carries : 1;                  /**< is or follows a release of this location by the thread */
    bool host : 1;                     /**< by the program on the host: all of it is in `system` */
    bool beside : 1;                   /**< by a copy beside its thread, as `passed` says */
};
_Static_assert(sizeof(struct contribution) == 32, "there is one for each atomic of a lane");

/** What one block's, or one cluster's, threads find in a chain beside what is for all. */
struct chain_neighbours {
    int last;                          /**< contribution with something for its own threads */
    int joined_upto, joined_sc_upto;   /**< what is joined, as far as this contribution; -1: nothing */
    struct knowledge *joined;
    struct vector_clock *joined_sc;
};

/** What a chain that several devices have written to has for one of them, for acquires of one reach. */
struct chain_device {
    uint8_t device;
    bool system;
    int joined_count, joined_sc_count; /**< contributions that are joined */
    struct knowledge *joined;
    struct vector_clock *joined_sc;
};

/** Remembered by who asks: contributions below `upto` lie before all that a block's threads do from then on, or a warp's, or one thread. */
struct chain_behind {
    int upto;
    uint32_t agent;
    uint16_t thread;           /**< that has asked */
    uint8_t whom;              /**< enum behind_whom */
};
enum behind_whom { BEHIND_BLOCK, BEHIND_WARP, BEHIND_THREAD };

struct chain_late;

/** A place in a chain's `passed`, of contribution `by`. */
struct chain_news {
    int by;
    uint32_t at;
};

/** Contribution `at` was made at that moment (chain_moments.h). */
struct chain_mark {
    int at;
    uint64_t moment;
};

struct release_chain {
    uint32_t refs __attribute__((aligned(64))); /**< what one more atomic asks and notes is from here to `passed`, one cache line */
    uint32_t only;             /**< the agent that has made all writes; 0: several */
    LIST(struct contribution) from;
    bool any_release, any_sc, any_host;
    bool any_near_only[CHAIN_NEARS]; /**< some release reaches only its own block, or cluster */
    uint8_t devices;           /**< that have written, a bit each */
    bool narrow;               /**< some write's scope does not reach the device; */
    bool told_narrow;          /**< and a race with one that such an atomic has hidden has been told */
    struct chain_index carriers;   /**< by agent and thread: its last contribution, if that carries */
    uint64_t place;            /**< tells the location */
    int asked;                 /**< how many have been asked about where atomics are heard */
    int heard;                 /**< contributions below it have been observed by some thread that uses what it read */
    LIST(struct passing) passed;    /**< those of them that pass anything on, */
    LIST(struct passed) kept;       /**< and what */
    LIST(struct chain_news) news;   /**< of these, in order, those of which chain_news.h tells */
    uint64_t number;                /**< no other chain has ever had it */
    struct knowledge *joined;       /**< what contributions [0, joined_count) release to any block */
    int joined_count;
    struct vector_clock *joined_sc;
    int joined_sc_count;
    struct chain_behind behind;
    uint64_t begun;            /**< when the first contribution was made; 0: not known */
    LIST(struct chain_mark) marks;  /**< when later ones were */
    bool moved;                /**< writes have changed places (earlier.c): `upto` does not tell when one was made */
    struct chain_late *late;   /**< what readers of earlier contributions than are joined have found; NULL: there were none */
    LIST(struct chain_device) far;     /**< empty unless there are several */
    LIST(struct chain_neighbours) near;
    struct chain_index near_of;    /**< by agent or cluster: its place in `near` */
};

struct release_chain *chain_new(void);
struct release_chain *chain_ref(struct release_chain *m);
void chain_drop(struct release_chain *m);
/** One of its own with what has been contributed so far. */
struct release_chain *chain_copy(const struct release_chain *m);
/** Takes over the references in `p`. @return its index */
int chain_add(struct release_chain *m, const struct contribution *c, const struct passed *p);
/** One by a thread of a block that passes nothing on, whose scope reaches the device: the caller fills it in, and says in `devices` whose it is.
 *  The chain has others already. */
struct contribution *chain_add_signal(struct release_chain *m, uint32_t agent);
/** What contribution `i` passes on; never NULL. */
const struct passed *chain_passed(const struct release_chain *m, int i);
/** What the thread's last contribution passes on, if that carries a release. @return NULL if not */
const struct passed *chain_carried(const struct release_chain *m, uint32_t agent, uint32_t thread);
/** Joins into *dst what contributions [0, upto] release to a thread that acquires with that reach. */
void chain_acquire(struct release_chain *m, int upto, struct acquirer who, enum reach reach, struct knowledge **dst);
/** The same for the program on the host, which acquires with every load, as if a fence.sc stood behind it (host_touch.c). */
void chain_acquire_host(const struct release_chain *m, int upto, struct knowledge **dst);
/** The same for the vector clocks of sc fences of scope gpu and up. */
void chain_sc(struct release_chain *m, int upto, struct acquirer who, struct vector_clock **dst);
/** … of those of any scope in its block, of scope cluster and up in its cluster. */
void chain_sc_near(struct release_chain *m, int upto, struct acquirer who, enum chain_near near, struct vector_clock **dst);
/** … of those of scope sys, whatever the device. */
void chain_sc_system(const struct release_chain *m, int upto, struct vector_clock **dst);

#endif
