/**
 * @file timelines.h
 * Pictures of a pair of runs of a host-code lab, from the traces that softgpu left.
 */
#ifndef GRADER_RUN_TIMELINES_H
#define GRADER_RUN_TIMELINES_H

#include "run/cases.h"

/**
 * Draws both runs to one scale into the case's record: of several pairs the first, and the one that
 * fails. Nothing is drawn of a hidden case, or where there is no trace. A trace comes from where the
 * submission ran: it is read as data, and no verdict rests on it.
 */
void timelines_read(struct record_case *c, const struct run_pair *pair);

#endif
