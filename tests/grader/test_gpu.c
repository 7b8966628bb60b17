/**
 * @file test_gpu.c
 * Statistics and bands of the second tier, on numbers made for it: no clock is read here.
 */
#include <math.h>
#include <stdlib.h>

#include "gpu/bands.h"
#include "gpu/statistics.h"
#include "unit.h"

static void test_median(void)
{
    double odd[] = {9, 1, 5, 3, 7}, even[] = {4, 1, 3, 2}, one[] = {8};
    CU_ASSERT_EQUAL(statistics_median(odd, 5).median, 5);
    CU_ASSERT_EQUAL(statistics_median(even, 4).median, 2.5);
    CU_ASSERT_EQUAL(statistics_median(one, 1).median, 8);
    CU_ASSERT_EQUAL(statistics_median(odd, 5).low, 0);
    CU_ASSERT_TRUE(isinf(statistics_median(odd, 5).high));
    CU_ASSERT_EQUAL(statistics_median(NULL, 0).median, 0);
}

/** The ranks of published tables for 95 % (Conover, table A3 by the binomial distribution). */
static void test_ranks(void)
{
    static const struct {
        int n, rank;
    } rows[] = {{6, 1},  {8, 1},  {9, 2},  {11, 2},  {12, 3},  {15, 4},
                {20, 6}, {21, 6}, {25, 8}, {31, 10}, {50, 18}, {100, 40}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double values[100];
        int n = rows[i].n;
        for (int k = 0; k < n; k++)
            values[k] = n - k; /* descending: it must sort */
        struct estimate e = statistics_median(values, n);
        CU_ASSERT_EQUAL(e.low, rows[i].rank);
        CU_ASSERT_EQUAL(e.high, n + 1 - rows[i].rank);
    }
}

/** Of intervals from random samples at least 95 % hold the true median, whatever the distribution. */
static void test_coverage(void)
{
    unsigned short state[3] = {1, 2, 3};
    for (int shape = 0; shape < 3; shape++) {
        int held = 0;
        for (int trial = 0; trial < 4000; trial++) {
            double v[21];
            for (int k = 0; k < 21; k++) {
                double u = erand48(state);
                v[k] = shape == 0 ? u : shape == 1 ? -log(1 - u) : u < 0.4 ? 1 : 10 + u;
            }
            double truth = shape == 0 ? 0.5 : shape == 1 ? log(2) : 10.5;
            struct estimate e = statistics_median(v, 21);
            held += e.low <= truth && truth <= e.high;
        }
        CU_ASSERT_TRUE(held >= 3760 &&
                       held < 4000); /* 97.3 % are expected, 94 % would be a fault */
    }
}

static struct spec_band bands[] = {{1.2, 100}, {2.0, 50}};
static const struct spec_performance entry = {.points = 10, .bands = bands, .bands_count = 2};

static struct speed_judgement judge(double low, double ratio, double high, double student,
                                    double reference, double alone, double floor)
{
    struct speed_measured m = {{ratio, low, high}, student, reference, alone, floor};
    return speed_judge(&entry, &m);
}

#define EXPECT(call, v, sure, open)                                                                \
    do {                                                                                           \
        struct speed_judgement j = call;                                                           \
        CU_ASSERT_EQUAL(j.verdict, v);                                                             \
        CU_ASSERT_EQUAL(j.credit, sure);                                                           \
        CU_ASSERT_EQUAL(j.possible, open);                                                         \
    } while (0)

static void test_bands(void)
{
    EXPECT(judge(0.9, 1.0, 1.1, 100, 100, 100, 50), SPEED_JUDGED, 100, 100);
    EXPECT(judge(1.1, 1.15, 1.2, 115, 100, 100, 50), SPEED_JUDGED, 100, 100);
    EXPECT(judge(1.3, 1.5, 1.9, 150, 100, 100, 50), SPEED_JUDGED, 50, 50);
    EXPECT(judge(2.1, 3.0, 4.0, 300, 100, 100, 50), SPEED_JUDGED, 0, 0);
    /* Twice as fast as the reference is allowed. */
    EXPECT(judge(0.5, 0.5, 0.5, 50, 100, 100, 50), SPEED_JUDGED, 100, 100);
}

static void test_noise(void)
{
    EXPECT(judge(1.1, 1.15, 1.3, 115, 100, 100, 50), SPEED_INCONCLUSIVE, 50, 100);
    EXPECT(judge(1.1, 1.15, 2.3, 115, 100, 100, 50), SPEED_INCONCLUSIVE, 0, 100);
    EXPECT(judge(0, 1.0, INFINITY, 100, 100, 100, 50), SPEED_INCONCLUSIVE, 0, 100);
    /* Noise within one band changes nothing. */
    EXPECT(judge(0.3, 0.8, 1.2, 80, 100, 100, 50), SPEED_JUDGED, 100, 100);
}

static void test_floor(void)
{
    EXPECT(judge(0.4, 0.4, 0.4, 40, 100, 100, 50), SPEED_BELOW_FLOOR, 0, 0);
    EXPECT(judge(0.4, 0.4, 0.4, 40, 100, 100, 0), SPEED_JUDGED, 100, 100);
    EXPECT(judge(1, 1, 1, 40, 40, 40, 50), SPEED_REFERENCE_BELOW, 0, 0);
}

/** A kernel that slows the reference beside it looks fast, and gets nothing for it. */
static void test_disturbed(void)
{
    EXPECT(judge(0.5, 0.5, 0.5, 100, 200, 100, 50), SPEED_DISTURBED, 0, 100);
    EXPECT(judge(1.0, 1.0, 1.0, 100, 100, 130, 50), SPEED_DISTURBED, 0, 100);
    EXPECT(judge(1.0, 1.0, 1.0, 100, 100, 120, 50), SPEED_JUDGED, 100, 100);
    EXPECT(judge(1.0, 1.0, 1.0, 100, 100, NAN, 50), SPEED_DISTURBED, 0, 100);
}

UNIT_MAIN("gpu", {"medians", test_median}, {"ranks of the interval", test_ranks},
          {"what the interval holds", test_coverage}, {"bands", test_bands}, {"noise", test_noise},
          {"the floor", test_floor}, {"a slowed reference", test_disturbed})
