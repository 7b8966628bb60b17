/**
 * @file zeroed.c
 * Arrays of zeros: the heap's where they are small, pages of their own where they are not.
 */
#include "base/zeroed.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static bool has_pages(size_t bytes)
{
    return bytes >= 64u << 10;
}

void *zeroed_new(size_t bytes)
{
    if (!has_pages(bytes))
        return calloc(bytes ? bytes : 1, 1);
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

void zeroed_clear(void *p, size_t bytes)
{
    if (!has_pages(bytes) || madvise(p, bytes, MADV_DONTNEED) != 0)
        memset(p, 0, bytes);
}

void zeroed_free(void *p, size_t bytes)
{
    if (p && has_pages(bytes))
        munmap(p, bytes);
    else
        free(p);
}
