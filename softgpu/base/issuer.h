/**
 * @file issuer.h
 * Who issued an operation and where: streams and graphs as findings, timelines and the runtime speak of them.
 */
#ifndef SOFTGPU_BASE_ISSUER_H
#define SOFTGPU_BASE_ISSUER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Who issued an operation, and where: what a finding says about it. */
struct issuer {
    uint64_t stream;        /**< its stream's id, stream_id(): 1 device 0's legacy default stream, 0 the host itself */
    bool apart;             /**< a cudaStreamNonBlocking stream: the default stream's rule is not for it */
    bool function;          /**< a host function: what it does comes after what is before it, and no more */
    bool staged;            /**< a copy from pageable memory: its call has returned, the bytes may be on their way */
    const void *call;       /**< return address of the API call in the host program; NULL = unknown */
    uint64_t batch;         /**< of copies that one call makes in any order: its first operation's number; 0 = none */
    /** Of a graph's node; `call` is then the one that was captured, or that made the node. */
    uint64_t graph;         /**< the launch: its first operation's number; 0 = no node */
    const void *launch;     /**< where the graph was launched */
    uint64_t captured;      /**< the stream that the node was captured from; 0 = it was made by hand */
    unsigned branch;        /**< of the graph, from 0 */
};

/** Ids of streams: the device's number above so many bits, below them 1 for its default stream, then as created. */
#define STREAM_BITS 40

#define MAX_STREAM_NAME 32
#define MAX_STREAM_NAMES 4096 /* of further ones the numbers do */

/** From now on a stream is called so: a variable's name, or more than one word as it stands, "stream 1". Copied; "" takes
 *  a name back. As all that tells of streams, under the runtime's lock. */
void stream_call(uint64_t stream, const char *name);
/** What people call a stream: `"other"` by its name, "the default stream", "stream 1" for the first that was created; of
 *  device 1 "stream 1 of device 1". */
void stream_words(uint64_t stream, char *out, size_t size);

static inline uint64_t stream_id(int device, uint64_t n)
{
    return (uint64_t)device << STREAM_BITS | n;
}

#endif
