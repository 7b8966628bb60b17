/**
 * @file by_model.h
 * `--exhaustive`: every execution of a small launch that the axioms of the memory model allow. Its threads are run one
 * by one (lone.h), model/ puts what they do together.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_BY_MODEL_H
#define SOFTGPU_RERUN_EXPLORE_BY_MODEL_H

#include <stdio.h>

#include "execute/machine.h"
#include "report/facts.h"

/**
 * Tells all outcomes of the launch; memory stays as it is.
 * @return INCOMPLETE_NOT when they have been told, or why a launch like this cannot be enumerated so: then
 *         nothing was
 */
enum incomplete_cause explore_by_model(struct machine *m, const struct grid_config *config, FILE *out);

#endif
