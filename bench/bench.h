/**
 * @file bench.h
 * What the two sides of a comparison share: inputs, the check of the results, clocks, and the one line
 * that each program prints. Included by bench.cu and bench_cl.c.
 *
 *   PROGRAM sum ELEMENTS [BLOCKS THREADS]    64 x 256 if not given
 *   PROGRAM sort BLOCKS                      of 256 elements each
 *
 * The line: wall and CPU milliseconds of each launch with the wait for its end (the first one warms
 * up), peak memory and device memory in kB. Exit status 1 where a result is wrong.
 */
#ifndef BENCH_H
#define BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define LAUNCHES 2
#define SORT_THREADS 256

struct task {
    int is_sum;
    size_t count, bytes, device_bytes;
    unsigned blocks, threads;
    int *input;
    double wall[LAUNCHES], cpu[LAUNCHES];
};

static double clock_ms(clockid_t which)
{
    struct timespec t;
    clock_gettime(which, &t);
    return t.tv_sec * 1e3 + t.tv_nsec / 1e6;
}

static void task_start(struct task *t, int launch)
{
    t->wall[launch] = -clock_ms(CLOCK_MONOTONIC);
    t->cpu[launch] = -clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

static void task_stop(struct task *t, int launch)
{
    t->wall[launch] += clock_ms(CLOCK_MONOTONIC);
    t->cpu[launch] += clock_ms(CLOCK_PROCESS_CPUTIME_ID);
}

/** Reads the command line and makes the input; the same numbers on both sides. */
static struct task task_make(int argc, char **argv)
{
    struct task t;
    memset(&t, 0, sizeof t);
    if (argc < 3 || (strcmp(argv[1], "sum") && strcmp(argv[1], "sort")) || atol(argv[2]) <= 0) {
        fprintf(stderr, "usage: %s sum ELEMENTS [BLOCKS THREADS] | sort BLOCKS\n", argv[0]);
        exit(2);
    }
    t.is_sum = !strcmp(argv[1], "sum");
    t.count = (size_t)atol(argv[2]);
    t.blocks = t.is_sum ? (argc > 4 ? (unsigned)atoi(argv[3]) : 64) : (unsigned)t.count;
    t.threads = t.is_sum && argc > 4 ? (unsigned)atoi(argv[4]) : SORT_THREADS;
    if (!t.is_sum)
        t.count *= SORT_THREADS;
    t.bytes = t.count * sizeof(int);
    t.device_bytes = t.bytes + (t.is_sum ? t.blocks * sizeof(int) : 0);
    t.input = (int *)malloc(t.bytes);
    if (!t.input)
        abort();
    unsigned x = 1;
    for (size_t i = 0; i < t.count; i++) {
        x = x * 1664525u + 1013904223u;
        t.input[i] = (int)(x >> 8);
    }
    return t;
}

/** One number a block. */
static int sum_is_right(const struct task *t, const int *sums)
{
    unsigned expected = 0, got = 0;
    for (size_t i = 0; i < t->count; i++)
        expected += (unsigned)t->input[i];
    for (unsigned i = 0; i < t->blocks; i++)
        got += (unsigned)sums[i];
    return expected == got;
}

/** Each block ascends and holds what it held before (by its sum). */
static int sort_is_right(const struct task *t, const int *sorted)
{
    for (unsigned b = 0; b < t->blocks; b++) {
        const int *now = sorted + (size_t)b * SORT_THREADS, *was = t->input + (now - sorted);
        unsigned change = (unsigned)now[0] - (unsigned)was[0];
        for (int i = 1; i < SORT_THREADS; i++) {
            change += (unsigned)now[i] - (unsigned)was[i];
            if (now[i - 1] > now[i])
                return 0;
        }
        if (change)
            return 0;
    }
    return 1;
}

static long peak_kb(void)
{
    char line[256];
    long kb = -1;
    FILE *f = fopen("/proc/self/status", "r");
    while (f && fgets(line, sizeof line, f))
        sscanf(line, "VmHWM: %ld", &kb);
    if (f)
        fclose(f);
    return kb;
}

/** Prints the line. @return the exit status */
static int task_report(const struct task *t, int right)
{
    if (!right) {
        fprintf(stderr, "wrong result\n");
        return 1;
    }
    printf("wall");
    for (int i = 0; i < LAUNCHES; i++)
        printf(" %.3f", t->wall[i]);
    printf(" cpu");
    for (int i = 0; i < LAUNCHES; i++)
        printf(" %.3f", t->cpu[i]);
    printf(" peak_kb %ld device_kb %zu\n", peak_kb(), t->device_bytes / 1024);
    return 0;
}

#endif
