/**
 * @file list.c
 * Growth of the arrays of list.h: doubling, so that pushing n elements costs O(n).
 */
#include "base/list.h"

#include <limits.h>
#include <stdint.h>

/**
 * Doubles `*cap` (at least to 8) and moves `data`. Aborts when memory runs out or the count would
 * pass INT_MAX: callers that read untrusted input bound their counts long before.
 */
void *list_grow_(void *data, int *cap, size_t size)
{
    if (*cap > INT_MAX / 2)
        abort();
    int grown = *cap < 4 ? 8 : *cap * 2;
    if ((size_t)grown > SIZE_MAX / size)
        abort();
    data = realloc(data, (size_t)grown * size);
    if (!data)
        abort();
    *cap = grown;
    return data;
}
