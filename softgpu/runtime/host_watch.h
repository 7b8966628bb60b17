/**
 * @file host_watch.h
 * The program's own loads and stores of memory that it shares with the device (page-locked, managed),
 * seen while the device may be at work: checked mode only.
 *
 * While an operation that may use such memory has been issued and not yet been waited for, the program's
 * mapping of it is protected: what a copy or fill names, what a kernel has pointers to among its arguments,
 * and every managed variable. A load or store there faults; the handler lets the device do a slice of work, as a poll
 * would, opens the page for one instruction (the processor's single step), tells the observers what was
 * touched, and closes it again. The device itself uses another mapping of the same bytes.
 */
#ifndef SOFTGPU_RUNTIME_HOST_WATCH_H
#define SOFTGPU_RUNTIME_HOST_WATCH_H

#include <stdbool.h>

struct operation;
/** Notes which shared memory an operation may use, as it is issued. Called with the lock held. */
void host_watch_issued(const struct operation *op);
/** Protects or opens, as what is outstanding demands. Called with the lock held, as a call returns. */
void host_watch_update(void);
/** Opens everything and forgets it: the context ends. */
void host_watch_stop(void);

#endif
