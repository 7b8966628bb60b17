/**
 * @file test_crew.c
 * Threads that are kept: each piece of work is begun at most once by each, by nobody once it is closed, and a child of fork() has its own.
 */
#include "base/crew.h"

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define COUNT 4

struct counts {
    int began[COUNT + 2], done;
    bool usual, faults;    /**< signals: blocked in a helper */
};

static void begin(void *self, int number)
{
    struct counts *c = self;
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    c->usual = sigismember(&blocked, SIGUSR1) == 1;
    c->faults = sigismember(&blocked, SIGSEGV) == 1;
    __atomic_add_fetch(&c->began[number < COUNT ? number : COUNT], 1, __ATOMIC_SEQ_CST);
    sched_yield();
    __atomic_add_fetch(&c->done, 1, __ATOMIC_SEQ_CST);
}

/** One piece of work; `wait`: the caller stays until a helper has begun. */
static void once(bool wait)
{
    struct counts c = {0};
    struct crew_work w = {.run = begin, .self = &c, .count = COUNT};
    crew_ask(&w);
    while (wait && !__atomic_load_n(&c.began[1], __ATOMIC_SEQ_CST))
        sched_yield();
    int begun = crew_close(&w);
    CU_ASSERT_TRUE_FATAL(begun >= 1 + wait && begun <= COUNT);
    CU_ASSERT_EQUAL(c.done, begun - 1);
    for (int i = 0; i <= COUNT; i++)
        CU_ASSERT_EQUAL_FATAL(c.began[i], i > 0 && i < begun);
    if (wait) {
        CU_ASSERT_TRUE(c.usual);
        CU_ASSERT_FALSE(c.faults);
    }
}

static void test_pieces(void)
{
    CU_ASSERT_EQUAL(crew_threads(), 0);
    for (int i = 0; i < 500; i++) /* all at one address */
        once(i % 4 == 0);
    CU_ASSERT_EQUAL(crew_threads(), COUNT - 1);
}

static void test_two_at_once(void)
{
    struct counts c = {0}, d = {0};
    struct crew_work w = {.run = begin, .self = &c, .count = COUNT}, x = {.run = begin, .self = &d, .count = COUNT};
    crew_ask(&w);
    crew_ask(&x);
    CU_ASSERT_EQUAL(crew_close(&x), 1);
    CU_ASSERT_EQUAL(d.done, 0);
    int begun = crew_close(&w);
    CU_ASSERT_EQUAL(c.done, begun - 1);
}

static void test_alone(void)
{
    struct counts c = {0};
    struct crew_work w = {.run = begin, .self = &c, .count = 1};
    crew_ask(&w);
    CU_ASSERT_EQUAL(crew_close(&w), 1);
    CU_ASSERT_EQUAL(c.done, 0);
}

static void test_fork(void)
{
    int status = -1;
    pid_t child = fork();
    if (child == 0) {
        if (crew_threads())
            _exit(1);
        once(true);
        _exit(crew_threads() == COUNT - 1 && !CU_get_number_of_failures() ? 0 : 2);
    }
    CU_ASSERT_TRUE_FATAL(child > 0);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    once(true); /* here they are still there */
}

UNIT_MAIN("crew", {"pieces of work", test_pieces}, {"two at once", test_two_at_once}, {"the caller alone", test_alone}, {"a child", test_fork})
