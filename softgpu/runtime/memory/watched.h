/**
 * @file watched.h
 * Memory that host and device share, and whether operations that no host thread has waited for may use it:
 * what a copy or fill names, what a kernel has pointers to among its arguments, every managed variable.
 * Called with the lock held.
 */
#ifndef SOFTGPU_RUNTIME_WATCHED_H
#define SOFTGPU_RUNTIME_WATCHED_H

#include "base/list.h"
#include "memory/memory.h"

struct operation;

struct watched {
    struct allocation *allocation;
    int users;                   /**< unfinished operations that may use it, when last counted */
    bool closed;
    bool opened;                 /**< some page, for the runtime's own use */
    bool used;                   /**< had users when it was last closed or opened */
    bool resting;                /**< it is in no use, and closed for what nobody has written (at_rest.h); */
    bool parted;                 /**< then: pages that the host has written, or that hold something everywhere, are open, */
    uint64_t open_end, grown;    /**< up to this offset those of the latest row, of so many bytes */
};
LIST_TYPE(watched_list, struct watched);

struct watched_list *watched_all(void);
/** The shared memory at an address, watched or not; NULL if there is none. */
struct allocation *shared_at(uint64_t address);
struct watched *watched_of(const struct allocation *a);
/** The same; it is watched from now on. */
struct watched *watched_with(struct allocation *a);
/** By address: the rest of its last page counts too, since a library's vector loads run past the end. */
struct watched *watched_at(uint64_t address);
/** An operation has been issued. */
void watched_note(const struct operation *op);
/** Whether a kernel, issued and not done, may use memory that the host may use. */
bool watched_by_kernel(const struct operation *op);
/** Forgets operations that have been waited for, and counts the others. */
void watched_count_users(void);
void watched_forget(void);

#endif
