/**
 * @file result_file.h
 * Reading the harness's result file (common/result.h has the layout) as hostile bytes.
 */
#ifndef GRADER_COMPARE_RESULT_FILE_H
#define GRADER_COMPARE_RESULT_FILE_H

#include "base/text.h"

#define RESULT_FILE_MAX_ARRAYS 64

enum array_type { ARRAY_I32 = 1, ARRAY_U32, ARRAY_I64, ARRAY_U64, ARRAY_F32, ARRAY_F64, ARRAY_U8 };

struct result_file_array {
    char name[64];
    enum array_type type;
    uint64_t count;
    const unsigned char *data; /**< into the file's bytes; not aligned */
};

struct result_file {
    struct result_file_array arrays[RESULT_FILE_MAX_ARRAYS];
    int count;
    char *bytes;
};

/** Bytes of an element; 0 for a type that does not exist. */
size_t array_type_size(int type);
/** Reads a complete file; NULL, or why it is none. result_file_close() is due either way. */
const char *result_file_open(struct result_file *r, const char *path, size_t max_bytes);
/** The same from memory; takes over `bytes` (malloced). */
const char *result_file_parse(struct result_file *r, char *bytes, size_t len);
void result_file_close(struct result_file *r);

#endif
