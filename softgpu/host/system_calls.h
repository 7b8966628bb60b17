/**
 * @file system_calls.h
 * Memory that may be watched, given to the kernel.
 *
 * A load or store of a closed page faults and is followed; the kernel, asked to read a file into such a page, answers EFAULT instead.
 * So what the program and its libraries call to read and write (read, fread, send and their like) goes through functions that
 * hand the kernel a buffer of their own for such memory, and copy between the two where the copy can be followed. And who sets
 * a handler for faults of its own is heard of.
 */
#ifndef SOFTGPU_HOST_SYSTEM_CALLS_H
#define SOFTGPU_HOST_SYSTEM_CALLS_H

#include <stdbool.h>
#include <stdint.h>

/** Puts those functions into the tables by which the objects that are loaded now call the C library's; to be
 *  called again as more are. `shared`: whether an address lies in memory that may be closed; called by the program's threads, outside of signal handlers. `handles`: the
 *  program has set a handler for SIGSEGV; may be NULL. */
void system_calls_follow(bool (*shared)(uintptr_t address), void (*handles)(void));

/** The same for how a program ends that does not leave main(): a failed assert(), abort(), and what nobody catches. `ending` is called once,
 *  before it ends, by whichever thread does, in no signal handler; of what the C library finds wrong itself (a heap that is damaged) it is not.
 *  NULL: it is not followed. */
void system_calls_follow_ends(void (*ending)(void));

#endif
