/**
 * @file tree.h
 * Process trees through /proc: how much memory a child and its children hold, and killing what a
 * dead child left behind.
 */
#ifndef GRADER_SANDBOX_TREE_H
#define GRADER_SANDBOX_TREE_H

#include <stdint.h>
#include <sys/types.h>

/** Resident KiB of a process and all its descendants, and how many they are. */
uint64_t tree_memory_kib(pid_t root, unsigned *processes);
/** KiB that the files below a folder take on the disk, links not followed; more than any limit where there are
 *  very many. */
uint64_t tree_disk_kib(const char *folder);
/** Kills and reaps every child of ours that is not in `keep`, until there is none. We must be a
 *  child subreaper: then orphans of any depth become our children. */
void tree_kill_strays(const pid_t *keep, int count);
/** Tasks of our user now, the base of RLIMIT_NPROC, which counts by user; 0 for root, who has no
 *  such limit. */
unsigned tree_count_user(void);

/** Seconds of processor time that the tree's processes, of those that still run, have had. */
double tree_ran(pid_t root);
/** Seconds for which the process of the tree that waited longest was ready to run and had no processor:
 *  its wall clock went on without it. 0 where the kernel does not say (/proc/PID/schedstat). */
double tree_waited(pid_t root);

#endif
