/**
 * @file decode_async.h
 * What asynchronous copies of all kinds have in their text.
 */
#ifndef SOFTGPU_DECODE_DECODE_ASYNC_H
#define SOFTGPU_DECODE_DECODE_ASYNC_H

#include "decode/decoder.h"
#include "decode/modifiers.h"

/** Hints to the caches; `policy`: one more operand comes last. */
void decode_cache_hints(struct modifiers *m, bool *policy);
/** The operand that `policy` says comes last. */
bool decode_policy(struct decoder *d, const struct ptx_operand *o);
/** Where the text says that an mbarrier lies. */
enum object_in { OBJECT_GENERIC, OBJECT_IN_BLOCK, OBJECT_IN_CLUSTER };
/** The address of an mbarrier; operations there are strong accesses of the block's scope, but for init. */
bool decode_mbarrier_object(struct decoder *d, const struct ptx_operand *o, enum object_in where, struct insn *in);
/** fence.proxy.tensormap::generic, from its order on (decode_map.c) */
bool decode_map_fence(struct decoder *d, const struct ptx_instr *pi, struct modifiers *m, struct insn *in);

#endif
