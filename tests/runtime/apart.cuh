/**
 * @file apart.cuh
 * Facts whose calls may end the process or its context: cases that run one after another in a child process, and go on in the
 * next one behind a case after which nothing works any more; sections each in a process of its own.
 */
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/** The next case's number, for all processes; the number of the one that a child is at. */
static int *next_case, at_case;

/** Whether this case is this child's to run; it counts as done from now on. */
static bool is_next()
{
    bool mine = at_case++ == *next_case;
    *next_case += mine;
    return mine;
}

/** The case has spoilt the process. */
static void go_on_elsewhere()
{
    fflush(stdout);
    _exit(1);
}

static int child(void (*body)())
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        setvbuf(stdout, NULL, _IOLBF, 0);
        alarm(60);
        body();
        fflush(stdout);
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (WIFSIGNALED(status))
        printf("ends by signal %d\n", WTERMSIG(status));
    return status;
}

/** Runs `body`, which asks is_next() before each case, until it has been through all of them. */
static inline void run_cases(void (*body)())
{
    next_case = (int *)mmap(NULL, sizeof *next_case, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    while (child(body))
        ;
}

static sigjmp_buf crash;
static void crashed(int signal)
{
    siglongjmp(crash, signal);
}

/** The words of a call's result, or that it crashes. */
#define WORDS_OF(call)                                                                                                 \
    ({                                                                                                                 \
        const char *words_ = "crashes";                                                                                \
        signal(SIGSEGV, crashed);                                                                                      \
        if (!sigsetjmp(crash, 1))                                                                                      \
            words_ = name_of(call);                                                                                    \
        words_;                                                                                                        \
    })
#define TELL(call) printf("%s: %s\n", #call, WORDS_OF(call))
#define VALUE(what, value) printf("%s: %lld\n", what, (long long)(value))
