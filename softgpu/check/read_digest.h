/**
 * @file read_digest.h
 * What a warp has read where, as one word: reads that have the same one are taken to be the same.
 */
#ifndef SOFTGPU_CHECK_READ_DIGEST_H
#define SOFTGPU_CHECK_READ_DIGEST_H

#include <stdbool.h>
#include <stdint.h>

#include "execute/observer.h"
#include "execute/plain_access.h"

/** Addresses and values of a read in one word: each lane's own hash, so that none waits for another's. `old`: an atomic's, before it. */
uint64_t read_digest(const struct mem_access *a, bool old);
/** The same, lane by lane, on any processor. */
uint64_t read_digest_plain(const struct mem_access *a, bool old);

/** The same of a plain load, by cheaper means and so another word. */
uint64_t read_digest_word(const struct plain_access *p);
uint64_t read_digest_word_by_lanes(const struct plain_access *p);

#endif
