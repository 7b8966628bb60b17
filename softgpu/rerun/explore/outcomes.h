/**
 * @file outcomes.h
 * The contents of memory in which a launch may end, and how often: for the findings file and as a table.
 */
#ifndef SOFTGPU_RERUN_EXPLORE_OUTCOMES_H
#define SOFTGPU_RERUN_EXPLORE_OUTCOMES_H

#include <jansson.h>
#include <stdio.h>

#include "base/list.h"
#include "execute/grid.h"
#include "report/facts.h"
#include "rerun/explore/drawing.h"

/** An object whose contents are compared: at first at most OBJECT_WORDS words, at most OBJECT_MOST where more are written. */
#define OBJECT_WORDS 256
#define OBJECT_MOST 65536
struct outcome_object {
    struct allocation *allocation;
    uint32_t words;
    uint64_t high;            /**< words up to the last that is written */
    bool written;
};

/** One final content of memory. */
struct outcome_record {
    uint64_t executions;
    uint64_t latest;          /**< number of the latest one */
    uint32_t *words;          /**< of all objects, one after another */
    bool hangs;               /**< some threads never end */
    json_t *events;           /**< of one execution that ends so; NULL: not known */
    bool interleaves;         /**< some interleaving of the threads ends so */
    struct witness *odd;      /**< an execution that ends so and is no interleaving; NULL: none asked for */
};

/** Seconds of processor time that --exhaustive takes for one launch by runs, and as a measure of the model's search: SOFTGPU_EXHAUSTIVE_SECONDS,
 *  else 10 (under the address sanitizer, which takes several times as long, 60). */
double exhaustive_seconds(void);
/** The search's parts of them: for all executions, then for one of each outcome, and where that takes too long for all again. */
#define COUNTING_PART 0.1
#define BY_VALUE_PART 0.6
#define LAST_PART 0.8
/** That are kept in ten of those seconds, and at all, in so much memory at most; */
#define USUAL_OUTCOMES (1 << 16)
#define MAX_OUTCOMES (1 << 18)
#define MAX_OUTCOME_BYTES (1ull << 28)
/** and of which an execution is kept, that the table has and that are drawn. */
#define SHOWN_OUTCOMES 4096

struct outcomes {
    struct machine *machine;
    LIST(struct outcome_object) objects;
    LIST(struct outcome_record) records;
    int *index;               /**< of records by their contents: number plus one, 0 = none; */
    int index_size;           /**< a power of 2, or 0 */
    uint32_t total_words;
    uint64_t executions;
    int most;                 /**< that are kept */
    bool full;                /**< there were more */
    bool uncounted;           /**< not all executions were gone through, though all outcomes */
};

/** Lists the objects of the machine's memory. */
void outcomes_open(struct outcomes *o, struct machine *m);
void outcomes_close(struct outcomes *o);
/** Forgets the outcomes, not the objects. */
void outcomes_drop(struct outcomes *o);
/** The launch may write these bytes of the allocation. */
void outcomes_note_written(struct outcomes *o, const struct allocation *a, uint64_t offset, uint64_t bytes);
/** Compares what was written behind what has been compared so far. @return false if there is nothing more; else the executions are to be
 *  gone through again */
bool outcomes_grow(struct outcomes *o);
/** Has something been written that is not compared? */
bool outcomes_miss(const struct outcomes *o);
/** A copy of what memory holds now, `total_words` long, for the caller to change and free. */
uint32_t *outcomes_contents(const struct outcomes *o);
/** Where these bytes of an allocation stand in such a copy; NULL if they are not compared. */
uint8_t *outcomes_place(const struct outcomes *o, uint32_t *words, const struct allocation *a, uint64_t offset, uint32_t bytes);
/** Adds one execution, which may end so in more ways than one: they have one `serial`. @return its record, without events if it is
 *  the first that ends so; NULL if full */
struct outcome_record *outcomes_add(struct outcomes *o, const uint32_t *words, bool hangs, uint64_t serial);
/** Where outcomes are told besides the findings file. */
struct outcomes_out {
    FILE *table;
    struct drawing *drawing;   /**< of those whose events are known; NULL: none */
};
/** Writes them to the findings file, as a table, and draws them; `first`, `second`: why there may be more. */
void outcomes_tell(struct outcomes *o, const char *kernel, enum incomplete_cause first, enum incomplete_cause second,
                   const struct outcomes_out *out);

#endif
