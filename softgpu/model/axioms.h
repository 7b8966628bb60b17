/**
 * @file axioms.h
 * The relations of the PTX memory model over one candidate execution, and its axioms. Private to model/.
 *
 * A relation is an array of rows: `r[a]` is the set of events that `a` is related to.
 */
#ifndef SOFTGPU_MODEL_AXIOMS_H
#define SOFTGPU_MODEL_AXIOMS_H

#include "model/candidate.h"

/** Fence-SC order: for each fence the morally strong fences that come after it. */
struct fence_order {
    event_set before[MODEL_EVENTS];
};

struct axioms {
    event_set morally_strong[MODEL_EVENTS];  /**< 8.7.1, symmetric, without an event itself */
    event_set observed[MODEL_EVENTS];        /**< 8.9.2 observation order: from a write to reads */
    event_set base[MODEL_EVENTS];            /**< 8.9.5 base causality order */
    event_set cause[MODEL_EVENTS];           /**< causality order */
};

/** Derives all relations. `order` NULL: only what holds under any order of the fences. */
void axioms_derive(struct axioms *a, const struct execution *x, const struct fence_order *order);
/** Every axiom, with as much of coherence order as causality forces. */
bool axioms_hold(const struct axioms *a, const struct execution *x);
/** The writes of a location that end some coherence order which the axioms allow, as a set in `last`.
 *  @return false if there is no such order */
bool coherence_last(const struct axioms *a, const struct execution *x, int location, event_set *last);

#endif
