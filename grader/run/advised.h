/**
 * @file advised.h
 * Whether a program has what an advice names.
 */
#ifndef GRADER_RUN_ADVISED_H
#define GRADER_RUN_ADVISED_H

/**
 * How often `source`, its comments left out, calls the function that `advice` names first: of "__syncthreads() between
 * line 4 and line 9" the calls of __syncthreads.
 * @return -1 where the advice names none
 */
int advised_calls(const char *advice, const char *source);

#endif
