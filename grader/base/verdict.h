/**
 * @file verdict.h
 * The kinds of verdict: softgpu's findings (its report/kinds.def), and what the grader itself sees
 * (verdicts.def). lab.yaml, hints, wrong variants and reports all use these names.
 */
#ifndef GRADER_BASE_VERDICT_H
#define GRADER_BASE_VERDICT_H

#include <stdbool.h>

enum verdict {
    VERDICT_NONE,
#define KIND(e, ...) VERDICT_##e,
#define UNJUDGED(...)
#include "report/kinds.def"
    VERDICT_FINDING_COUNT,      /**< below it: what lab.yaml may weigh */
    VERDICT_LAST_FINDING = VERDICT_FINDING_COUNT - 1,
#define KIND(...)
#define UNJUDGED(e, ...) VERDICT_##e,
#include "report/kinds.def"
#define VERDICT(e, ...) VERDICT_##e,
#include "base/verdicts.def"
    VERDICT_COUNT
};

/** "data-race", …; "none" for VERDICT_NONE. */
const char *verdict_name(enum verdict v);
/** VERDICT_NONE if `name` is not a kind. */
enum verdict verdict_from_name(const char *name);
/** What it means, in one sentence; "" for VERDICT_NONE. */
const char *verdict_meaning(enum verdict v);
/** May a finding of kind `cause` be why there is one of kind `effect`? */
bool verdict_may_cause(enum verdict cause, enum verdict effect);

#endif
