/**
 * @file ipc_event.h
 * Events that other processes have, too (cudaEventInterprocess).
 */
#ifndef SOFTGPU_RUNTIME_STREAM_IPC_EVENT_H
#define SOFTGPU_RUNTIME_STREAM_IPC_EVENT_H

#include "runtime/state/value_op.h"

/** Gives a new event what is shared. @return false where the system does not let us */
bool ipc_event_make(struct event *e);
/** The operation that records it. */
struct operation *ipc_event_record(struct event *e);
/** The operation that waits for another process's record; NULL where the latest one is none. */
struct operation *ipc_event_wait(const struct event *e);
bool ipc_event_is_foreign(const struct event *e);
/** Where the latest record is another process's: */
cudaError_t ipc_event_query(const struct event *e);
cudaError_t ipc_event_synchronize(const struct event *e);

#endif
