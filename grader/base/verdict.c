/**
 * @file verdict.c
 * Names and meanings of verdicts; see verdict.h.
 */
#include "base/verdict.h"

#include <string.h>

static const struct {
    const char *name, *meaning;
    unsigned long causes;        /**< bit v: verdict v may be why */
} verdicts[VERDICT_COUNT] = {
    [VERDICT_NONE] = {"none", "", 0},
#define C(e) 1ul << VERDICT_##e
#define KIND(e, name, level, causes, meaning, rule) [VERDICT_##e] = {name, meaning, causes},
#include "report/kinds.def"
#define VERDICT(e, name, meaning) [VERDICT_##e] = {name, meaning, 0},
#include "base/verdicts.def"
};

const char *verdict_name(enum verdict v)
{
    return verdicts[v].name;
}

enum verdict verdict_from_name(const char *name)
{
    for (int v = 1; v < VERDICT_COUNT; v++)
        if (!strcmp(verdicts[v].name, name))
            return (enum verdict)v;
    return VERDICT_NONE;
}

const char *verdict_meaning(enum verdict v)
{
    return v < VERDICT_COUNT ? verdicts[v].meaning : "";
}

bool verdict_may_cause(enum verdict cause, enum verdict effect)
{
    return verdicts[effect].causes >> cause & 1;
}
