/**
 * @file knowledge.h
 * What a thread knows, as vector clocks by purpose, and snapshots of it.
 *
 * All threads of a block share one `struct knowledge` from barrier to barrier (their base); what a thread
 * learns in between is its own extra. Both are reference-counted and copied on change, so that
 * a snapshot (at a fence, at a releasing write) costs two references.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_KNOWLEDGE_H
#define SOFTGPU_CHECK_RACE_CLOCK_KNOWLEDGE_H

#include "check/race/clock/fence_log.h"
#include "check/race/clock/vector_clock.h"

enum knowledge_part {
    KNOW_CAUSAL,     /**< what is ordered before by base causality (PTX ISA 8.9.5) */
    KNOW_SC,         /**< what lay before fence.sc of scope gpu or sys, of this device, in the causal past */
    KNOW_SC_CTA,     /**< the same, fences of any scope in this block */
    KNOW_SC_CLUSTER, /**< the same, fences of scope cluster and wider in this cluster */
    KNOW_PEND,       /**< what a fence.sc of scope gpu or sys by us will learn: the KNOW_SC of
                          everything that we have communicated with */
    KNOW_PEND_CTA,   /**< what a fence.sc of scope cta will learn */
    KNOW_PEND_CLUSTER, /**< … and one of scope cluster */
    KNOW_SC_SYS,     /**< as KNOW_SC, fences of scope sys: all that counts on another device. Only with several */
    KNOW_PEND_SYS,   /**< what besides KNOW_PEND a fence.sc of scope sys will learn. Only with several devices */
    KNOW_PROXY_GLOBAL, /**< what of KNOW_CAUSAL lies before a fence.proxy.async for global memory on the way here: bulk copies see it */
    KNOW_PROXY_SHARED, /**< … for shared memory */
    KNOW_MAP_RELEASED, /**< what of KNOW_CAUSAL lies before a fence.proxy.tensormap::generic.release of scope gpu or sys */
    KNOW_MAP_RELEASED_CLUSTER, /**< … of scope cluster, in this cluster */
    KNOW_MAP_RELEASED_CTA, /**< … of scope cta, in this block */
    KNOW_MAP,        /**< stores to tensor maps that an acquire of that kind took over: copies see them */
    KNOW_VALUE,      /**< order of fence.sc in this very run: limits the values that reads may show */
    KNOW_PARTS
};

struct knowledge {
    uint32_t refs;
    uint32_t fences;             /**< up to here `order` belongs to KNOW_VALUE, too */
    struct fence_log *order;   /**< NULL: none */
    struct vector_clock *part[KNOW_PARTS];
};

/** Has it anything of fences that a write passes on? */
static inline bool knowledge_has_fences(const struct knowledge *k)
{
    return k && (k->part[KNOW_SC] || k->part[KNOW_SC_CTA]);
}

struct knowledge *knowledge_ref(struct knowledge *k);
void knowledge_drop(struct knowledge *k);
/** *dst is made if NULL, and copied if shared, so that its parts may be changed. */
struct knowledge *knowledge_writable(struct knowledge **dst);
/** Joins every part. */
void knowledge_join(struct knowledge **dst, struct knowledge *src);
void knowledge_join_part(struct knowledge **dst, enum knowledge_part part, struct vector_clock *v);
/** Joins to KNOW_VALUE what fences have added up to number `fences`. */
void knowledge_join_order(struct knowledge **dst, struct fence_log *order, uint32_t fences);

/** What thread `thread` of `agent` knew at one moment. */
struct snapshot {
    uint32_t refs;
    struct knowledge *base, *extra;
    uint32_t agent, thread;
    uint32_t time;           /**< its own clock: its operations up to here are included */
    uint32_t uniform;        /**< all threads of its block up to this time */
    uint32_t warp_uniform;   /**< all threads of its warp up to this time; 0 = nothing beyond */
    uint64_t given_to;       /**< number of the chain to which it has been passed on last, */
    const struct vector_clock *given_sc; /**< and what besides (struct passed's `sc`), which that chain holds */
    uint64_t kept_in;        /**< number of the chain that has kept it as a part of what was passed on (chain_passed.h), */
    uint32_t kept_at;        /**< and where */
};

/** Of nobody, who knows nothing. */
struct snapshot *snapshot_new(void);
struct snapshot *snapshot_ref(struct snapshot *s);
void snapshot_drop(struct snapshot *s);
/** Joins one part of a snapshot into *dst; KNOW_CAUSAL includes the thread's own and its block's
 *  times. */
void snapshot_join(struct vector_clock **dst, const struct snapshot *s, enum knowledge_part part);
/** How near somebody is who knows: parts that are about a block, a cluster or a device do not leave it. */
enum nearness { SAME_BLOCK, SAME_CLUSTER, SAME_DEVICE, OTHER_DEVICE };
/** Joins every part that is of use there. */
void knowledge_join_from(struct knowledge **dst, struct knowledge *src, enum nearness near);
/** Joins all that an acquirer receives. */
void snapshot_give(struct knowledge **dst, const struct snapshot *s, enum nearness near);

#endif
