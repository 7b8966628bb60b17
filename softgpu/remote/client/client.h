/**
 * @file client.h
 * The client: a libcudart.so.13 without a device. It sends every call to the server (wire.h) and
 * shares page-locked and managed memory with it; device memory, findings and counters are there only.
 *
 * Nothing here is trusted: whatever the program does to this library harms no one but itself.
 */
#ifndef SOFTGPU_REMOTE_CLIENT_H
#define SOFTGPU_REMOTE_CLIENT_H

#pragma GCC visibility push(default)
#include <cuda_runtime_api.h>
#pragma GCC visibility pop

#include "remote/wire.h"

#define EXPORT __attribute__((visibility("default")))

/* ---- channel.c ---- */

/** A call under way. */
struct call {
    struct wire_call head;
    struct wire_answer answer;
    uint32_t taken;    /**< bytes of `results` */
    int passed;        /**< a descriptor that came with the answer, -1 if none; the caller's to close */
    const void *bulk;  /**< sent along, head.bulk_bytes of it */
    void *bulk_to;     /**< takes the answer's bulk */
    size_t bulk_room;
    uint8_t args[WIRE_ARGS], results[WIRE_ARGS];
};

/** @param site  where the program makes the call: a return address in it */
void call_begin(struct call *c, enum wire_id id, const void *site);
void call_put(struct call *c, const void *data, size_t bytes);
/** Sends and waits for the answer. @return its status, or an error where there is no server */
cudaError_t call_do(struct call *c);
void call_get(struct call *c, void *to, size_t bytes);

/** Where the program called, if not where the call_begin()'s `site` says: an entry point calls another
 *  one. NULL: there. */
extern __thread const void *entry_site;
/** The thread's stream 0 is its own, for the length of a call. */
extern __thread bool per_thread_default;
extern __thread bool in_host_function;

/** A new connection for `purpose`, -1 if there is no server. */
int channel_connect(char purpose);

/* ---- shared.c ---- */

/** Whether memory at `p` is known to the device: its own, or shared with the server. */
bool shared_known(const void *p);

/* ---- calls.c: the WRAPPED rows ---- */
#define CALL0(name)
#define CALL(name, ...)
#define WRAPPED0(name) cudaError_t forward_##name(const void *site);
#define WRAPPED(name, ...)                                                                         \
    cudaError_t forward_##name(const void *site, JOIN(PARAMETER, __VA_ARGS__));
#define PARAMETER_VAL(type, name) type name
#define PARAMETER_OUT(type, name) type *name
#include "remote/arguments.h"
#include "remote/calls.def"
#undef CALL0
#undef CALL
#undef WRAPPED0
#undef WRAPPED

#endif
