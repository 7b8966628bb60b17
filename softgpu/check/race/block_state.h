/**
 * @file block_state.h
 * Private to the race checker: a block that runs: its warps, barriers, clusters, shared memory.
 */
#ifndef SOFTGPU_CHECK_RACE_BLOCK_STATE_H
#define SOFTGPU_CHECK_RACE_BLOCK_STATE_H

#include "base/list.h"
#include "check/race/clock/knowledge.h"
#include "check/race/observed_chains.h"
#include "check/race/shadow/shadow_word.h"
#include "execute/grid.h"

struct race;
struct checked;

/** A fence in the order that the run's would have if each were a fence.sc of scope gpu (run_order.c). */
struct last_fence {
    uint32_t wide;            /**< so many fences it would have come after; 0: none is known */
    bool is_short;            /**< it does not reach other blocks, */
    bool is_weaker;           /**< as it is no fence.sc */
};

struct lane_state {
    uint64_t learned;         /**< race->moment when `extra` last grew by what other blocks know */
    struct knowledge *extra;
    struct snapshot *system_fence, *device_fence, *cluster_fence, *block_fence;  /**< at the last fence of that scope or
                                                                      wider */
    struct observed_list observed;
    uint32_t inited;          /**< when it last initialised an mbarrier; 0: never */
    struct last_fence fence;
    /** By relaxed waits at mbarriers: the next acquiring fence that reaches other blocks takes it in; what the own block's threads and copies gave
     *  (`noted_here`) any such fence, and also the next barrier of the block. */
    struct knowledge *noted, *noted_here;
    /** The wait at an mbarrier that was remembered last (mbarrier_phases.c): where and when, and who had written the object's two words. */
    struct {
        uint32_t place, time, site; /**< place: 1 + the object's offset in the block's shared memory; 0: none */
        struct {
            uint32_t agent, time;
        } writer[2];
    } waited;
};

/** Does a strong write of the lane's thread pass nothing on but that it was here? NULL: it does not. */
static inline bool lane_passes_nothing(const struct lane_state *ls)
{
    return !ls || (!knowledge_has_fences(ls->extra) && !ls->block_fence && !ls->cluster_fence && !ls->device_fence && !ls->system_fence);
}

struct warp_state {
    uint32_t time[WARP_LANES] __attribute__((aligned(64)));
    bool one_time;            /**< all lanes are at one time, which need not be looked up */
    uint32_t warp_uniform;    /**< all lanes up to here, by bar.warp.sync of the whole warp */
    struct checked *checked;  /**< late.c; NULL: nothing yet */
    struct lane_state *lanes; /**< NULL until a lane differs from its block */
    uint32_t stored[WARP_LANES]; /**< 1 + site of the lane's last strong store or exchange, 0 behind a fence */
    uint64_t stored_at[WARP_LANES]; /**< its address, */
    uint32_t stored_time[WARP_LANES]; /**< and when; neither says anything where `stored` is 0 */
};

/** All lanes are at one time now. */
static inline void warp_set_time(struct warp_state *ws, uint32_t time)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    const four all = {time, time, time, time};
    four *to = (four *)ws->time;
    _Static_assert(WARP_LANES == 32, "eight of four");
    to[0] = to[1] = to[2] = to[3] = to[4] = to[5] = to[6] = to[7] = all;
    ws->one_time = true;
}

/** What a block that has ended leaves to the next one that is as large; NULL: nothing. */
struct spare_state {
    struct warp_state *warps;
    int warp_count;
    struct stamps *stamps;
    uint32_t words;
};

/** What the lane does next is not part of what it has done so far. @return its time from now on */
static inline uint32_t lane_goes_on(struct warp_state *ws, int lane)
{
    ws->one_time = false;
    return ++ws->time[lane];
}

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
    uint64_t met;             /**< race->moment when all its threads last met */
    uint32_t uniform;
    bool any_left;
    uint32_t threads;
    struct knowledge *base;
    struct vector_clock *sc_run;      /**< order of this block's fence.sc, of any scope, in this run */
    struct knowledge *sc_far;         /**< KNOW_VALUE: what its fences that reach other blocks have come after */
    struct last_fence fence;          /**< of those before its threads last met, the last */
    uint64_t sc_order;        /**< number of the device's log (race.fence_log) that has all of it; 0: none has */
    struct warp_state *warps;
    int warp_count;
    struct shadow_word *shared;      /**< one a word: by shared_word() of stamps.h; NULL: none so far */
    struct stamps *stamps;           /**< NULL: all shadow words tell for themselves */
    uint32_t shared_words;
    bool shared_written;      /**< since the last barrier of the whole block */
    bool overlooked;          /**< overlooked.h */
    struct arrivals arrivals[16];
    bool grid_waited, grid_triggered, grid_triggered_early; /**< threads have waited by griddepcontrol; triggered; triggered without coming after such a wait */
    struct async_state *async;             /**< its asynchronous copies; NULL: none yet */
    LIST(struct phase_knowledge) phases;   /**< its mbarriers */
};

/** The block's threads have done nothing yet: bs->warps; and it has ended. */
void warp_states_begin(struct block_state *bs);
void warp_states_end(struct block_state *bs);

#endif
