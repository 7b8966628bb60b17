/**
 * @file kinds.h
 * The kinds of findings and their levels, made from kinds.def. Stands alone: the grader uses it, too.
 */
#ifndef SOFTGPU_REPORT_KINDS_H
#define SOFTGPU_REPORT_KINDS_H

enum finding_kind {
#define KIND(e, ...) FIND_##e,
#include "report/kinds.def"
    FIND_KIND_COUNT
};

/** LEVEL_OF_KIND: what kinds.def says. */
enum finding_level { LEVEL_OF_KIND, LEVEL_INFO, LEVEL_WARNING, LEVEL_ERROR };

/** Lines of level info: no findings, but what there is to say about the run. */
enum finding_line {
#define KIND(...)
#define LINE(e, name) LINE_##e,
#include "report/kinds.def"
    FINDING_LINE_COUNT
};

struct kind_info {
    const char *name;        /**< "data-race": in the findings file, in lab.yaml */
    enum finding_level level;
    unsigned causes;         /**< bit k: kind k may be why it happens */
    const char *meaning;     /**< one sentence */
    const char *rule;        /**< "" if none */
};
extern const struct kind_info finding_kinds[FIND_KIND_COUNT];

/** "data-race", "missing-acquire", … */
const char *finding_kind_name(enum finding_kind kind);
/** "incomplete", "outcome", "end" */
const char *finding_line_name(enum finding_line line);
/** "info", "warning", "error" */
const char *finding_level_name(enum finding_level level);

#endif
