/**
 * @file document.h
 * The same lab.yaml as a libyaml tree: what libcyaml does not give, line numbers by path, mappings
 * with free keys, and an exact reason why a load failed.
 *
 * Paths are written as in messages: "parts[0].cases[2].points".
 */
#ifndef GRADER_SPEC_DOCUMENT_H
#define GRADER_SPEC_DOCUMENT_H

#include <cyaml/cyaml.h>
#include <yaml.h>

#include "spec/spec.h"

struct spec_document {
    yaml_document_t yaml;
    bool open;         /**< `yaml` holds a document */
    const char *shown; /**< file name for messages; not owned */
};

/** Parses the text; a syntax error is a trouble. document_close() is due either way. */
bool document_open(struct spec_document *d, const char *text, size_t len, const char *shown,
                   struct trouble *t);
void document_close(struct spec_document *d);

/** The node at a path, or NULL. `format` is printf's. */
yaml_node_t *document_at(struct spec_document *d, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/** "FILE:LINE: PATH: MESSAGE"; the line is that of the longest existing prefix of the path. */
bool document_trouble(struct spec_document *d, struct trouble *t, const char *path,
                      const char *format, ...) __attribute__((format(printf, 4, 5)));

/** Finds the first place that does not fit the schema. False with `t` filled if there is one. */
bool document_explain(struct spec_document *d, const cyaml_schema_value_t *schema,
                      struct trouble *t);

#endif
