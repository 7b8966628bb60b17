/**
 * @file snapshot.h
 * Copies of all device-visible contents, for running a launch again.
 */
#ifndef SOFTGPU_MEMORY_SNAPSHOT_H
#define SOFTGPU_MEMORY_SNAPSHOT_H

#include <stdbool.h>
#include <stdint.h>

struct memory;

/** Those made while another stands are to be freed before it. */
struct memory_snapshot;
struct memory_snapshot *memory_save(struct memory *m);
/** The same, but that nothing need be copied yet: memory_save_rest() is to be called before anything changes. */
struct memory_snapshot *memory_save_later(struct memory *m);
/** Copies what has not been copied yet; `but_quiet`: allocations that are quiet stay as they are until there is a restoring or another snapshot, and are not copied before that. */
void memory_save_rest(struct memory_snapshot *s, bool but_quiet);
/** How many bytes a snapshot copies whatever has changed: of allocations whose pages are not followed. */
uint64_t memory_copied(const struct memory *m);
/** Bytes that are the host's own, page-locked or registered, which memory_used() does not count. */
uint64_t memory_locked(const struct memory *m);
void memory_restore(struct memory *m, struct memory_snapshot *s);
/** A hash of what those allocations hold now that lived then and still do. */
uint64_t memory_digest(const struct memory *m, const struct memory_snapshot *s);
void memory_snapshot_free(struct memory_snapshot *s);

#endif
