/**
 * @file verdict.c
 * Names of verdicts; see verdict.h.
 */
#include "base/verdict.h"

#include <string.h>

static const char *const names[VERDICT_COUNT] = {
    [VERDICT_NONE] = "none",
#define X(e, n) [VERDICT_##e] = n,
    VERDICT_FINDINGS(X) VERDICT_OTHERS(X)
#undef X
};

const char *verdict_name(enum verdict v)
{
    return names[v];
}

enum verdict verdict_from_name(const char *name)
{
    for (int v = 1; v < VERDICT_COUNT; v++)
        if (!strcmp(names[v], name))
            return (enum verdict)v;
    return VERDICT_NONE;
}
