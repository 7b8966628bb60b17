/**
 * @file slurm.h
 * A class on a cluster: one job array, whose tasks grade a slice each into the same report folder.
 * The call that submitted them then reads their records as if it resumed, and grades what is left.
 */
#ifndef GRADER_CLASS_SLURM_H
#define GRADER_CLASS_SLURM_H

#include "class/class.h"

/** Submits the array (`--slurm N`: N tasks; `--gpus`: one GPU a task) and polls until it is gone
 *  from the queue. False with `t` filled if sbatch refuses. */
bool slurm_run(const struct kit *k, const struct options *o, const char *lab,
               const struct class *c, struct trouble *t);

#endif
