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
#include <stdint.h>

#include "host/instruction.h"

struct operation;
/** Notes which shared memory an operation may use, as it is issued. Called with the lock held. */
void host_watch_issued(const struct operation *op);
/** Protects or opens, as what is outstanding demands. Called with the lock held, as a call returns. */
void host_watch_update(void);
/** From now on faults of the program are seen, too: those at device memory. Once the machine stands. */
void host_watch_start(void);
/** An access by the host of which the program dies. */
struct host_stray {
    uint64_t address;
    bool write;
    struct instruction_origin by; /**< OWNER_SELF: a call that has been given that place */
};
/** The program has faulted: tells of it if that is at device memory, or at what it shares with the device. Called with the lock held. */
void host_watch_stray(const struct host_stray *s);
/** Opens everything and forgets it: the context ends. */
void host_watch_stop(void);

/* For a server (remote/), whose client protects its own mappings and tells of its accesses. Each is called
 * with the lock held. */

/** The bases of the allocations that are to be protected now. @return their number */
int host_watch_closed(uint64_t *bases, int room);
/** The client is about to load from an address, or to store there: lets the device do a slice of work. @return whether the access
 *  is to be followed */
bool host_watch_poll(uint64_t address, bool loads);
/** The calling thread ends: lets go of what host_watch_poll() keeps of it. */
void host_watch_thread_ends(void);
/** The bytes from `address` to its page's end, `left`, as they were before the latest poll let the device go
 *  on. @return NULL where that is not known */
const uint8_t *host_watch_before(uint64_t address, uint64_t *left);
/** What the client says that it loads or has stored. `conflict`: nothing orders it after the device's own
 *  accesses. @return false if it cannot be so */
bool host_watch_touched(uint64_t address, uint64_t bytes, enum instruction_access access, uint64_t pc, bool *conflict);

#endif
