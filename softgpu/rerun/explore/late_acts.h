/**
 * @file late_acts.h
 * Check, then act (analyse/acts.h), in an enumerated execution: a thread updates a location by what it has read there, and another has changed
 * it in between. Runs tell it where they come to it (check/race/late.h).
 */
#ifndef SOFTGPU_RERUN_EXPLORE_LATE_ACTS_H
#define SOFTGPU_RERUN_EXPLORE_LATE_ACTS_H

#include "model/enumerate.h"
#include "rerun/explore/lone.h"
#include "rerun/explore/witness.h"

/** Is there one by an atomic, in an execution that an interleaving explains? The caller frees it; NULL: there is none. An update that hangs on
 *  a comparison with what the text does not tell is left out. */
struct witness *late_act_in(const struct lone *l, const uint64_t *threads, const struct model_outcome *o);

#endif
