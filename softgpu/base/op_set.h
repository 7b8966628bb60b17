/**
 * @file op_set.h
 * Order among operations that the host issues: kernels, copies, memsets, host functions.
 *
 * Every operation gets a number, in issue order from 1. An op_set is the set of operations that
 * have completed before some point: the start of another operation, a host statement. The runtime
 * keeps one set for each stream, event and host thread and joins them as CUDA's rules say
 * (CUDA C++ Programming Guide, asynchronous concurrent execution); the race checker asks whether
 * an earlier operation is in the set of the present one.
 */
#ifndef SOFTGPU_BASE_OP_SET_H
#define SOFTGPU_BASE_OP_SET_H

#include <stdbool.h>
#include <stdint.h>

/** Zero-initialise for the empty set. All operations below `floor` are in it, and those set in
 *  `bits`, which starts at operation `floor` (rounded down to 64). */
struct op_set {
    uint64_t floor;
    uint64_t *bits;
    uint32_t words;
};

bool op_set_has(const struct op_set *s, uint64_t op);
void op_set_add(struct op_set *s, uint64_t op);
/** Is all of `small` in `big`? */
bool op_set_covers(const struct op_set *big, const struct op_set *small);
/** dst := dst ∪ src */
void op_set_join(struct op_set *dst, const struct op_set *src);
void op_set_copy(struct op_set *dst, const struct op_set *src);
void op_set_free(struct op_set *s);

#endif
