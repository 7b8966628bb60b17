/**
 * @file printed.h
 * What kernels print in runs that count, in runs that do not, and in runs of which that is not known yet.
 */
#ifndef SOFTGPU_RERUN_PRINTED_H
#define SOFTGPU_RERUN_PRINTED_H

#include <stdbool.h>
#include <stdio.h>

struct rerun;

/** Where kernels print: on to standard output, to be held, or nowhere, as the present run is. */
FILE *printed_open(struct rerun *r);
/** What has been held counts, or it does not; nothing is held from here on. */
void printed_release(struct rerun *r, bool counts);

#endif
