/**
 * @file cgroup.h
 * Counting memory and processes by cgroup v2, where that is to be had: by the kernel, all of the tree at once, files of
 * memory among it. Else what tree.h and the limits of single processes see has to do.
 *
 * Each job has a group of its own below one of the grader's. That one is made where memory and processes can be counted and
 * we may write: in the group that we are in (into which nobody else may be, or it is the machine's root), or beside it.
 */
#ifndef GRADER_SANDBOX_CGROUP_H
#define GRADER_SANDBOX_CGROUP_H

#include <stdbool.h>

#define CGROUP_CONTROLLERS "memory pids"

/** A job's group; all zero: none, and each call does nothing. */
struct cgroup_job {
    char *folder;
    int procs; /**< its list of processes, open for writing */
};

/**
 * Makes the grader's group, once, before any job; it is removed at exit. What graders that were killed have left is removed, too.
 * @param root         where the hierarchy is mounted; NULL: asks /proc
 * @param own          our group's path in it; NULL: asks /proc
 * @param controllers  those that must be there: CGROUP_CONTROLLERS, or none, for a test
 * @return whether it works here
 */
bool cgroup_open(const char *root, const char *own, const char *controllers);
/** The grader's group's folder; NULL: there is none. */
const char *cgroup_folder(void);

/** Makes a group for a job with so much memory and so many threads at most. @return false with errno */
bool cgroup_make(struct cgroup_job *g, unsigned memory_mib, unsigned threads);
/** In the child: enters it. Async-signal-safe; false with errno. */
bool cgroup_enter(const struct cgroup_job *g);
/** Ends what is in it and removes it. @return whether the kernel killed anything there for want of memory */
bool cgroup_end(struct cgroup_job *g);

#endif
