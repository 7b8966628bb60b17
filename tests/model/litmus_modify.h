/**
 * @file litmus_modify.h
 * What a read-modify-write of a litmus test (litmus.h) leaves.
 */
#ifndef TESTS_MODEL_LITMUS_MODIFY_H
#define TESTS_MODEL_LITMUS_MODIFY_H

#include <string.h>

#include "litmus.h"

/** Where it has found `old` and is told `by`; of a compare-and-swap, where it writes. As PTX's operations on numbers of 32 bits without sign. */
static inline uint64_t litmus_modified(const struct litmus_statement *s, uint64_t old, uint64_t by)
{
    if (!strcmp(s->op, "add") || !strcmp(s->op, "red"))
        return old + by;
    if (!strcmp(s->op, "max") || !strcmp(s->op, "min"))
        return (old > by) == (s->op[1] == 'a') ? old : by;
    if (!strcmp(s->op, "or") || !strcmp(s->op, "and"))
        return s->op[0] == 'o' ? old | by : old & by;
    if (!strcmp(s->op, "inc"))
        return old >= by ? 0 : old + 1;
    if (!strcmp(s->op, "dec"))
        return !old || old > by ? by : old - 1;
    return by;
}

#endif
