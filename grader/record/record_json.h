/**
 * @file record_json.h
 * The record on disk; docs/record.md is its schema.
 */
#ifndef GRADER_RECORD_RECORD_JSON_H
#define GRADER_RECORD_RECORD_JSON_H

#include "record/record.h"

#define RECORD_SCHEMA 1

/** The record as JSON; the caller frees the text. */
char *record_to_json(const struct record *r);
/** The same without its pictures, which are most of a host-code lab's: null in their place. */
char *record_to_json_bare(const struct record *r);
/** NULL with `t` filled if the text is not a record of this schema. */
struct record *record_from_json(const char *text, size_t len, struct trouble *t);

#endif
