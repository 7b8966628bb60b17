/**
 * @file chooser.h
 * Who decides what a read sees. Under the PTX memory model a read may return an older write than the
 * newest one (PTX ISA 8.10); a machine without a chooser always returns the newest. At most one chooser
 * is set at a time: the adversary, which shows what a program is not safe from, or the explorer, which
 * goes through everything that is allowed (both in rerun/).
 *
 * Choosing comes before watching: the executor asks the chooser first, and the observers are told what
 * was chosen. Only checked mode asks; grids run on one host thread then.
 */
#ifndef SOFTGPU_EXECUTE_CHOOSER_H
#define SOFTGPU_EXECUTE_CHOOSER_H

#include <stdbool.h>
#include <stdint.h>

#include "execute/run_events.h"

struct group;
struct plain_access;

struct machine;
struct warp;

/** One lane's element of an access. */
struct element_of_access {
    const struct mem_access *access;
    int lane, element;
};

/** Lanes at a block barrier: `count` is the number of threads that it waits for, 0 = all. */
struct arrival {
    int barrier;
    uint32_t count;
    enum barrier_kind kind;
};

/** Every hook may be NULL: then the newest value is read, and what is written stays. Those that return a
 *  bool say false where the run is of no more use; the executor then cancels its grid. */
struct chooser {
    const char *name;
    /** The newest values have been fetched into `a`. Replaces those that are to be read instead, and
     *  marks in a->older those that are an older write's. */
    bool (*load)(void *self, const struct warp *w, struct mem_access *a);
    /** Does a plain load get the newest values, whatever is chosen? Then `load` is not asked, nor is the access filled in for it. NULL: not known. */
    bool (*newest)(void *self, const struct warp *w, const struct plain_access *p);
    /** Sets the lanes of each element whose store comes before another one that is in memory already:
     *  its value is not what stays. `hidden` is zero. */
    bool (*store)(void *self, const struct warp *w, const struct mem_access *a,
                  uint32_t hidden[MAX_ELEMENTS]);
    /** The read of a read-modify-write: `value` holds the newest and may be replaced. */
    bool (*rmw_read)(void *self, const struct warp *w, const struct element_of_access *at,
                     uint64_t *value);
    /** Does every read-modify-write get the newest value, and is its own what stays? Then the other hooks are not asked about them. NULL: not known. */
    bool (*rmw_newest)(void *self);
    /** Instead of the two hooks around it: may the read-modify-write read an older value? Asked of those that
     *  leave any value as it was, and so may come before the writes since; `value` is set. */
    bool (*rmw_older)(void *self, const struct warp *w, const struct element_of_access *at, uint64_t *value);
    /** The same of one that does change the value: may it come before writes that have been made already? They are then
     *  made again. `value` is set to what it reads. */
    bool (*rmw_before)(void *self, const struct warp *w, const struct element_of_access *at, uint64_t *value);
    /** Follows at once where that said yes: what memory holds when those writes have been made again on top of `value`. Both
     *  are there where rmw_older is. */
    uint64_t (*rmw_again)(void *self, const struct warp *w, const struct element_of_access *at, uint64_t value);
    /** What follows rmw_read: `wrote` is false for a compare-and-swap that failed. Clears `stays`
     *  where memory is to keep what it holds. */
    bool (*rmw_write)(void *self, const struct warp *w, const struct element_of_access *at, bool wrote,
                      uint64_t value, bool *stays);

    /** A thread that runs alone (grid_config.lone) comes to a barrier: what does bar.red return? */
    bool (*barrier)(void *self, const struct warp *w, const struct insn *in, const struct arrival *at,
                    uint32_t *result);

    /** Such a thread comes to a shuffle, vote, match, redux or elect of `members`: what it gets, as meeting_gets() has it. */
    bool (*exchange)(void *self, const struct warp *w, const struct insn *in, uint32_t members, uint64_t *result);

    /* SCHEDULE_CHOSEN only, where these two must be there. */
    /** Can other threads notice the group's next instruction? */
    bool (*visible)(void *self, const struct warp *w, const struct group *g);
    /** Which of `count` groups goes on, all at visible instructions; `more`: there were even more.
     *  @return -1: the run is of no more use */
    int (*next)(void *self, int count, bool more);
    int most;   /**< of so many it chooses, up to MOST_CANDIDATES; 0: of 256 */
    int blocks; /**< 1: of those of one block alone, the first that has any; -1: the last; 0: of all */
};
#define MOST_CANDIDATES 1024

/** Sets who chooses from now on; `how` NULL: nobody, reads return the newest value. */
void machine_set_chooser(struct machine *m, const struct chooser *how, void *self);
bool machine_has_chooser(const struct machine *m);

#endif
