/**
 * @file hot.c
 * See hot.h. A kernel is compiled once interpreting it has taken three times what compiling it will: a
 * short program never loads LLVM, a long one loses little. The thread runs when nobody else wants the processor; a
 * process that ends waits for the function that is being compiled, since LLVM's own data go then.
 */
#include "compile/hot.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/list.h"
#include "compile/compile.h"
#include "compile/llvm.h"

/** Nanoseconds, as measured (docs/speed.md): to compile an instruction, and to interpret one for a warp. */
#define COMPILING_NS 2500000ull
#define INTERPRETING_NS 10ull
#define TIMES_AS_LONG 3

static struct {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    LIST(struct function *) waiting;
    const struct function *now;   /**< is being compiled */
    bool started;
    bool loading;                 /**< the thread is loading LLVM: the process must not end meanwhile */
    bool closed;                  /**< nothing is begun any more */
} work_list = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

/** What is registered last is called first: before LLVM's own, and, where LLVM is not there yet, at once. */
static void at_exit(void);

static void *work(void *arg)
{
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), 5);
    if (llvm_available())
        atexit(at_exit);
    pthread_mutex_lock(&work_list.lock);
    work_list.loading = false;
    pthread_cond_broadcast(&work_list.changed);
    for (;;) {
        while (!work_list.waiting.count)
            pthread_cond_wait(&work_list.changed, &work_list.lock);
        struct function *f = work_list.waiting.data[--work_list.waiting.count];
        char why[256];
        work_list.now = f;
        pthread_mutex_unlock(&work_list.lock);
        compile_function(f, why, sizeof why);
        pthread_mutex_lock(&work_list.lock);
        work_list.now = NULL;
        pthread_cond_broadcast(&work_list.changed);
    }
    return arg;
}

static void wait_for(const struct image *im)
{
    while ((!im && work_list.loading) || (work_list.now && (!im || work_list.now->image == im)))
        pthread_cond_wait(&work_list.changed, &work_list.lock);
}

static void at_exit(void)
{
    pthread_mutex_lock(&work_list.lock);
    work_list.closed = true;
    work_list.waiting.count = 0;
    wait_for(NULL);
    pthread_mutex_unlock(&work_list.lock);
}

/** A child has one thread: what another one was compiling will not be done there. */
static void in_child(void)
{
    pthread_mutex_init(&work_list.lock, NULL);
    pthread_cond_init(&work_list.changed, NULL);
    work_list.closed = true;
    work_list.waiting.count = 0;
    work_list.now = NULL;
    work_list.loading = false;
}

/** The thread gets no signals: those are the program's. @return false where there can be none */
static bool start(void)
{
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    work_list.loading = true;
    bool started = pthread_create(&thread, NULL, work, NULL) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    work_list.loading = started;
    if (!started)
        return false;
    pthread_detach(thread);
    pthread_atfork(NULL, NULL, in_child);
    atexit(at_exit);
    return true;
}

static void request(struct function *f)
{
    pthread_mutex_lock(&work_list.lock);
    if (!work_list.closed && !work_list.started)
        work_list.closed = !(work_list.started = start());
    if (!work_list.closed) {
        *LIST_PUSH(&work_list.waiting) = f;
        pthread_cond_broadcast(&work_list.changed);
    }
    pthread_mutex_unlock(&work_list.lock);
}

void hot_ran(struct function *kernel, uint64_t instructions)
{
    uint64_t hot = (uint64_t)(kernel->end - kernel->entry) * (COMPILING_NS / INTERPRETING_NS * TIMES_AS_LONG);
    uint64_t before = __atomic_fetch_add(&kernel->issued, instructions, __ATOMIC_RELAXED);
    if (before < hot && before + instructions >= hot)
        request(kernel);
}

void hot_forget(const struct image *im)
{
    pthread_mutex_lock(&work_list.lock);
    for (int i = work_list.waiting.count - 1; i >= 0; i--)
        if (work_list.waiting.data[i]->image == im)
            work_list.waiting.data[i] = work_list.waiting.data[--work_list.waiting.count];
    wait_for(im);
    pthread_mutex_unlock(&work_list.lock);
}
