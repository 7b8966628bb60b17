/**
 * @file chain_index.h
 * Private to release_chain.c: finds a contribution by who made it.
 */
#ifndef SOFTGPU_CHECK_RACE_CLOCK_CHAIN_INDEX_H
#define SOFTGPU_CHECK_RACE_CLOCK_CHAIN_INDEX_H

#include <stdint.h>

/** A number by a key that is not 0: open addressing. */
struct chain_index {
    struct {
        uint64_t key;
        int value;
    } * at;
    uint32_t mask, count;
};

/** @return -1 if the key is not there */
int chain_index_get(const struct chain_index *x, uint64_t key);
/** Adds a key, or gives it another number; `x->at` is the caller's to free. */
void chain_index_put(struct chain_index *x, uint64_t key, int value);

#endif
