/**
 * @file told_in_run.h
 * What a rule has told of in the current run, so that it tells of it once.
 */
#ifndef SOFTGPU_CHECK_RACE_TOLD_IN_RUN_H
#define SOFTGPU_CHECK_RACE_TOLD_IN_RUN_H

#include <stdbool.h>
#include <stdint.h>

/** Zero-initialise. What does not fit is told of again, which the reporter counts as the same finding. */
struct told_in_run {
    const void *what[16]; /**< in run `run` */
    int count;
    uint64_t run;
};

/** Has it been told of in this run? What earlier runs have told is forgotten. */
static inline bool told_in_run(struct told_in_run *t, const void *what, uint64_t run)
{
    bool told = false;
    t->count = t->run == run ? t->count : 0;
    t->run = run;
    for (int i = 0; i < t->count; i++)
        told |= t->what[i] == what;
    return told;
}

/** Behind told_in_run(), which has seen to the run. */
static inline void told_in_run_note(struct told_in_run *t, const void *what)
{
    if (t->count < (int)(sizeof t->what / sizeof *t->what))
        t->what[t->count++] = what;
}

#endif
