/**
 * @file byte_set.h
 * A set of strings of bytes, each with a hash of its caller's, numbered as they came. Strings that hash alike are compared. Begins as all zero.
 */
#ifndef SOFTGPU_BASE_BYTE_SET_H
#define SOFTGPU_BASE_BYTE_SET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct byte_set {
    struct byte_string { uint64_t hash, at, bytes, number; } *strings;  /**< open addressing; `at` in `text`, plus one. 0: free */
    uint64_t size, count;                                       /**< size is a power of 2, or 0 */
    uint8_t *text;
    uint64_t used, room;
};

/** Adds a string, of which it keeps a copy. @return true if it was not there */
bool byte_set_add(struct byte_set *s, uint64_t hash, const void *bytes, size_t n);
bool byte_set_has(const struct byte_set *s, uint64_t hash, const void *bytes, size_t n);
/** 1 + how many strings were added before this one; 0: it is not there. */
uint64_t byte_set_number(const struct byte_set *s, uint64_t hash, const void *bytes, size_t n);
void byte_set_free(struct byte_set *s);

#endif
