/**
 * @file test_base.c
 * Arenas, growing lists, sets of strings, diagnostics, threads beside their caller, and what others are at.
 */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/byte_set.h"
#include "base/diag.h"
#include "base/list.h"
#include "base/processors.h"
#include "base/threads.h"
#include "base/zeroed.h"
#include "unit.h"

static void test_arena(void)
{
    struct arena a = {0};
    unsigned char *blocks[64];
    size_t sizes[64], total = 0;
    for (int i = 0; i < 64; i++) { /* small ones, and some larger than a chunk */
        sizes[i] = i % 8 == 7 ? 300000u + (size_t)i : (size_t)i * 37;
        blocks[i] = arena_alloc(&a, sizes[i]);
        CU_ASSERT_EQUAL((uintptr_t)blocks[i] % 16, 0);
        for (size_t b = 0; b < sizes[i]; b++)
            if (blocks[i][b])
                CU_FAIL("arena memory is not zero");
        memset(blocks[i], i + 1, sizes[i]);
        total += sizes[i];
    }
    for (int i = 0; i < 64; i++)
        for (size_t b = 0; b < sizes[i]; b++)
            if (blocks[i][b] != i + 1)
                CU_FAIL("arena blocks overlap");
    CU_ASSERT(a.used >= total);
    char *s = arena_strndup(&a, "abcdef", 3);
    CU_ASSERT_STRING_EQUAL(s, "abc");
    arena_free(&a);
    CU_ASSERT_EQUAL(a.used, 0);
    CU_ASSERT_PTR_NULL(a.chunks);
}

static void test_list(void)
{
    LIST(int) l = {0};
    for (int i = 0; i < 1000; i++)
        *LIST_PUSH(&l) = i * i;
    CU_ASSERT_EQUAL(l.count, 1000);
    for (int i = 0; i < 1000; i++)
        if (l.data[i] != i * i)
            CU_FAIL("a list lost an element");
    LIST_FREE(&l);
    CU_ASSERT_EQUAL(l.count, 0);
}

/** Strings that hash alike are told apart, and found again when there are many. */
static void test_byte_set(void)
{
    struct byte_set s = {0};
    for (int round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 3000; i++)
            if (byte_set_add(&s, i % 7, &i, sizeof i) != (round == 0))
                CU_FAIL("a set took strings for each other, or lost one");
    CU_ASSERT_EQUAL(s.count, 3000);
    CU_ASSERT(byte_set_add(&s, 0, "", 0));
    CU_ASSERT_FALSE(byte_set_add(&s, 0, "", 0));
    CU_ASSERT(byte_set_add(&s, 0, "\0", 1)); /* no prefix is the whole */
    CU_ASSERT(byte_set_add(&s, 0, "\0", 2));
    CU_ASSERT_EQUAL(byte_set_number(&s, 0, "\0", 2), s.count); /* numbered as they came */
    CU_ASSERT_EQUAL(byte_set_number(&s, 0, "", 0), s.count - 2);
    CU_ASSERT_EQUAL(byte_set_number(&s, 0, "\0", 3), 0);
    byte_set_free(&s);
    CU_ASSERT_EQUAL(s.count, 0);
}

/** Small and large, with every byte usable and zero again when cleared. */
static void test_zeroed(void)
{
    static const size_t sizes[] = {0, 1, 100, 65535, 65536, 70001, 3 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        char *p = zeroed_new(sizes[i]);
        size_t last = sizes[i] ? sizes[i] - 1 : 0;
        CU_ASSERT_PTR_NOT_NULL_FATAL(p);
        if (sizes[i]) {
            CU_ASSERT_EQUAL(p[last], 0);
            memset(p, 9, sizes[i]);
            zeroed_clear(p, sizes[i]);
            CU_ASSERT_TRUE(p[0] == 0 && p[last] == 0);
        }
        zeroed_free(p, sizes[i]);
    }
    zeroed_free(NULL, 0);
    zeroed_free(NULL, 1 << 20);
    CU_ASSERT_PTR_NULL(zeroed_new(SIZE_MAX / 2));
}

static void test_diag_place(void)
{
    static const char text[] = "one\ntwo\tx\x1b[31m\r\nthree";
    struct diag d = {0};
    diag_at(&d, DIAG_SYNTAX, text, sizeof text - 1, 8, "bad '%s'", "x\ny");
    CU_ASSERT_EQUAL(d.line, 2);
    CU_ASSERT_EQUAL(d.column, 5);
    CU_ASSERT_STRING_EQUAL(d.source_line, "two x?[31m");
    CU_ASSERT_STRING_EQUAL(d.message, "bad 'x?y'");
    diag_at(&d, DIAG_LIMIT, text, sizeof text - 1, 0, "later");
    CU_ASSERT_EQUAL(d.kind, DIAG_SYNTAX); /* the first one wins */
    struct diag end = {0};
    diag_at(&end, DIAG_SYNTAX, text, sizeof text - 1, 1000, "past the end");
    CU_ASSERT_EQUAL(end.line, 3);
    CU_ASSERT_EQUAL(end.column, 6);
}

static void test_diag_print(void)
{
    static const char text[] = "a\nmov.b32 x;\n";
    char *out = NULL;
    size_t size = 0;
    struct diag d = {0};
    diag_at(&d, DIAG_SYNTAX, text, sizeof text - 1, 10, "no x");
    FILE *f = open_memstream(&out, &size);
    diag_print(f, "k.ptx", &d);
    fclose(f);
    CU_ASSERT_STRING_EQUAL(out, "k.ptx:2:9: error: no x\n  mov.b32 x;\n          ^\n");
    free(out);
}

/** A line longer than fits is cut, and a place behind the cut draws no caret past it. */
static void test_diag_long_line(void)
{
    char text[2000], *out = NULL;
    size_t size = 0;
    memset(text, 'x', sizeof text);
    struct diag d = {0};
    diag_at(&d, DIAG_SYNTAX, text, sizeof text, 1500, "far");
    CU_ASSERT_EQUAL(d.column, 1501);
    CU_ASSERT_EQUAL(strlen(d.source_line), sizeof d.source_line - 1);
    FILE *f = open_memstream(&out, &size);
    diag_print(f, "k.ptx", &d);
    fclose(f);
    CU_ASSERT_PTR_NULL(strchr(out, '^'));
    free(out);
}

struct helper {
    pthread_t thread;
    sem_t go;
    cpu_set_t may; /**< where it may run once it was let go */
};

static void *helper(void *arg)
{
    struct helper *h = arg;
    sem_wait(&h->go);
    sched_getaffinity(0, sizeof h->may, &h->may);
    return NULL;
}

/** @p count helpers of a thread that may run on @p all: each runs, and may run on all in the end. */
static void beside(int count, const cpu_set_t *all)
{
    struct helper h[5];
    CU_ASSERT_EQUAL(processors_allowed(), CPU_COUNT(all));
    for (int i = 0; i < count; i++) {
        CPU_ZERO(&h[i].may);
        sem_init(&h[i].go, 0, 0);
        CU_ASSERT_EQUAL_FATAL(thread_beside(&h[i].thread, i, count, helper, &h[i]), 0);
    }
    for (int i = 0; i < count; i++) {
        sem_post(&h[i].go);
        pthread_join(h[i].thread, NULL);
        sem_destroy(&h[i].go);
        CU_ASSERT_TRUE(CPU_EQUAL(&h[i].may, all));
    }
}

static void test_beside(void)
{
    cpu_set_t before, one, now;
    sched_getaffinity(0, sizeof before, &before);
    beside(5, &before); /* on most machines more than there are processors */
    beside(1, &before);
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    CU_ASSERT_EQUAL(sched_setaffinity(0, sizeof one, &one), 0);
    beside(2, &one);
    sched_getaffinity(0, sizeof now, &now);
    CU_ASSERT_TRUE(CPU_EQUAL(&now, &one));
    sched_setaffinity(0, sizeof before, &before);
}

struct other {
    sem_t rest;
    volatile bool stop;
};

static void *runs_and_rests(void *arg)
{
    struct other *o = arg;
    while (!o->stop)
        ;
    sem_wait(&o->rest);
    return NULL;
}

/** Whether a thread other than this one is seen to run, once it has had time to come to that. */
static bool comes_to(bool running)
{
    for (int i = 0; i < 10000 && threads_other_runs() != running; i++)
        usleep(1000);
    return threads_other_runs() == running;
}

static void test_other_runs(void)
{
    struct other o = {.stop = false};
    pthread_t thread;
    CU_ASSERT_FALSE(threads_other_runs());
    sem_init(&o.rest, 0, 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, runs_and_rests, &o), 0);
    CU_ASSERT_TRUE(comes_to(true));
    o.stop = true;
    CU_ASSERT_TRUE(comes_to(false));
    sem_post(&o.rest);
    pthread_join(thread, NULL);
    sem_destroy(&o.rest);
}

UNIT_MAIN("base", {"arena", test_arena}, {"list", test_list}, {"byte set", test_byte_set}, {"zeroed", test_zeroed}, {"place", test_diag_place},
          {"print", test_diag_print}, {"a long line", test_diag_long_line},
          {"threads beside", test_beside}, {"whether others run", test_other_runs})
