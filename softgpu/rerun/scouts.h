/**
 * @file scouts.h
 * Runs of one launch side by side on the host's processors. Each is made in a copy of the process, which ends with it
 * and says whether the run would have added anything. One that would not need not be made here; one that would is made
 * once more, in its place in the order, so that what is found does not depend on there being scouts.
 */
#ifndef SOFTGPU_RERUN_SCOUTS_H
#define SOFTGPU_RERUN_SCOUTS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "memory/memory.h"

#define MAX_SCOUTS 4

struct scouts {
    int count;
    struct { pid_t process; int report; } of[MAX_SCOUTS];
};

/** What a scout does, in its copy of the process: run number `number`, from 0 on. @return whether nothing came of it */
typedef bool scout_run(void *self, int number, uint64_t *took);

/**
 * Sends `count` scouts, or fewer, or none: where there is one processor, too little memory, or memory that other processes
 * see.
 * @param copy  copies the process as fork() does, or says that it cannot
 */
void scouts_send(struct scouts *s, int count, struct memory *memory, pid_t (*copy)(void), scout_run *run, void *self);
/** Waits for scout `number`. @return true where it ran and nothing came of it; then `took` is what it said */
bool scouts_saw_nothing(struct scouts *s, int number, uint64_t *took);
/** Ends those that nobody has waited for. */
void scouts_recall(struct scouts *s);

#endif
