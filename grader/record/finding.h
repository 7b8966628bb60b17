/**
 * @file finding.h
 * A finding of softgpu's as the record keeps it, with its source lines. Strings are as record.h says.
 */
#ifndef GRADER_RECORD_FINDING_H
#define GRADER_RECORD_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "base/verdict.h"

enum record_level { RECORD_WARNING = 1, RECORD_ERROR };

/** One of a finding's two accesses, or a step of the run that it shows. */
struct record_access {
    char *op;     /**< "load", "store", "atomic", "fence", "barrier", … */
    char *file;   /**< as the student named it; NULL if unknown */
    int line;
    char *source; /**< that line's text; NULL if unknown */
    bool has_thread;
    int block[3], thread[3];
    char *value;  /**< NULL if none */
    char *called_from; /**< of an inlined function's line: "line 52", "line 6, from line 14"; NULL if it is none */
    char *within; /**< of a library's code: "block_scan.cuh:12", its header's line; NULL if it is the student's own */
    int element;  /**< bytes of the object's elements; 0 if not known */
    char *missed; /**< of a load that saw an older value: the newer one; NULL if none */
    char *object; /**< of a step: what it touches, NULL if nothing; the accesses' is the finding's */
    int64_t offset;
    char *old;    /**< of a step that is an atomic: what it took; `value` is what it left */
    char *order;  /**< of a step: "acquire.gpu", "sc.cta"; NULL where it orders nothing */
    int times;    /**< of a step: how often in a row, of which this is the last; 0: once */
};

struct record_finding {
    enum verdict kind;
    enum record_level level;
    char *kernel, *space, *object; /**< each may be NULL */
    int64_t offset;
    char *part;       /**< of an object whose layout is known: "[22].count"; else NULL */
    int element;      /**< bytes of the object's elements; 0 if not known */
    int64_t object_bytes; /**< 0 if not known */
    char *allocated;  /**< where the student's program made the object: "line 12"; NULL if it did not */
    char *message, *rule;
    char *suggestion; /**< NULL if none */
    int advised;      /**< how often the program calls the function that `suggestion` names; -1: it names none */
    bool tried;       /**< the last grade of the lab gave it, it was followed, and the finding is still there */
    int64_t count;
    uint64_t seed;    /**< softgpu's, of the run in which it showed */
    struct record_access accesses[2];
    int accesses_count;
    struct record_access *interleaving; /**< steps in the order in which they were executed */
    int interleaving_count;             /**< 0 where softgpu has no run to show */
};

/** Adds ", lines 12 and 15", or ", line 12" where it is one. */
void record_finding_lines(struct text *out, const struct record_finding *f);
/** Releases what a finding points to. */
void record_finding_free(struct record_finding *f);

#endif
