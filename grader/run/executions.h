/**
 * @file executions.h
 * Why a prediction is wrong: the execution that ends as somebody said that none does.
 */
#ifndef GRADER_RUN_EXECUTIONS_H
#define GRADER_RUN_EXECUTIONS_H

/**
 * Where `differs` is of the form "KERNEL: ab = 10 (…): expected 1, got 0", 1 standing for "can be", the execution of
 * that kernel in whose course the reads, thread by thread, see these digits, of those that softgpu's --exhaustive
 * told in the reference's findings file; see docs/judge_small.md.
 * @param path  the reference's findings file
 * @return one or two sentences, malloced; NULL where there is nothing to show
 */
char *executions_explain(const char *path, const char *differs);

#endif
