/**
 * @file axioms.h
 * The relations of the PTX memory model over one candidate execution (relations.c), and its axioms (axioms.c). Private to model/.
 *
 * A relation is an array of rows: `r[a]` is the set of events that `a` is related to.
 */
#ifndef SOFTGPU_MODEL_AXIOMS_H
#define SOFTGPU_MODEL_AXIOMS_H

#include "model/candidate.h"

struct axioms {
    event_set morally_strong[MODEL_EVENTS];  /**< 8.7.1, symmetric, without an event itself */
    event_set observed[MODEL_EVENTS];        /**< 8.9.2 observation order: from a write to reads */
    event_set base[MODEL_EVENTS];            /**< 8.9.5 base causality order, transitive */
    event_set cause[MODEL_EVENTS];           /**< causality order */
};

/** Adds what follows by transitivity among some events, to which their rows lead only. @return false, and all is not added, if one comes
 *  to precede itself */
bool relation_close_among(event_set *rows, event_set events);
/** Adds what follows by transitivity. @return false if an event comes to precede itself */
bool relation_close(event_set *rows, int count);

/** Derives what holds whatever the order of the fences. */
void axioms_derive(struct axioms *a, const struct execution *x);
/** Adds that the fence `first` precedes `then` in Fence-SC order, and what follows. @return false, and nothing is done, if it
 *  comes after it already */
bool axioms_order_fences(struct axioms *a, const struct execution *x, int first, int then);

/** Adds to coherence order, of all locations, what every one has that the axioms allow and in which the present one is.
 *  @return false if there is none */
bool coherence_extend(const struct axioms *a, const struct execution *x, struct coherence *c);
/** Copies what so many events have of it. */
void coherence_copy(struct coherence *to, const struct coherence *from, int events);
/** The writes of a location that end some coherence order which the axioms allow and in which `co` is, as coherence_extend()
 *  leaves it, as a set in `last`. Adds to `work` what it took: steps, each with the square of the writes; past `most` not all were looked for.
 *  @return false if there is no such order */
bool coherence_last(const struct axioms *a, const struct execution *x, int location, const event_set *co, event_set *last, uint64_t *work,
                    uint64_t most);
/** Does what is there keep a read without a source from taking this write? False: perhaps. */
bool axioms_forbid_source(const struct axioms *a, const struct execution *x, const event_set *co, int read, int write);
/** No thin air (8.10.4): values do not rest on themselves. The other axioms are coherence_extend()'s. */
bool axioms_no_thin_air(const struct execution *x);

#endif
