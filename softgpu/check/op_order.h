/**
 * @file op_order.h
 * Order among operations that the host issues: kernels, copies, memsets, host functions.
 *
 * Every operation gets a number, in issue order from 1. An op_set is the set of operations that
 * have completed before some point: the start of another operation, a host statement. The runtime
 * keeps one set for each stream, event and host thread and joins them as CUDA's rules say
 * (CUDA C++ Programming Guide, asynchronous concurrent execution); the race checker asks whether
 * an earlier operation is in the set of the present one.
 */
#ifndef SOFTGPU_CHECK_OP_ORDER_H
#define SOFTGPU_CHECK_OP_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Zero-initialise for the empty set. All operations below `floor` are in it, and those set in
 *  `bits`, which starts at operation `floor` (rounded down to 64). */
struct op_set {
    uint64_t floor;
    uint64_t *bits;
    uint32_t words;
};

/** Who issued an operation, and where: what a finding says about it. */
struct issuer {
    uint64_t stream;        /**< its stream's id: 1 the legacy default stream, 0 the host itself */
    bool apart;             /**< a cudaStreamNonBlocking stream: the default stream's rule is not for it */
    bool function;          /**< a host function: what it does comes after what is before it, and no more */
    bool staged;            /**< a copy from pageable memory: its call has returned, the bytes may be on their way */
    const void *call;       /**< return address of the API call in the host program; NULL = unknown */
    /** Of a graph's node; `call` is then the one that was captured, or that made the node. */
    uint64_t graph;         /**< the launch: its first operation's number; 0 = no node */
    const void *launch;     /**< where the graph was launched */
    uint64_t captured;      /**< the stream that the node was captured from; 0 = it was made by hand */
    unsigned branch;        /**< of the graph, from 0 */
};
/** What people call a stream: "the default stream", "stream 1" for the first that was created. */
void stream_words(uint64_t stream, char *out, size_t size);

bool op_set_has(const struct op_set *s, uint64_t op);
void op_set_add(struct op_set *s, uint64_t op);
/** dst := dst ∪ src */
void op_set_join(struct op_set *dst, const struct op_set *src);
void op_set_copy(struct op_set *dst, const struct op_set *src);
void op_set_free(struct op_set *s);

#endif
