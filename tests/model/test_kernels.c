/**
 * @file test_kernels.c
 * Random small kernels of several forms (random_program.h), about which three answers are compared (compared.h).
 * MODEL_KERNELS=N tries N kernels of each, MODEL_FIRST=N begins at the N-th.
 */
#include <string.h>

#include "compared.h"
#include "random_program.h"
#include "unit.h"

#define KERNELS 240
#define BATCH 60

static void make_kernel(struct compared_kernel *k, long number)
{
    random_program(number, k->text, sizeof k->text, &k->layout);
    litmus_parse(&k->litmus, k->text);
    snprintf(k->name, sizeof k->name, "k%ld", number);
}

/** One whose threads meet. */
static void make_meeting(struct compared_kernel *k, long number)
{
    random_meeting(number, MEET_IN_VOTE + (int)(number % 3), k->text, sizeof k->text, &k->layout);
    litmus_parse(&k->litmus, k->text);
    snprintf(k->name, sizeof k->name, "m%ld", number);
}

/** One with every scope, in clusters. */
static void make_scoped(struct compared_kernel *k, long number)
{
    random_scopes(number, k->text, sizeof k->text, &k->layout);
    litmus_parse(&k->litmus, k->text);
    snprintf(k->name, sizeof k->name, "s%ld", number);
}

/** Threads that poll, and barriers with a count. */
static void make_waiting(struct compared_kernel *k, long number)
{
    random_waits(number, k->text, sizeof k->text, &k->layout);
    litmus_parse(&k->litmus, k->text);
    snprintf(k->name, sizeof k->name, "w%ld", number);
}

/** Atomics of every operation, volatile accesses. */
static void make_updating(struct compared_kernel *k, long number)
{
    random_updates(number, k->text, sizeof k->text, &k->layout);
    litmus_parse(&k->litmus, k->text);
    snprintf(k->name, sizeof k->name, "u%ld", number);
}

/** `otherwise` kernels from the first on, if nothing else is set; `least`: one of so many is right. */
static void compare_many(void (*make)(struct compared_kernel *, long), long otherwise, int least, const char *what)
{
    static struct compared_kernel kernels[BATCH];
    long count = compared_setting("MODEL_KERNELS", otherwise), first = compared_setting("MODEL_FIRST", 0);
    struct compared_counts counts = {0};
    for (long done = 0; done < count; done += BATCH) {
        int n = count - done < BATCH ? (int)(count - done) : BATCH;
        for (int i = 0; i < n; i++)
            make(&kernels[i], first + done + i);
        compared_all(kernels, n, &counts);
    }
    fprintf(stderr, "%s: %d to be told, %d right ones; %d failures\n", what, counts.told, counts.silent, counts.failed);
    CU_ASSERT_EQUAL(counts.failed, 0);
    CU_ASSERT(counts.told >= count / 8 && counts.silent >= count / least);
}

static void test_kernels(void)
{
    compare_many(make_kernel, KERNELS, 8, "kernels");
}

/** Those with barriers, in one warp: there each is a bar.warp.sync of the block's threads. */
static void test_warps(void)
{
    static struct compared_kernel kernels[BATCH];
    struct compared_counts counts = {0};
    int n = 0;
    for (long number = compared_setting("MODEL_FIRST", 0); n < BATCH; number++) {
        make_kernel(&kernels[n], number);
        kernels[n].layout = LITMUS_LANES;
        n += strstr(kernels[n].text, "bar 0") != NULL;
    }
    compared_all(kernels, n, &counts);
    fprintf(stderr, "in one warp: %d to be told, %d right ones; %d failures\n", counts.told, counts.silent, counts.failed);
    CU_ASSERT_EQUAL(counts.failed, 0);
    CU_ASSERT(counts.told >= n / 8 && counts.silent >= n / 8);
}

/** Threads that meet in a vote, in a shuffle, or at a cluster's barrier: that orders them, and no memory but by an arrival that
 *  releases. */
static void test_meetings(void)
{
    compare_many(make_meeting, BATCH, 8, "that meet");
}

/** Three and four threads, accesses, atomics and fences of all scopes, in blocks of clusters. */
static void test_scopes(void)
{
    compare_many(make_scoped, BATCH, 20, "of all scopes");
}

/** Threads that wait: some may never end, and that is told, too. */
static void test_waits(void)
{
    compare_many(make_waiting, BATCH, 20, "that wait");
}

static void test_updates(void)
{
    compare_many(make_updating, 2 * BATCH, 8, "of all operations");
}

/** Kernels whose threads meet and that were once missed: their searches take too many points (of the last one's not even
 *  all interleavings come in the part that is made); or what is odd is which of two
 *  writes comes last, and the second's own thread sees it; or
 *  --exhaustive and the model of the text differed: a read takes what its own thread writes, and that rests on a later one. */
static void test_met_before(void)
{
    static const long numbers[] = {3607, 3801, 102493, 200101, 201141, 211080};
    static struct compared_kernel kernels[BATCH];
    struct compared_counts counts = {0};
    int n = (int)(sizeof numbers / sizeof numbers[0]);
    for (int i = 0; i < n; i++)
        make_meeting(&kernels[i], numbers[i]);
    compared_all(kernels, n, &counts);
    CU_ASSERT_EQUAL(counts.failed, 0);
    CU_ASSERT_EQUAL(counts.told, n - 1); /* of 201141 --exhaustive only lost outcomes */
}

/** Kernels that were once judged wrongly: searches that were cut short, blocks with idle warps (missed); signals that
 *  nobody can tell from what was there before (told off). */
static void test_found(void)
{
    static const long numbers[] = {1000, 1181, 1221, 1293, 1553, 1582, 1589, 1731, 2482, 6354, 201739};
    static struct compared_kernel kernels[BATCH];
    struct compared_counts counts = {0};
    int n = (int)(sizeof numbers / sizeof numbers[0]);
    for (int i = 0; i < n; i++)
        make_kernel(&kernels[i], numbers[i]);
    compared_all(kernels, n, &counts);
    CU_ASSERT_EQUAL(counts.failed, 0);
    CU_ASSERT_EQUAL(counts.told, 8);
    CU_ASSERT_EQUAL(counts.silent, 3);
}

/** A kernel that waits, and was missed: two ends of a thread, which differ in what it has left in memory of its own, were taken for one. */
static void test_waited_before(void)
{
    static struct compared_kernel kernel;
    struct compared_counts counts = {0};
    make_waiting(&kernel, 730559);
    compared_all(&kernel, 1, &counts);
    CU_ASSERT_EQUAL(counts.failed, 0);
    CU_ASSERT_EQUAL(counts.told, 1);
}

UNIT_MAIN("model: kernels", {"random kernels", test_kernels}, {"barriers of a warp", test_warps},
          {"exchanges and clusters", test_meetings}, {"scopes", test_scopes}, {"polls and counted barriers", test_waits}, {"all operations", test_updates},
          {"found before", test_found}, {"met before", test_met_before}, {"waited before", test_waited_before})
