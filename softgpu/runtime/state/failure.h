/**
 * @file failure.h
 * Calls that fail, and that the program does not look at.
 *
 * A failing call is told where both are certain: what it returned is not looked at (host/result_use.h), and
 * its thread has not asked for the last error by the time the program ends. A <<<>>> returns nothing.
 */
#ifndef SOFTGPU_RUNTIME_STATE_FAILURE_H
#define SOFTGPU_RUNTIME_STATE_FAILURE_H

#include "report/facts.h"
#include "runtime/api.h"

struct reporter;

/** Why the present call is about to fail; `address`: in the memory that it is about, 0 if none. */
void failure_because(enum finding_cause cause, const struct call_facts *facts, uint64_t address);
/** … because `p` is not to be freed. @return the error */
cudaError_t failure_to_free(const void *p);
/** The present call leaves with `e`. Called by runtime_leave(). */
void failure_left(cudaError_t e);
/** The calling thread asks for its last error. */
void failure_looked(void);
/** The program of another process does not look at what its thread's latest call returned (remote/). */
void failure_unlooked(void);
/** Are there any that nobody has looked at? */
bool failures_waiting(void);
/** Tells those: the program ends. */
void failures_tell(struct reporter *r);

#endif
