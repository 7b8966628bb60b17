/**
 * @file rows.h
 * Where the bars of a timeline stand in a picture: which row, and in which lane of it where several
 * overlap.
 */
#ifndef SOFTGPU_TIMELINE_ROWS_H
#define SOFTGPU_TIMELINE_ROWS_H

#include "timeline/timeline.h"

/** Lanes of a row; what overlaps even more shares the last one. */
#define MAX_LANES 8

/** A row of the picture; lengths in tenths of a pixel. */
struct row {
    char name[64];
    uint64_t stream;              /**< of a stream's row */
    enum timeline_engine engine;  /**< of an engine's row, else ENGINE_NONE */
    int device;                   /**< … and whose it is */
    int lanes, y, height;
};

/** Rows and lanes of one bar: [0] the stream's, [1] the engine's; row -1: none. */
struct place {
    int row[2], lane[2];
};

struct rows {
    struct row *list;
    int count, engines_from;      /**< streams first, then engines */
    struct place *places;         /**< of each bar */
    int bar_height, gap, bottom;
};

/** Lays out rows from `top` down; rows_free() is due. */
void rows_make(struct rows *r, const struct timeline *t, int top);
void rows_free(struct rows *r);
/** The row of a stream, -1 if it has none. */
int rows_find(const struct rows *r, uint64_t stream);
/** A stream's name, "host" for 0, "" for one that has no bar. */
const char *rows_name(const struct timeline *t, uint64_t stream);

#endif
