/**
 * @file finding.h
 * Findings: what softgpu tells about a program, and the JSON-lines file they are written to.
 *
 * One finding stands for all occurrences of a kind at one pair of source lines; the first is kept
 * and the rest are counted. The file format is an interface (design.md): one JSON object a line.
 */
#ifndef SOFTGPU_REPORT_FINDING_H
#define SOFTGPU_REPORT_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "parse/module.h"
#include "report/facts.h"
#include "report/kinds.h"

struct finding_access {
    const char *op;          /**< "load", "store", "atomic", "barrier", "cudaMemcpy", … */
    const char *file;        /**< NULL if unknown */
    int line;
    int ptx_line;
    bool has_thread;         /**< false for host operations */
    uint32_t block[3], thread[3];
    bool row_of_blocks, row_of_threads; /**< the launch has one dimension: the first coordinate says it all */
    bool has_value;
    uint64_t value;
    enum ptx_type type;      /**< how to print the value */
    uint64_t stream;         /**< 0 if not known; else the id of the stream that it ran in */
    bool has_missed;         /**< a load that returned an older value: the one it missed */
    uint64_t missed;
};

/** One step of the run that a finding shows: what a thread did there, and what it saw. */
struct finding_event {
    char op[24];             /**< "load", "store", "atomic", "fence", "barrier", "warp barrier" */
    char order[20];          /**< of strong accesses and fences: "acquire.gpu"; "" if none */
    const char *file;        /**< NULL if unknown */
    int line;
    uint32_t block[3], thread[3];
    char object[64];         /**< as in struct finding; "" if it touches no memory */
    uint64_t offset;
    bool has_value, has_old, has_missed;
    uint64_t value;          /**< read, written, or left by an atomic */
    uint64_t old;            /**< what an atomic found */
    uint64_t missed;         /**< the newest value, where a load returned an older one */
    enum ptx_type type;
    uint32_t times;          /**< in a row, when it polled: this is the last time */
    uint64_t number;         /**< in the order of the run */
};

/** Tells the two accesses apart from all others of a launch, so that a second run of the same
 *  schedule can watch them. */
struct finding_trail {
    bool known;              /**< both accesses belong to launch `op` */
    bool shown;              /**< the second is a load and returned the older value */
    uint64_t op, block[2], address;
    uint32_t thread[2], site[2], bytes;
    uint32_t via, signal;    /**< sites of the read that saw the other's signal, and of the signal */
    enum ptx_space space;
};

/** A checker fills in what it knows: kind, cause and the facts that go with it, place and accesses. The
 *  words are report_finding()'s, through report/words/. */
struct finding {
    enum finding_kind kind;
    enum finding_level level;/**< LEVEL_OF_KIND unless there is a reason */
    enum finding_cause cause;
    union finding_facts facts;
    const char *kernel;
    const char *space;       /**< "global", "shared", "local", "host", or NULL */
    char object[64];         /**< variable name or "allocN"; "" if none */
    bool named;              /**< the program gave the object its name */
    uint64_t offset;         /**< bytes from the object's start */
    struct finding_access accesses[2];
    int access_count;
    uint64_t ops[2];         /**< stream-race: the two operations' numbers; 0 = the host */
    char message[512];       /**< one sentence: this and the next two are filled in by report_finding() */
    char rule[128];
    char suggestion[256];    /**< the smallest change that would help; "" if not determined */
    struct finding_trail trail;
    const struct finding_event *events;  /**< the interleaving, oldest first */
    int event_count;
};

struct reporter;
struct options;

/** Opens the findings file (`options->json_path`, may be NULL: then only counts are kept). */
struct reporter *reporter_open(const struct options *options);
/** Calls `heard` for each distinct finding when it is first made. */
void reporter_listen(struct reporter *r, void (*heard)(const struct finding *f));
/** Puts it in words, and adds one occurrence; thread-safe; copies everything. */
void report_finding(struct reporter *r, struct finding *f);
/** Distinct findings so far at `level` or above. */
int reporter_count(const struct reporter *r, enum finding_level level);
/** Says that the run tells less than it might, and why. */
void report_incomplete(struct reporter *r, enum incomplete_cause cause);
/** Writes a raw JSON object as a line (outcomes of --exhaustive). `json` has no newline. */
void report_line(struct reporter *r, const char *json);
/** Rewrites the file so that counts are final, prints nothing. Safe to call at any time: findings
 *  are also on disk from the moment they are made. */
void reporter_flush(struct reporter *r);
/** The program has come to its end; what is told while all is put away, leaks, may still come. */
void reporter_end(struct reporter *r);
/** Writes the counts for the last time. After reporter_end(), where options->json_end asks for it and every
 *  line could be written, a closing record follows, {"kind":"end","level":"info","lines":N,…}. */
void reporter_close(struct reporter *r);

/* ---- Watching a finding again (rerun/interleaving.c) ---- */

/** A finding whose interleaving is still wanted. */
struct finding_wanted {
    int id;
    enum finding_kind kind;
    struct finding_trail trail;
};
/** Lists findings of launch `op` made since they were last listed, at most `max`. @return how many */
int reporter_wanted(struct reporter *r, uint64_t op, struct finding_wanted *list, int max);
/** While `on`, findings are not counted or added: those that occur again with the very accesses of their
 *  trail are noted. */
void reporter_replay(struct reporter *r, bool on);
/** Takes the next finding that has occurred again. @return false if there is none */
bool reporter_recurred(struct reporter *r, int *id);
/** Adds the interleaving to a finding; copies the events, whose strings must outlive the reporter's
 *  use of them only until it returns. Values of the two accesses are set from their events. */
void reporter_tell(struct reporter *r, int id, const struct finding_event *events, int count);
/** The value that was shown changed the launch's result: the finding becomes an error and says so. */
void reporter_bites(struct reporter *r, int id);

#endif
