/**
 * @file observer.h
 * The hooks by which checkers watch a program. A checker is one file that defines one
 * `const struct observer` and has a row in options/check_names.def.
 *
 * Observers watch and report; they never execute anything: no hook changes a value, a grid's course or
 * another observer. What a read returns is the chooser's (execute/chooser.h), and the hooks are told what
 * it chose. A block or grid holds a slot for each observer (`check`), which its first hook may fill; what
 * the executor wants to know of an observer is what a hook returns. Hooks run on the machine's one
 * thread: checked mode is deterministic. In fast mode no hook is called and memory operations use
 * handlers that do not know of them.
 *
 * Order of calls for one warp instruction: `issue` (if any observer asks for it), then one of
 * load, store, atomic, fence, barrier_arrive, warp_arrive, exit.
 */
#ifndef SOFTGPU_CHECK_OBSERVER_H
#define SOFTGPU_CHECK_OBSERVER_H

#include "base/list.h"
#include "base/op_set.h"
#include "execute/plain_list.h"
#include "execute/run_events.h"
#include "options/observer_slots.h"

struct machine;
struct grid;
struct block;
struct cluster;
struct async_event;
struct mbarrier_event;

struct observer {
    const char *name;                  /**< as in `--check name` */
    bool wants_issue;                  /**< call `issue` for every instruction; */
    bool only_closely;                 /**< only where *warp->closely, which block_begin sets to what tells, and for matrix products */

    /** @return the observer's state, passed to every hook */
    void *(*create)(struct machine *m, int slot);
    void (*destroy)(void *self);

    void (*grid_begin)(void *self, struct grid *g);
    void (*grid_end)(void *self, const struct grid *g);
    void (*block_begin)(void *self, struct block *b);
    void (*block_end)(void *self, const struct block *b);

    void (*issue)(void *self, const struct warp *w, const struct insn *in);
    /** After the value was fetched and chosen, before the registers receive it. */
    void (*load)(void *self, const struct warp *w, const struct mem_access *a);
    /** Before the bytes are written: `host` still holds the old contents. */
    void (*store)(void *self, const struct warp *w, const struct mem_access *a);
    /** Instead of these two for plain accesses (plain_access.h); NULL: those are called. And when not (plain_list.h). */
    void (*plain_load)(void *self, const struct warp *w, struct plain_access *p);
    void (*plain_store)(void *self, const struct warp *w, struct plain_access *p);
    bool (*plain_idle)(void *self, const struct warp *w, const struct plain_access *p);
    uint64_t *(*plain_untold)(void *self);
    bool (*quiet_global)(void *self, const struct grid *g, const struct allocation *a); /**< may `a` be quiet? (quiet_global.h) NULL: no, but with plain_untold */
    uint32_t (*quiet_shared)(void *self, const struct block *b);
    /** After the read-modify-write took effect, lanes in ascending order. */
    void (*atomic)(void *self, const struct warp *w, const struct mem_access *a);
    void (*plain_atomic)(void *self, const struct warp *w, struct plain_access *p); /**< instead of it for plain accesses; NULL: that is called */
    void (*named)(void *self, const struct warp *w, const struct mem_access *a); /**< besides these, of what insn_is_named(), in shared memory */
    /** Asked after each load and atomic. @return true when nothing that runs can ever come to an end, which has been reported: the grid ends as deadlocked */
    bool (*hopeless)(void *self);
    /** `order` is ORDER_SC, _ACQ_REL, _ACQUIRE or _RELEASE. */
    void (*fence)(void *self, const struct warp *w, const struct insn *in, enum mem_order order, enum mem_scope scope);
    /** Asynchronous copies are issued, committed or waited for (async.h). */
    void (*async)(void *self, const struct warp *w, const struct async_event *e);
    /** A lane has used a barrier object in shared memory, whose bytes still hold what they held before. */
    void (*mbarrier)(void *self, const struct warp *w, const struct mbarrier_event *e);
    /** A lane launches a grid (nested.h). @return what is to be kept of it until that grid begins: its grid.inherited */
    void *(*launches)(void *self, const struct warp *w, int lane);
    /** The launch of which `*kept` is kept comes after one of which `earlier` is. */
    void (*launch_after)(void *self, void **kept, void *earlier);
    void (*launch_forgotten)(void *self, void *kept); /**< nobody needs it any more */
    /** griddepcontrol, in a grid that awaits others (config.awaits): these have ended; or launch_dependents. */
    void (*grid_dependency)(void *self, const struct warp *w, const struct insn *in);
    /** Lanes w->mask arrive at block barrier `barrier`. */
    void (*barrier_arrive)(void *self, const struct warp *w, const struct insn *in, int barrier, enum barrier_kind kind);
    /** The barrier completes: everyone who arrived since the last completion is released. */
    void (*barrier_complete)(void *self, const struct block *b, int barrier);
    /** All threads of the block have arrived at one bar.sync without a count, each warp as a whole, and none there in another way: instead of barrier_arrive for each warp
     *  and barrier_complete. NULL beside one of these: those are called. */
    void (*barrier_met)(void *self, const struct block *b, int barrier);
    /** Lanes w->mask arrive at their cluster's barrier, leave it, which is complete; it completes. */
    void (*cluster_arrive)(void *self, const struct warp *w, const struct insn *in);
    void (*cluster_wait)(void *self, const struct warp *w, const struct insn *in);
    void (*cluster_complete)(void *self, const struct cluster *c);
    /** Lanes w->mask come to bar.warp.sync, shfl, vote, match, redux or elect; members[lane] is the mask that
     *  each names. Also lanes w->mask, not a whole warp, come to what is for whole warps (class TENSOR). Lanes that wait there already are groups in GROUP_AT_WARP_SYNC; those that wait in vain for
     *  others of w->mask come again. Not called for the forms without `.sync`, which name none. */
    void (*warp_arrive)(void *self, const struct warp *w, const struct insn *in, const uint32_t members[32]);
    /** bar.warp.sync: the lanes in `members` have met. */
    void (*warp_sync)(void *self, const struct warp *w, const struct insn *in, uint32_t members);
    /** shfl or redux: before the registers receive the results. Only where some observer wants `issue`. */
    void (*warp_exchange)(void *self, const struct warp *w, const struct warp_exchange *x);
    void (*passed)(void *self, const struct warp *w, const struct lane_passed *p); /**< a call has copied an argument, or a return the result, of one lane; only where *warp->closely, and of a return also where the function had variables in memory */
    /** mma, wmma.mma, movmatrix: w->mask, all lanes of the warp, before the registers receive the results. */
    void (*tensor)(void *self, const struct warp *w, const struct insn *in);
    /** wmma.load, ldmatrix: a->insn->mem.bytes bytes of what was loaded go to `reg` from byte `at` on: each lane's from
     *  the address it has in `a`, whichever lane loaded it. */
    void (*received)(void *self, const struct warp *w, const struct mem_access *a, uint32_t reg, unsigned at);
    /** wmma.store, stmatrix: the same of what was stored from `reg`. */
    void (*sent)(void *self, const struct warp *w, const struct mem_access *a, uint32_t reg, unsigned at);
    void (*exit)(void *self, const struct warp *w, uint32_t lanes); /**< lanes leave the kernel */
    /** A group of lanes arrives at an aligned barrier while other lanes of the warp that have not exited stand elsewhere for good. Called once, when nothing else can run. */
    void (*diverged)(void *self, const struct warp *w);
    /** The running group, which has parted from others at a branch, comes to an aligned barrier. */
    void (*parted_at_barrier)(void *self, const struct warp *w, const struct insn *in);
    void (*stuck)(void *self, const struct machine *m); /**< nothing can run any more */
    void (*allocated)(void *self, struct allocation *a);
    void (*freed)(void *self, struct allocation *a);
    void (*host_op)(void *self, const struct host_op *op);
    void (*order_note)(void *self, const struct order_note *n);
    /** Before a load, after a store. @return true if it is unordered with unfinished work */
    bool (*host_touch)(void *self, const struct host_touch *t);
    bool (*host_look)(void *self, const struct host_touch *t); /**< the same at rest (observer_asks.h). @return true if nobody has written what is read, which is told */
    bool (*written)(void *self, struct allocation *a, uint64_t from, uint64_t bytes); /**< have all from an offset on been written, as far as one can see? NULL: yes */
};

/** Who watches a machine, in the order in which they are told. */
struct observer_set {
    int count;
    int slots;                         /**< the first so many have a slot */
    const struct observer *hooks[MAX_OBSERVERS];
    void *self[MAX_OBSERVERS];
    bool any_issue, each_issue;        /**< each_issue: some want it whatever *warp->closely says */
    uint32_t at_arrivals, at_completions, at_meetings, at_exits, at_loads; /**< a bit each: who has barrier_arrive, _complete, _met, exit; is told of each load */
    bool hear_meetings;                /**< whoever has one of the first two has the third */
    struct plain_list plain_loads, plain_stores;   /**< the hooks for these, one after another; */
    struct plain_rows rows, given;     /**< and by rows: `given` by observers_tell_rows(); `rows` is that while nobody watches but who did then, and is called */
    LIST(struct code_site) raced;      /**< see observers_note_race() */
};
struct observer_set *machine_observers(struct machine *m);
/** Adds one for as long as the machine lives, with a slot, before any without: at most OBSERVER_SLOTS. */
void observers_open(struct observer_set *set, struct machine *m, const struct observer *o);
/** Ends them all. */
void observers_close(struct observer_set *set);
/** Adds one that watches for a while, behind the others; it is given `self` as it is, and no slot. */
void observers_add(struct observer_set *set, const struct observer *o, void *self);
/** Removes the one that was added last. */
void observers_remove(struct observer_set *set);
/** The state of an observer in the set; NULL if it is not there. */
void *observers_find(const struct observer_set *set, const struct observer *o);

/** A finding says that accesses at `at` race with others. What else a checker holds against them may follow
 *  from that: observers leave it here, and look here, and know nothing of each other. */
void observers_note_race(struct observer_set *set, struct code_site at);
bool observers_know_race(const struct observer_set *set, struct code_site at);

/** Tells every observer that has the hook. */
#define OBSERVE(set, hook, ...)                                                                    \
    do {                                                                                           \
        for (int o_ = 0; o_ < (set)->count; o_++)                                                  \
            if ((set)->hooks[o_]->hook)                                                            \
                (set)->hooks[o_]->hook((set)->self[o_], __VA_ARGS__);                              \
    } while (0)
/** Asks every observer that has the hook. @return whether one said true. Others of this kind: observer_asks.h */
bool observers_hopeless(const struct observer_set *set);

#endif
