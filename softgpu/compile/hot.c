/**
 * @file hot.c
 * See hot.h. A kernel is compiled once interpreting it has taken as long as compiling it will: a short program never starts LLVM, and at
 * worst twice the time is spent that was needed. That is another process's time; on one processor, where it would be the program's as
 * well, ten times as long. That process gives way to others; where they leave it nothing, it does so no longer once interpreting has
 * taken four times as long.
 *
 * SOFTGPU_HOT=N, for tests: so many warp instructions make a kernel hot, and then it is waited for, so that each run is alike; N+: it
 * is not waited for, as without the variable.
 */
#include "compile/hot.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#include "compile/cache.h"
#include "compile/compile.h"

/** Nanoseconds, as measured (docs/speed.md): to start, to compile an instruction, and to interpret one for a warp. */
#define STARTING_NS 50000000ull
#define COMPILING_NS 2500000ull
#define INTERPRETING_NS 10ull
#define TIMES_ALONE 10
#define TIMES_PATIENT 4
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

void hot_ran(struct function *kernel, uint64_t instructions)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_said);
    uint64_t compiling = STARTING_NS + (uint64_t)(kernel->end - kernel->entry) * COMPILING_NS;
    uint64_t hot = said ? said : compiling * times / INTERPRETING_NS;
    uint64_t before = __atomic_fetch_add(&kernel->issued, instructions, __ATOMIC_RELAXED);
    char why[256];
    uint64_t early = compiling / LOOKING_SOONER / INTERPRETING_NS;
    if (!said && cache_is_on() && before < early && before + instructions >= early && before + instructions < hot)
        compile_if_kept(kernel);
    if (before < hot && before + instructions >= hot) {
        if (waits)
            compile_function(kernel, why, sizeof why);
        else
            compile_later(kernel);
    }
    if (before < TIMES_PATIENT * hot && before + instructions >= TIMES_PATIENT * hot)
        compile_soon(kernel);
}
