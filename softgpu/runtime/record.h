/**
 * @file record.h
 * What a run leaves beside the findings: counters (`--counters`) and a timeline (`--timeline`).
 */
#ifndef SOFTGPU_RUNTIME_RECORD_H
#define SOFTGPU_RUNTIME_RECORD_H

#include "runtime/operation.h"

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
/** Notes a stream race (reporter_listen). */
struct finding;
void timeline_finding(const struct finding *f);
/** Writes the options' timeline file (Chrome trace JSON). */
void timeline_write(void);

#endif
