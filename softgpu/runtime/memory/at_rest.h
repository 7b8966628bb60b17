/**
 * @file at_rest.h
 * Managed and page-locked memory that nothing outstanding uses, but that holds bytes which nobody has written: the program's
 * mapping of it stays closed, or is from its allocation on, until the program comes by (host_watch.h has the protection and the faults).
 *
 * A page that the program stores to is opened, and one that holds something everywhere; both for good, until the device uses the
 * memory again. A load of what holds something is let through as one single step; of the first load of what nobody has written
 * the observers are told, and then all of it is opened. Called with the runtime's lock held, where nothing else is said.
 */
#ifndef SOFTGPU_RUNTIME_AT_REST_H
#define SOFTGPU_RUNTIME_AT_REST_H

#include <stdbool.h>
#include <stdint.h>

struct allocation;
struct watched;

/** Memory has been allocated. */
void at_rest_begin(struct allocation *a);
/** Nothing uses the memory any more: is it to stay closed? */
bool at_rest_wanted(struct allocation *a);
/** The program has come to an address of such memory by the instruction at which it stands (a ucontext_t). @return false if that is to be
 *  let through as a single step, true where it can go on now */
bool at_rest_opens(struct watched *w, uint64_t address, const void *context);
/** The program wants to handle faults itself: such memory is open from now on. Without the lock. */
void at_rest_end(void);

#endif
