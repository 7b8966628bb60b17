/**
 * @file unwaited.h
 * Kernels, and copies to pageable memory, that the host has not waited for.
 */
#ifndef SOFTGPU_RUNTIME_STATE_UNWAITED_H
#define SOFTGPU_RUNTIME_STATE_UNWAITED_H

#include "base/issuer.h"
#include "runtime/api.h"

struct operation;
struct box_copy;

/** The copy that is about to be issued, from the host's pageable memory, need not have read it when its call
 *  returns. */
void unwaited_lend(const struct operation *op, const struct box_copy *box);
/** The same of a copy that has just been issued, from memory that the host has registered: the device reads it when the copy
 *  runs. To be called where nothing that is still to be done before the copy can wait for the host, or writes the source: whatever changes the source is then unordered with it. */
void unwaited_lend_pinned(const struct operation *op);
/** A call begins: what the host has changed since the last one is seen before the device goes on. */
void unwaited_entered(void);
/** A copy is about to read its source, which is looked at. A graph's pageable memory is lent to it only now: what the graph does before
 *  may write there. */
void unwaited_reads(const struct operation *op);
/** An operation has been issued. */
void unwaited_note(const struct operation *op);
/** The host may know of more that is complete: what it has lent to copies can be looked at. */
void unwaited_check(void);
/** The copy `op` is about to write to pageable memory; from there copies before it have read. */
void unwaited_overwrites(const struct operation *op);
/** The host has waited for `op`, and for what comes before it; for everything with NULL. */
void unwaited_joined(const struct operation *op);
/** A call that frees memory waits for everything: for the results of copies that is none to build on. */
cudaError_t unwaited_free(const char *call);

#define EARLY_FRAMES 8
/** The host has touched the result of a copy to pageable memory too early. */
struct early_touch {
    uint64_t op;                 /**< the copy: its number, its name and who issued it */
    const char *name;
    struct issuer by;
    enum early_what { EARLY_READ, EARLY_WRITE, EARLY_FREE } what;
    int count;                   /**< instructions of the program's that were under way, from the inside out */
    uint64_t frames[EARLY_FRAMES];
};
/** Tells of it. */
void unwaited_touched(const struct early_touch *t);
/** The program ends: runs what is outstanding, and tells what it has never waited for. */
void unwaited_end(void);

#endif
