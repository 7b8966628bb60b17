/**
 * @file hot.c
 * See hot.h. A kernel is compiled once interpreting it has taken ten times what compiling it will: a short program never loads
 * LLVM, and no launch takes more than about a tenth longer than it would have.
 *
 * It is done by the thread that runs the kernel, while the others go on interpreting. A thread of its own would cost that launch
 * nothing, but was given up: where another thread calls exit() meanwhile, even if that one only waits in a handler, LLVM's data
 * come out garbled (glibc 2.36, LLVM 19; a dozen lines of C that call nothing but dlopen() and exit() show it).
 *
 * SOFTGPU_HOT, for tests: so many warp instructions make a kernel hot.
 */
#include "compile/hot.h"

#include <pthread.h>
#include <stdlib.h>

#include "compile/compile.h"

/** Nanoseconds, as measured (docs/speed.md): to compile an instruction, and to interpret one for a warp. */
#define COMPILING_NS 2500000ull
#define INTERPRETING_NS 10ull
#define TIMES_AS_LONG 10

static uint64_t said;             /**< by SOFTGPU_HOT; 0: nothing */
static void read_said(void)
{
    const char *text = getenv("SOFTGPU_HOT");
    said = text ? strtoull(text, NULL, 10) : 0;
}

void hot_ran(struct function *kernel, uint64_t instructions)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_said);
    uint64_t hot = said ? said : (uint64_t)(kernel->end - kernel->entry) * (COMPILING_NS / INTERPRETING_NS * TIMES_AS_LONG);
    uint64_t before = __atomic_fetch_add(&kernel->issued, instructions, __ATOMIC_RELAXED);
    char why[256];
    if (before < hot && before + instructions >= hot)
        compile_function(kernel, why, sizeof why);
}
