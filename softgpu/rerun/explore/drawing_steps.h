/**
 * @file drawing_steps.h
 * The events of an execution as the steps that its threads take. Private to drawing.c.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_DRAWING_STEPS_H
#define SOFTGPU_RERUN_EXPLORE_DRAWING_STEPS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/list.h"

#define CELL 128

/** One thing that a thread does; the halves of a read-modify-write are one. */
struct step {
    int number, thread;
    char what[CELL], how[CELL];
    bool later;           /**< it reads what a later step writes */
};

/** Block and thread, slowest coordinate first, so that order is that of numbers. */
struct who {
    int at[6];
};

struct steps {
    LIST(struct step) step;
    LIST(struct who) thread;  /**< in order of their numbers */
    int *number_of;       /**< of each event's step */
};

/** From what execution_events() makes; drawing_steps_free() frees what they hold. */
void drawing_steps_read(struct steps *s, const json_t *events);
void drawing_steps_free(struct steps *s);
/** "block 0, thread 3"; what all threads have in common is left out. */
void drawing_steps_name(char *out, size_t size, const struct steps *s, int thread);

#endif
