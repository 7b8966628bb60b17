/**
 * @file run_order.h
 * Private to the race checker: the order in which fence.sc come in one run, where older values are shown. It limits what a read may return.
 */
#ifndef SOFTGPU_CHECK_RACE_RUN_ORDER_H
#define SOFTGPU_CHECK_RACE_RUN_ORDER_H

#include <stdbool.h>

struct actor;
struct vector_clock;

/** Whom a fence orders itself with, beside those of its block. */
struct fence_reach {
    bool cluster, device, system; /**< cluster: there is one of several blocks */
};

/** A fence.sc of the actor's. `causal`: what is ordered before it. */
void run_order_fence(struct actor *me, struct vector_clock *causal, struct fence_reach reach);

#endif
