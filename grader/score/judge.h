/**
 * @file judge.h
 * One pair of runs → what it means for the case. Points come from here and nowhere else, and only
 * from what the grader compared; a run's printed text is never an argument.
 */
#ifndef GRADER_SCORE_JUDGE_H
#define GRADER_SCORE_JUDGE_H

#include "run/cases.h"

struct judge {
    const struct spec *spec;
    const struct build *build;
    bool on_gpu;              /**< no softgpu runs: there is no findings file to be complete */
};

/**
 * Judges one pair into its case's record: message, findings, verdict, state.
 * @return whether the case is still open, i.e. this run passed
 */
bool judge_pair(const struct judge *j, const struct run_pair *pair);

#endif
