/**
 * @file run_order.h
 * Private to the race checker: the order in which fence.sc come in one run, where older values are shown. It limits what a read may return.
 */
#ifndef SOFTGPU_CHECK_RACE_RUN_ORDER_H
#define SOFTGPU_CHECK_RACE_RUN_ORDER_H

#include <stdbool.h>

struct actor;
struct block_state;
struct lane_state;
struct race;
struct reader;
struct epoch;
struct vector_clock;

/** Whom a fence orders itself with, beside those of its block. */
struct fence_reach {
    bool cluster, device, system; /**< cluster: there is one of several blocks */
};

/** A fence.sc of the actor's. `causal`: what is ordered before it. */
void run_order_fence(struct actor *me, struct vector_clock *causal, struct fence_reach reach);

/** Another fence of the actor's: it orders nobody, and is only asked what it would if it were a fence.sc of scope gpu. */
void run_order_weaker_fence(struct actor *me, struct vector_clock *causal);

/** Would the actor have to see this write, or what this reader has read, if each fence of the run so far were a fence.sc of scope gpu? Only the last fence before it, its own or
 *  one before a barrier of its block, is asked. false, too, where all are. */
bool run_order_would_see(const struct actor *me, const struct epoch *e);
bool run_order_would_see_read(const struct actor *me, const struct reader *r);
/** Is anything of that known of the actor's thread? A quick look. And does its last fence order itself with none of other blocks? */
bool run_order_is_kept(const struct actor *me);
bool run_order_is_short(const struct actor *me);
/** Is it no fence.sc? */
bool run_order_is_weaker(const struct actor *me);
/** All threads of the block meet, this one among them. */
void run_order_meet(struct block_state *bs, const struct lane_state *ls);
/** Fences to come are in another order. */
void run_order_reset(struct race *race);

#endif
