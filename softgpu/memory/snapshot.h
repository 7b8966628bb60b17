/**
 * @file snapshot.h
 * Copies of all device-visible contents, for running a launch again.
 */
#ifndef SOFTGPU_MEMORY_SNAPSHOT_H
#define SOFTGPU_MEMORY_SNAPSHOT_H

#include <stdint.h>

struct memory;

/** Those made while another stands are to be freed before it. */
struct memory_snapshot;
struct memory_snapshot *memory_save(struct memory *m);
/** How many bytes a snapshot copies whatever has changed: of allocations whose pages are not followed. */
uint64_t memory_copied(const struct memory *m);
/** Bytes that are the host's own, page-locked or registered, which memory_used() does not count. */
uint64_t memory_locked(const struct memory *m);
void memory_restore(struct memory *m, const struct memory_snapshot *s);
/** A hash of what those allocations hold now that lived then and still do. */
uint64_t memory_digest(const struct memory *m, const struct memory_snapshot *s);
void memory_snapshot_free(struct memory_snapshot *s);

#endif
