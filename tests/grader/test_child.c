/**
 * @file test_child.c
 * Limits of child processes: the wall clock of whoever waits for a processor, or for another process that does.
 */
#include "sandbox/child.h"
#include "sandbox/tree.h"
#include "unit.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 4, BUSY_MS = 30 };
static pthread_barrier_t begun, ready, looked;

/** Wants so much of a processor that all of these share. */
static void *busy(void *cpus)
{
    struct timespec had;
    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), cpus);
    pthread_barrier_wait(&begun); /* all of them at once, however slowly they are made */
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &had);
    while (had.tv_sec == 0 && had.tv_nsec < BUSY_MS * 1000000l);
    pthread_barrier_wait(&ready);
    pthread_barrier_wait(&looked);
    return NULL;
}

/** One of the processors that we may use. */
static int first_cpu(cpu_set_t *only)
{
    int cpu = 0;
    cpu_set_t all;
    sched_getaffinity(0, sizeof all, &all);
    while (!CPU_ISSET(cpu, &all))
        cpu++;
    CPU_ZERO(only);
    CPU_SET(cpu, only);
    return cpu;
}

static void test_threads_wait(void)
{
    cpu_set_t only;
    pthread_t t[THREADS];
    first_cpu(&only);
    pthread_barrier_init(&begun, NULL, THREADS);
    pthread_barrier_init(&ready, NULL, THREADS + 1);
    pthread_barrier_init(&looked, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++)
        CU_ASSERT_FATAL(pthread_create(&t[i], NULL, busy, &only) == 0);
    pthread_barrier_wait(&ready);
    double waited = tree_waited(getpid());
    pthread_barrier_wait(&looked);
    for (int i = 0; i < THREADS; i++)
        pthread_join(t[i], NULL);
    CU_ASSERT(waited > 0.001 * BUSY_MS); /* while the three others ran */
}

static const struct child_limits wide = {.seconds = 60, .cpu_seconds = 60, .memory_mib = 512, .file_kib = 64,
                                         .output_kib = 64, .processes = 64};

/** A child that sleeps beyond its limit beside a companion with that script. @return how the first one ended */
static enum child_end beside(char *script, const char *sleeps, double limit)
{
    char folder[] = "/tmp/test_child.XXXXXX", *env[] = {"PATH=/usr/bin:/bin", NULL}, sleeper[64], command[96];
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    snprintf(sleeper, sizeof sleeper, "sleep %s; : >done", sleeps);
    char *argv[] = {"/bin/sh", "-c", sleeper, NULL}, *other[] = {"/bin/sh", "-c", script, NULL};
    struct child companion = {.argv = other, .env = env, .folder = folder, .limits = wide};
    struct child c = {.argv = argv, .env = env, .folder = folder, .limits = wide, .companion = &companion};
    c.limits.seconds = limit;
    child_run(&c);
    enum child_end end = c.end;
    child_clear(&c);
    child_clear(&companion);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CU_ASSERT(system(command) == 0);
    return end;
}

static void test_companion_waits(void)
{
    char script[256];
    cpu_set_t only;
    snprintf(script, sizeof script,
             "for i in 1 2 3 4 5 6 7 8; do taskset -c %d sh -c 'while [ ! -e done ]; do :; done' & done; wait", first_cpu(&only));
    CU_ASSERT_EQUAL(beside(script, "3.5", 3), CHILD_EXITED); /* by then it has waited for seconds */
}

/** A child that waited for a processor, and ends after its limit: what it had waited is not forgotten when it is gone. */
static void test_waits_and_ends(void)
{
    char folder[] = "/tmp/test_child.XXXXXX", *env[] = {"PATH=/usr/bin:/bin", NULL}, script[256], command[96];
    cpu_set_t only;
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    snprintf(script, sizeof script, "for i in 1 2 3 4 5 6 7 8; do taskset -c %d sh -c 'while [ ! -e done ]; do :; done' & done; "
             "sleep 1.5; : >done; wait; exit 7", first_cpu(&only));
    char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct child c = {.argv = argv, .env = env, .folder = folder, .limits = wide};
    c.limits.seconds = 1;
    child_run(&c);
    CU_ASSERT_EQUAL(c.end, CHILD_EXITED);
    CU_ASSERT_EQUAL(c.code, 7);
    child_clear(&c);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CU_ASSERT(system(command) == 0);
}

static void test_companion_idles(void)
{
    char script[] = "sleep 4";
    CU_ASSERT_EQUAL(beside(script, "8", 0.5), CHILD_TIME_LIMIT);
}

/** Children that run beside one: a folder in which they find each other's files. */
struct others {
    struct child child[3];
    char *argv[3][4];
    int begun, ended;
    int told; /**< that the one is gone: how often */
};

static struct child *next_other(void *ctx)
{
    struct others *o = ctx;
    return o->begun < 3 ? &o->child[o->begun++] : NULL;
}

static void end_other(void *ctx, struct child *c)
{
    struct others *o = ctx;
    CU_ASSERT(c == &o->child[o->ended] && c->end == CHILD_EXITED && c->code == 0);
    o->ended++;
}

static void end_main(void *ctx)
{
    struct others *o = ctx;
    o->told++;
    CU_ASSERT(o->ended < o->begun);
}

static void test_beside(void)
{
    char folder[] = "/tmp/test_child.XXXXXX", *env[] = {"PATH=/usr/bin:/bin", NULL}, command[64];
    CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
    char *argv[] = {"/bin/sh", "-c", "echo $$ >pid; while [ ! -e one ] || [ ! -e two ]; do sleep 0.01; done", NULL};
    char *scripts[] = {": >one", /* and until the one that they run beside is gone: */
                       "while [ ! -s pid ]; do sleep 0.01; done; : >two; while kill -0 $(cat pid); do sleep 0.01; done", ": >three"};
    struct others o = {.begun = 0};
    for (int i = 0; i < 3; i++) {
        char *words[] = {"/bin/sh", "-c", scripts[i], NULL};
        memcpy(o.argv[i], words, sizeof words);
        o.child[i] = (struct child){.argv = o.argv[i], .env = env, .folder = folder, .limits = wide};
    }
    struct child_feed feed = {.next = next_other, .done = end_other, .main_done = end_main, .ctx = &o};
    struct child c = {.argv = argv, .env = env, .folder = folder, .limits = wide};
    child_run_beside(&feed, 2);
    child_run(&c);
    CU_ASSERT(c.end == CHILD_EXITED && c.code == 0);
    CU_ASSERT(o.begun == 2 && o.ended == 2 && o.told == 1); /* the third would have begun when its time was over */
    child_clear(&c);
    char *last[] = {"/bin/true", NULL};
    c = (struct child){.argv = last, .env = env, .folder = folder, .limits = wide, .quick = true};
    child_run(&c);
    CU_ASSERT(c.end == CHILD_EXITED && o.begun == 2 && o.told == 1);
    child_run_beside(NULL, 1);
    child_clear(&c);
    c = (struct child){.argv = last, .env = env, .folder = folder, .limits = wide};
    child_run(&c);
    CU_ASSERT(c.end == CHILD_EXITED && o.begun == 2);
    child_clear(&c);
    for (int i = 0; i < 3; i++)
        child_clear(&o.child[i]);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CU_ASSERT(system(command) == 0);
}

/** Patient ones begin once the one that they run beside has printed something; not at all where it does not. */
static void test_patient(void)
{
    char *const scripts[] = {"sleep 0.1; [ ! -e one ] || exit 3; echo; while [ ! -e one ]; do sleep 0.01; done", "sleep 0.1; echo silent >&2; [ ! -e one ]"};
    for (int speaks = 1; speaks >= 0; speaks--) {
        char folder[] = "/tmp/test_child.XXXXXX", *env[] = {"PATH=/usr/bin:/bin", NULL}, command[64];
        CU_ASSERT_FATAL(mkdtemp(folder) != NULL);
        char *argv[] = {"/bin/sh", "-c", scripts[!speaks], NULL}, *other[] = {"/bin/sh", "-c", ": >one; sleep 0.2", NULL};
        struct others o = {.begun = 2};
        o.child[2] = (struct child){.argv = other, .env = env, .folder = folder, .limits = wide};
        o.ended = 2;
        struct child_feed feed = {.next = next_other, .done = end_other, .patient = true, .ctx = &o};
        struct child c = {.argv = argv, .env = env, .folder = folder, .limits = wide};
        child_run_beside(&feed, 2);
        child_run(&c);
        child_run_beside(NULL, 1);
        CU_ASSERT(c.end == CHILD_EXITED && c.code == 0 && o.begun == 2 + speaks && o.ended == o.begun);
        child_clear(&c);
        child_clear(&o.child[2]);
        snprintf(command, sizeof command, "rm -r %s", folder);
        CU_ASSERT(system(command) == 0);
    }
}

UNIT_MAIN("child", {"threads that wait for a processor", test_threads_wait},
          {"a child that waits for one and ends", test_waits_and_ends},
          {"a companion that waits for one", test_companion_waits}, {"a companion that does nothing", test_companion_idles},
          {"children beside one", test_beside}, {"children that wait for its word", test_patient})
