/**
 * @file hash_set.h
 * A set of hashes: what has been met before. Begins as all zero; hash 0 counts as 1.
 */
#ifndef SOFTGPU_BASE_HASH_SET_H
#define SOFTGPU_BASE_HASH_SET_H

#include <stdbool.h>
#include <stdint.h>

struct hash_set {
    uint64_t *at;             /**< open addressing; 0: free */
    uint64_t size, count;     /**< size is a power of 2, or 0 */
};

/** Adds a well mixed hash. @return true if it was not there */
bool hash_set_add(struct hash_set *s, uint64_t hash);
bool hash_set_has(const struct hash_set *s, uint64_t hash);
/** Empties it and keeps its room. */
void hash_set_clear(struct hash_set *s);
/** Empties it; it may be used again. */
void hash_set_free(struct hash_set *s);

#endif
