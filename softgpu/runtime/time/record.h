/**
 * @file record.h
 * What a run leaves beside the findings: counters (`--counters`) and a timeline (`--timeline`).
 */
#ifndef SOFTGPU_RUNTIME_RECORD_H
#define SOFTGPU_RUNTIME_RECORD_H

#include "report/reporter.h"
#include "runtime/state/operation.h"
#include "timeline/timeline.h"

/** Adds an operation that has ended: a launch's counters, a copy's bytes. */
void counters_add(const struct operation *op);
/** Writes the sums: to the options' file as JSON, else as a table to stderr. */
void counters_write(void);

/** Virtual time of a run, in nanoseconds. */
struct busy {
    uint64_t makespan_ns; /**< from the first copy's, kernel's or fill's start to the last one's end */
    uint64_t copy_in_ns, copy_out_ns, kernel_ns; /**< while at least one of them ran */
    uint64_t bound_ns; /**< the largest of these three: no order of the same work is shorter */
};
/** Adds an operation that has ended. */
void busy_add(const struct operation *op);
struct busy busy_times(void);

/** Notes when an operation ran in virtual time. */
void timeline_add(const struct operation *op);
/** The host stood in `call` from `from_ns` until now, when `op` had ended (NULL: nothing was waited for). */
void timeline_call(const char *call, uint64_t from_ns, const struct operation *op);
/** Notes that operation `to` (0: the host) waited for `from`, by the call at `at`. @return the note */
struct timeline_wait *timeline_wait(enum wait_kind kind, const char *call, uint64_t from,
                                    uint64_t to, const void *at);
/** Notes a stream race (reporter_listen). */
struct finding;
void timeline_finding(const struct finding *f);
/** Writes the options' timeline file (Chrome trace JSON). */
void timeline_write(void);

#endif
