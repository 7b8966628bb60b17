/**
 * @file record_rows.h
 * The record's members as rows, from which both ways between record and JSON are made. docs/record.md is the
 * schema in words.
 */
#ifndef GRADER_RECORD_RECORD_ROWS_H
#define GRADER_RECORD_RECORD_ROWS_H

#include <stddef.h>

enum type { STRING, PICTURE, INT, INT64, HEX32, HEX64, BOOL, REAL, STATE, VERDICT, LEVEL, TRIPLE, STRINGS, LIST, PAIR };

struct row {
    const char *name;
    enum type type;
    size_t offset;
    const struct row *rows; /**< LIST and PAIR: of an element */
    size_t size, count;     /**< of an element; offset of the int that counts them */
};

/** Of struct record; the last has no name. */
extern const struct row record_rows[];

#endif
