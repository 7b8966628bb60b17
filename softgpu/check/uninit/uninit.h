/**
 * @file uninit.h
 * Between the parts of the checker of uninitialised reads.
 *
 *   uninit.c  what memory holds nothing, and how that gets into registers and back
 *   definedness.c  how it passes from register to register
 *   uninit_findings.c  findings
 */
#ifndef SOFTGPU_CHECK_UNINIT_UNINIT_H
#define SOFTGPU_CHECK_UNINIT_UNINIT_H

#include "check/checkers.h"
#include "execute/machine.h"
#include "report/finding.h"

/** What is not defined in one register. */
struct taint {
    uint32_t lanes;          /**< with undefined bytes */
    uint32_t derived;        /**< of them, results of arithmetic on undefined bytes */
    uint32_t site;           /**< of the load it came from */
    bool shuffled;           /**< by a shuffle, from a lane that takes no part; `site` is the shuffle's */
    uint8_t bytes[WARP_LANES];
    uint8_t origin[WARP_LANES]; /**< the lane that loaded or shuffled it */
};

struct warp_taint {
    struct taint *slots;
    uint32_t count;
    bool any;
    uint8_t *local[WARP_LANES];   /**< a bit a byte of local memory; NULL until it is used */
    uint32_t local_bytes;         /**< of memory that each of them covers */
};

/** A finding that holds unless the read turns out to race with the write that it missed. */
struct pending {
    struct code_site load;
    struct finding finding;
};

struct uninit {
    struct machine *machine;
    int slot;
    bool told_too_large;
    LIST(uint64_t) told;     /**< pairs of sites already reported */
    LIST(struct pending) pending;    /**< findings of the launch that runs */
};

static inline struct warp_taint *taint_of(const struct uninit *u, const struct warp *w)
{
    return w->check[u->slot];
}

/* ---- definedness.c ---- */

/** The taint of a register of the running frame; NULL for constants and where nothing is tainted. */
struct taint *reg_taint(const struct warp *w, const struct warp_taint *t, uint32_t reg);
/** The same, made if it is not there yet. */
struct taint *reg_taint_open(const struct warp *w, struct warp_taint *t, uint32_t reg);
void clear_lanes(struct taint *t, uint32_t lanes);
/** Hooks of the observer. */
void uninit_issue(void *self, const struct warp *w, const struct insn *in);
void uninit_exchange(void *self, const struct warp *w, const struct warp_exchange *x);

/* ---- uninit_findings.c ---- */

/** `use` needs what is not there in these lanes. `how`: "branch", "address", "store". */
void uninit_tell(struct uninit *u, const struct warp *w, const struct taint *t, uint32_t lanes,
                 const struct insn *use, const char *how);
void uninit_grid_end(void *self, const struct grid *g);

#endif
