/**
 * @file stream_race.h
 * Stream races: who the two operations are, and which event or synchronisation is missing between them.
 */
#ifndef SOFTGPU_CHECK_RACE_STREAM_RACE_H
#define SOFTGPU_CHECK_RACE_STREAM_RACE_H

#include "check/race/race.h"
#include "report/finding.h"

/** One of two operations that meet. */
struct stream_use {
    uint64_t op;                /**< number in the order of issue; 0 = an access by the host itself */
    bool kernel, writes;        /**< a kernel; the host's own access is a store */
    bool ahead;                 /**< the other is before it in its stream, but it reads its source ahead of that */
    const char *name;           /**< the call, or the kernel */
    const struct issuer *by;
    const struct function *code; /**< of a kernel */
    const struct insn *read;    /**< of a kernel that only reads there: by this; else NULL */
    const struct op_set *awaits; /**< what its griddepcontrol.wait waits for; NULL: nothing */
};

/** A launch. */
struct stream_use stream_kernel(const struct grid_config *config);
/** Keeps a note for later explanations; old ones are dropped. */
void stream_note(struct race *race, const struct order_note *n);
/** Fills in everything of a stream-race finding but its accesses, place and kernel, and reports it.
 *  The accesses are those of `a` and `b`, in this order; an operation without a line of its own in the
 *  finding gets its call's. */
void stream_report(struct race *race, struct finding *f, const struct stream_use *a,
                   const struct stream_use *b);

#endif
