/**
 * @file schema.h
 * lab.yaml's grammar as libcyaml tables. explain.c reads the same tables to say what is allowed.
 */
#ifndef GRADER_SPEC_SCHEMA_H
#define GRADER_SPEC_SCHEMA_H

#include <cyaml/cyaml.h>

extern const cyaml_schema_value_t spec_schema;

#endif
