/**
 * @file random.h
 * Seeded random numbers and the distributions that lab.yaml names.
 *
 * The generator is xoshiro256** seeded through splitmix64 (Blackman and Vigna, "Scrambled linear
 * pseudorandom number generators", 2021): the same on every machine, and fast enough to fill 10^9
 * elements. Not for secrets.
 */
#ifndef COMMON_RANDOM_H
#define COMMON_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct random {
    uint64_t state[4];
};

/** Streams with different `purpose` are unrelated, also for neighbouring seeds. */
struct random random_seeded(uint64_t seed, uint64_t purpose);
uint64_t random_u64(struct random *r);
/** Uniform in [0, bound) without bias; 0 when bound is 0. */
uint64_t random_below(struct random *r, uint64_t bound);

/**
 * Fills `dst` with ints of the named distribution:
 *   uniform    −1000 … 1000
 *   wide       all 32-bit values
 *   negative   −1,000,000 … −1
 *   skewed     mostly small, now and then a value 10,000 times as large
 *   sparse     zeros, about one in 64 not
 *   ramp       its own index plus noise: a wrong index shows
 *   equal      one value, drawn once
 *   few        sixteen distinct values
 *   sorted     ascending
 *   reversed   descending
 *   extremes   the least and greatest ints and values near 0
 * @return false when there is no such distribution; `dst` is then untouched
 */
bool random_fill_i32(struct random *r, const char *distribution, int32_t *dst, size_t count);
/** All names, separated by spaces. */
const char *random_distributions(void);

#endif
