/**
 * @file followed.h
 * Memory that is followed: what has been written since it was last copied is known by faults (pages.h).
 */
#ifndef SOFTGPU_MEMORY_FOLLOWED_H
#define SOFTGPU_MEMORY_FOLLOWED_H

#include <stdbool.h>
#include <stdint.h>

struct allocation;
struct memory;

/** From now on memory that is written seldom is closed, whenever `may` says so of the calling thread: its faults, and those of whoever writes memory
 *  until it is asked again but by memory_change() and memory_overwrite(), come to memory_opens(). NULL: none is. */
void memory_guard(bool (*may)(void));
/** A store to `address` has faulted. @return whether it may be tried again. For signal handlers. */
bool memory_opens(const void *address);
/** All that is closed is opened: faults are not followed any more. */
void memory_open_all(void);
/** memory_translate() for a caller that writes there, wherever its faults go. */
void *memory_change(const struct memory *m, uint64_t address, uint64_t bytes);
/** What a checker knows of the bytes (`initialised`) is about to be released. */
void memory_initialised_ends(struct memory *m, const struct allocation *a);

#endif
