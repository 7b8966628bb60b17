/**
 * @file result.h
 * The result file: named arrays, framed so that a file cut short is never taken for a whole one.
 *
 * Layout, little-endian: "FPRESULT", u32 version 1, u32 number of arrays; for each array u32 name
 * length, name, u32 type (enum result_type), u64 elements, the elements; at the end u32 0x21444e45
 * ("END!"). A reader must find that end, and nothing after it.
 */
#ifndef COMMON_RESULT_H
#define COMMON_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RESULT_VERSION 1u
#define RESULT_END 0x21444e45u
#define RESULT_MAX_ARRAYS 64

enum result_type {
    RESULT_I32 = 1,
    RESULT_U32,
    RESULT_I64,
    RESULT_U64,
    RESULT_F32,
    RESULT_F64,
    RESULT_U8
};

/** Bytes of one element; 0 for a type that does not exist. */
size_t result_type_size(enum result_type type);

struct result_array {
    char name[64];
    enum result_type type;
    uint64_t count;
    void *data;
};

/** Zero-initialise to create. */
struct result {
    struct result_array arrays[RESULT_MAX_ARRAYS];
    unsigned count;
};

/** Copies `count` elements in. Aborts when there are too many arrays or the name is too long. */
void result_add(struct result *r, const char *name, enum result_type type, const void *data,
                size_t count);
/** @return false with errno set; what is then left of the file lacks its end */
bool result_write(const struct result *r, const char *path);
void result_free(struct result *r);

#endif
