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

#include "decode/code.h"

enum finding_kind {
    FIND_DATA_RACE, FIND_MISSING_RELEASE, FIND_MISSING_ACQUIRE, FIND_ORDERING,
    FIND_BARRIER_DIVERGENCE, FIND_DEADLOCK, FIND_OUT_OF_BOUNDS, FIND_MISALIGNED,
    FIND_USE_AFTER_FREE, FIND_UNINITIALIZED_READ, FIND_STREAM_RACE, FIND_LEAK, FIND_ASSERT,
    FIND_TRAP, FIND_STEP_LIMIT, FIND_UNSUPPORTED, FIND_KIND_COUNT
};
enum finding_level { LEVEL_INFO, LEVEL_WARNING, LEVEL_ERROR };

/** "data-race", "missing-acquire", … */
const char *finding_kind_name(enum finding_kind kind);
/** "info", "warning", "error" */
const char *finding_level_name(enum finding_level level);

struct finding_access {
    const char *op;          /**< "load", "store", "atomic", "barrier", "cudaMemcpy", … */
    const char *file;        /**< NULL if unknown */
    int line;
    int ptx_line;
    bool has_thread;         /**< false for host operations */
    uint32_t block[3], thread[3];
    bool has_value;
    uint64_t value;
    enum ptx_type type;      /**< how to print the value */
    bool has_missed;         /**< a load that returned an older value: the one it missed */
    uint64_t missed;
};

struct finding {
    enum finding_kind kind;
    enum finding_level level;
    const char *kernel;
    const char *space;       /**< "global", "shared", "local", "host", or NULL */
    char object[64];         /**< variable name or "allocN"; "" if none */
    uint64_t offset;         /**< bytes from the object's start */
    struct finding_access accesses[2];
    int access_count;
    char message[512];       /**< one sentence */
    char rule[128];
    char suggestion[256];    /**< the smallest change that would help; "" if not determined */
};

struct reporter;
struct options;

/** Opens the findings file (`options->json_path`, may be NULL: then only counts are kept). */
struct reporter *reporter_open(const struct options *options);
/** Adds one occurrence; thread-safe; copies everything. */
void report_finding(struct reporter *r, const struct finding *f);
/** Distinct findings so far at `level` or above. */
int reporter_count(const struct reporter *r, enum finding_level level);
/** Writes a raw JSON object as a line (outcomes of --exhaustive). `json` has no newline. */
void report_line(struct reporter *r, const char *json);
/** Rewrites the file so that counts are final, prints nothing. Safe to call at any time: findings
 *  are also on disk from the moment they are made. */
void reporter_flush(struct reporter *r);
void reporter_close(struct reporter *r);

struct warp;
/** Fills `a` for one lane of a warp at an instruction. */
void finding_access_fill(struct finding_access *a, const struct warp *w, int lane,
                         const struct insn *in, const char *op);
struct grid;
/** The same for a thread known by its block's linear index and its number in the block. */
void finding_access_at(struct finding_access *a, const struct grid *g, uint64_t block,
                       uint32_t thread, const struct insn *in, const char *op);
/** As finding_access_at() for an instruction known by its site in the grid's image. */
void finding_access_site(struct finding_access *a, const struct grid *g, uint64_t block,
                         uint32_t thread, uint32_t site, const char *op);
/** Fills space, object and offset from a global device address or a shared offset. */
struct machine;
struct block;
/** `b` may be NULL for global addresses. */
void finding_place(struct finding *f, struct machine *m, const struct block *b,
                   enum ptx_space space, uint64_t address);

#endif
