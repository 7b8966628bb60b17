/**
 * @file ending.c
 * How a program ends that does not leave main(). One that handles SIGABRT may go on behind an abort(), by a jump out of its handler:
 * LLVM's crash recovery does, in Triton's compiler. It has not ended before the handler has come back.
 */
#include "host/ending.h"

#include <assert.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

static void (*is_ending)(void);
static pid_t process; /**< whose end it is */

void ending_told(void (*ending)(void))
{
    is_ending = ending;
    process = getpid();
}

/** Once: what is called here may itself end so. */
static void end_begins(void)
{
    static bool begun;
    if (is_ending && !__atomic_test_and_set(&begun, __ATOMIC_RELAXED))
        is_ending();
}

static bool abort_is_handled(void)
{
    struct sigaction now;
    return sigaction(SIGABRT, NULL, &now) == 0 && ((now.sa_flags & SA_SIGINFO) || (now.sa_handler != SIG_DFL && now.sa_handler != SIG_IGN));
}

_Noreturn void ending_abort(void)
{
    sigset_t aborts;
    sigemptyset(&aborts);
    sigaddset(&aborts, SIGABRT);
    if (abort_is_handled()) {
        pthread_sigmask(SIG_UNBLOCK, &aborts, NULL);
        raise(SIGABRT);
        signal(SIGABRT, SIG_DFL); /* as the C library does when the handler has come back */
    }
    end_begins();
    abort();
}

_Noreturn void ending_assert_fail(const char *what, const char *file, unsigned line, const char *function)
{
    if (!abort_is_handled())
        end_begins();
    __assert_fail(what, file, line, function);
}

_Noreturn void ending_exit(int status)
{
    if (getpid() == process) /* and not a child, which may have this process's very memory (vfork()) */
        end_begins();
    _exit(status);
}
