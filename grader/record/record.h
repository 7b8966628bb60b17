/**
 * @file record.h
 * The result record: everything that a grade says. Every report is made from it alone, and
 * record_json.h keeps it on disk.
 *
 * All strings and arrays belong to the record and are released by record_free(). Texts that came
 * from a submission (source lines, messages) are already cleaned of control characters.
 */
#ifndef GRADER_RECORD_RECORD_H
#define GRADER_RECORD_RECORD_H
#include "base/verdict.h"
#include "record/finding.h"

enum record_state {
    STATE_OK,       /**< full points */
    STATE_FAIL,
    STATE_UNJUDGED, /**< could not judge: no points, for a person to look at */
    STATE_NOT_TRIED,
};

/** One of softgpu's counters in a case; of several runs the largest. */
struct record_counter {
    char *name;
    double value;
    bool has_reference;
    double reference; /**< the same of the reference's kernel */
};

struct record_case {
    char *id;    /**< part's id and number in it: "B2" */
    char *name, *title;
    bool hidden;
    int points, earned;
    enum record_state state;
    enum verdict verdict; /**< why it failed; VERDICT_NONE if it did not */
    bool kit_fault;       /**< unjudged for a reason that no submission can bring about */
    double seconds;       /**< of the longest run of the student's kernel */
    int runs, runs_passed;
    char *counts_with;    /**< the case without which its points do not count; NULL: none */
    char *uncounted;      /**< why a passed case earned nothing; NULL: it did */
    char *message;        /**< one or more lines: the wrong value, the error; of a case that was not tried, why not; NULL if none */
    char *detail;         /**< the end of what the run printed on stderr, for -v; NULL if none */
    struct record_finding *findings;
    int findings_count;
    char **hints;         /**< of a failed case, the most fitting first */
    int hints_count;
    struct record_counter *counters; /**< of the student's kernel; empty where none were taken */
    int counters_count;
    char *timeline, *reference_timeline; /**< of a host-code lab: the two runs as SVG, to one scale; NULL if none */
    enum record_state gpu; /**< the same on a real GPU: results only; STATE_NOT_TRIED if not there */
    enum verdict gpu_verdict;
    double gpu_seconds;
    char *gpu_message;     /**< NULL if none */
};

struct record_part {
    char *id, *title;
    int points, earned;      /**< of its cases, and of the properties that belong to it */
    enum record_state state; /**< its worst case's */
    char *missing; /**< the part that it needs, where not tried; NULL otherwise */
    uint64_t code; /**< a hash of the code that it can come to run; 0: not known */
    bool kept;     /**< what the grade before it said still holds: nothing of it has run in this one */
    uint32_t seed; /**< of the grade in which it ran, where it is kept */
    struct record_case *cases;
    int cases_count;
};

struct record_property {
    char *title, *counter, *case_name;
    char *part;     /**< the part that its points belong to, which may have no cases; NULL: none */
    char *unit;     /**< what the counter counts; NULL: its name says it */
    bool required;  /**< its case fails where it is not met, and the part earns nothing */
    bool has_value, has_max, has_min, has_reference, absent; /**< absent: neither run has heard of its object or kernel */
    double value, max, min;
    double reference; /**< the reference's value, where the bounds are ratios to it, or where the student's run has none */
    int points, earned;
    enum record_state state;
};

/** Speed on a real GPU: points on top of the lab's. Times in microseconds. */
struct record_performance {
    char *title, *case_name;
    bool has_value;           /**< it was measured: the numbers below hold */
    double ratio, low, high;  /**< student's time over the reference's: median and its interval */
    double us, reference_us;  /**< medians */
    double floor_us;          /**< what the memory needs at least; 0: unknown */
    int rounds;
    int points, earned;
    int possible;             /**< what a quieter machine might still show */
    enum record_state state;  /**< unjudged: inconclusive, or it could not be measured */
    char *message;            /**< NULL if none */
};

struct record {
    char *lab, *folder, *title; /**< "lab03", "lab03_last_block", "last-block guard" */
    char *file;                 /**< what was graded, as the user named it */
    char *device;               /**< "softgpu, H200 model" */
    char *sandbox;              /**< the level that held, "D: …" */
    char *version;              /**< the grader's */
    char *nvcc;                 /**< first line of `nvcc --version` that names a release */
    char *command;              /**< how to call the grader on the same file: "./grade lab03" */
    uint32_t seed;
    int schedules;              /**< 0: as the spec says */
    uint64_t spec_hash, source_hash, reference_hash, harness_hash, softgpu_hash;
    int64_t time;               /**< start, seconds since 1970 */
    double seconds;
    int points, earned;
    bool kit_fault;             /**< of some case: `earned` is no score */
    bool partial;               /**< only some cases were asked for: no score */
    enum record_state state;
    enum verdict verdict;       /**< VERDICT_COMPILE_ERROR where it did not compile */
    char *message;              /**< the compiler's errors, or why it could not be judged */
    char *next;                 /**< the one thing to do next */
    char *compare;              /**< at full marks: the command that shows the solution beside it; NULL: none */
    struct record_part *parts;
    int parts_count;
    struct record_property *properties;
    int properties_count;
    char *gpu;                  /**< the real GPU that ran it too: "NVIDIA H200, …"; NULL: none */
    char *gpu_message;          /**< why the GPU could run nothing; NULL if it could */
    bool gpu_reaches_host;      /**< kernels on it can reach the harness's memory */
    struct record_performance *performance;
    int performance_count;
    int bonus, bonus_points;    /**< of performance: reached, and the most; not part of points */
    char **hints;               /**< where it did not compile */
    int hints_count;
};

void record_free(struct record *r);
/** A case by id or name, NULL if there is none. */
struct record_case *record_find(const struct record *r, const char *name);
/** Is this case of this part meant by `only`: the case's id or name, or the part's id? */
bool record_means(const struct record_part *p, const struct record_case *c, const char *only);
/** Was it left out for a reason of its own, which is its message? */
bool record_is_skipped(const struct record_case *c);
/** Nothing is known of it: it was neither left out so, nor has a run of it failed. */
bool record_is_open(const struct record_case *c);
/** Is any case meant by `only`? */
bool record_means_any(const struct record *r, const char *only);
/** The first case that is not passed and was tried, NULL if none. */
struct record_case *record_first_failure(const struct record *r);
/** Where all cases passed: the first property that is not met, NULL if none. */
const struct record_property *record_first_property(const struct record *r);
/** Whether a real GPU ran the case and it came out otherwise than on softgpu. */
bool record_disagrees(const struct record_case *c);
/** "3,272 barriers of a block, allowed: at most 1,000; the reference has 648"; the caller frees. */
char *record_property_words(const struct record_property *p);
/** The part that a property's points belong to, NULL if it stands for itself. */
struct record_part *record_part_of(const struct record *r, const struct record_property *p);
/** Whether a property that was measured is within its bounds. */
bool record_property_met(const struct record_property *p);
/** "ok", "fail", "unjudged", "not-tried". */
const char *record_state_name(enum record_state s);
/** "lab03 --case NAME --seed 5f3a91c2": the arguments that replay a case; the caller frees. */
char *record_replay(const struct record *r, const struct record_case *c);

/** The grader's exit status for a record: 0 full marks, 1 below, 2 could not judge. */
int record_exit(const struct record *r);

#endif
