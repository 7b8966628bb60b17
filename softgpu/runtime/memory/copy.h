/**
 * @file copy.h
 * Copies and fills as the API's many forms need them: each is a box of bytes.
 */
#ifndef SOFTGPU_RUNTIME_COPY_H
#define SOFTGPU_RUNTIME_COPY_H

#include "runtime/state/operation.h"

/** What kind of memory an address is in. */
enum place {
    PLACE_INVALID,   /**< a device address outside of a live allocation, or NULL */
    PLACE_PAGEABLE,  /**< ordinary host memory */
    PLACE_PINNED,    /**< cudaHostAlloc, cudaHostRegister */
    PLACE_MANAGED, PLACE_DEVICE
};

/** Where all of [address, address + bytes) lies. */
enum place place_of(uint64_t address, uint64_t bytes);
/** As many of `bytes` bytes as lie in one mapping, where memory has been mapped to `address` (cuMemMap); else all. */
size_t mapped_part(uint64_t address, size_t bytes);
/** Checks a copy and makes an operation of it, NULL where there is nothing to copy. */
cudaError_t copy_make(const char *name, struct box_copy box, enum cudaMemcpyKind kind,
                      struct operation **out);
cudaError_t set_make(const char *name, struct box_set box, struct operation **out);
/** The box that the parameters of cudaMemcpy3D describe. @return false where they are none */
bool copy_box_of(const struct cudaMemcpy3DParms *p, struct box_copy *out);
/** Checks and issues a copy; waits where the API's rules say that the call blocks. */
cudaError_t copy_box(const char *name, struct box_copy box, enum cudaMemcpyKind kind,
                     struct stream *s, bool async);
/** Issues a copy from pageable memory to the device; its call returns when the bytes are staged. */
cudaError_t copy_staged(struct operation *op, struct stream *s, bool async);
/** Checks and issues a fill within one allocation; of any range. */
cudaError_t set_part(const char *name, struct box_set box, struct stream *s, bool async);
cudaError_t set_box(const char *name, struct box_set box, struct stream *s, bool async);

/* What an operation does when it takes effect. */

void copy_execute(struct operation *op);
/** Packs the source's rows into memory of the operation's own, which it copies from then on. */
void copy_stage(struct operation *op);
/** Frees the bytes that such a copy keeps, and what its reads come after. */
void copy_unstage(struct operation *op);
void set_execute(struct operation *op);
/** Tells that the memory at `address`, which the operation is about to use, has been freed since it was issued or captured (freed_early.c). */
void copy_tell_freed(const struct operation *op, uint64_t address, bool write);

/** The flat copy that a call is about to make: tells of it where its sides overlap (overlap.c). */
void copy_look_for_overlap(const char *name, const struct box_copy *box);

#endif
