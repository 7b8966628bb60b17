/**
 * @file host_watch.h
 * The program's own loads and stores of memory that it shares with the device (page-locked, managed),
 * seen while the device may be at work: checked mode only.
 *
 * While some operation has been issued and not yet been waited for, the program's mapping of such memory
 * is protected. A load or store there faults; the handler lets the device do a slice of work, as a poll
 * would, opens the page for one instruction (the processor's single step), tells the observers what was
 * touched, and closes it again. The device itself uses another mapping of the same bytes.
 */
#ifndef SOFTGPU_RUNTIME_HOST_WATCH_H
#define SOFTGPU_RUNTIME_HOST_WATCH_H

#include <stdbool.h>

/** Protects or opens, as what is outstanding demands. Called with the lock held, as a call returns. */
void host_watch_update(void);
/** Opens everything: the context ends. */
void host_watch_stop(void);

#endif
