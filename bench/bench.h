/**
 * @file bench.h
 * What all programs of `make bench` share: clocks, and the one line that each prints.
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

struct task {
    size_t device_bytes;
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
