/**
 * @file verdict.h
 * What an execution that the model allows means to who wrote the program: do two of its accesses race, and does some
 * interleaving of the threads, one access after another, explain it?
 */
#ifndef SOFTGPU_MODEL_VERDICT_H
#define SOFTGPU_MODEL_VERDICT_H

#include "model/candidate.h"

/** Two accesses of an execution, the earlier one first where there is such a thing; -1 where there is none. */
struct model_pair {
    int first, second;
};

/** Conflicting accesses that neither causality orders nor moral strength excuses (PTX ISA 8.7.2); two writes of one
 *  value only where there are no others. @return false if there are none */
bool execution_races(const struct execution *x, const struct axioms *relations, struct model_pair *which);

/** Do both write, and the same value? */
bool pair_agrees(const struct execution *x, struct model_pair pair);

/** What two accesses that race lack, and the signal that the one thread has seen of the other's. */
struct model_missing {
    enum { MISSING_ORDER /**< all */, MISSING_RELEASE, MISSING_ACQUIRE } what;
    int first, second;       /**< the pair; unless all is missing, the thread of the second has seen a signal after the first */
    int signal, seen;        /**< the write that signals, the read of the second's thread by which it knows */
    int between;             /**< a read by which a third thread knows, and does not acquire; -1: there is none */
    bool both;               /**< MISSING_RELEASE: nor does the second acquire */
};

/** As a run names it (docs/judge.md): by whose signals are seen in this execution. */
struct model_missing execution_misses(const struct execution *x, struct model_pair pair);

/**
 * Is there an interleaving in which each read returns the last write, and that leaves `final` in memory?
 * @param which  if not: a write, and a read that must have come before it and cannot have; or two writes of which
 *               the wrong one stays
 */
bool execution_interleaves(const struct execution *x, const uint64_t *final, struct model_pair *which);

/**
 * Is there one if numbers that threads draw from counters, only to find a place of their own by them (`slot = atomicAdd(n, 1)`), may be drawn
 * in any order? Which thread gets which place differs from run to run anyway.
 */
bool execution_interleaves_but_places(const struct execution *x, const uint64_t *final);
/** Are there such counters? */
bool execution_draws_places(const struct execution *x);

#define MODEL_LEGS 3

/** Where an execution is none that an interleaving of the threads has: the places in program order, from one access of a thread to a
 *  later one, at which a fence.sc each would rule it out. */
struct model_circle {
    int legs;
    struct model_pair leg[MODEL_LEGS];
    bool fenced;             /**< a fence stands in one of them, which is no fence.sc or has too small a scope */
};

/** Do strong accesses come before each other in a circle, by program order and by what each has read and overwritten? */
bool execution_has_circle(const struct execution *x);
/** The circle that takes the fewest fences. @return false if there is none, or it takes more than MODEL_LEGS */
bool execution_circle(const struct execution *x, struct model_circle *out);
/**
 * Where a fence.sc of that scope, or one each in the threads of the pair, keeps this execution from happening; of two writes, the
 * second one from being left.
 * @param places  the accesses right before which they stand; the second is -1 where one does
 * @return false where no such places are found
 */
bool execution_fence_places(const struct execution *x, struct model_pair pair, enum model_scope scope, int places[2]);

/** May what this write stores be left in memory? */
bool execution_leaves(const struct execution *x, int write);

/** Does the first come before the second in time, by program order, barriers and exchanges? */
bool execution_precedes(const struct execution *x, int first, int second);

#endif
