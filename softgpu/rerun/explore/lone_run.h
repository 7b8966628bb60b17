/**
 * @file lone_run.h
 * Private to the files of lone.h: one run of one thread, and what its hooks ask of each other.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_LONE_RUN_H
#define SOFTGPU_RERUN_EXPLORE_LONE_RUN_H

#include "execute/chooser.h"
#include "rerun/explore/depends.h"
#include "rerun/explore/lone.h"

/** What a store to memory that is not shared has overwritten. */
struct undo {
    uint8_t *host;
    uint64_t value;
    uint32_t bytes;
};

struct lone_watch {
    struct lone *lone;
    uint64_t thread;
    uint64_t first_block;         /**< of its launch, counted over all */
    const uint64_t *values;
    int count, taken;
    event_set unknown;            /**< values that stand for any */
    struct lone_node *node;
    struct depends depends;
    LIST(struct undo) undone;
    uint64_t issued;
    bool stopped;
    int phases;                   /**< of the cluster's barrier that the thread has arrived at */
    bool modelled;                /**< the read-modify-write at hand is of a shared location */
    struct model_event read;
    int at;                       /**< its location */
};

/** Runs the thread until it needs one value more than it is given, or one of those that stand for any, or ends; fills the node. */
void lone_run(struct lone *l, uint64_t thread, const uint64_t *values, int count, event_set unknown, struct lone_node *n);
/** Ends the run. @return false, as its hooks do */
bool lone_stop(struct lone_watch *r);
/** Ends it because threads like this cannot be run alone. */
bool lone_cannot(struct lone_watch *r, enum incomplete_cause why);
/** Ends it at a bound: another thread may have to change what it looks at. @return false */
bool lone_endless(struct lone_watch *r, enum incomplete_cause why);
/** Ends it where the thread needs a value that it is not given. */
bool lone_stop_for_value(struct lone_watch *r, const struct warp *w, const struct insn *in, enum model_stop why);
/** What the thread does rests on these values. @return true, and the run ends, if one of them stands for any */
bool lone_needs(struct lone_watch *r, event_set values);
/** Registers and local memory of the thread at `in`, in one word. */
uint64_t lone_state(const struct warp *w, const struct insn *in);

/* lone_places.c */

/** The location of one lane's element, noted as used by the thread; may make the lone threads stale. */
int lone_location(struct lone_watch *r, const struct warp *w, const struct mem_access *a, int lane, int element,
                  bool write);
/** A location that is not shared is read: a thread that does nothing else waits for it. */
void lone_note_poll(struct lone_watch *r, const struct warp *w, const struct insn *in, int number);
/** The run at hand comes to no end: locations that it has looked at more than once are taken to be shared. @return false: there are none, or too many */
bool lone_share_looked_at(struct lone *l);

/* lone_access.c */

extern const struct chooser lone_chooser;
/** An event of this instruction; `location` -1: it has none. */
struct model_event lone_event(const struct lone_watch *r, const struct insn *in, enum event_kind kind, int location);
/** The model's word for a scope that an instruction names. */
enum model_scope lone_scope(enum mem_scope scope);
/** Adds it to the step, if that has not been done for a parent. */
bool lone_emit(struct lone_watch *r, const struct model_event *e);
/** lone_run.c: the hook for barriers. */
bool lone_barrier(void *self, const struct warp *w, const struct insn *in, const struct arrival *at, uint32_t *result);
/** And for exchanges: a step's `what` is the instruction, what it brings is a and, in one word, b and c. */
bool lone_exchange(void *self, const struct warp *w, const struct insn *in, uint32_t members, uint64_t *result);

#endif
