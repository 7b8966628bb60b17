/**
 * @file hot.c
 * See hot.h. A kernel is compiled once interpreting it has taken as long as compiling it will: a short program never starts LLVM, and at
 * worst twice the time is spent that was needed. That is another process's time; on one processor, where it would be the program's as
 * well, ten times as long. That process gives way to others; where they leave it nothing, it does so no longer once interpreting has
 * taken four times as long. Without checks an instruction takes what it takes; with them up to a thousand times that, so that the clock is asked.
 *
 * SOFTGPU_HOT=N, for tests: so many warp instructions make a kernel hot, and then it is waited for, so that each run is alike; N+: it
 * is not waited for, as without the variable.
 */
#include "compile/hot.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <time.h>

#include "compile/cache.h"
#include "compile/compile.h"

/** Nanoseconds, as measured (docs/speed.md): to start, to compile an instruction, and to interpret one for a warp, at least. */
#define STARTING_NS 50000000ull
#define COMPILING_NS 2500000ull
#define INTERPRETING_NS 10ull
#define TIMES_ALONE 10
#define TIMES_PATIENT 4
/** The clock is asked after so many instructions of warps on a thread. */
#define LOOKS_EACH 16384
/** To look for what an earlier run has kept takes its text, which is so much sooner made. */
#define LOOKING_SOONER 50

static uint64_t times = 1;        /**< the time that compiling takes */
static uint64_t said;             /**< by SOFTGPU_HOT; 0: nothing */
static bool waits;
static void read_said(void)
{
    const char *text = getenv("SOFTGPU_HOT");
    char *end = NULL;
    said = text ? strtoull(text, &end, 10) : 0;
    waits = said && *end != '+';
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) == 1)
        times = TIMES_ALONE;
}

/** Since a thread has asked the clock. */
static __thread struct {
    uint64_t instructions, at; /**< at: 0: a launch has begun since */
} looked;

void hot_begins(void)
{
    looked.at = looked.instructions = 0;
}

static uint64_t thread_ns(void)
{
    struct timespec t = {0};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/** What interpreting so many has taken. */
static uint64_t taken(uint64_t instructions)
{
    uint64_t least = instructions * INTERPRETING_NS, more = 0;
    looked.instructions += instructions;
    if (looked.at && looked.instructions < LOOKS_EACH)
        return least;
    uint64_t now = thread_ns(), all = looked.instructions * INTERPRETING_NS;
    if (looked.at && now - looked.at > all)
        more = now - looked.at - all;
    looked.at = now;
    looked.instructions = 0;
    return least + more;
}

void hot_no_more(struct function *kernel)
{
    __atomic_store_n(&kernel->heat, UINT64_MAX / 2, __ATOMIC_RELAXED);
}

void hot_ran(struct function *kernel, uint64_t instructions)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_said);
    uint64_t compiling = STARTING_NS + (uint64_t)(kernel->end - kernel->entry) * COMPILING_NS;
    uint64_t hot = said ? said : compiling * times, early = compiling / LOOKING_SOONER;
    if (__atomic_load_n(&kernel->heat, __ATOMIC_RELAXED) >= TIMES_PATIENT * hot)
        return;
    uint64_t more = said ? instructions : taken(instructions);
    uint64_t before = __atomic_fetch_add(&kernel->heat, more, __ATOMIC_RELAXED), now = before + more;
    char why[256];
    if (!said && cache_is_on() && before < early && now >= early && now < hot)
        compile_if_kept(kernel);
    if (before < hot && now >= hot) {
        if (waits)
            compile_function(kernel, why, sizeof why);
        else
            compile_later(kernel);
    }
    if (before < TIMES_PATIENT * hot && now >= TIMES_PATIENT * hot)
        compile_soon(kernel);
}
