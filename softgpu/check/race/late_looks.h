/**
 * @file late_looks.h
 * Private to late.c: looks that could have come sooner. A thread's look has returned what another one wrote, but nothing orders the two, and the thread
 * has heard nothing of that one since: so it could as well have looked before, while the other wrote, and have acted then by what stood there first.
 * That is one of the program's runs up to there, with newest values, whatever this run's schedule was.
 */
#ifndef SOFTGPU_CHECK_RACE_LATE_LOOKS_H
#define SOFTGPU_CHECK_RACE_LATE_LOOKS_H

#include "analyse/acts.h"
#include "check/race/race.h"
#include "execute/run_events.h"

/** What the lanes of a warp have read by one pair's check. */
struct read_by_lanes {
    uint64_t value[WARP_LANES], address[WARP_LANES], other[WARP_LANES];
    uint64_t sooner[MAX_PAST][WARP_LANES]; /**< what a lane could have read before writes by others, the latest first: so many, */
    uint8_t sooners[WARP_LANES];
    uint64_t instead[WARP_LANES];        /**< that of them with which a lane of `missed` would have acted, too, */
    struct epoch writer[WARP_LANES];     /**< and who has written what it has read */
    uint64_t leaf[MOST_LEAVES][WARP_LANES]; /**< what else goes into what is compared (act.made), as far as it is there then */
    uint32_t updated;                    /**< ACT_TAKES, ACT_MOVES, ACT_CLAIMS: another's update, which this one's spoils, stands there when the lane acts */
    uint32_t over;                       /**< … ACT_CLAIMS: by an exchange whose result is looked at */
    uint32_t valid, missed;
    uint8_t space;
    bool told;                           /**< that an update may come too late: once a warp is enough */
};

/** An update that comes too late, or may. */
struct late_told {
    const struct act *act;
    enum ptx_space space;
    uint64_t address, seen, after;
    bool has_after;
    bool swapped;                /**< ACT_CLAIMS: another has claimed it by a compare-and-swap, which says so to one only; or has exchanged what was there */
    bool over;                   /**< … the latter: what that one put there is lost */
    bool may;                    /**< in another order of the threads */
    const struct epoch *thread;  /**< whose it is; NULL: the lane's */
};
void late_tell(struct race *race, const struct warp *w, int lane, const struct late_told *t);

/** Notes what else goes into what the pair compares, as far as the lane has it at its look. */
void late_note_leaves(const struct warp *w, const struct act *act, struct read_by_lanes *c, int lane);
/** What decides where the look has returned `value`: that, or (act.made) the predicate, computed anew by the code's own instructions. */
uint64_t late_made(const struct warp *w, const struct act *act, const struct read_by_lanes *c, int lane, uint64_t value);

/** These lanes are about to act by the pair: whose write stands there? */
void late_note_updates(struct race *race, const struct warp *w, const struct mem_access *a, const struct act *act, struct read_by_lanes *c, uint32_t lanes);

/** Could the actor's lane have come to its access before the last write of the location, whose word this is? It has not been remembered yet. */
bool late_comes_before_last(const struct actor *me, const struct mem_access *a, struct shadow_word *c);

/** What the pair's check compares with. */
uint64_t late_compared_with(const struct warp *w, const struct act *act, int lane);

/** These lanes have looked, by the check of some pairs, and are noted in `c`. Their reads are not remembered yet. */
void late_look(struct race *race, const struct warp *w, const struct mem_access *a, const struct acts *acts, struct read_by_lanes *c, uint32_t lanes);
/** These lanes have read what they compare with (act.compared). */
void late_compare(struct race *race, const struct warp *w, const struct mem_access *a, const struct acts *acts, struct read_by_lanes *c, uint32_t lanes);
/** A lane of c->missed now makes the update of a pair, and leaves `after`. */
void late_missed(struct race *race, const struct warp *w, int lane, const struct acts *acts, int pair, struct read_by_lanes *c, uint64_t after);

#endif
