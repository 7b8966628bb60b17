/**
 * @file course_kept.h
 * Private to course.c, which fills it, and arrange.c, which puts its steps into an order.
 */
#ifndef SOFTGPU_RERUN_COURSE_KEPT_H
#define SOFTGPU_RERUN_COURSE_KEPT_H

#include "rerun/course.h"

/** From a hash to a number: open addressing. */
struct numbers {
    uint64_t *key;
    int *at;
    uint64_t size;
    int count;
};

struct written {
    int step;
    uint64_t value;
};

struct place {
    uint64_t initial;
    LIST(struct written) writes;
    LIST(int) readers;     /**< of the last write */
};

struct thread {
    int first, last, before;   /**< its latest step; the latest that the next one comes after */
};

/** The step at which this hangs comes after `step`. */
struct link {
    int step, more;
};

struct missed {
    int read, write;       /**< the read returned what was there before the write */
    bool looks;            /**< and would only have looked again, had it returned another value */
};

struct party {
    const struct block *block;
    int barrier, thread;
};

struct course {
    struct machine *machine;
    struct course_steps steps;
    LIST(int) after;       /**< for each step, its first link; -1: none */
    LIST(struct link) links;
    LIST(struct missed) missed;
    struct numbers thread_numbers, place_numbers;
    LIST(struct thread) threads;
    LIST(struct place) places;
    LIST(struct party) parties;
    bool too_long;
};

/** The step comes after `before`, unless that is none (-1). */
void course_comes_after(struct course *c, int step, int before);

#endif
