/**
 * @file covered.h
 * Points of the search by value (by_value.c) from which nothing follows that has not followed from another one. Private to model/.
 *
 * What may follow from a point rests on the values that its threads have got, on the order of their barriers, and on the writes
 * that pending and late reads have been offered and do not take. So where a point has been met that agrees in the former and has
 * passed over no more, all that follows has been met, too. A point that only passes over more than the one before it is not asked about.
 */
#ifndef SOFTGPU_MODEL_COVERED_H
#define SOFTGPU_MODEL_COVERED_H

#include "model/search.h"

/** Has such a point been met? Else notes this one. */
bool covered_by_met(struct covered *c, const struct point *p);
/** Forgets all. */
void covered_clear(struct covered *c);

#endif
