/**
 * @file by_model_kept.h
 * Private to by_model.c, which enumerates, and judge_model.c, which judges what an ordinary run may do: what they share.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_BY_MODEL_KEPT_H
#define SOFTGPU_RERUN_EXPLORE_BY_MODEL_KEPT_H

#include "model/enumerate.h"
#include "rerun/explore/by_model.h"
#include "rerun/explore/lone.h"
#include "rerun/explore/outcomes.h"
#include "rerun/explore/witness.h"

struct by_model {
    struct lone lone;
    struct outcomes outcomes;
    struct model_place place[MODEL_THREADS];
    uint64_t thread[MODEL_THREADS];   /**< of the launch, by number in the model */
    int weight[MODEL_THREADS];
    int threads;
    uint64_t passive_count;
    uint64_t steps;                   /**< that threads were asked for, all tries together */
    uint64_t *passive;                /**< threads that nobody else notices */
    uint64_t *alike;                  /**< threads that another one stands for, */
    int *stands;                      /**< its number in the model */
    uint64_t alike_count;
    bool keeps;                       /**< the next try adds to the outcomes that are there */
    bool once;                        /**< no more memory is to turn out to be shared: then it ends */
    bool judges;                      /**< outcomes are not told, but asked whether they should be */
    struct witness *race;             /**< the first that was met, of two values if there is one */
    struct witness *wait;             /**< the first in which a thread never ends */
    struct witness *late;             /**< the first in which one acts by what does not hold any more */
    int circles;                      /**< executions with a race that were asked for a circle, */
    bool settled;                     /**< and one of them has none */
    bool small;                       /**< few instructions: those of threads run alone are not bounded */
    bool delayed;                     /**< writes that reach memory late leave what no interleaving leaves */
    bool unshown;                     /**< …, but in an execution of too many events */
    bool unknown;                     /**< … may do so: nobody has been to the end */
    bool walked;                      /**< … do not: that is known */
};

struct by_model *by_model_open(struct machine *m, const struct grid_config *const *configs, int count);
void by_model_close(struct by_model *b);
struct model_program by_model_program(struct by_model *b);
/** All begins again; outcomes are forgotten. @return false if there are too many threads, or it must begin again */
bool by_model_begin(struct by_model *b);
/** Until no more memory turns out to be shared, or written. */
enum incomplete_cause by_model_enumerate(struct by_model *b, const struct model_limits *limits);
/** What memory holds in the end; for the caller to free. */
uint32_t *by_model_contents(struct by_model *b, const struct model_outcome *o);
/** Notes a race, a wait without end, and whether some interleaving ends as this execution does. */
void by_model_judge(struct by_model *b, struct outcome_record *r, const struct model_outcome *o);

#endif
