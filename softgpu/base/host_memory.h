/**
 * @file host_memory.h
 * Whether the host has memory left. Linux hands out more than there is, and ends without a word a process that comes to use it:
 * who remembers much beside the program's own memory asks in time.
 */
#ifndef SOFTGPU_BASE_HOST_MEMORY_H
#define SOFTGPU_BASE_HOST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

/**
 * Looks at the host, and at each control group that this process is in, of either version (proc_meminfo(5), cgroups(7)). What
 * can be taken from caches is left. Some tens of microseconds.
 * @param root "" for this machine; else the folder in whose `proc` and `sys` its files are
 * @param part  one `part`-th of what each of them has, at most of 32 GB, is to be left, and at least 128 MB
 * @return true: one of them has less left. Where nothing says how much there is, there is enough
 */
bool host_memory_look(const char *root, unsigned part);

/** How much the machine has, used or not. */
uint64_t host_memory_whole(void);

/** What host_memory_look() is to be asked for, here. */
unsigned host_memory_part(void);
/** From now on that part: 32 at first, less for one of several processes that use the memory at once, and that can be spared; 1: there is never enough. */
void host_memory_keep(unsigned part);

/** Memory has run short, said by who needs more and has come to @p used bytes, to who can end what uses it; 0: no longer. */
void host_memory_set_short(uint64_t used);
uint64_t host_memory_short(void);

#endif
