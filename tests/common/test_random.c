/**
 * @file test_random.c
 * The generator against published values, the distributions against what they promise.
 */
#include "random.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

static void test_generator_is_xoshiro256starstar(void)
{
    // First outputs for the state {1, 2, 3, 4}, computed by hand from the algorithm's definition:
    // rotl(2*5, 7)*9 = 11520; then s = {7, 0, 262146, 211106232532992}.
    struct random r = {{1, 2, 3, 4}};
    CU_ASSERT_EQUAL(random_u64(&r), 11520);
    CU_ASSERT_EQUAL(r.state[0], 7);
    CU_ASSERT_EQUAL(r.state[1], 0);
    CU_ASSERT_EQUAL(r.state[2], 262146);
    CU_ASSERT_EQUAL(r.state[3], 211106232532992);
    CU_ASSERT_EQUAL(random_u64(&r), 0);
}

static void test_same_seed_same_stream(void)
{
    struct random a = random_seeded(7, 1), b = random_seeded(7, 1);
    for (int i = 0; i < 100; i++)
        CU_ASSERT_EQUAL(random_u64(&a), random_u64(&b));
}

static void test_purposes_and_seeds_differ(void)
{
    uint64_t seen[64];
    int count = 0;
    for (uint64_t seed = 0; seed < 8; seed++)
        for (uint64_t purpose = 0; purpose < 8; purpose++) {
            struct random r = random_seeded(seed, purpose);
            uint64_t first = random_u64(&r);
            for (int i = 0; i < count; i++)
                CU_ASSERT_NOT_EQUAL(first, seen[i]);
            seen[count++] = first;
        }
}

static void test_below_is_in_range_and_covers_it(void)
{
    struct random r = random_seeded(1, 0);
    int hits[7] = {0};
    for (int i = 0; i < 7000; i++) {
        uint64_t x = random_below(&r, 7);
        CU_ASSERT_FATAL(x < 7);
        hits[x]++;
    }
    for (int i = 0; i < 7; i++)
        CU_ASSERT(hits[i] > 800 && hits[i] < 1200);
    CU_ASSERT_EQUAL(random_below(&r, 0), 0);
    CU_ASSERT_EQUAL(random_below(&r, 1), 0);
}

static void test_every_distribution_fills(void)
{
    char names[256];
    strcpy(names, random_distributions());
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " ")) {
        int32_t values[1000];
        struct random r = random_seeded(3, 0);
        CU_ASSERT(random_fill_i32(&r, name, values, 1000));
        int distinct = 0;
        for (int i = 1; i < 1000; i++)
            distinct += values[i] != values[0];
        if (strcmp(name, "equal") == 0)
            CU_ASSERT_EQUAL(distinct, 0)
        else
            CU_ASSERT(distinct > 0);
    }
    int32_t untouched = 42;
    struct random r = random_seeded(3, 0);
    CU_ASSERT_FALSE(random_fill_i32(&r, "gaussian", &untouched, 1));
    CU_ASSERT_EQUAL(untouched, 42);
}

static void test_shapes(void)
{
    int32_t v[1000];
    struct random r = random_seeded(9, 0);
    random_fill_i32(&r, "sorted", v, 1000);
    for (int i = 1; i < 1000; i++)
        CU_ASSERT(v[i - 1] <= v[i]);
    random_fill_i32(&r, "reversed", v, 1000);
    for (int i = 1; i < 1000; i++)
        CU_ASSERT(v[i - 1] >= v[i]);
    random_fill_i32(&r, "negative", v, 1000);
    for (int i = 0; i < 1000; i++)
        CU_ASSERT(v[i] < 0);
    random_fill_i32(&r, "wide", v, 1000);
    int high = 0;
    for (int i = 0; i < 1000; i++)
        high += v[i] > 1 << 30 || v[i] < -(1 << 30);
    CU_ASSERT(high > 300);
    CU_ASSERT(random_fill_i32(&r, "uniform", v, 0));
}

UNIT_MAIN("random", {"xoshiro256**", test_generator_is_xoshiro256starstar},
          {"same seed, same stream", test_same_seed_same_stream},
          {"purposes and seeds differ", test_purposes_and_seeds_differ},
          {"below", test_below_is_in_range_and_covers_it},
          {"every distribution fills", test_every_distribution_fills}, {"shapes", test_shapes})
