/**
 * @file judge.h
 * The pair suite's runner: cases read from the comments of the .cu files, each launched in a child
 * process on softgpu, its findings compared with what the comment says.
 *
 *   cases.c     the case lines and line markers of a .cu file
 *   launch.c    the child: one kernel on softgpu
 *   compare.c   findings against expectations
 *   judge.c     many children side by side, and the report
 *
 * A case line:
 *   // case: NAME [grid=N] [block=N] [n=N] [shared=BYTES] [cooperative] [twice] [then=KERNEL]
 *            [beside=KERNEL] [alias] [mapped] [host] [schedules=N] expect=WHAT… [also=WHAT…]
 * WHAT is `silent` or KIND[|KIND…][:LEVEL][@MARKER[@MARKER]]; LEVEL is error (unless said), warning
 * or any. `// @MARKER` at the end of a line of the case's kernel names that line. Every `expect` must
 * be found; no error may be found that neither an `expect` nor an `also` describes (`also=*` allows
 * all); `also` alone: it may be found; where silence is expected, no warning either. `twice` launches the kernel twice, `then`
 * another one behind it, `beside` one in another stream; `alias` passes x as y too; `mapped` takes the buffers from mapped host
 * memory; `host` also lets the host play its part while the kernel runs: x[0] = 42, then flag[0] = 1,
 * then it waits for flag[1].
 */
#ifndef TESTS_JUDGE_H
#define TESTS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#define MAX_NAME 64
#define MAX_WHAT 8
#define MAX_MARKED 4

/** One `expect=` or `also=`. */
struct what {
    char kinds[96];          /**< separated by '|'; "*" is any */
    char level[8];           /**< "error", "warning" or "any" */
    int markers[2];          /**< 0 = not given */
};

/** The lines that carry one marker. */
struct marked {
    int lines[MAX_MARKED];
    int count;
};

struct judge_case {
    char name[MAX_NAME], then[MAX_NAME], beside[MAX_NAME];
    const char *file;        /**< its .cu, as given */
    int line;
    int grid, block, n, shared, schedules;
    bool cooperative, twice, alias, mapped, host, silent;
    struct what expect[MAX_WHAT], also[MAX_WHAT];
    int expect_count, also_count;
    struct marked marked[10];
};

/** Reads a .cu file's cases and appends them to *cases. Prints what is wrong and returns -1 if a
 *  case line cannot be understood. */
int cases_read(const char *path, struct judge_case **cases, int *count);

/** Runs one case in this process. @return 0, 1 if the launch ended in a CUDA error, 2 if it could not
 *  be set up */
int launch_case(const char *ptx, const struct judge_case *c);

/**
 * Compares a findings file with what the case expects.
 * @param launched launch_case()'s result, or -1 if the child ended by a signal or was stopped
 * @param out receives what is wrong, a line each; "" if nothing is
 */
bool compare_findings(const struct judge_case *c, const char *json_path, int launched, char *out,
                      size_t size);

#endif
