/**
 * @file drawing.h
 * Outcomes of --exhaustive as pictures: under each the steps of one execution that ends so, a column a thread, time
 * running down. As text in 80 columns, or as an HTML page.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_DRAWING_H
#define SOFTGPU_RERUN_EXPLORE_DRAWING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

struct drawing {
    FILE *out;      /**< NULL: nothing is drawn */
    bool html;
};

/** Opens the file, a page if its name ends with .html; says on stderr why it cannot. */
void drawing_open(struct drawing *d, const char *path);
void drawing_close(struct drawing *d);

/**
 * Draws one outcome.
 * @param title           the kernel, which outcome
 * @param left_in_memory  parted by commas; may be empty
 * @param events          as execution_events() makes them
 */
void drawing_outcome(struct drawing *d, const char *title, const char *left_in_memory, const json_t *events);

#endif
