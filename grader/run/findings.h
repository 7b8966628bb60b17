/**
 * @file findings.h
 * Reading softgpu's findings file (design.md, "Interfaces") into the record's form.
 */
#ifndef GRADER_RUN_FINDINGS_H
#define GRADER_RUN_FINDINGS_H

#include "record/finding.h"
#include "spec/spec.h"

struct findings {
    struct record_finding *list; /**< errors first; ignored kinds are left out */
    int count, errors;
    char *unsupported;           /**< softgpu's words where it could not go on, else NULL */
    char *incomplete;            /**< its words where it did not judge all, else NULL */
    bool complete;               /**< the closing record is there, and all lines that it counts */
};

/**
 * Reads a findings file; one that does not exist is empty, and not complete. Of more findings than are
 * kept errors go before warnings.
 * @param source  the student's text, for the lines
 * @param shown   what the compiled file (kernel.cu) is called in reports
 * @return false with `t` filled if the file is not in the format; findings_free() is due either way
 */
bool findings_read(struct findings *f, const char *path, const struct spec *s, const char *source,
                   const char *shown, struct trouble *t);
/** Releases the array itself; the entries' strings move on to the record. */
void findings_free(struct findings *f);

#endif
