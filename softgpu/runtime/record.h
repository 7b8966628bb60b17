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

/** Notes when an operation ran in virtual time. */
void timeline_add(const struct operation *op);
/** Writes the options' timeline file (Chrome trace JSON). */
void timeline_write(void);

#endif
