/**
 * @file run_mutants.h
 * Running mutants through a lab's cases, several at a time, each up to the first case that catches
 * it, or through every case.
 */
#ifndef GRADER_MUTANTS_RUN_MUTANTS_H
#define GRADER_MUTANTS_RUN_MUTANTS_H

#include "build/build.h"
#include "mutants/operators.h"
#include "mutants/reach.h"

enum outcome_state {
    OUTCOME_NONE,     /**< not run */
    OUTCOME_SURVIVED, /**< every case passed */
    OUTCOME_CAUGHT,
    OUTCOME_UNJUDGED,
};

struct outcome {
    enum outcome_state state;
    enum verdict verdict; /**< what caught it */
    char case_name[64];
    uint64_t caught_by;   /**< with `every_case`: cases in the spec's order, one bit each */
    char message[200];    /**< why it could not be judged */
    double seconds;
};

struct mutant_runs {
    const struct spec *spec;
    const struct build *build;
    const struct options *options;
    const char *lab, *scratch;
    uint32_t seed;
    bool every_case;      /**< also those behind one that has caught the mutant */
    struct reach *reach;  /**< filled by the unchanged program's run */
};
/** Cases that `caught_by` has room for. */
#define MUTANT_CASES 64

/** Runs one PTX text through the cases in their order (or the only one asked for), but for those that do not reach
 *  `function`, where it was changed; NULL: it was not, and what each case reaches is noted. `folder` is its own scratch. */
void run_mutant(struct outcome *out, const struct mutant_runs *r, const char *ptx, const char *function,
                const char *folder);

/**
 * Runs the mutants whose outcome is wanted.
 * @param outcomes  one for each of `m`, in memory that forked processes share
 *                  (run_mutants_outcomes()); those with `seconds` < 0 are left out
 */
void run_mutants(struct outcome *outcomes, const struct mutant_runs *r, const struct ptx_text *p,
                 const struct mutant_list *m);
/** Zeroed shared outcomes; run_mutants_release() is due. */
struct outcome *run_mutants_outcomes(int count);
void run_mutants_release(struct outcome *outcomes, int count);

#endif
