/**
 * @file check.c
 * See check.h.
 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void harness_usage(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fputs("harness: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    exit(HARNESS_USAGE);
}

void harness_check(cudaError_t status, const char *call, const char *file, int line)
{
    if (status == cudaSuccess)
        return;
    fprintf(stderr, "%s:%d: %s: %s\n    in %s\n", file, line, cudaGetErrorName(status),
            cudaGetErrorString(status), call);
    exit(HARNESS_CUDA_ERROR);
}

void *harness_malloc(size_t bytes)
{
    void *p = malloc(bytes ? bytes : 1);
    if (!p)
        harness_usage("no memory for %zu bytes", bytes);
    return p;
}
